"""Tags of payments, marked with which conditions about what is paid for hold.

A condition such as ``it.size > 2`` is evaluated where something is paid, once, and its answer is part of the
tag: with two of them, payments as ``project`` have one of the tags ``project'0`` to ``project'3``. So the payment
solver knows tags only.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Discount, Formula, Program, Substitution, Waiver
from patolli.language.program.tree_rewriter import substitute
from patolli.run.compiler import build as b

if TYPE_CHECKING:
    from patolli.run.compiler.expressions import Expressions
    from patolli.run.compiler.unit import Context


Offer = Substitution | Discount | Waiver
Conditional = tuple[Offer, Formula]
"""What may count for a payment, and its condition about what is paid for."""


def list_conditional(program: Program, tag: str | None) -> list[Conditional]:
    """Return what counts for payments with a tag if a condition about what is paid for holds."""
    found: list[tuple[Offer, Formula | None]] = [(one, one.when) for one in program.substitutions]
    found += [(one, one.when) for one in program.discounts]
    found += [(one, one.subject) for one in program.waivers]
    return [(one, when) for one, when in found if tag in one.on and when is not None and when.variables]


def marked_tags(program: Program, offer: Offer) -> frozenset[str]:
    """Return the tags with which an offer counts for a payment."""
    found: set[str] = set()
    for tag in offer.on:
        conditional = list_conditional(program, tag)
        place = next((at for at, (one, _) in enumerate(conditional) if one is offer), -1)
        found |= {f"{tag}'{mask}" for mask in range(1 << len(conditional)) if place < 0 or mask >> place & 1}
        found |= {tag} if place < 0 else set()
    return frozenset(found)


def compile_tag(ex: Expressions, pay: e.Pay, c: Context) -> ast.expr:
    """Return the tag of a payment."""
    conditional = list_conditional(ex.unit.model, pay.tag)
    return _mark(ex, pay, conditional, 0, 0, c) if conditional and pay.of is not None else b.const(pay.tag)


def _mark(ex: Expressions, pay: e.Pay, conditional: list[Conditional], at: int, mask: int, c: Context) -> ast.expr:
    if at == len(conditional):
        return b.const(f"{pay.tag}'{mask}")
    _, when = conditional[at]
    assert pay.of is not None
    values: dict[x.Variable, x.Expr] = {when.me: pay.who, when.variables[0]: pay.of}
    test = ex.condition(substitute(when.body, values), c)
    yes, no = (_mark(ex, pay, conditional, at + 1, mask | bit, c) for bit in (1 << at, 0))
    return ast.IfExp(test, yes, no)
