"""Compile promises: statements that fail where a condition does not hold, with the values that say why."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.run.compiler import build as b
from patolli.run.compiler.quantifiers import conjuncts

if TYPE_CHECKING:
    from patolli.run.compiler.expressions import Expressions
    from patolli.run.compiler.unit import Context


def compile_promise_checks(ex: Expressions, promise: e.Expect | x.Promised, c: Context) -> list[ast.stmt]:
    """Return the statements that fail where a promise is not kept."""
    return [
        b.when(b.negate(ex.condition(part, c)), [b.do(_broken(ex, promise.reason, part, c))])
        for part in conjuncts(promise.condition)
    ]


def _broken(ex: Expressions, reason: str, part: x.Expr, c: Context) -> ast.expr:
    found: list[ast.expr] = []
    for one in shown_parts(part):
        span = one.span
        place = (span.path, span.line, span.column, span.end_line, span.end_column)
        type_ = b.name(ex.unit.keep("Y", one.type))
        found.append(ast.Tuple([b.const(place), type_, ex.compile_kept_value(one, c)], ast.Load()))
    return b.call("broken_promise", b.const(reason), ast.Tuple(found, ast.Load()))


def shown_parts(condition: x.Expr) -> list[x.Expr]:
    """Return the parts of a condition whose values say why it does not hold, as far as they surely have one."""
    match condition:
        case x.Logic(op="or"):
            return [*shown_parts(condition.left), *shown_parts(condition.right)]
        case x.Compare():
            constant = (x.Number, x.Instance, x.Choice, x.Truth, x.NoValue)
            sides = [part for part in (condition.left, condition.right) if not isinstance(part, constant)]
            return [part for part in sides if not isinstance(part.type, ty.Seq)]
    return []
