"""The payment solver in its plainest form, to hold the real one against: every path is walked to its end, and all ways
are compared with all others. It gives the same ways in the same order, and takes seconds where there are hundreds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from patolli.kernel.faults import RuleFault
from patolli.kernel.money import Discount, Mixes, Money, Need, Substitution, Waiver, Way
from patolli.kernel.payments import MOST
from patolli.kernel.replacements import MANY
from patolli.kernel.state import State


def plain_ways(s: State, me: int, need: Need, tag: str | None, money: Money) -> list[Way]:
    """Return all ways to pay, each once, without those that give more than another one for nothing."""
    found: dict[Way, None] = {}
    for way in _all_ways(s, me, need, tag, money):
        found[way] = None
        if len(found) > MOST:
            raise RuleFault(f"there are more than {MOST} ways to pay this", "P0806")
    wasting = money.substitutions or tag is not None
    return plain_thrifty(list(found), money.spent) if wasting and len(found) > 1 else list(found)


def plain_thrifty(found: list[Way], spent: frozenset[int]) -> list[Way]:
    """Leave out what pays more, or uses up more, than another way does.

    A counter that a rule takes may stand for things that a player wants to be rid of: there, more is another way.
    """
    split = [_split(way) for way in found]
    return [
        way
        for way, (paid, used) in zip(found, split, strict=True)
        if not any(
            other != (paid, used)
            and other[1] <= used
            and all(amount <= paid.get(slot, 0) for slot, amount in other[0].items())
            and not any(amount > other[0].get(slot, 0) for slot, amount in paid.items() if slot in spent)
            for other in split
        )
    ]


def _split(way: Way) -> tuple[dict[int, int], frozenset[tuple[int, int]]]:
    """Return what a way takes, by slot, and the side effects that it has."""
    pairs = list(zip(way[::2], way[1::2], strict=True))
    return {code: n for code, n in pairs if code >= 0}, frozenset(pair for pair in pairs if pair[0] < 0)


def _all_ways(s: State, me: int, need: Need, tag: str | None, money: Money) -> Iterator[Way]:
    pairs, mixes = need
    offers = _Offers(s, me, tag, money)
    for full in _mixed(_added_up(pairs), mixes, me, offers):
        for left, sides in _variants(me, full, offers):
            for paid in _substituted(s, me, left, offers.substitutions):
                yield (*(x for slot in sorted(paid) if paid[slot] for x in (slot, paid[slot])), *sides)


def _added_up(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    total: dict[int, int] = {}
    for slot, amount in pairs:
        total[slot] = total.get(slot, 0) + amount
    return {slot: amount for slot, amount in total.items() if amount > 0}


class _Offers:
    """What there is besides paying what is owed, in one state."""

    __slots__ = ("discounts", "state", "substitutions", "waivers")

    def __init__(self, s: State, me: int, tag: str | None, money: Money) -> None:
        self.state = s
        self.substitutions = [
            x for x in money.substitutions if (x.tags is None or tag in x.tags) and (x.when is None or x.when(s, me))
        ]
        self.discounts: list[Discount] = []
        self.waivers: list[tuple[Waiver, list[int]]] = []
        if tag is not None:
            self.discounts = [x for x in money.discounts if tag in x.tags and (x.when is None or x.when(s, me))]
            self.waivers = [(x, found) for x in money.waivers if tag in x.tags and (found := x.candidates(s, me))]

    def most(self, base: int, me: int, number: int) -> int:
        """Return how much of *number* of a counter could be paid if nothing else had to be."""
        for waiver, _ in self.waivers:
            if base in waiver.targets:
                return max(0, number)
        total: int = max(0, self.state[base + me])
        for discount in self.discounts:
            if base in discount.targets:
                total += discount.less
        for x in self.substitutions:
            if base in x.targets:
                total += max(0, self.state[x.give + me]) // x.number * x.most
        return min(max(0, number), total)


def _variants(me: int, need: dict[int, int], offers: _Offers) -> Iterator[tuple[dict[int, int], Way]]:
    """Yield what is left to pay with discounts and waivers, each with its side effects.

    What uses something up may also be kept for later; a discount that does not is always taken.
    """
    found: list[tuple[dict[int, int], Way]] = [(need, ())]
    for _, less, targets, _, code in offers.discounts:
        less_ = [v for left, sides in found for v in _discounted(left, sides, less, [t + me for t in targets], code)]
        found = [*less_, *(v for v in found if v not in less_)] if code else less_
    for waiver, candidates in offers.waivers:
        lifted = [
            ({slot: n for slot, n in left.items() if slot - me not in waiver.targets}, (*sides, waiver.code, candidate))
            for candidate in candidates
            for left, sides in found
            if any(slot - me in waiver.targets for slot in left)
        ]
        found += lifted
    yield from found


def _discounted(
    left: dict[int, int], sides: Way, less: int, targets: list[int], code: int
) -> Iterator[tuple[dict[int, int], Way]]:
    total = min(less, sum(left.get(t, 0) for t in targets))
    if total == 0:
        yield left, sides
        return
    for split in plain_splits(total, [left.get(t, 0) for t in targets]):
        reduced = dict(left)
        for target, part in zip(targets, split, strict=True):
            if part:
                reduced[target] -= part
        yield {k: v for k, v in reduced.items() if v}, (*sides, code, 0) if code else sides


def plain_splits(total: int, limits: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to split a number over parts with limits; much in the first part first."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]), max(0, total - sum(limits[1:])) - 1, -1):
        for rest in plain_splits(total - first, limits[1:]):
            yield (first, *rest)


def _mixed(need: dict[int, int], mixes: Mixes, me: int, offers: _Offers) -> Iterator[dict[int, int]]:
    if not mixes:
        yield need
        return
    (bases, number), *rest = mixes
    for split in plain_splits(max(0, number), [offers.most(base, me, number) for base in bases]):
        full = dict(need)
        for base, part in zip(bases, split, strict=True):
            if part:
                full[base + me] = full.get(base + me, 0) + part
        yield from _mixed(full, tuple(rest), me, offers)


def _substituted(s: State, me: int, need: dict[int, int], active: list[Substitution]) -> Iterator[dict[int, int]]:
    """Yield what is taken from each slot, such that everything is there and no part of it could be kept."""
    if not active:
        if all(s[slot] >= amount for slot, amount in need.items()):
            yield need
        return
    yield from _assign(s, me, sorted(need.items()), {}, active)


def _assign(
    s: State, me: int, need: list[tuple[int, int]], paid: dict[int, int], active: list[Substitution]
) -> Iterator[dict[int, int]]:
    if not need:
        yield paid
        return
    (slot, amount), rest = need[0], need[1:]
    helpers = [x for x in active if slot - me in x.targets]
    own = max(0, min(amount, s[slot] - paid.get(slot, 0)))
    for direct in range(own, -1 if helpers else amount - 1, -1):
        total = {**paid, slot: paid.get(slot, 0) + direct} if direct else paid
        for more, over, fewest in _replaced(s, me, amount - direct, 0, total, helpers):
            if over == 0 or (direct == 0 and over < fewest):
                yield from _assign(s, me, rest, more, active)


def _replaced(
    s: State, me: int, amount: int, over: int, paid: dict[int, int], helpers: list[Substitution]
) -> Iterator[tuple[dict[int, int], int, int]]:
    """Yield what is paid when *amount* of a counter is replaced; much of the first substitution first.

    With it come how much more it could stand for, and how much one use stands for at most, of those that are used;
    *over* is what could be stood for so far beyond the least.
    """
    if not helpers:
        if amount <= over:
            yield paid, over - amount, MANY
        return
    give, number, least, most, *_ = helpers[0]
    there = max(0, s[give + me] - paid.get(give + me, 0))
    for times in range(min(there // number, amount // least, -(-amount // most)), -1, -1):
        total = {**paid, give + me: paid.get(give + me, 0) + times * number} if times else paid
        left, more = amount - times * least, over + times * (most - least)
        for found, beyond, fewest in _replaced(s, me, left, more, total, helpers[1:]):
            yield found, beyond, min(fewest, most) if times else fewest
