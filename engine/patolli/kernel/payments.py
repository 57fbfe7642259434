"""The payment solver: all ways to pay a cost.

Ways are distinct and come in a fixed order: the most direct one first. The search goes through stages, each of which
makes several things of one: what is owed when the parts of a mix are picked, what is left of it after discounts and
waivers, what is paid for it where something may stand for something else. Amounts are kept in the order of the slots
that are owed. Different paths often meet; a stage does not pass on what it has passed on before, so that what comes
behind is searched once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain, compress, islice
from operator import le, sub
from typing import Any, TypeVar

from patolli.kernel.budget import tick
from patolli.kernel.faults import RuleFault
from patolli.kernel.library import SOLVING, library
from patolli.kernel.money import Discount, Mixes, Money, Need, Pairs, Substitution, Waiver, Way
from patolli.kernel.splits import PART, splits
from patolli.kernel.state import State
from patolli.kernel.thrift import thrifty

T = TypeVar("T", bound=Hashable)
Amounts = tuple[int, ...]
Left = tuple[Amounts, Way]
"""What is left to pay, and the side effects of what need not be paid."""

MOST = 2000
MOST_LEFT = 20_000
"""How many different amounts may be left to pay behind a discount or a waiver."""
SLOT = 10
"""The steps of looking at one more counter where what is left to pay is computed."""
MANY = 10**18
REMEMBERED = 20_000
"""How many results of a stage are remembered; beyond, the search is only slower."""


def added_up(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return by slot what is needed of it; two parts of a cost may turn out to take the same counter."""
    total: dict[int, int] = {}
    plain = True  # most are
    for slot, amount in pairs:
        if slot in total:
            amount += total[slot]
        total[slot] = amount
        plain = plain and amount > 0
    return total if plain else {slot: amount for slot, amount in total.items() if amount > 0}


@library()
def with_costs(
    s: State, me: int, pairs: Pairs, mixes: Mixes, costs: tuple[Any, ...], changing: list[Callable[[State, int], Need]]
) -> Need:
    """Add costs that pieces hold to a need: bases without the player, -1 for none.

    A cost that depends on the match is a single number, that of a function in *changing*.
    """
    for cost in costs:
        if cost == -1:
            continue
        if len(cost) == 1:
            work = changing[cost[0]]
            cost = work(s, me)
        own, mixed = cost
        if len(own) == 1:
            base, amount = own[0]
            pairs = (*pairs, (base + me, amount))
        elif own:
            pairs = (*pairs, *[(base + me, amount) for base, amount in own])
        if mixed:
            mixes = (*mixes, *mixed)
    return pairs, mixes


@library(SOLVING)
def payable(s: State, me: int, need: Need, tag: str | None, money: Money) -> bool:
    """Tell whether there is a way to pay."""
    pairs, mixes = money.add_surcharges(s, me, need, tag) if money.surcharges else need
    if len(pairs) == 1 and not mixes:  # most are
        slot, amount = pairs[0]
        if amount <= 0 or s[slot] >= amount:
            return True
    owed = added_up(pairs)
    if not mixes:
        for slot, amount in owed.items():
            if s[slot] < amount:
                break
        else:
            return True
        if _alone(s, me, tag, money):
            return False
    offers = _Offers(s, me, tag, money)
    if not mixes and offers.fall_short(me, owed):
        return False
    return next(_all_ways(s, me, owed, mixes, offers), None) is not None


@library(SOLVING)
def ways(s: State, me: int, need: Need, tag: str | None, money: Money) -> list[Way]:
    """Return all ways to pay, each once, without those that give more than another one for nothing.

    Raises:
        RuleFault: There are too many.
    """
    pairs, mixes = money.add_surcharges(s, me, need, tag) if money.surcharges else need
    alone = not mixes and _alone(s, me, tag, money)
    if alone and len(pairs) == 1:  # most are
        slot, amount = pairs[0]
        if amount <= 0:
            return [()]
        return [pairs[0]] if s[slot] >= amount else []
    owed = added_up(pairs)
    if alone:
        for slot, amount in owed.items():
            if s[slot] < amount:
                return []
        return [tuple(chain.from_iterable(sorted(owed.items())))]
    offers = _Offers(s, me, tag, money)
    if not mixes and offers.fall_short(me, owed):
        return []
    found: dict[Way, None] = {}
    for way in _all_ways(s, me, owed, mixes, offers):
        found[way] = None
        if len(found) > MOST:
            raise RuleFault(f"there are more than {MOST} ways to pay this", "P0806")
    wasting = money.substitutions or tag is not None
    return thrifty(list(found), money.spent) if wasting and len(found) > 1 else list(found)


