"""Find the stored numbers that could grow without end, so that only those are watched while a match runs.

A number that is stored may be stored again in the next pass of a loop. Where each pass adds a constant, it stays small
for as long as the step budget lasts; where it is added to something like itself, or multiplied, it doubles each time,
and a few million passes would fill the memory. What is not stored, but named or handed on, lasts for one pass only: it
is watched where something that was made of it is stored.
"""

from __future__ import annotations

import ast

from patolli.analysis.walking import sort_of
from patolli.compiler import build as b
from patolli.language import tree as t
from patolli.program import types as ty

_STORED = frozenset({"counter", "field", "fact", "seats", "option"})
_NO_LARGER = frozenset({"min", "max"})
_COUNTS = frozenset({"count", "size"})


def grows(expr: t.Expr, target: t.Expr) -> bool:
    """Tell whether a number may be larger, by more than a constant, than those that are stored already.

    Args:
        expr: A number.
        target: Where it is to be stored.
    """
    match expr:
        case t.Number():
            return False
        case t.Binary() if expr.op in ("+", "-") and isinstance(expr.right, t.Number):
            return grows(expr.left, target)
        case t.IfElse():
            return grows(expr.then, target) or grows(expr.other, target)
        case t.Quantifier():
            return expr.id != "count"
        case t.Call() if sort_of(expr) == "builtin":
            return expr.id not in _COUNTS and (
                expr.id not in _NO_LARGER or any(grows(one, target) for one in expr.arguments)
            )
    return sort_of(expr) not in _STORED and expr != target


def watched(value: ast.expr, expr: t.Expr, target: t.Expr) -> ast.expr:
    """Return a value that is to be stored, with a look at its size where it may grow."""
    if expr.type != ty.INT or isinstance(value, ast.Constant) or not grows(expr, target):
        return value
    return b.call("sized", value)
