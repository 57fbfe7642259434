"""Find all mutants of a pack: go through its documents, and change what each text and each value says.

In:     a pack as it was read and resolved, whose nodes know how they were parsed (``Scalar.readings``).
Out:    mutants, in the order of files and lines.

What decides nothing is left alone: texts for people and what is said to them, panels, scenarios, the manifest but for
the list of components, the ``values`` by which bots judge a position, measures, and the invariants, which are
expectations as those of a scenario are.
Nor is made what is known to make no difference: a wider range of a field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from patolli.author.scenarios.mutation.mutant import Change, Mutant, show_change
from patolli.author.scenarios.mutation.text_changes import changes, numbers
from patolli.language.packs.manifest import Pack
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.sources.documents import ASIDE
from patolli.language.syntax import tree as t

PROSE = frozenset({"text", "source", "phrase", "noun", "told", "heading", "cause", "category", "document", "kind"})
"""Keys whose values are words for people, or say what the entry is."""
UNPLAYED = frozenset({"values", "invariants", "measures"})
"""Sections that do not change how a match goes."""
READINGS = ("parse_effect", "_expression", "parse_cost")
_BARE = re.compile(
    r"[0-9]+|true|false|(?:list of )*[a-z_]\w*\??(?: or none)?(?: -?[0-9]+\.\.-?[0-9]+)?(?: = .+)?", re.S
)
"""What is no text of the language and yet says something: a number, or a type with its bounds and its default."""
_WORDS = re.compile(r"\b(?:[0-9]+|true|false)\b")
Steps = tuple[str | int, ...]


def mutants_of(pack: Pack) -> list[Mutant]:
    """Return all mutants of a pack, each another one."""
    found: list[Mutant] = []
    for path, tree in trees(pack):
        cells = _Cells(tree)
        for steps, scalar in scalars(tree):
            if steps[0] in UNPLAYED or (path == _manifest(pack) and steps[0] != "components"):
                continue
            made = [_mutant(path, steps, scalar, change) for change in _changes(scalar, steps, cells)]
            found += [mutant for mutant in made if mutant is not None]
    return list({(mutant.place, mutant.change.new): mutant for mutant in found}.values())


def trees(pack: Pack) -> Iterator[tuple[str, Mapping]]:
    """Yield the manifest and the documents that decide how a match goes, with their paths."""
    yield _manifest(pack), pack.manifest
    for document in pack.documents:
        if document.kind not in ASIDE:
            yield document.path, document.tree


def scalars(node: Node, steps: Steps = ()) -> Iterator[tuple[Steps, Scalar]]:
    """Yield the values below a node that mean something, with the steps that lead to them."""
    if isinstance(node, Scalar):
        yield steps, node
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from scalars(item, (*steps, number))
    else:
        for key, (_, value) in node.items.items():
            if key not in PROSE:
                yield from scalars(value, (*steps, key))


def _manifest(pack: Pack) -> str:
    return str(pack.folder / "pack.yaml")


def _changes(scalar: Scalar, steps: Steps, cells: _Cells) -> list[Change]:
    """Return what can be changed in one value."""
    read = [scalar.readings[way][0] for way in READINGS if scalar.readings and way in scalar.readings]
    if not read:
        return list(_unread(scalar))
    tree, size = read[0], len(scalar.value)
    if isinstance(tree, t.Number | t.Truth | t.Name) and len(scalar.value.strip()) == size:
        words = [change._replace(kind="value") for change in changes(tree, scalar.value)]
        other = cells.other(steps, scalar) if isinstance(tree, t.Name) else None
        return words if other is None else [*words, Change("value", 0, size, other)]
    return changes(tree, scalar.value)


def _unread(scalar: Scalar) -> Iterator[Change]:
    """Change numbers, ``true`` and ``false`` in what is no text of the language: sizes, types with bounds."""
    if not _BARE.fullmatch(scalar.value):
        return
    for word in _WORDS.finditer(scalar.value):
        if word[0].isdigit():
            yield from _numbers(scalar.value, word)
        else:
            yield Change("value", word.start(), word.end(), "false" if word[0] == "true" else "true")


def _numbers(value: str, word: re.Match[str]) -> Iterator[Change]:
    """Change a number; make ranges only smaller: that no field leaves its range is proven (P0417)."""
    before, after = value[: word.start()], value[word.end() :]
    low, high = after.startswith(".."), before.removesuffix("-").endswith("..")
    for change in numbers(int(word[0]), word.start(), word.end(), "value"):
        more = (int(change.new) > int(word[0])) is not before.endswith("-")
        if not (low and not more) and not (high and more):
            yield change


def _mutant(path: str, steps: Steps, scalar: Scalar, change: Change) -> Mutant | None:
    stretch = scalar.stretch(change.start, change.end)
    if stretch is None or scalar.source is None:
        return None
    before, after = show_change(scalar.source, stretch, change.new)
    span = scalar.place(change.start, max(1, change.end - change.start))
    effect = scalar.readings is not None and READINGS[0] in scalar.readings
    return Mutant(change.kind, path, steps, change, stretch, span, scalar.span, effect, before, after)


class _Cells:
    """What the cells of a table may say instead: what another cell of it says."""

    def __init__(self, tree: Mapping) -> None:
        self.columns: dict[tuple[Any, ...], list[str]] = {}
        for steps, scalar in scalars(tree):
            for column in _columns(steps):
                self.columns.setdefault(column, []).append(scalar.value)

    def other(self, steps: Steps, scalar: Scalar) -> str | None:
        """Return the next other word in the list or the column in which a word stands."""
        for column in _columns(steps):
            known = list(dict.fromkeys(self.columns[column]))
            if len(known) > 1:
                return known[(known.index(scalar.value) + 1) % len(known)]
        return None


def _columns(steps: Steps) -> Iterator[tuple[Any, ...]]:
    """Yield in what a cell stands with others of its sort: a list, or the same fact of other entries."""
    if isinstance(steps[-1], int):
        yield ("list", *steps[:-1])
        yield ("lists", *(step for step in steps[:-1] if isinstance(step, str)))
    if len(steps) == 3 and isinstance(steps[-1], str):
        yield ("fact", steps[0], steps[2])