def _alone(s: State, me: int, tag: str | None, money: Money) -> bool:
    """Tell whether nothing but what is owed can be paid: no substitution, discount or waiver counts in this state."""
    for substitution in money.substitutions:
        if substitution.when is None or substitution.when(s, me):
            return False
    if tag is not None:
        discounts, waivers = money.find_tagged_offers(tag)
        for discount in discounts:
            if discount.when is None or discount.when(s, me):
                return False
        for waiver in waivers:
            if waiver.candidates(s, me):
                return False
    return True


class _Offers:
    """What there is besides paying what is owed, in one state."""

    __slots__ = ("discounts", "state", "substitutions", "waivers")

    def __init__(self, s: State, me: int, tag: str | None, money: Money) -> None:
        self.state = s
        self.substitutions = [x for x in money.substitutions if x.when is None or x.when(s, me)]
        self.discounts: list[Discount] = []
        self.waivers: list[tuple[Waiver, list[int]]] = []
        if tag is not None:
            discounts, waivers = money.find_tagged_offers(tag)
            self.discounts = [x for x in discounts if x.when is None or x.when(s, me)]
            self.waivers = [(x, found) for x in waivers if (found := x.candidates(s, me))]

    def fall_short(self, me: int, owed: dict[int, int]) -> bool:
        """Tell whether some counter could not even be paid alone: then nothing has to be searched."""
        for slot, amount in owed.items():
            if self.state[slot] < amount and self.most(slot - me, me, amount) < amount:
                return True
        return False

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


# ---- stages


def _all_ways(s: State, me: int, owed: dict[int, int], mixes: Mixes, offers: _Offers) -> Iterator[Way]:
    slots = sorted({*owed, *(base + me for bases, _ in mixes for base in bases)})
    full: Iterator[Amounts] = iter((tuple(owed.get(slot, 0) for slot in slots),))
    for position, (bases, number) in enumerate(mixes):
        limits = [offers.most(base, me, number) for base in bases]
        full = _add_mix(full, [slots.index(base + me) for base in bases], max(0, number), limits)
        full = _once(full) if position else full
    left: Iterator[Left] = ((amounts, ()) for amounts in full)
    if offers.discounts or offers.waivers:
        left = _once(_apply_reductions(left, [slot - me for slot in slots], offers))
    if offers.substitutions:
        yield from _replacing(s, me, slots, left, offers.substitutions)
        return
    purse = [max(0, s[slot]) for slot in slots]  # what is below 0 can still pay nothing
    for amounts, sides in left:
        if all(map(le, amounts, purse)):
            yield _way(slots, amounts, sides)


def _once(items: Iterator[T]) -> Iterator[T]:
    """Yield each item once, as far as so many can be remembered."""
    seen: set[T] = set()
    for item in items:
        if item not in seen:
            if len(seen) < REMEMBERED:
                seen.add(item)
            yield item


def _way(slots: list[int], amounts: Amounts, sides: Way) -> Way:
    return (*chain.from_iterable(compress(zip(slots, amounts, strict=True), amounts)), *sides)


def _add_mix(full: Iterator[Amounts], at: list[int], number: int, limits: list[int]) -> Iterator[Amounts]:
    """Add to what is owed each pick of a mix, whose counters stand at certain positions."""
    for amounts in full:
        for split in splits(number, limits):
            more = list(amounts)
            for position, part in zip(at, split, strict=True):
                more[position] += part
            yield tuple(more)


def _apply_reductions(owed: Iterator[Left], bases: list[int], offers: _Offers) -> Iterator[Left]:
    """Yield what is left to pay with discounts and waivers, each with its side effects.

    What uses something up may also be kept for later; a discount that does not is always taken.
    """
    discounts = [_Reduction(x, bases) for x in offers.discounts]
    waivers = [
        ([base in waiver.targets for base in bases], waiver.code, candidates) for waiver, candidates in offers.waivers
    ]
    for one in owed:
        found = [one]
        for discount in discounts:
            found = discount.apply_to(found)
        for lifts, code, candidates in waivers:
            lifted = [left for left in found if any(compress(left[0], lifts))]
            limit_left(len(found) + len(lifted) * len(candidates))
            tick((PART + SLOT * len(bases)) * len(lifted) * len(candidates))
            rest = [tuple(0 if lift else n for lift, n in zip(lifts, left, strict=True)) for left, _ in lifted]
            found += [
                (left, (*sides, code, candidate))
                for candidate in candidates
                for left, (_, sides) in zip(rest, lifted, strict=True)
            ]
        yield from found


def limit_left(number: int) -> None:
    """Allow only so many different amounts that are left to pay.

    Raises:
        RuleFault: There are more.
    """
    if number > MOST_LEFT:
        raise RuleFault(f"discounts and waivers leave more than {MOST_LEFT:,} different amounts to pay", "P0806")


