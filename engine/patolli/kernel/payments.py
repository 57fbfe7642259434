"""The payment solver: all ways to pay a cost.

Ways are distinct and come in a fixed order: the most direct one first. The search goes through stages; each
makes several things of one: what is owed when the parts of a mix are picked, what is left of it after discounts and
waivers, what is paid for it where something may stand for something else. A stage hands each thing that it finds on to
the next one, which says whether enough was found: then all of them leave off at once. Amounts are kept in the order of
the slots that are owed. Different paths often meet; a stage does not pass on what it has passed on before, so that what
comes behind is searched once.

All of this is also translated for the native engine: there are whole numbers, tuples, lists, loops and functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from patolli.kernel.dominated_payments import drop_dominated
from patolli.kernel.faults import RuleFault
from patolli.kernel.library import SOLVING, library
from patolli.kernel.money import Amounts, Discount, Mixes, Money, Need, Pairs, Substitution, Waiver, Way
from patolli.kernel.reductions import reducing
from patolli.kernel.replacements import replacing
from patolli.kernel.splits import first_split, next_split
from patolli.kernel.state import State
from patolli.kernel.tuple_map import Met, is_met, meet, new_in, nothing_met

MOST = 2000
Owed = tuple[list[int], list[int]]
"""What is owed: slots, and how much of each."""
Offers = tuple[list[Substitution], list[Discount], list[tuple[Waiver, list[int]]]]
"""What there is besides paying what is owed, in one state."""
Then = Callable[[Amounts, Way], bool]
"""What is done with what is left to pay and the side effects so far; it returns whether enough was found."""


@library()
def with_costs(
    s: State, me: int, pairs: Pairs, mixes: Mixes, costs: tuple[Any, ...], changing: list[Callable[[State, int], Need]]
) -> Need:
    """Add costs that pieces hold to a need; a single number is a function in *changing*, and -1 none."""
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
    """Return whether there is a way to pay."""
    pairs, mixes = add_surcharges(s, me, need, tag, money) if money.surcharges else need
    if len(pairs) == 1 and not mixes:  # most are
        slot, amount = pairs[0]
        if amount <= 0 or s[slot] >= amount:
            return True
    owed = _added_up(pairs)
    if not mixes:
        if _there(s, owed):
            return True
        if _alone(s, me, tag, money):
            return False
    offers = _offers(s, me, tag, money)
    if not mixes and _fall_short(s, me, owed, offers):
        return False
    return _search_ways(s, me, owed, mixes, offers, lambda way: True)


@library(SOLVING)
def ways(s: State, me: int, need: Need, tag: str | None, money: Money) -> list[Way]:
    """Return all ways to pay, each once, without those that give more than another one. Raises RuleFault: too many."""
    pairs, mixes = add_surcharges(s, me, need, tag, money) if money.surcharges else need
    alone = not mixes and _alone(s, me, tag, money)
    if alone and len(pairs) == 1:  # most are
        slot, amount = pairs[0]
        if amount <= 0:
            return [()]
        return [pairs[0]] if s[slot] >= amount else []
    owed = _added_up(pairs)
    if alone:
        return [_way_of(owed)] if _there(s, owed) else []
    offers = _offers(s, me, tag, money)
    if not mixes and _fall_short(s, me, owed, offers):
        return []
    found: list[Way] = []
    met = nothing_met()
    _search_ways(s, me, owed, mixes, offers, lambda way: _collect_way(way, found, met))
    wasting = len(money.substitutions) > 0 or tag is not None
    return drop_dominated(found, money.spent) if wasting and len(found) > 1 else found


def _collect_way(way: Way, found: list[Way], met: Met) -> bool:
    if not is_met(met, way):
        meet(met, way, 0)
        found.append(way)
        if len(found) > MOST:
            raise RuleFault(f"there are more than {MOST} ways to pay this", "P0806")
    return False


def add_surcharges(s: State, me: int, need: Need, tag: str | None, money: Money) -> Need:
    """Return a need with what payments with a tag cost more."""
    for tags, more, targets, when in money.surcharges:
        if tag in tags and (when is None or when(s, me)):
            pairs, mixes = need
            if len(targets) == 1:
                need = (*pairs, (targets[0] + me, more)), mixes
            else:
                need = pairs, (*mixes, (targets, more))
    return need


def _added_up(pairs: Pairs) -> Owed:
    """Return slots and what is needed of each; two parts of a cost may turn out to take the same counter."""
    slots: list[int] = []
    amounts: list[int] = []
    for slot, amount in pairs:
        if slot in slots:
            amounts[slots.index(slot)] += amount
        else:
            slots.append(slot)
            amounts.append(amount)
    if min(amounts, default=1) > 0:
        return slots, amounts
    owed = [at for at in range(len(slots)) if amounts[at] > 0]
    return [slots[at] for at in owed], [amounts[at] for at in owed]


def _there(s: State, owed: Owed) -> bool:
    """Return whether all that is owed is there."""
    slots, amounts = owed
    for at in range(len(slots)):  # noqa: SIM110 - a generator takes longer
        if s[slots[at]] < amounts[at]:
            return False
    return True


def _way_of(owed: Owed) -> Way:
    slots, amounts = owed
    return tuple([x for slot in sorted(slots) for x in (slot, amounts[slots.index(slot)])])


def _alone(s: State, me: int, tag: str | None, money: Money) -> bool:
    """Return whether nothing but what is owed can be paid: no substitution, discount or waiver counts in this state."""
    for substitution in money.substitutions:
        allowed, on = substitution[5], substitution[6]
        if (on is None or tag in on) and (allowed is None or allowed(s, me)):
            return False
    if tag is not None:
        for tags, _, _, when, _ in money.discounts:
            if tag in tags and (when is None or when(s, me)):
                return False
        for of_tags, _, candidates, _ in money.waivers:
            if tag in of_tags and len(candidates(s, me)) > 0:
                return False
    return True


def _offers(s: State, me: int, tag: str | None, money: Money) -> Offers:
    substitutions: list[Substitution] = []
    discounts: list[Discount] = []
    waivers: list[tuple[Waiver, list[int]]] = []
    for substitution in money.substitutions:
        allowed, on = substitution[5], substitution[6]
        if (on is None or tag in on) and (allowed is None or allowed(s, me)):
            substitutions.append(substitution)
    if tag is not None:
        for discount in money.discounts:
            when = discount[3]
            if tag in discount[0] and (when is None or when(s, me)):
                discounts.append(discount)
        for waiver in money.waivers:
            if tag in waiver[0]:
                candidates = waiver[2]
                found = candidates(s, me)
                if len(found) > 0:
                    waivers.append((waiver, found))
    return substitutions, discounts, waivers


def _fall_short(s: State, me: int, owed: Owed, offers: Offers) -> bool:
    """Return whether some counter could not even be paid alone: then nothing has to be searched."""
    slots, amounts = owed
    for at in range(len(slots)):
        if s[slots[at]] < amounts[at] and _most(s, me, slots[at] - me, amounts[at], offers) < amounts[at]:
            return True
    return False


def _most(s: State, me: int, base: int, number: int, offers: Offers) -> int:
    """Return how much of *number* of a counter could be paid if nothing else had to be."""
    substitutions, discounts, waivers = offers
    for waiver, _ in waivers:
        if base in waiver[1]:
            return max(0, number)
    total: int = max(0, s[base + me])
    for _, less, targets, _, _ in discounts:
        if base in targets:
            total += less
    for give, uses, _, most, targets_, _, _ in substitutions:
        if base in targets_:
            total += max(0, s[give + me]) // uses * most
    return min(max(0, number), total)


# ---- stages


def _search_ways(s: State, me: int, owed: Owed, mixes: Any, offers: Offers, deliver: Callable[[Way], bool]) -> bool:
    """Deliver all ways to pay, one after another, until it says that they are enough; return whether it did."""
    owed_slots, owed_amounts = owed
    slots = sorted(list(dict.fromkeys([*owed_slots, *[base + me for bases, _ in mixes for base in bases]])))
    substitutions, discounts, waivers = offers
    then = replacing(s, me, slots, substitutions, deliver) if substitutions else _paying(s, slots, deliver)
    if discounts or waivers:
        then = reducing([slot - me for slot in slots], discounts, waivers, _once(then))
    full = [owed_amounts[owed_slots.index(slot)] if slot in owed_slots else 0 for slot in slots]
    first = _stages(s, me, slots, mixes, offers, then)
    return first(tuple(full), ())


def _paying(s: State, slots: list[int], deliver: Callable[[Way], bool]) -> Then:
    purse = [max(0, s[slot]) for slot in slots]  # what is below 0 can still pay nothing
    return lambda left, sides: _pay_plain(left, sides, slots, purse, deliver)


def _pay_plain(left: Amounts, sides: Way, slots: list[int], purse: list[int], deliver: Callable[[Way], bool]) -> bool:
    for amount, there in zip(left, purse, strict=True):
        if amount > there:
            return False
    return deliver((*[x for slot, amount in zip(slots, left, strict=True) if amount for x in (slot, amount)], *sides))


def _stages(s: State, me: int, slots: list[int], mixes: Any, offers: Offers, then: Then) -> Then:
    """Return what picks the parts of all mixes, and then does what is to be done."""
    for place in range(len(mixes) - 1, -1, -1):
        bases, number = mixes[place]
        limits = [_most(s, me, base, number, offers) for base in bases]
        at = [slots.index(base + me) for base in bases]
        then = _mixing(_once(then) if place else then, at, max(0, number), limits)
    return then


def _once(then: Then) -> Then:
    """Return what hands each thing on once."""
    met = nothing_met()
    return lambda left, sides: new_in(met, (left, sides)) and then(left, sides)


def _mixing(then: Then, at: list[int], number: int, limits: list[int]) -> Then:
    return lambda left, sides: _add_mix(left, sides, then, at, number, limits)


def _add_mix(left: Amounts, sides: Way, then: Then, at: list[int], number: int, limits: list[int]) -> bool:
    """Add to what is owed each pick of a mix, whose counters stand at certain positions."""
    parts = [0 for _ in limits]
    more = first_split(parts, number, limits)
    while more:
        full = [*left]
        for position, part in zip(at, parts, strict=True):
            full[position] += part
        if then(tuple(full), sides):
            return True
        more = next_split(parts, limits)
    return False
