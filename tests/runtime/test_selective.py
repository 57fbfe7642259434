"""Only what may have changed is worked out of invariants, and just that is found which the whole invariants find."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest
from broken_invariants import EVERY, mutants, purse, random_invariants, without_wrong_ones
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from randompacks.engine import Workshop
from randompacks.packs import make
from tiers import few

import patolli
from patolli.compiler import assembly
from patolli.compiler.grounding import _without_unions
from patolli.compiler.located import located
from patolli.compiler.noting import Noting
from patolli.kernel.library import LIBRARY, SPELT, WRITES
from patolli.kernel.pieces import move
from patolli.runtime import MatchError
from patolli.runtime.invariants import BrokenInvariant, Watch

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
SHIPPED = [
    ("tic_tac_toe", ()), ("connect_four", ()), ("breakthrough", ()), ("patolli", ()), ("founders", ()),
    ("city_of_gods", ()), ("city_of_gods", ("mansion", "altars", "obsidian", "empire")), ("city_of_gods", ("solo",)),
]  # fmt: skip


@cache
def shipped(name: str, modules: tuple[str, ...]) -> patolli.Ruleset:
    return patolli.load(name, list(modules))


def verdict(work) -> list[str] | str:
    """Return what does not hold, or the fault of looking."""
    try:
        return work() or []
    except BrokenInvariant as error:
        return error.names
    except MatchError as error:
        return error.code


class Held:
    """A match whose rules note what they write; held selectively in both ways, and as a whole."""

    def __init__(self, rules: patolli.Ruleset, seed: int) -> None:
        self.match = rules.start(None, seed, noting=True)
        self.compared, self.noted = Watch(self.match), Watch(self.match)
        for watch in (self.compared, self.noted):
            verdict(partial(watch.check, self.match))
        self.match.program.written.clear()

    def check(self) -> list[str] | str:
        """Return what does not hold, and see that all agree."""
        written = [*self.match.program.written]
        self.match.program.written.clear()
        whole = verdict(self.match.broken)
        assert verdict(lambda: self.noted.changed()(self.match.state, written)) == whole, self.match.choices
        assert verdict(lambda: self.compared.check(self.match)) == whole, self.match.choices
        return whole

    def pick(self, random: Random) -> None:
        self.match.pick(random.randrange(len(self.match.pending)))


def plant(held: Held, random: Random) -> None:
    """Change something that no rule would, as a rule would: a number, or where a piece is."""
    match, layout = held.match, held.match.program.layout
    written = match.program.written
    looked_at = {*match.ruleset.held(match).entries, *match.ruleset.held(match).tallies}
    places = [place for place in located(layout) if not looked_at.isdisjoint(range(*place[:2]))]
    first, end, location = random.choice(places)
    if location[0] == "pieces":
        kind = location[1]
        places = [place for place in layout.model.places.values() if place.of == kind]
        to = random.choice([slot for place in places for slot in layout.slots(*layout.places[place.name])] or [0])
        piece = random.randrange(layout.size(kind))
        if to and isinstance(match.state[to], int) and match.state[to] >= 0:
            to = 0
        written += [layout.at[kind] + piece, match.state[layout.at[kind] + piece], to]
        move(match.state, layout.at[kind], piece, to)
        return
    slot = random.randrange(first, end)
    others = [value for value in {*match.state[first:end], *match.program.layout.initial[first:end]}]
    written.append(slot)
    match.state[slot] = random.choice([*others, match.state[slot] + 1] if location[0] == "counter" else others)


@pytest.mark.parametrize("case", few([(one,) for one in SHIPPED], 0), ids=lambda case: "+".join([case[0], *case[1]]))
def test_a_planted_fault_is_found_when_the_whole_finds_it(case):
    found = 0

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.integers(0, 10**6), st.integers(0, 60), st.integers(1, 3))
    def played(seed: int, choices: int, faults: int) -> None:
        nonlocal found
        random, held = Random(seed), Held(shipped(*case), seed)
        for _ in range(choices):
            if held.match.pending is None:
                break
            held.pick(random)
            assert held.check() == []
        for _ in range(faults):
            plant(held, random)
            found += bool(held.check())

    played()
    assert found > 1


def test_every_form_of_an_invariant(tmp_path):
    """In matches in which they break again and again, and in which one cannot be worked out at times."""
    purse(tmp_path)
    rules = patolli.load(str(tmp_path))
    seen: set[str] = set()
    for seed in range(40):
        random, held = Random(seed), Held(rules, seed)
        while held.match.pending is not None:
            held.pick(random)
            names = held.check()
            seen.update([names] if isinstance(names, str) else names)
    assert seen >= {line.split(":")[0].strip() for line in EVERY.splitlines()} - {"fails"} | {"P0804"}, seen


def test_a_group_of_tests_leaves_room_to_the_smaller_ones_in_it():
    assert _without_unions([(1, 2, 3, 4), (1, 2, 5), (3, 4), (1, 2)]) == [(1, 2, 5), (3, 4), (1, 2)]


# ---- what rules write is noted


def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rules note all that they change."""
    monkeypatch.setattr(
        assembly,
        "Noting",
        lambda layout, looked_at, *more: Noting(layout, {location for *_, location in located(layout)}, *more),
    )


