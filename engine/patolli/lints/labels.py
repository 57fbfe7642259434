"""Find braces in what is shown to players: nothing is put in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.diagnostics import Problem
from patolli.lints.check import Reviewed, check
from patolli.lints.order import label_of
from patolli.lints.trees import blocks_of
from patolli.program import effects as e
from patolli.program.model import Anytime
from patolli.program.node import Node, walk

_SHOWN = ("decline", "label", "prompt", "text")
_HOLE = re.compile(r"\{[^{}]*\w[^{}]*\}")


@check("P0463")
def printed_braces(reviewed: Reviewed) -> Iterator[Problem]:
    """Find labels and questions with a name in braces."""
    for block in blocks_of(reviewed.program):
        for node in walk(block):
            for text in _texts(node):
                found = _HOLE.search(text)
                if found is not None and reviewed.written_here(node.span):
                    yield _problem(node, text, found[0])
    for action in reviewed.program.anytime:
        found = _HOLE.search(action.label)
        if found is not None and reviewed.written_here(action.span):
            yield _problem(action, action.label, found[0])


def _texts(node: Node) -> Iterator[str]:
    """Yield what a question or line of a menu shows as it stands."""
    if isinstance(node, e.Effect | e.Option):
        yield from (text for name in _SHOWN if isinstance(text := getattr(node, name, None), str))


def _problem(node: Node | Anytime, text: str, hole: str) -> Problem:
    if isinstance(node, e.Say):
        help_ = 'values stand behind the text: say "Coins:" coin'
    elif getattr(node, "binders", ()):
        help_ = 'words with values stand behind the label: "buy" as "buy {x}"'
    else:
        help_ = "a label is shown as it stands; the values of 'for x in S' are shown beside it"
    span = label_of(node) if isinstance(node, e.Option) and node.label == text else node.span
    return Problem("P0463", f"players would read {hole!r} with its braces", span, help_, (), "warning")
