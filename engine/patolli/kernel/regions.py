"""Sets of cells: what hangs together, and what lies around them."""

from __future__ import annotations

from collections.abc import Iterable

from patolli.kernel.budget import tick
from patolli.kernel.geometry import adjacent
from patolli.kernel.library import library


@library()
def connected(near: tuple[tuple[int, ...], ...], cells: Iterable[int], start: int) -> tuple[int, ...]:
    """Return those of *cells* that hang together with *start*, in order of number."""
    allowed = set(cells)
    found = {start} & allowed
    edge = list(found)
    tick(len(allowed) * 2)
    while edge:
        for cell in near[edge.pop()]:
            if cell in allowed and cell not in found:
                found.add(cell)
                edge.append(cell)
    tick(len(found) * 12)
    return tuple(sorted(found))


def border(grid: tuple[int, ...], cells: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cells that share an edge with some of *cells* and are none of them, in order of number."""
    return tuple(sorted({near for cell in cells for near in adjacent(grid, cell)} - set(cells)))
