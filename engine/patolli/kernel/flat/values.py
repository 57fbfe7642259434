"""The same as ``kernel.values``: products and combinations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from patolli.kernel.budget import tick
from patolli.kernel.faults import RuleFault
from patolli.kernel.flat.tuple_map import Met, is_met, meet, nothing_met
from patolli.kernel.library import flat
from patolli.kernel.values import LARGEST, at_rest


@flat("product")
def flat_product(left: int, right: int) -> int:
    """See :func:`patolli.kernel.values.product`; nothing larger than what it may give is worked out."""
    if right != 0 and abs(left) > (LARGEST - 1) // abs(right):
        raise RuleFault("a number grew too large", "P0805")
    return left * right


@flat("combinations")
def flat_combinations(items: Sequence[Any], least: int, most: int) -> tuple[Any, ...]:
    """See :func:`patolli.kernel.values.combinations`."""
    taken = at_rest(items)
    found: list[tuple[Any, ...]] = []
    met = nothing_met()
    for number in range(max(0, least), min(most, len(taken)) + 1):
        _combine(taken, number, found, met)
    return tuple(found)


def _combine(taken: tuple[Any, ...], number: int, found: list[tuple[Any, ...]], met: Met) -> None:
    """Find the combinations of a number of items, those with earlier ones first."""
    places = list(range(number))
    at = number
    while at >= 0:
        tick(20 + 4 * number)
        one = tuple([taken[place] for place in places])
        if not is_met(met, one):
            meet(met, one, 0)
            found.append(one)
        at = number - 1
        while at >= 0 and places[at] == len(taken) - number + at:
            at -= 1
        if at >= 0:
            places[at] += 1
            for later in range(at + 1, number):
                places[later] = places[later - 1] + 1