def play_and_compare(rules: patolli.Ruleset, seed: int, most: int) -> int:
    """Play a match; return how often something was changed."""
    match, random = rules.start(None, seed, noting=True), Random(seed)
    written, rows = match.program.written, match.program.space["rows"]
    places = list(located(match.program.layout))
    changes = 0
    while match.pending is not None and len(match.choices) < most:
        before = [held[:] if isinstance(held, list) else held for held in match.state]
        written.clear()
        match.pick(random.randrange(len(match.pending)))
        changed = {slot for first, end, _ in places for slot in range(first, end) if before[slot] != match.state[slot]}
        assert changed <= {slot for noted in written for slot in rows.of(noted)}, match.choices
        changes += bool(changed)
    return changes


@pytest.mark.parametrize("case", [*SHIPPED, "lab", "mosaic"], ids=str)
def test_rules_note_what_they_write(case, monkeypatch):
    everything(monkeypatch)
    rules = patolli.load(str(DATA / case)) if isinstance(case, str) else patolli.load(case[0], list(case[1]))
    assert play_and_compare(rules, 1, 200) > 3


@pytest.mark.deep
def test_a_function_that_notes_nothing_is_noticed(monkeypatch):
    everything(monkeypatch)
    monkeypatch.setitem(WRITES, "move_to_list", lambda *arguments: ())
    monkeypatch.setitem(SPELT, "move_to_list", replace(SPELT["move_to_list"], slots=()))
    with pytest.raises(AssertionError):
        play_and_compare(patolli.load("city_of_gods"), 1, 200)


def test_all_of_the_kernel_that_changes_places_says_so():
    """By name: what takes the state first and is none of these only looks at it, or puts it back as it was."""
    assert set(WRITES) <= set(LIBRARY)
    assert set(WRITES) == {
        "move", "move_to_list", "move_to_spot", "move_under", "swap", "draw", "refill", "slide", "shuffle",
        "apply_way", "apply_gain", "gain_of",
    }  # fmt: skip


@pytest.fixture
def workshop():
    made = Workshop()
    yield made
    made.close()


@pytest.mark.deep
@pytest.mark.parametrize("first", [0, 30])
def test_random_packs(first, workshop):
    played = broken = 0
    for seed in range(first, first + 30):
        rules = without_wrong_ones(make(seed, random_invariants), workshop)
        if rules is None or not rules.resolved.invariants:
            continue
        random = Random(seed)
        try:
            held = Held(rules, seed)
            while held.match.pending and len(held.match.choices) < 30:
                held.pick(random)
                broken += bool(held.check())
                played += 1
        except MatchError:
            continue  # what is refused may fail
    assert played > 40
    assert broken > 10


def test_random_packs_note_what_they_write(workshop, monkeypatch):
    everything(monkeypatch)
    changes = 0
    for seed in range(60):
        pack = make(seed)
        rules = workshop.checked(pack.files, pack.options).rules
        if rules is not None:
            try:
                changes += play_and_compare(rules, seed, 30)
            except MatchError:
                continue
    assert changes > 60


@pytest.mark.deep
@pytest.mark.parametrize(("name", "number"), [("connect_four", 6), ("breakthrough", 6), ("founders", 8)])
def test_a_shipped_pack_without_one_of_its_statements(name, number, tmp_path):
    """What a rule forgot is found after the same choice as by working out everything, and the whole match through."""
    played = broken = 0
    for folder in mutants(tmp_path, name, Random(number), number):
        try:
            rules = patolli.load(str(folder))
        except patolli.ContentError:
            continue
        for seed in range(2):
            random = Random(seed)
            try:
                held = Held(rules, seed)
                while held.match.pending and len(held.match.choices) < 100:
                    held.pick(random)
                    broken += bool(held.check())
                    played += 1
            except MatchError:
                continue  # a rule fails without what was left out
    assert played > 50
    assert broken > 0