class _Reduction:
    """A discount on what is owed of certain counters; how it may be split up is worked out once for each pattern."""

    __slots__ = ("at", "code", "known", "less", "width")

    def __init__(self, discount: Discount, bases: list[int]) -> None:
        self.at = [bases.index(base) for base in discount.targets if base in bases]
        self.less, self.code, self.width = discount.less, discount.code, len(bases)
        self.known: dict[Amounts, list[Amounts]] = {}

    def apply_to(self, found: list[Left]) -> list[Left]:
        """Return what is left with the discount, then without it where it may be kept, each once."""
        if len(found) == 1 and not self.code:
            return self._variants(*found[0])
        less: dict[Left, None] = {}
        for left, sides in found:
            less.update(dict.fromkeys(self._variants(left, sides)))
            limit_left(len(less))
        if self.code:
            less.update(dict.fromkeys(found))
            limit_left(len(less))
        return list(less)

    def _variants(self, left: Amounts, sides: Way) -> list[Left]:
        limits = tuple([min(left[position], self.less) for position in self.at])
        if not any(limits):
            return [(left, sides)]
        parts = self.known.get(limits)
        if parts is None:
            parts = self.known[limits] = self._parts(limits)
        used = (*sides, self.code, 0) if self.code else sides
        tick((PART + SLOT * self.width) * len(parts))
        return [(tuple(map(sub, left, part)), used) for part in parts]

    def _parts(self, limits: Amounts) -> list[Amounts]:
        """Return all ways to split the discount up, in the order of the slots."""
        total = min(self.less, sum(limits))
        found = list(islice(splits(total, limits), MOST_LEFT + 1))
        limit_left(len(found))
        return [tuple([split[self.at.index(i)] if i in self.at else 0 for i in range(self.width)]) for split in found]


# ---- substitutions

Helper = tuple[int, int, int, int]
"""What may stand for a counter: the position of what is given, its number, and the least and most it stands for."""


def _replacing(s: State, me: int, slots: list[int], owed: Iterator[Left], active: list[Substitution]) -> Iterator[Way]:
    """Yield what is taken from each slot, such that everything is there and no part of it could be kept."""
    all_slots = sorted({*slots, *(x.give + me for x in active)})
    position = {slot: i for i, slot in enumerate(all_slots)}
    purse = [s[slot] for slot in all_slots]
    nothing = (0,) * len(all_slots)
    paths: Iterator[Path] = ((left, nothing, sides) for left, sides in owed)
    for slot in slots:
        helpers = [(position[x.give + me], *x[1:4]) for x in active if slot - me in x.targets]
        paths = _cover_first(paths, position[slot], purse, helpers)
        paths = paths if slot == slots[-1] else _once(paths)
    for _, paid, sides in paths:
        yield _way(all_slots, paid, sides)


Path = tuple[Amounts, Amounts, Way]
"""What is left to pay of the slots that come next, what is paid so far, and the side effects."""


def _cover_first(paths: Iterator[Path], at: int, purse: list[int], helpers: list[Helper]) -> Iterator[Path]:
    """Pay the first of the amounts that are left, itself or by what may stand for it."""
    for left, paid, sides in paths:
        amount, behind = left[0], left[1:]
        own = max(0, min(amount, purse[at] - paid[at]))
        if own == amount:
            yield behind, plus(paid, at, own), sides
            own -= 1
        for direct in range(own, -1, -1) if helpers else ():
            for more, over, fewest in _replace_amount(amount - direct, 0, plus(paid, at, direct), purse, helpers):
                if over == 0 or (direct == 0 and over < fewest):
                    yield behind, more, sides


def _replace_amount(
    amount: int, over: int, paid: Amounts, purse: list[int], helpers: list[Helper]
) -> Iterator[tuple[Amounts, int, int]]:
    """Yield what is paid when *amount* of a counter is replaced; much of the first substitution first.

    With it come how much more it could stand for, and how much one use stands for at most, of those that are used;
    *over* is what could be stood for so far beyond the least.
    """
    tick(PART)
    if not helpers:
        if amount <= over:
            yield paid, over - amount, MANY
        return
    at, number, least, most = helpers[0]
    there = max(0, purse[at] - paid[at])
    fewest_uses = 0 if len(helpers) > 1 else max(0, -((over - amount) // most))  # the last one stands for all the rest
    for times in range(min(there // number, amount // least, -(-amount // most)), fewest_uses - 1, -1):
        left, more = amount - times * least, over + times * (most - least)
        for found, beyond, fewest in _replace_amount(left, more, plus(paid, at, times * number), purse, helpers[1:]):
            yield found, beyond, min(fewest, most) if times else fewest


def plus(paid: Amounts, at: int, number: int) -> Amounts:
    """Return what is paid, with a number more of the counter *at* a place."""
    return (*paid[:at], paid[at] + number, *paid[at + 1 :]) if number else paid
