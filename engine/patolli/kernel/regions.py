"""What hangs together: sets of cells, what lies around them, and where steps of a relation lead.

A relation is a function from one thing to those to which a step leads; ``steps`` is what it takes to ask it once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

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


Near = Callable[[int], Collection[int]]
FEW = 500
"""How many steps are drawn together."""


def _spread(start: int, near: Near, steps: int, end: int = -1) -> dict[int, int]:
    """Return what can be reached, nearest first, each with where it was reached from; up to *end* where it is met."""
    found, order, spent = {start: -1}, [start], 0
    for here in order:
        if here == end:
            break
        others = near(here)
        spent += steps + 4 * len(others)
        if spent > FEW:
            tick(spent)
            spent = 0
        for other in others:
            if other not in found:
                found[other] = here
                order.append(other)
    tick(spent)
    return found


@library(30)
def reachable(near: Near, steps: int, start: int) -> tuple[int, ...]:
    """Return one thing and all to which steps lead from it, nearest first."""
    return tuple(_spread(start, near, steps))


@library(30)
def path(near: Near, steps: int, start: int, end: int) -> tuple[int, ...]:
    """Return the shortest way from one thing to another, both with it; nothing where there is none."""
    found = _spread(start, near, steps, end)
    if end not in found:
        return ()
    way = [end]
    while way[-1] != start:
        way.append(found[way[-1]])
    tick(len(way) * 2)
    return tuple(reversed(way))


@library(30)
def distance(near: Near, steps: int, start: int, end: int) -> int:
    """Return how many steps lead from one thing to another at least, or -1."""
    return len(path(near, steps, start, end)) - 1
