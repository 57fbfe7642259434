"""Substitutions of the payment solver: what is paid for a counter where something may stand for it.

What is taken from each slot is such that everything is there and no part of it could be kept.
"""

from __future__ import annotations

from collections.abc import Callable

from patolli.kernel.budget import tick
from patolli.kernel.money import Amounts, Substitution, Way
from patolli.kernel.splits import PART
from patolli.kernel.state import State
from patolli.kernel.tuple_map import new_in, nothing_met

MANY = 10**18
Helper = tuple[int, int, int, int]
"""What may stand for a counter: the position of what is given, its number, and the least and most it stands for."""
Then = Callable[[Amounts, Amounts, Way], bool]
"""What is done with what is left to pay of the slots that come next, what is paid so far, and the side effects."""


def replacing(
    s: State, me: int, slots: list[int], active: list[Substitution], deliver: Callable[[Way], bool]
) -> Callable[[Amounts, Way], bool]:
    """Return what delivers all ways to pay what is owed of some slots, given that and its side effects."""
    all_slots = sorted(list(dict.fromkeys([*slots, *[one[0] + me for one in active]])))
    purse = [s[slot] for slot in all_slots]
    then = _delivering(all_slots, deliver)
    for place in range(len(slots) - 1, -1, -1):
        slot = slots[place]
        helpers = [
            (all_slots.index(give + me), number, least, most)
            for give, number, least, most, targets, _, _ in active
            if slot - me in targets
        ]
        next_ = then if place == len(slots) - 1 else _once(then)
        then = _covering(next_, all_slots.index(slot), purse, helpers)
    return _starting(then, tuple([0 for _ in all_slots]))


def _delivering(slots: list[int], deliver: Callable[[Way], bool]) -> Then:
    return lambda left, paid, sides: deliver(
        (*[x for slot, amount in zip(slots, paid, strict=True) if amount for x in (slot, amount)], *sides)
    )


def _starting(then: Then, nothing: Amounts) -> Callable[[Amounts, Way], bool]:
    return lambda left, sides: then(left, nothing, sides)


def _once(then: Then) -> Then:
    """Return what hands each path on once."""
    met = nothing_met()
    return lambda left, paid, sides: new_in(met, (left, paid, sides)) and then(left, paid, sides)


def _covering(then: Then, at: int, purse: list[int], helpers: list[Helper]) -> Then:
    return lambda left, paid, sides: _cover_first(left, paid, sides, then, at, purse, helpers)


def _cover_first(
    left: Amounts, paid: Amounts, sides: Way, then: Then, at: int, purse: list[int], helpers: list[Helper]
) -> bool:
    """Pay the first of the amounts that are left, itself or by what may stand for it."""
    amount, behind = left[0], left[1:]
    own = max(0, min(amount, purse[at] - paid[at]))
    if own == amount:
        if then(behind, plus(paid, at, own), sides):
            return True
        own -= 1
    if not helpers:
        return False
    for direct in range(own, -1, -1):
        hand_on = _handing_on(direct, behind, sides, then)
        if _replace_amount(amount - direct, 0, MANY, plus(paid, at, direct), purse, helpers, 0, hand_on):
            return True
    return False


def _handing_on(direct: int, behind: Amounts, sides: Way, then: Then) -> Callable[[Amounts, int, int], bool]:
    """Return what goes on with what is paid, where no part of it could be kept."""
    return lambda paid, over, fewest: (
        (over == 0 or (direct == 0 and over < fewest)) and then(behind, paid, sides)
    )  # fmt: skip


def _replace_amount(
    amount: int, over: int, fewest: int, paid: Amounts, purse: list[int], helpers: list[Helper], first: int,
    hand_on: Callable[[Amounts, int, int], bool],
) -> bool:  # fmt: skip
    """Hand on what is paid when *amount* of a counter is replaced; much of the first substitution first.

    With it come how much more it could stand for, and how much one use stands for at most, of those that are used;
    *over* and *fewest* are the same of those before the *first* one.
    """
    tick(PART)
    if first == len(helpers):
        return amount <= over and hand_on(paid, over - amount, fewest)
    at, number, least, most = helpers[first]
    there = max(0, purse[at] - paid[at])
    last = first == len(helpers) - 1  # the last one stands for all the rest
    fewest_uses = max(0, -((over - amount) // most)) if last else 0
    for times in range(min(there // number, amount // least, -(-amount // most)), fewest_uses - 1, -1):
        if _replace_amount(
            amount - times * least, over + times * (most - least), min(fewest, most) if times else fewest,
            plus(paid, at, times * number), purse, helpers, first + 1, hand_on,
        ):  # fmt: skip
            return True
    return False


def plus(paid: Amounts, at: int, number: int) -> Amounts:
    """Return what is paid, with a number more of the counter *at* a place."""
    return (*paid[:at], paid[at] + number, *paid[at + 1 :]) if number else paid
