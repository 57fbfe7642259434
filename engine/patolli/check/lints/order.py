"""Find effects that are never reached, and lines of a menu that cannot be distinguished."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from patolli.check.lints._effects import blocks, effects
from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program.node import declaration, walk
from patolli.language.program.statements import statements


@check("P0448")
def find_unreachable(reviewed: Reviewed) -> Iterator[Problem]:
    """Find what stands behind an effect that always leaves its block."""
    reported: set[Span] = set()
    for block in _blocks(reviewed):
        for leaving, next_ in pairwise(statement.effect for statement in statements(block)):
            if declaration(leaving).leaves != "never" and next_.span not in reported:
                reported.add(next_.span)
                also = ((leaving.span, "this leaves the block"),)
                help_ = "remove it, or put it before"
                yield Problem("P0448", "this is never reached", next_.span, help_, also, "warning")
                break


@check("P0449")
def samelabel_of(reviewed: Reviewed) -> Iterator[Problem]:
    """Find two lines of a menu with one label, if either may be there together with the other."""
    reported: set[Span] = set()
    for rule in reviewed.program.rules.values():
        for menu in effects(rule.block):
            lines = menu.options if isinstance(menu, e.Menu) and not menu.may else ()
            for at, line in enumerate(lines):
                first = next((one for one in lines[:at] if _alike(one, line)), None)
                if first is not None and label_of(line) not in reported:
                    reported.add(label_of(line))
                    also = ((label_of(first), "the first one is here"),)
                    words = f"two lines of this menu are called {line.label!r}"
                    yield Problem("P0449", words, label_of(line), "give each its own label", also, "warning")


def _alike(one: e.Option, other: e.Option) -> bool:
    same = one.label is not None and one.label == other.label
    return same and not (one.binders or other.binders) and one.condition == other.condition


def label_of(line: e.Option) -> Span:
    """Return the place of a label, with which its line begins, in quotes."""
    width = len(line.label or "") + 2
    return replace(line.span, end_line=line.span.line, end_column=line.span.column + width)


def _blocks(reviewed: Reviewed) -> Iterator[e.Block]:
    for rule in reviewed.program.rules.values():
        for step in rule.steps:
            yield step.block
            for node in walk(step.block):
                yield from blocks(node)
