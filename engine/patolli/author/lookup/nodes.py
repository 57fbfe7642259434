"""Walk the nodes of documents, and look up the words in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.author.lookup.references import Reference
from patolli.language.resolve.model import Model
from patolli.language.resolve.uses import identify_name
from patolli.language.sources import Mapping, Node, Scalar, Sequence

WORD = re.compile(r"(?<![\w.])[a-z_][a-z0-9_]*(?!\w)")


def items(node: Node | None) -> list[tuple[Scalar, Node]]:
    """Return the keys and values of a mapping; of anything else, none."""
    return list(node.items.values()) if isinstance(node, Mapping) else []


def get(node: Node | None, key: str) -> Node | None:
    """Return the value of a key; None where there is no mapping, or no such key."""
    return node.get(key) if isinstance(node, Mapping) else None


def scalars(node: Node | None) -> Iterator[Scalar]:
    """Yield all values below a node."""
    if isinstance(node, Scalar):
        yield node
    elif node is not None:
        for inner in node.items if isinstance(node, Sequence) else [value for _, value in items(node)]:
            yield from scalars(inner)


def words(model: Model, node: Node | None) -> Iterator[Reference]:
    """Yield what the words of all values below a node name."""
    for text in scalars(node):
        for found in WORD.finditer(text.value):
            yield from one(model, text, found[0], found.start())


def one(model: Model, text: Scalar, word: str, offset: int) -> Iterator[Reference]:
    """Yield what a word of a text names by itself, if it names anything."""
    found = identify_name(model, word)
    if found is not None:
        yield Reference(text.place(offset, len(found.name)), found.sort, found.id)
