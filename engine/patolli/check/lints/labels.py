"""Find braces in what is shown to players: nothing is put in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.order import label_of
from patolli.check.lints.trees import blocks_of
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program.node import Node, walk
from patolli.language.sources import Mapping, Scalar, Sequence
from patolli.language.sources import Node as Written

_SHOWN = ("decline", "label", "prompt", "text")
_LABEL = "a label is shown literally; the values of 'for x in S' are shown beside it"
_HOLE = re.compile(r"\{[^{}]*\w[^{}]*\}|\{\w+|\w+\}")
"""Words in braces, or a word at one that has no partner."""


@check("P0463")
def printed_braces(reviewed: Reviewed) -> Iterator[Problem]:
    """Find labels, questions and categories with a name in braces."""
    for block in blocks_of(reviewed.program):
        for node in walk(block):
            for name, text in _texts(node):
                found = _HOLE.search(text)
                if found is not None and reviewed.written_here(node.span):
                    yield _problem(_place(reviewed, node, text), found[0], _help(node, name))
    for action in reviewed.program.anytime:
        found = _HOLE.search(action.label)
        if found is not None and reviewed.written_here(action.span):
            help_ = f"write words with values after 'as': `as: {action.label!r}`" if action.binder else _LABEL
            yield _problem(action.span, found[0], help_)
    for category in _categories(reviewed):
        found = _HOLE.search(category.value)
        if found is not None and reviewed.written_here(category.span):
            help_ = "a category is shown literally, once for each player"
            yield _problem(category.place(found.start(), len(found[0])), found[0], help_)


def _texts(node: Node) -> Iterator[tuple[str, str]]:
    """Yield what a question or line of a menu shows literally, by the name of the field."""
    if isinstance(node, e.Effect | e.Option):
        shown = [name for name in _SHOWN if name != "prompt" or not getattr(node, "named", ())]
        yield from ((name, text) for name in shown if isinstance(text := getattr(node, name, None), str))


def _categories(reviewed: Reviewed) -> Iterator[Scalar]:
    """Yield the categories of kinds, of rules and their like, and of the triggers of pieces."""
    composition = reviewed.program.composition
    for section in ("kinds", "grids", "rules", "triggers", "anytime", "pieces"):
        for entry in composition.all(section):
            own: list[Written | None] = [entry.get("category")] if section != "pieces" else []
            triggers = entry.get("triggers")
            inner = triggers.items if section == "pieces" and isinstance(triggers, Sequence) else []
            own += [one.get("category") for one in inner if isinstance(one, Mapping)]
            yield from (node for node in own if isinstance(node, Scalar))


def _help(node: Node, name: str) -> str:
    if isinstance(node, e.Say):
        return 'write values after the text: say "Coins:" coin'
    if name == "prompt":
        return "a question names variables of its rule in braces, but not `me`, whom it asks"
    if isinstance(node, e.Option) and node.binders:
        return 'write words with values after the label: "buy" as "buy {x}"'
    return _LABEL


def _place(reviewed: Reviewed, node: Node, text: str) -> Span:
    """Return where a text stands in a statement; the statement where it is written in another way than it is read."""
    if isinstance(node, e.Option) and node.label == text:
        return label_of(node)
    span = node.span
    packs = reviewed.program.composition.packs
    tree = next((document.tree for pack in packs for document in pack.documents if document.path == span.path), None)
    lines = tree.source.text.split("\n") if tree is not None and tree.source is not None else []
    for number, line in enumerate(lines[span.line - 1 : span.end_line], span.line):
        at = line.find(f'"{text}"', span.column - 1 if number == span.line else 0)
        if at >= 0:
            return Span(span.path, number, at + 1, number, at + len(text) + 3)
    return span


def _problem(span: Span, hole: str, help_: str) -> Problem:
    both = "{" in hole and "}" in hole
    words = f"players would read {hole!r} with its brace{'s' * both}"
    return Problem("P0463", words, span, help_, (), "warning")
