"""Find a way from something back to itself, and everything that is on such ways."""

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


def list_around(start: T, leaving: Callable[[T], Iterable[T]]) -> set[T]:
    """Return what *start* leads to and that leads back to it."""
    behind = {start: list(leaving(start))}
    open_ = list(behind[start])
    while open_:
        here = open_.pop()
        if here not in behind:
            behind[here] = list(leaving(here))
            open_ += behind[here]
    before: dict[T, list[T]] = {}
    for here, ahead in behind.items():
        for to in ahead:
            before.setdefault(to, []).append(here)
    found, open_ = {start}, [start]
    while open_:
        more = set(before.get(open_.pop(), ())) - found
        found |= more
        open_ += more
    return found
