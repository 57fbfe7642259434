"""Walk over syntax trees without knowing their classes."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import cache
from typing import Any

from patolli.language.syntax import tree as t


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


def copy_tree(value: Any) -> Any:
    """Return a tree of its own that is written like another one, at the same place."""
    if isinstance(value, list | tuple):
        return type(value)(copy_tree(inner) for inner in value)
    if not isinstance(value, t.Node):
        return value
    made = copy(value)
    cls: type = type(value)
    for part in parts(cls):
        setattr(made, part, copy_tree(getattr(value, part)))
    return made
