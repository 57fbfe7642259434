"""All ways to split a number over several parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patolli.kernel.budget import tick

PART = 100
"""The steps of finding one way."""


def splits(total: int, limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to split a number over parts with limits; much in the first part first."""
    tick(PART)
    if not 0 <= total <= sum(limits):
        return
    parts = [0] * len(limits)
    _fill(parts, limits, 0, total)
    while True:
        yield tuple(parts)
        tick(PART)
        behind = room = 0
        for at in range(len(parts) - 1, -1, -1):
            if parts[at] and behind < room:
                break
            behind += parts[at]
            room += limits[at]
        else:
            return
        parts[at] -= 1
        _fill(parts, limits, at + 1, behind + 1)


def _fill(parts: list[int], limits: Sequence[int], first: int, number: int) -> None:
    """Put a number into the parts from *first* on, as much as there is room for into each."""
    for at in range(first, len(parts)):
        parts[at] = min(number, limits[at])
        number -= parts[at]
