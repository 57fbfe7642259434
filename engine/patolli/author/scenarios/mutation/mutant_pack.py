"""Make the pack that a mutant stands for: all of it but one text is the original itself.

In:     a pack, and a mutant of it.
Out:    another pack, with a tree of its own for the one file; what leads to the changed text is copied, the rest is
        shared, with all that was made of its texts. Nothing of the original changes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from patolli.author.scenarios.mutation.mutant import Mutant
from patolli.language.diagnostics import Problem
from patolli.language.packs.discovery import ListPacks, installed
from patolli.language.packs.manifest import Files, Pack
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.sources.nodes import Source


def apply_mutant(pack: Pack, mutant: Mutant) -> Pack:
    """Return the pack with the change of a mutant in it."""

    def change_tree(tree: Mapping) -> Mapping:
        made = _with(tree, mutant, mutant.steps)
        assert isinstance(made, Mapping)
        return made

    if mutant.path == str(pack.folder / "pack.yaml"):
        return replace(pack, manifest=change_tree(pack.manifest))
    documents = [
        replace(document, tree=change_tree(document.tree)) if document.path == mutant.path else document
        for document in pack.documents
    ]
    return replace(pack, documents=documents)


def _with(node: Node, mutant: Mutant, steps: tuple[str | int, ...]) -> Node:
    """Return a node in which the text that the steps lead to is another."""
    if isinstance(node, Scalar):
        return _scalar(node, mutant)
    step, *rest = steps
    made: Node
    if isinstance(node, Mapping):
        key, value = node.items[str(step)]
        items = {**node.items, str(step): (key, _with(value, mutant, tuple(rest)))}
        made = Mapping(items, node._span, node.source, node.start, node.end)
    else:
        values = [*node.items]
        values[int(step)] = _with(values[int(step)], mutant, tuple(rest))
        made = Sequence(values, node._span, node.source, node.start, node.end)
    made.flow = node.flow
    return made


def _scalar(node: Scalar, mutant: Mutant) -> Scalar:
    """Return the changed text, in a file of its own whose lines are those of the original."""
    assert node.source is not None
    change, (start, end) = mutant.change, mutant.stretch
    text = node.source.text
    source = Source(node.source.path, text[:start] + change.new + text[end:], node.source.language)
    value = node.value[: change.start] + change.new + node.value[change.end :]
    longer = len(change.new) - (end - start)
    return Scalar(value, None, node.style, source, node.start, node.end + longer)


class Changed(Files):
    """Files in which one pack is replaced; everything else is read from *files*."""

    def __init__(self, files: Files, original: Pack, pack: Pack) -> None:
        self._files, self._folder, self._pack = files, original.folder, pack

    def find(self, name: str, there: ListPacks = installed) -> Path | None:
        """Return the folder of a pack."""
        return self._files.find(name, there)

    def text(self, path: str) -> tuple[str | None, list[Problem]]:
        """Return the text of a file as it is on the disk."""
        return self._files.text(path)

    def pack(self, name: str) -> Pack:
        """Return a pack, the changed one in the place of its original."""
        found = self._files.pack(name)
        return self._pack if found.folder == self._folder else found
