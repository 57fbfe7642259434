"""Keep what is sound of a document with mistakes in it, so that the rest of a pack can be checked all the same.

In:     the tree of a document, and what reading and its schema found wrong.
Out:    the tree without the entries that hold a mistake, or nothing; and the words of what was left out.

A word that was left out may be a name that other documents use. What is found later about such a word follows from the
mistake that was reported already, and is not reported again (see ``without_echoes``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import TypeAlias

from patolli.language.diagnostics import Problem, Span
from patolli.language.sources import Mapping, Node, Sequence
from patolli.language.sources.nodes import Source

Path: TypeAlias = tuple[str | int, ...]

_WORD = re.compile(r"[a-z_][a-z0-9_]*(?:-[a-z0-9_]+)*")
_CELL = re.compile(r"(\w*[a-z][0-9]+|\w*l[0-9]+_r[0-9]+_c[0-9]+)\Z")
"""How cells are named; their names stand in no document."""
_COPY = re.compile(r"_[0-9]+\Z")
_FIRST_OF_NAMES = "P0110"
"""Codes below speak of a text by itself, never of what another one says."""


def words(text: str) -> set[str]:
    """Return everything in a text that could be a name."""
    found = set(_WORD.findall(text))
    joined = [word for word in found if "-" in word]  # an id that is written with hyphens is looked for without them
    return found.union(*(word.split("-") for word in joined), (word.replace("-", "_") for word in joined))


def recover(tree: Mapping, problems: Iterable[Problem]) -> tuple[Mapping | None, set[str]]:
    """Leave out every entry of a document that an error is about, or its section, or all of it."""
    lost: set[str] = set()
    wrong: set[Path] = set()
    sections = _Places(tree)
    for problem in problems:
        if problem.code == "P0003" and tree.source is not None:
            lost |= words(tree.source.text)  # the second value is in no tree
        elif problem.severity == "error" and problem.code != "P0002":  # a file with tabs is read with blanks
            wrong.add(sections.find_path(problem.span))
    if () in wrong or ("when_active",) in {path[:1] for path in wrong}:
        return None, lost | collect_words(tree)
    items = {}
    for name, (key, value) in tree.items.items():
        if (name,) in wrong:
            lost |= collect_words(key, value)
            continue
        inner = {path[1] for path in wrong if path[0] == name}
        lost |= {name} if name == "grids" and inner else set()  # whose cells stand in no document
        items[name] = (key, _left_over(value, inner, lost) if inner else value)
    return (Mapping(items, tree.span, tree.source) if wrong else tree), lost


class _Places:
    """Says in which entry of a document or section a place lies; entries follow each other in the text."""

    def __init__(self, node: Node) -> None:
        entries = [entry for entry in _list_entries(node) if entry[0] != "document" or not isinstance(node, Mapping)]
        self.entries = [(name, last) for name, _, last in entries]
        self.starts = [(first.span.line, first.span.column) for _, first, _ in entries]
        self.inner: dict[str | int, _Places] = {}

    def find(self, place: tuple[int, int]) -> tuple[str | int, Node] | None:
        """Return the entry that a place lies in: its name or number, and its last node."""
        at = bisect_right(self.starts, place) - 1
        if at < 0:
            return None
        end = self.entries[at][1].span
        return self.entries[at] if place <= (end.end_line, end.end_column) else None

    def find_path(self, span: Span) -> Path:
        """Say in which section of a document, and in which entry of it, a place lies."""
        place = (span.line, span.column)
        section = self.find(place)
        if section is None:
            return ()
        name, value = section
        if name not in self.inner:
            self.inner[name] = _Places(value)
        inner = self.inner[name].find(place)
        return (name,) if inner is None else (name, inner[0])


def _list_entries(node: Node) -> list[tuple[str | int, Node, Node]]:
    """Return the entries of a section: name or number, and the first and last node of each."""
    if isinstance(node, Mapping):
        return [(name, key, value) for name, (key, value) in node.items.items()]
    return [(at, item, item) for at, item in enumerate(node.items)] if isinstance(node, Sequence) else []


def _left_over(node: Node, wrong: set[str | int], lost: set[str]) -> Node:
    """Return a section without the entries that are *wrong*; their words are *lost*."""
    for at, first, last in _list_entries(node):
        if at in wrong:
            lost |= collect_words(first, last)
    if isinstance(node, Mapping):
        items = {name: item for name, item in node.items.items() if name not in wrong}
        return Mapping(items, node.span, node.source)
    assert isinstance(node, Sequence)
    return Sequence([item for at, item in enumerate(node.items) if at not in wrong], node.span, node.source)


def collect_words(first: Node, last: Node | None = None) -> set[str]:
    """Return the words in the text of a node, or from one to another."""
    last = first if last is None else last
    source = first.source
    return words(source.text[first.start : last.end]) if isinstance(source, Source) else set()


def without_echoes(problems: list[Problem], trees: Iterable[Mapping], lost: set[str]) -> list[Problem]:
    """Drop the problems whose marked text holds one of the words that were *lost*."""
    if not lost:
        return problems
    sources = {tree.source.path: tree.source for tree in trees if tree.source is not None}
    return [p for p in problems if p.code < _FIRST_OF_NAMES or not _mentions_of(p.span, sources, lost)]


def _mentions_of(span: Span, sources: dict[str, Source], lost: set[str]) -> bool:
    source = sources.get(span.path)
    if source is None:
        return False
    lines = source.text.split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return False
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    found = words("\n".join(lines))
    if "grids" in lost and any(_CELL.match(word) for word in found):
        return True
    return not lost.isdisjoint(found | {_COPY.sub("", word).removesuffix("_placement") for word in found})
