"""Discounts and waivers of the payment solver: what is left to pay with them, each with its side effects.

What uses something up may also be kept for later; a discount that does not is always taken.
"""

from __future__ import annotations

from collections.abc import Callable

from patolli.kernel.budget import tick
from patolli.kernel.faults import RuleFault
from patolli.kernel.money import Amounts, Discount, Waiver, Way
from patolli.kernel.splits import PART, first_split, next_split
from patolli.kernel.tuple_map import Met, is_met, meet, nothing_met, value_of

MOST_LEFT = 20_000
"""How many different amounts may be left to pay behind a discount or a waiver."""
SLOT = 10
"""The steps of looking at one more counter where what is left to pay is computed."""
Left = tuple[Amounts, Way]
"""What is left to pay, and the side effects of what need not be paid."""
Reduction = tuple[list[int], int, int, int, Met]
"""A discount on what is owed: the positions of its counters, how much less, the code of its side effect, the number of
positions, and how it was split up for each pattern."""
Waived = tuple[list[bool], int, list[int]]
"""Which positions need not be paid, the code of the side effect, and the candidates."""


def reducing(
    bases: list[int], discounts: list[Discount], waivers: list[tuple[Waiver, list[int]]],
    then: Callable[[Amounts, Way], bool],
) -> Callable[[Amounts, Way], bool]:  # fmt: skip
    """Return what hands on all that may be left of what is owed of some counters."""
    reductions = [_reduction(discount, bases) for discount in discounts]
    waived: list[Waived] = []
    for waiver, candidates in waivers:
        _, targets, _, code = waiver
        waived.append(([base in targets for base in bases], code, candidates))
    return lambda left, sides: _apply_reductions(left, sides, reductions, waived, then)


def _reduction(discount: Discount, bases: list[int]) -> Reduction:
    _, less, targets, _, code = discount
    return [bases.index(base) for base in targets if base in bases], less, code, len(bases), nothing_met()


def _apply_reductions(
    left: Amounts, sides: Way, reductions: list[Reduction], waived: list[Waived],
    then: Callable[[Amounts, Way], bool],
) -> bool:  # fmt: skip
    found: list[Left] = [(left, sides)]
    for reduction in reductions:
        found = _apply_discount(found, reduction)
    for lifts, code, candidates in waived:
        lifted = [(rest, used) for rest, used in found if any(n and lift for lift, n in zip(lifts, rest, strict=True))]
        limit_left(len(found) + len(lifted) * len(candidates))
        tick((PART + SLOT * len(lifts)) * len(lifted) * len(candidates))
        found = [
            *found,
            *[
                (tuple([0 if lift else n for lift, n in zip(lifts, rest, strict=True)]), (*used, code, candidate))
                for candidate in candidates
                for rest, used in lifted
            ],
        ]
    return any(then(rest, used) for rest, used in found)


def limit_left(number: int) -> None:
    """Allow only so many different amounts that are left to pay. Raises RuleFault: there are more."""
    if number > MOST_LEFT:
        raise RuleFault(f"discounts and waivers leave more than {MOST_LEFT:,} different amounts to pay", "P0806")


def _apply_discount(found: list[Left], reduction: Reduction) -> list[Left]:
    """Return what is left with the discount, then without it where it may be kept, each once."""
    code = reduction[2]
    if len(found) == 1 and code == 0:
        return _variants(found[0], reduction)
    less: list[Left] = []
    for one in found:
        less.extend(_variants(one, reduction))
        if len(less) > 2 * MOST_LEFT:
            less = list(dict.fromkeys(less))
            limit_left(len(less))
    if code != 0:
        less.extend(found)
    different = list(dict.fromkeys(less))
    limit_left(len(different))
    return different


def _variants(one: Left, reduction: Reduction) -> list[Left]:
    left, sides = one
    at, less, code, width, patterns = reduction
    limits = tuple([min(left[position], less) for position in at])
    if max(limits, default=0) == 0:
        return [one]
    if not is_met(patterns, limits):
        meet(patterns, limits, _parts(limits, at, less, width))
    parts = value_of(patterns, limits)
    used = (*sides, code, 0) if code else sides
    tick((PART + SLOT * width) * len(parts))
    return [(tuple([amount - part for amount, part in zip(left, taken, strict=True)]), used) for taken in parts]


def _parts(limits: Amounts, at: list[int], less: int, width: int) -> list[Amounts]:
    """Return all ways to split the discount up, in the order of the slots."""
    found: list[Amounts] = []
    parts = [0 for _ in limits]
    more = first_split(parts, min(less, sum(limits)), limits)
    while more:
        limit_left(len(found) + 1)
        found.append(tuple([parts[at.index(i)] if i in at else 0 for i in range(width)]))
        more = next_split(parts, limits)
    return found
