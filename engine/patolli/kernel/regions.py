"""What hangs together: sets of cells, what lies around them, and where steps of a relation lead.

A relation is a function from one thing to those to which a step leads; ``steps`` is what it takes to ask it once. A
cell or thing is a number from 0, or -1 for none; what is known of it stands one place further in a list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from patolli.kernel.budget import tick
from patolli.kernel.geometry import adjacent
from patolli.kernel.library import library


@library()
def connected(near: tuple[tuple[int, ...], ...], cells: Sequence[int], start: int) -> tuple[int, ...]:
    """Return those of *cells* that hang together with *start*, in order of number."""
    open_ = [0] * (len(near) + 1)
    for cell in cells:
        open_[cell + 1] = 1
    edge: list[int] = []
    tick(sum(open_) * 2)
    if open_[start + 1]:
        open_[start + 1] = 2
        edge.append(start)
    while edge:
        for cell in near[edge.pop()]:
            if open_[cell + 1] == 1:
                open_[cell + 1] = 2
                edge.append(cell)
    found = [at - 1 for at in range(len(open_)) if open_[at] == 2]
    tick(len(found) * 12)
    return tuple(found)


def border(grid: tuple[int, ...], cells: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cells that share an edge with some of *cells* and are none of them, in order of number."""
    return tuple(sorted({near for cell in cells for near in adjacent(grid, cell)} - set(cells)))


Near = Callable[[int], Collection[int]]
FEW = 500
"""How many steps are drawn together."""


_NEW = -2
"""What nothing has led to yet; what was there at first was reached from -1."""


def _spread(start: int, near: Near, steps: int, end: int, order: list[int]) -> list[int]:
    """Put into *order* what can be reached, nearest first, up to *end*; return by what is met where that was from."""
    came = [_NEW] * (start + 2)
    came[start + 1] = -1
    order.append(start)
    at = spent = 0
    while at < len(order) and order[at] != end:
        here = order[at]
        at += 1
        others = near(here)
        spent += steps + 4 * len(others)
        if spent > FEW:
            tick(spent)
            spent = 0
        _reach(here, others, came, order)
    tick(spent)
    return came


def _reach(here: int, others: Collection[int], came: list[int], order: list[int]) -> None:
    for other in others:
        while len(came) < other + 2:
            came.append(_NEW)
        if came[other + 1] == _NEW:
            came[other + 1] = here
            order.append(other)


@library(30)
def reachable(near: Near, steps: int, start: int) -> tuple[int, ...]:
    """Return one thing and all to which steps lead from it, nearest first."""
    order: list[int] = []
    _spread(start, near, steps, -1, order)
    return tuple(order)


@library(30)
def path(near: Near, steps: int, start: int, end: int) -> tuple[int, ...]:
    """Return the shortest way from one thing to another, both with it; nothing where there is none."""
    came = _spread(start, near, steps, end, [])
    if end + 1 >= len(came) or came[end + 1] == _NEW:
        return ()
    way = [end]
    while way[-1] != start:
        way.append(came[way[-1] + 1])
    tick(len(way) * 2)
    return tuple(way[::-1])


@library(30)
def distance(near: Near, steps: int, start: int, end: int) -> int:
    """Return how many steps lead from one thing to another at least, or -1."""
    return len(path(near, steps, start, end)) - 1
