"""Lists at random: however a list was made, whatever it is compared with, and whether a save lies between or not."""

from __future__ import annotations

from random import Random

import pytest
from packmaker import loaded

import patolli

HEAD = """\
# more.yaml
document: model
kinds:
  tray: {}
constants:
  fixed: {type: list of list of int, value: FIXED}
# trays.yaml
document: pieces
kind: tray
pieces: {small: {}}
# lists.yaml
document: rules
functions:
  same(list of int xs): xs
  given(int n): "fixed[n]"
triggers:
  compare:
    after: setup
    do: |
      as player_1:
        set coin to 0
        set nut to 0
"""

Value = int | tuple["Value", ...]


class Writer:
    """Writes lists, and questions about them, with what they are."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.fixed = [tuple(self.random.choices((1, 2), k=self.random.choice((1, 2)))) for _ in range(4)]
        self.names: dict[str, Value] = {}

    def numbers(self) -> tuple[int, ...]:
        return tuple(self.random.choices((1, 2, 3), k=self.random.choice((1, 2, 2, 3))))

    def written(self, value: Value, depth: int = 0) -> str:
        """Write a value in one of many ways."""
        if isinstance(value, int):
            return str(value)
        known = [name for name, held in self.names.items() if held == value]
        if known and self.random.random() < 0.5:
            return self.random.choice(known)
        plain = "{" + ", ".join(self.written(item, depth + 1) for item in value) + "}"
        if depth > 1:
            return plain
        inner = self.written(value, depth + 2)
        backwards = "{" + ", ".join(self.written(item, depth + 1) for item in reversed(value)) + "}"
        ways = [
            plain,
            f"[x for x in {inner}]",
            f"reverse({backwards})",
            f"take({plain}, {len(value)})",
            f"rotate({inner}, {len(value)})",
            f"(first({inner} for y in 1..2) or {backwards})",
            f"({inner} if seats > 1 else {backwards})",
            f"{{{inner}, {backwards}}}[0]",
        ]
        if all(isinstance(item, int) for item in value):
            ways += [f"same({inner})"] + [f"{value[0]}..{value[-1]}"] * (
                list(value) == [*range(value[0], value[-1] + 1)]
            )
            ways += [f"given({n})" for n, held in enumerate(self.fixed) if held == value]
            ways += [f"fixed[{n}]" for n, held in enumerate(self.fixed) if held == value]
        return self.random.choice(ways)

    def asked(self) -> tuple[str, bool]:
        """Write a condition, and return whether it is true."""
        nested = self.random.random() < 0.4
        pool: list[Value] = [self.numbers() for _ in range(3)] + [*self.fixed]
        one, other = self.random.choice(pool), self.random.choice(pool)
        if nested:
            one, other = (one, other), self.random.choice([(one, other), (other, one), (one,)])
        several = tuple(self.random.choices([one, other], k=3))
        a, b, many = self.written(one), self.written(other), self.written(several)
        index = several.index(one) if one in several else -1
        return self.random.choice(
            [
                (f"{a} == {b}", one == other),
                (f"{a} != {b}", one != other),
                (f"{a} in {many}", one in several),
                (f"{b} not in {{{a}, {a}}}", one != other),
                (f"position({many}, {a}) == {index}", True),
                (f"count(l in {many} where l == {a}) == {several.count(one)}", True),
                (f"size(distinct(l for l in {many})) == {len(set(several))}", True),
                (f"count(distinct({many})) == {len(set(several))}", True),
                (f"any(l in {many} where l == {a})", one in several),
                (f"all(l in {{{a}, {b}}} for l in {many})", True),
                (f"({a} if {a} == {b} else {b}) == {b}", True),
                (f"[l in {many} where l != {a}] == [l in {many} where not l == {a}]", True),
            ]
        )

    def pack(self, number: int) -> tuple[str, int]:
        """Write an example with so many conditions; return what it adds up to when all is right."""
        lines = []
        for n, value in enumerate([self.numbers(), self.numbers(), (self.numbers(), self.numbers())]):
            lines.append(f"let kept_{n} = {self.written(value)}")
            self.names[f"kept_{n}"] = value
        lines += [self.line() for _ in range(number)]
        lines.append('choose way in 1..2 "Which?"')
        lines += [self.line() for _ in range(number)]
        fixed = "[" + ", ".join(str(list(value)) for value in self.fixed) + "]"
        return HEAD.replace("FIXED", fixed) + "".join(f"        {line}\n" for line in lines), 2 * number

    def line(self) -> str:
        condition, holds = self.asked()
        return f"if {condition}: gain 1 coin" if holds else f"if not ({condition}): gain 1 coin"


def coins(match: patolli.Match) -> int:
    return match.view(0)["counters"]["coin"]["player_1"]


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(6))
def test_lists_at_random(tmp_path, seed):
    example, right = Writer(seed).pack(30)
    rules = loaded(tmp_path, example)
    match = rules.start(2, 1)
    while match.decision.prompt != "Which?":
        match.pick(0)
    again = rules.restore(match.to_json())
    copy = match.clone()

    assert again == match
    for one in (match, again, copy):
        one.pick(0)
        assert coins(one) == right, example
    assert match.digest() == again.digest() == copy.digest()


PLACES = """\
# lists.yaml
document: rules
triggers:
  compare:
    after: setup
    do: |
      as player_1:
        set coin to 0
        draw 3 from deck to hand(me)
        let before = hand(me)
        let shown = shop
        let both = {hand(me), shop}
        choose way in 1..2 "Which?"
        if hand(me) == before: gain 1 coin
        if before == [c in hand(me)]: gain 1 coin
        if hand(me) in both and shop in both: gain 1 coin
        if {before, shown} == both and {hand(me), shop} == {before, shown}: gain 1 coin
        if position(both, shop) == 1: gain 1 coin
        if count(l in both where l == hand(me)) == 1: gain 1 coin
        if distinct({hand(me), before, shop}) == both: gain 1 coin
        if [c in card where c in before] == sorted(c in before by number(c)): gain 1 coin
        for c in take(reverse(hand(me)), 1): move c to deck bottom
        if hand(me) != before and hand(me) not in both and take(before, 2) == hand(me): gain 1 coin
"""


def test_places_compare_as_lists(tmp_path):
    rules = loaded(tmp_path, PLACES)
    match = rules.start(2, 1)
    while match.decision.prompt != "Which?":
        match.pick(0)
    again = rules.restore(match.to_json())
    for one in (match, again):
        one.pick(0)
        assert coins(one) == 9
