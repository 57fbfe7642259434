"""Questions in which several things are chosen at once, one after another.

What may be chosen is a list in which the same value may stand more than once. Values are taken in the order in which
they come first, so that a set of them is chosen in one way only. What is demanded of the whole set is looked at before
a value is offered: with it, and perhaps more, the demand can be met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from patolli.kernel.budget import tick
from patolli.kernel.library import library
from patolli.kernel.tuple_map import is_met, meet, nothing_met, value_of
from patolli.kernel.values import at_rest

Test = Callable[[tuple[Any, ...]], bool]
_TRIED = 60
"""The steps of trying one set, beside what its test draws by itself."""


Choice = tuple[list[Any], list[int], int, int, Test | None]
"""What may be taken of a list: each value once, how often it is there, the least and the most to take, and the test."""


def count_values(items: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """Return each value of a list once, in order of first appearance, and how often it is there."""
    order: list[Any] = []
    there: list[int] = []
    met = nothing_met()
    for item in at_rest(items):
        if is_met(met, item):
            there[value_of(met, item)] += 1
        else:
            meet(met, item, len(order))
            order.append(item)
            there.append(1)
    return order, there


def _after(order: list[Any], chosen: tuple[Any, ...]) -> int:
    """Return where in the order the next value stands at the earliest."""
    return order.index(chosen[-1]) if chosen and chosen[-1] in order else 0


def _enough(choice: Choice, chosen: tuple[Any, ...]) -> bool:
    """Return whether nothing more has to be taken."""
    _, _, least, most, test = choice
    if not least <= len(chosen) <= most:
        return False
    if test is None:
        return True
    tick(_TRIED)
    return bool(test(chosen))


def _leads(choice: Choice, chosen: tuple[Any, ...]) -> bool:
    """Return whether what was chosen is enough, or becomes so with more."""
    if _enough(choice, chosen):
        return True
    order, there, least, most, test = choice
    if len(chosen) >= most or least > most:
        return False
    first = _after(order, chosen)
    if len(chosen) + sum([there[at] - chosen.count(order[at]) for at in range(first, len(order))]) < least:
        return False
    if test is None:
        return True
    tick(_TRIED)
    return any(
        there[at] > chosen.count(order[at]) and _leads(choice, (*chosen, order[at])) for at in range(first, len(order))
    )


@library()
def several(
    items: Sequence[Any], chosen: tuple[Any, ...], least: int, most: int, test: Test | None
) -> list[tuple[int, Any]]:
    """Return how to go on: ``(1, value)`` for what may be taken next, and ``(0, chosen)`` if that is enough.

    What was chosen may be gone by now, as anytime actions come between two answers; then there is no way on.
    """
    order, there = count_values(items)
    free = [there[at] - chosen.count(order[at]) for at in range(len(order))]
    if min(free, default=0) < 0 or sum(there) - sum(free) != len(chosen):
        return []
    choice = order, there, least, most, test
    tick(10 * len(order))
    found: list[tuple[int, Any]] = []
    first = _after(order, chosen)
    left = sum(free[first:])
    for at in range(first, len(order) if len(chosen) < most else first):
        if free[at]:
            if test is None:
                leads = _is_reachable(len(chosen) + 1, left - 1, least, most)
            else:
                leads = _leads(choice, (*chosen, order[at]))
            if leads:
                found.append((1, order[at]))
        left -= free[at]
    return [*found, (0, chosen)] if _enough(choice, chosen) else found


def _is_reachable(number: int, more: int, least: int, most: int) -> bool:
    """Return whether so many are enough, or become so with some of so many more."""
    return least <= number <= most or number < least <= min(most, number + more)


@library()
def some_of(items: Sequence[Any], least: int, most: int, test: Test | None) -> bool:
    """Return whether so many items can be chosen."""
    tick(10 * len(items))
    order, there = count_values(items)
    return _leads((order, there, least, most, test), ())
