"""All ways to split a number over several parts with limits; much in the first part first."""

from __future__ import annotations

from collections.abc import Sequence

from patolli.kernel.budget import tick

PART = 100
"""The steps of finding one way."""


def first_split(parts: list[int], total: int, limits: Sequence[int]) -> bool:
    """Put the first way into some empty parts; return whether there is one."""
    tick(PART)
    if not 0 <= total <= sum(limits):
        return False
    _fill(parts, limits, 0, total)
    return True


def next_split(parts: list[int], limits: Sequence[int]) -> bool:
    """Go on from one way to the next; return whether there is one."""
    tick(PART)
    behind = room = 0
    for at in range(len(parts) - 1, -1, -1):
        if parts[at] and behind < room:
            parts[at] -= 1
            _fill(parts, limits, at + 1, behind + 1)
            return True
        behind += parts[at]
        room += limits[at]
    return False


def _fill(parts: list[int], limits: Sequence[int], first: int, number: int) -> None:
    """Put a number into the parts from *first* on, as much as there is room for into each."""
    for at in range(first, len(parts)):
        parts[at] = min(number, limits[at])
        number -= parts[at]
