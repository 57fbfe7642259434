"""Resolve ``+`` and ``-``: of numbers they are a sum and a difference, and lists are put together by ``+``.

Errors: P0301 what is neither two numbers nor two lists.
"""

from __future__ import annotations

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.resolve.calls import Calls
from patolli.language.resolve.scopes import Scope
from patolli.language.syntax import tree as t
from patolli.language.syntax.inline_printer import spell


def format_list(expr: t.Expr) -> str:
    """Say how a list is written that holds a value and nothing else."""
    return f"write {{{spell(expr)}}} for a list that holds one"


class Sums(Calls):
    """Sums, differences, and lists that are put together."""

    def _sum(self, expr: t.Binary, scope: Scope, wanted: ty.AnyType | None) -> x.Expr:
        """``a + b``: a sum of numbers, or two lists, one behind the other."""
        left = self.infer(expr.left, scope, wanted if isinstance(wanted, ty.Seq) else ty.INT)
        if not isinstance(left.type, ty.Seq):
            left = self.fit(expr.left, left, ty.INT)
            right = self.check(expr.right, scope, ty.INT)
            type_ = ty.ANY if ty.ANY in (left.type, right.type) else ty.INT
            return x.Arithmetic("+", left, right, type=type_, span=expr.span)
        right = self.infer(expr.right, scope, left.type)
        if right.type == ty.ANY:
            return self.nothing(expr, left, right)
        if not isinstance(right.type, ty.Seq):
            help_ = (
                f"a list of one item is written {{{spell(expr.right)}}}"
                if ty.fits(ty.strip(right.type), left.type.of)
                else ""
            )
            words_ = f"{left.type} and {right.type} make no list"
            return self.problem("P0301", words_, expr.right, help_, parts=(left, right))
        return x.Joined(left, right, type=self._join_types(left.type, right.type, expr), span=expr.span)

    def _difference(self, expr: t.Binary, scope: Scope) -> x.Expr:
        """``a - b`` of numbers; a list minus a list is an error that says how to write it."""
        left, right = self.infer(expr.left, scope, ty.INT), self.infer(expr.right, scope, ty.INT)
        if isinstance(left.type, ty.Seq) and right.type not in (ty.INT, ty.ANY):
            rest = f"x not in {spell(expr.right)}" if isinstance(right.type, ty.Seq) else f"x != {spell(expr.right)}"
            help_ = f"write '[x in {spell(expr.left)} where {rest}]'"
            return self.problem("P0301", "nothing is subtracted from a list", expr, help_, parts=(left, right))
        left, right = self.fit(expr.left, left, ty.INT), self.fit(expr.right, right, ty.INT)
        type_ = ty.ANY if ty.ANY in (left.type, right.type) else ty.INT
        return x.Arithmetic("-", left, right, type=type_, span=expr.span)

    def _join_types(self, left: ty.AnyType, right: ty.AnyType, expr: t.Expr) -> ty.AnyType:
        both = ty.join(left, right)
        if both is None:
            help_ = ""
            if isinstance(expr, t.Binary) and isinstance(left, ty.Seq) and ty.fits(right, left.of):
                help_ = format_list(expr.right)
            return self.problem("P0301", f"one side is {left}, the other {right}", expr, help_).type
        return both

    # -- quantifiers
