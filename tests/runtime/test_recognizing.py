"""Tests of invariants that look at whole rows know what held before, and look at nothing but what is known of them."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

import patolli
from patolli.compiler.grounding import taken_apart
from patolli.runtime.recognizing import LEAST, MOST, recognizing

RULESETS = [("founders", ()), ("founders", ("founders_solo",)), ("city_of_gods", ("solo", "mansion")), ("patolli", ())]


class Counting:
    """A test that says how often it was worked out: that no number in a state is 9."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, state, tally) -> bool:
        self.asked += 1
        return 9 not in state


def test_what_held_is_known_and_nothing_else():
    test = Counting()
    holds = recognizing(test, range(2, 2 + LEAST))
    assert holds is not test
    good, other = [0] * 60, [1] * 60
    assert [holds(good, []), holds(good, []), holds(other, []), holds(good, [])] == [True] * 4
    assert test.asked == 2
    bad = [*good[:5], 9, *good[6:]]
    assert [holds(bad, []), holds(bad, []), holds(good, [])] == [False, False, True]
    assert test.asked == 4  # what does not hold is asked again


def test_rows_are_told_apart():
    test = Counting()
    holds = recognizing(test, [0, *range(2, 2 + LEAST), 50])
    for slot in (0, 2, 1 + LEAST, 50):
        state = [0] * 60
        assert holds(state, [])
        state[slot] = 9
        assert not holds(state, []), slot


def test_as_many_are_kept_as_there_is_room_for():
    test = Counting()
    holds = recognizing(test, range(LEAST))
    states = [[*divmod(number + 1000, 100), *[0] * LEAST] for number in range(MOST + 50)]
    assert all(holds(state, []) for state in states if 9 not in state)
    before = test.asked
    assert all(holds(state, []) for state in states if 9 not in state)
    assert test.asked - before < 80


@pytest.mark.parametrize("slots", [range(LEAST - 1), range(0, 4 * LEAST, 2)], ids=["few", "scattered"])
def test_where_it_does_not_pay_the_test_stays(slots):
    test = Counting()
    assert recognizing(test, slots) is test


class Looked(list):
    """A state that knows at which slots somebody looked."""

    def __init__(self, state) -> None:
        super().__init__(state)
        self.at: set[int] = set()

    def __getitem__(self, index):
        self.at.update(range(*index.indices(len(self))) if isinstance(index, slice) else [index])
        return super().__getitem__(index)


@pytest.mark.parametrize("case", RULESETS, ids=lambda case: "+".join([case[0], *case[1]]))
def test_tests_look_at_nothing_but_their_slots(case):
    """What is asked only when one of some slots was changed, and what is recognized by them, may look at no other."""
    rules = patolli.load(case[0], list(case[1]))
    match, random = rules.start(None, 1, noting=True), Random(1)
    program, resolved = match.program, rules.resolved
    conditions = {name: condition for name, (condition, _) in resolved.invariants.items()}
    checks = taken_apart(program.workings, conditions, program.invariants, often=True)
    known: dict[int, set[int]] = defaultdict(set)
    for slot, numbers in checks.readers.items():
        for number in numbers:
            for one in (number, *checks.wide.get(number, ())):
                known[one].add(slot)
    for number, members in checks.wide.items():
        known[number].update(*(known[one] for one in members))
    tally = [0] * checks.end
    looked = 0
    while match.pending is not None and len(match.choices) < 60:
        match.pick(random.randrange(len(match.pending)))
        if len(match.choices) % 12:
            continue
        for number, test in enumerate(checks.tests):
            state = Looked(match.state)
            test(state, tally)
            if number in known:  # what is certain has no slots
                assert state.at <= known[number], checks.names[number]
                looked += len(state.at)
    assert looked > 20
