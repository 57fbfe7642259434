"""Gain counters within their bounds: a mix of a group, or one whose bounds are known only now."""

from __future__ import annotations

from patolli.kernel.faults import RuleFault
from patolli.kernel.library import SOLVING, library
from patolli.kernel.money import Way
from patolli.kernel.payments import MOST
from patolli.kernel.splits import first_split, next_split
from patolli.kernel.state import State
from patolli.kernel.values import check_size

Bounds = dict[int, tuple[int, int | None]]


@library(SOLVING)
def mixes(me: int, bases: tuple[int, ...], number: int) -> list[Way]:
    """Return all mixes of *number* of a group, as ways; much of the first counter first."""
    if number <= 0:
        return [()]
    found: list[Way] = []
    limits, parts = [number] * len(bases), [0] * len(bases)
    more = first_split(parts, number, limits)
    while more:
        if len(found) == MOST:
            raise RuleFault(f"there are more than {MOST} ways to gain this", "P0806")
        found.append(tuple([x for base, part in zip(bases, parts, strict=True) if part for x in (base + me, part)]))
        more = next_split(parts, limits)
    return found


@library()
def apply_gain(s: State, me: int, way: Way, bounds: Bounds) -> Way:
    """Gain one mix, as far as the counters go; return what was really gained."""
    gained: list[int] = []
    for position in range(0, len(way), 2):
        slot = way[position]
        before = s[slot]
        gain_of(s, slot - me, me, way[position + 1], bounds)
        if s[slot] != before:
            gained += [slot, s[slot] - before]
    return tuple(gained)


@library()
def gain_of(s: State, base: int, me: int, amount: int, bounds: Bounds) -> None:
    """Gain a counter of a group, whose bounds are known only now; less than nothing is a loss."""
    low, high = bounds[base]
    changed = check_size(s[base + me] + amount)
    if amount < 0:
        s[base + me] = max(changed, low)
    else:
        s[base + me] = changed if high is None else min(changed, high)
