"""Find a way from something back to itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def way_around(start: T, leaving: Callable[[T], Iterable[T]]) -> list[T]:
    """Return what stands on a shortest way from *start* back to it, that first; nothing where there is no such way."""
    before: dict[T, T] = {}
    open_ = [start]
    while open_:
        here = open_.pop(0)
        for to in leaving(here):
            if to == start:
                path = [here]
                while path[0] != start:
                    path.insert(0, before[path[0]])
                return path
            if to not in before:
                before[to] = here
                open_.append(to)
    return []
