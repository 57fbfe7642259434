"""The same as ``kernel.regions``: what hangs together, and where steps of a relation lead.

A cell or thing is a number from 0, or -1 for none; what is known of it stands one place further in a list.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from patolli.kernel.budget import tick
from patolli.kernel.library import flat
from patolli.kernel.regions import FEW, Near

_NEW = -2
"""What nothing has led to yet; what was there at first was reached from -1."""


@flat("connected")
def flat_connected(near: tuple[tuple[int, ...], ...], cells: Sequence[int], start: int) -> tuple[int, ...]:
    """See :func:`patolli.kernel.regions.connected`."""
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


@flat("reachable")
def flat_reachable(near: Near, steps: int, start: int) -> tuple[int, ...]:
    """See :func:`patolli.kernel.regions.reachable`."""
    order: list[int] = []
    _spread(start, near, steps, -1, order)
    return tuple(order)


@flat("path")
def flat_path(near: Near, steps: int, start: int, end: int) -> tuple[int, ...]:
    """See :func:`patolli.kernel.regions.path`."""
    came = _spread(start, near, steps, end, [])
    if end + 1 >= len(came) or came[end + 1] == _NEW:
        return ()
    way = [end]
    while way[-1] != start:
        way.append(came[way[-1] + 1])
    tick(len(way) * 2)
    return tuple(way[::-1])
