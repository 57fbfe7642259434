"""Walk the nodes of documents, and look up the words in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.author.lookup.references import Reference
from patolli.language.resolve.model import Model
from patolli.language.resolve.uses import identify_name
from patolli.language.sources import Node, Scalar, Sequence
from patolli.language.sources.nodes import list_entries

WORD = re.compile(r"(?<![\w.])[a-z_][a-z0-9_]*(?!\w)")


def scalars(node: Node | None) -> Iterator[Scalar]:
    """Yield all values below a node."""
    if isinstance(node, Scalar):
        yield node
    elif node is not None:
        for inner in node.items if isinstance(node, Sequence) else [value for _, value in list_entries(node)]:
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
