"""Walk over syntax trees without knowing their classes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from patolli.language import tree as t


@cache
def parts(cls: type) -> tuple[str, ...]:
    """Return the attributes of a class of nodes that hold its parts, not its place."""
    return tuple(s for c in reversed(cls.__mro__) for s in getattr(c, "__slots__", ()) if s != "at")


def nodes(value: object) -> Iterator[t.Node]:
    """Yield every node of a tree, outer ones first, in the order of the text."""
    open_ = [value]
    while open_:
        here = open_.pop()
        if isinstance(here, t.Node):
            yield here
            cls: type = type(here)
            open_.extend(getattr(here, slot) for slot in reversed(parts(cls)))
        elif isinstance(here, list | tuple):
            open_.extend(reversed(here))
