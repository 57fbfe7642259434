"""Constants that the effects of a piece read, for its card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from patolli.check.prose.words import capital, words
from patolli.language.program import expressions as x
from patolli.language.program.model import Design, Items, Program, Value
from patolli.language.program.node import walk
from patolli.run.compiler.layout import Layout

MOST = 16
"""Limit for the numbers of a list on a card."""


def read_by(program: Program, layout: Layout, design: Design) -> Iterator[tuple[str, str]]:
    """Yield the name and the numbers of each constant that the effects of a design read directly.

    Constants that functions read are left out, because players rarely need them.
    """
    rules = [
        program.rules[name] for fact in design.facts for name in program.rules_in(design, fact) if name in program.rules
    ]
    read = (node for rule in rules for step in rule.steps for node in walk(step.block))
    for name in dict.fromkeys(node.name for node in read if isinstance(node, x.ConstantNamed)):
        if said := _format_numbers(layout, program.constants[name].value):
            yield capital(words(name)), said


def _format_numbers(layout: Layout, value: Value) -> str:
    """Return a number or a list of numbers as text; empty for other values."""
    value = layout.constants.table(value)
    if isinstance(value, x.Expr):
        number = _number(layout, value)
        return "" if number is None else f"{number}."
    numbers = [_number(layout, layout.constants.table(one)) for one in value] if isinstance(value, Items) else []
    if not 0 < len(numbers) <= MOST or None in numbers:
        return ""
    return f"{', '.join(map(str, numbers))}, from 0 on."


def _number(layout: Layout, value: Any) -> int | None:
    found = layout.constants.value(value) if isinstance(value, x.Expr) else None
    return found if type(found) is int else None
