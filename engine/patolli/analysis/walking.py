"""Walk over syntax trees without knowing their classes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from patolli.language import tree as t

_APART = frozenset({"at", "type", "note"})


@cache
def parts(cls: type) -> tuple[str, ...]:
    """Return the attributes of a class of nodes that hold its parts, not its place and what was noted at it."""
    return tuple(s for c in reversed(cls.__mro__) for s in getattr(c, "__slots__", ()) if s not in _APART)


def children(value: object) -> Iterator[object]:
    """Yield what stands directly inside a node, a list or a tuple."""
    if isinstance(value, list | tuple):
        yield from value
    elif isinstance(value, t.Node):
        cls: type = type(value)
        for slot in parts(cls):
            yield getattr(value, slot)


def nodes(value: object) -> Iterator[t.Node]:
    """Yield every node of a tree, outer ones first, in the order of the text."""
    if isinstance(value, t.Node):
        yield value
    for inner in children(value):
        if isinstance(inner, t.Node | list | tuple):
            yield from nodes(inner)


def sort_of(node: object) -> str:
    """Return the first word of what the checker noted at a node."""
    note = getattr(node, "note", None)
    return note[0] if isinstance(note, tuple) and note and isinstance(note[0], str) else ""
