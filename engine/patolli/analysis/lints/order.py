"""Find effects that are never reached, and lines of a menu that nobody can tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from patolli.analysis.effects import jumps
from patolli.analysis.lints.check import Checked, check
from patolli.analysis.traits import blocks_of
from patolli.analysis.walking import nodes
from patolli.diagnostics import Problem, Span
from patolli.language import tree as t


@check("P0448")
def unreached(checked: Checked) -> Iterator[Problem]:
    """Find what stands behind an effect that always leaves its block."""
    told: set[Span] = set()
    for block in _blocks(checked):
        for leaving, next_ in pairwise(block):
            if jumps(leaving) and next_.span not in told:
                told.add(next_.span)
                also = ((leaving.span, "this leaves the block"),)
                help_ = "remove it, or put it before"
                yield Problem("P0448", "this is never reached", next_.span, help_, also, "warning")
                break


@check("P0449")
def same_label(checked: Checked) -> Iterator[Problem]:
    """Find two lines of a menu with one label, either of which may be there whenever the other is."""
    told: set[Span] = set()
    for rule in checked.model.rules.values():
        for menu in nodes(rule.block):
            lines = menu.options if isinstance(menu, t.Menu) and menu.note != "may" else []
            for at, line in enumerate(lines):
                first = next((one for one in lines[:at] if _alike(one, line)), None)
                if first is not None and _label(line) not in told:
                    told.add(_label(line))
                    also = ((_label(first), "the first one is here"),)
                    words = f"two lines of this menu are called {line.label!r}"
                    yield Problem("P0449", words, _label(line), "give each its own label", also, "warning")


def _alike(one: t.Option, other: t.Option) -> bool:
    same = one.label is not None and one.label == other.label
    return same and not (one.binders or other.binders) and one.condition == other.condition


def _label(line: t.Option) -> Span:
    return line.at.text.place(line.at.start, len(line.label or "") + 2)


def _blocks(checked: Checked) -> Iterator[t.Block]:
    for rule in checked.model.rules.values():
        for step in rule.steps:
            yield from _inside(step.block)


def _inside(block: t.Block) -> Iterator[t.Block]:
    """Yield a block and all blocks inside it."""
    yield block
    for effect in block:
        for inner in blocks_of(effect):
            yield from _inside(inner)
