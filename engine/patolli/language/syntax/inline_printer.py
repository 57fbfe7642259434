"""Write expressions, costs and simple effects on one line, in canonical form.

In:     a node of the syntax tree.
Out:    its text: one blank round operators and behind commas, brackets only where the grammar needs them.

What has blocks or comments is the business of ``printer``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from patolli.language.syntax import tree as t
from patolli.language.syntax.forms import FORMS

EXPR, OR, AND, NOT, COMPARE, RANGE, SUM, PRODUCT, UNARY, POSTFIX, ATOM = range(11)
"""How tightly a place in the grammar binds; what binds less there stands in brackets."""

_PRODUCTS = ("*", "div", "mod")
_NONE = re.compile(r"none\b")


def spell(expr: t.Expr, level: int = EXPR) -> str:
    """Write an expression for a place of *level*."""
    text, own = _spell_expression(expr)
    return f"({text})" if own < level else text


def _spell_expression(expr: t.Expr) -> tuple[str, int]:
    """Write an expression, and return how tightly it binds."""
    match expr:
        case t.Naming():
            lines = [_spell_line(one) for one in expr.given]
            return "\n".join([*lines, spell(expr.value)]), EXPR
        case t.IfElse():
            then, condition = spell(expr.then, OR), spell(expr.condition, OR)
            return f"{then} if {condition} else {spell(expr.other)}", EXPR
        case t.Logic():
            own, right = (OR, AND) if expr.op == "or" else (AND, NOT)
            second = spell(expr.right, right)
            if expr.op == "or" and _NONE.match(second):  # these two words are the way out of a question
                second = f"({second})"
            return f"{spell(expr.left, own)} {expr.op} {second}", own
        case t.Not():
            return f"not {spell(expr.of, NOT)}", NOT
        case t.Compare():
            rest = "".join(f" {op} {spell(other, RANGE)}" for op, other in expr.rest)
            return spell(expr.first, RANGE) + rest, COMPARE
        case t.SpanOf():
            return f"{spell(expr.low, SUM)}..{spell(expr.high, SUM)}", RANGE
        case t.Binary():
            own, right = (PRODUCT, UNARY) if expr.op in _PRODUCTS else (SUM, PRODUCT)
            return f"{spell(expr.left, own)} {expr.op} {spell(expr.right, right)}", own
        case t.Negative():
            return f"-{spell(expr.of, UNARY)}", UNARY
        case t.Attribute():
            return f"{spell(expr.of, POSTFIX)}.{expr.name}", POSTFIX
        case t.Index():
            return f"{spell(expr.of, POSTFIX)}[{spell(expr.index)}]", POSTFIX
    return _atom(expr), ATOM


def _atom(expr: t.Expr) -> str:
    match expr:
        case t.Number():
            return str(expr.value)
        case t.Truth():
            return "true" if expr.value else "false"
        case t.NoValue():
            return "none"
        case t.Name():
            return expr.id
        case t.Call():
            return f"{expr.id}({several(expr.arguments)})"
        case t.Listing():
            return f"[{several(expr.items)}]" if expr.square else "{" + several(expr.items) + "}"
        case t.Quantifier():
            inner = _comprehension(expr)
            return f"[{inner}]" if expr.id == "list" else f"{expr.id}({inner})"
    raise TypeError(f"no text for {type(expr).__name__}")


def _comprehension(expr: t.Quantifier) -> str:
    if expr.value is None:
        parts = [binders(expr.binders)]
    else:
        # Brackets that the grammar does not need: without them `else b for x` reads as if it belonged together.
        value = spell(expr.value, OR if isinstance(expr.value, t.IfElse) else EXPR)
        parts = [f"{value} for {binders(expr.binders)}"]
    if expr.where is not None:
        parts.append(f"where {spell(expr.where)}")
    if expr.by is not None:
        parts.append(f"by {spell(expr.by)}")
    return " ".join(parts)


def several(exprs: Sequence[t.Expr]) -> str:
    """Write expressions with commas between them."""
    return ", ".join(spell(expr) for expr in exprs)


def how_many(node: t.HowMany) -> str:
    """Write ``2``, ``0 to 3`` or ``any number``."""
    if node.least is None:
        return "any number"
    most = "" if node.most is None else f" to {spell(node.most, SUM)}"
    return f"{spell(node.least, SUM)}{most}"


def binder(node: t.Binder) -> str:
    """Write ``x in S``."""
    return f"{node.id} in {spell(node.source, RANGE)}"


def binders(nodes: Sequence[t.Binder]) -> str:
    """Write ``x in S, y in T``."""
    return ", ".join(binder(node) for node in nodes)


def _spell_line(line: t.Given | t.Promise) -> str:
    """Write a line before an expression."""
    if isinstance(line, t.Given):
        return f"let {line.id} = {spell(line.value)}"
    return f"expect {spell(line.condition)}" + (f' "{line.reason}"' if line.reason is not None else "")


def where(condition: t.Expr | None) -> str:
    """Write `` where P``, or nothing."""
    return "" if condition is None else f" where {spell(condition)}"


def quote_label(label: str | None) -> str:
    """Write `` "label"``, or nothing."""
    return "" if label is None else f' "{label}"'


def items(parts: Sequence[t.Item]) -> str:
    """Write a cost or a gain: ``1 coin and 2 any good``."""
    return " and ".join(_item(part) for part in parts)


def _item(part: t.Item) -> str:
    amount = spell(part.amount, SUM)
    if part.thing is None:
        return amount
    inner = f"({several(part.arguments)})" if part.arguments else ""
    return f"{amount} {'any ' if part.mix else ''}{part.thing}{inner}"


def _decline(label: str) -> str:
    return "or none" if label == "none" else f"or{quote_label(label)}"


_SPELLED: dict[str, Callable[[Any], str]] = {
    "NAME": str, "STRING": lambda label: f'"{label}"', "items": items, "arguments": several, "binders": binders,
    "binder": binder, "how_many": how_many, "where": lambda condition: f"where {spell(condition)}", "decline": _decline,
}  # fmt: skip
"""How the parts of forms are written that are no expressions."""
_LEVELS = {"expr": EXPR, "expr_in": RANGE, "range": RANGE, "sum": SUM, "postfix": POSTFIX}


def _part(kind: str, value: Any) -> str:
    return spell(value, _LEVELS[kind]) if kind in _LEVELS else _SPELLED[kind](value)


def simple(effect: t.Effect) -> str | None:
    """Write an effect without a block; None when it has one. The ``otherwise`` of a ``choose`` goes to ``printer``."""
    form = FORMS.get(type(effect))
    if form is not None:
        return None if form.block else form.text(effect, _part)
    match effect:
        case t.Gain():
            who = "" if effect.who is None else f" for {spell(effect.who)}"
            return f"{'lose' if effect.less else 'gain'} {items(effect.items)}{who}"
        case t.CallRule():
            return spell(effect.call)
        case t.Return():
            if effect.value is not None:
                return f"return {spell(effect.value)}"
            word = "unless" if effect.negated else "if"
            return "stop" if effect.condition is None else f"stop {word} {spell(effect.condition)}"
    return None


def header(effect: t.Effect) -> str:
    """Write the line of an effect that opens a block, without its colon. Raises TypeError: it opens no block."""
    form = FORMS.get(type(effect))
    if form is not None:
        return form.text(effect, _part)
    match effect:
        case t.If():
            return f"if {spell(effect.condition)}"
        case t.For():
            order = f" in any order{quote_label(effect.prompt)}" if effect.any_order else ""
            return f"for {binders(effect.binders)}{where(effect.where)}{order}"
        case t.Menu():
            return (
                f"may{quote_label(effect.options[0].label)}"
                if effect.may
                else f"choose one{quote_label(effect.prompt)}"
            )
    raise TypeError(f"no text for {type(effect).__name__}")


def option(line: t.Option) -> str:
    """Write the line of a menu, without its colon."""
    if line.binders:
        called = f" as{quote_label(line.words)}" if line.words is not None else ""
        return f"for {binders(line.binders)}{where(line.condition)}{quote_label(line.label)}{called}"
    when = "" if line.condition is None else f" when {spell(line.condition)}"
    return f'"{line.label}"{when}'
