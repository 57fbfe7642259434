"""Find what of the state a look ahead has to keep: the slots that its rule may write, by its summary."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from typing import Any

from patolli.kernel.ahead import Touched
from patolli.language.program.node import Location
from patolli.run.compiler.layout import OVER, Layout
from patolli.run.compiler.located import list_locations

GAP = 24
"""How many slots between two stretches are kept as well, rather than one stretch more."""


def summarize_writes(layout: Layout, writes: Iterable[Location], notes: tuple[MutableSequence[Any], ...]) -> Touched:
    """Return what a rule may change that *writes* certain locations; *notes* grow while it is carried out."""
    wanted = frozenset(writes)
    slots = {OVER} if ("over",) in wanted else set[int]()
    pieces = 0
    for first, end, location in list_locations(layout):
        if location in wanted:
            slots.update(range(first, end))
    for name in layout.at:
        pieces += layout.size(name) if ("pieces", name) in wanted else 0
    lists = slots & set(layout.lists)
    numbers, held = _stretches(slots - lists, GAP), _stretches(lists, 0)
    steps = (sum(one.stop - one.start for one in numbers) + pieces >> 2) + 4 * len(lists)
    return Touched(numbers, held, notes, steps, [])


def _stretches(slots: set[int], gap: int) -> tuple[slice, ...]:
    """Join slots to stretches, over gaps that are no longer than *gap*."""
    found: list[slice] = []
    for slot in sorted(slots):
        if found and slot - found[-1].stop <= gap:
            found[-1] = slice(found[-1].start, slot + 1)
        else:
            found.append(slice(slot, slot + 1))
    return tuple(found)
