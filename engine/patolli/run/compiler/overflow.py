"""Find the stored numbers that could grow without end, so that only those are watched while a match runs.

A number that is stored may be stored again in the next pass of a loop. Where each pass adds a constant, it stays small
for as long as the step budget lasts; where it is added to something like itself, or multiplied, it doubles each time,
and a few million passes would fill the memory. What is not stored, but named or handed on, lasts for one pass only: it
is watched where something that was made of it is stored.
"""

from __future__ import annotations

import ast

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.run.compiler import build as b

_STORED = (x.CounterAt, x.Have, x.FieldOf, x.FactOf, x.Seats, x.OptionValue)
_NO_LARGER = frozenset({"min", "max"})


def grows(expr: x.Expr, target: x.Expr) -> bool:
    """Return whether a number may be larger, by more than a constant, than those that are stored already.

    Args:
        expr: A number.
        target: Where it is to be stored.
    """
    match expr:
        case x.Number():
            return False
        case x.Arithmetic(op="+" | "-", right=x.Number()):
            return grows(expr.left, target)
        case x.IfElse():
            return grows(expr.then, target) or grows(expr.other, target)
        case x.Quantifier() | x.Whole():
            return expr.op != "count"
        case x.BuiltinCall():
            inside = expr.builtin in _NO_LARGER and not any(grows(one, target) for one in expr.arguments)
            return expr.builtin != "size" and not inside
    return not isinstance(expr, _STORED) and expr != target


def check_overflow(value: ast.expr, expr: x.Expr, target: x.Expr) -> ast.expr:
    """Return a value that is to be stored, with a look at its size where it may grow."""
    if expr.type != ty.INT or isinstance(value, ast.Constant) or not grows(expr, target):
        return value
    return b.call("check_size", value)
