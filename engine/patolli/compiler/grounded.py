"""Compile conditions in which much is known: it is worked out, and short quantifiers are written out.

``count(y in T where y.field == x)`` is not counted anew, but read from a tally: how many fields hold each value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.content import DEPTH, Content, Unknown, Values
from patolli.compiler.effects import Effects
from patolli.compiler.unit import Context, Unit
from patolli.program import expressions as x

Excuses = tuple[tuple[x.Expr, bool], ...]
"""Conditions, each with the value that it has where another condition need not hold."""
WRITTEN_OUT = 40
"""How many passes of a quantifier are written out at most."""


class Grounded(Effects):
    """The compiler of conditions in which much is known."""

    def __init__(self, unit: Unit, rule_ids: dict[str, str], content: Content) -> None:
        super().__init__(unit)
        self.rule_ids, self.content = rule_ids, content

    remembers = False  # passes are written out here, one beside the other

    def expr(self, expr: x.Expr, c: Context) -> ast.expr:
        """Compile an expression as a value."""
        values = {v: node.value for v in self.content.free(expr) if isinstance(node := _read(c, v), ast.Constant)}
        try:
            found = self.content.known(expr, values)
            if isinstance(found, int):
                return b.const(found)
        except Unknown:
            pass
        tally = self.content.tally(expr, values)
        if tally is not None:
            assert isinstance(expr, x.Quantifier)
            first, value, _ = tally
            entry = b.item("tally", b.add(self.expr(value, c), b.const(first)))
            return entry if expr.op == "count" else b.compare(entry, ">", b.const(0))
        if isinstance(expr, x.FunctionCall) and self.content.depth < DEPTH:
            inlined = self._inlined(expr, values, c)
            if inlined is not None:
                return inlined
        return self._written_out(expr, values, c) or super().expr(expr, c)

    def _inlined(self, expr: x.FunctionCall, values: Values, c: Context) -> ast.expr | None:
        """Return what stands in a function that is asked of things which are known, or have a name."""
        function, content = self.unit.model.functions[expr.function], self.content
        given: dict[x.Variable, Callable[[], ast.expr]] = {}
        for name, argument in zip((function.me, *function.parameters), (expr.me, *expr.arguments), strict=True):
            try:
                given[name] = constant(content.known(argument, values))
            except Unknown:
                if not isinstance(argument, x.Local):
                    return None
                given[name] = partial(c.read, argument.variable)
        content.depth += 1
        try:
            return self.expr(function.body, Context(self.unit, given))
        finally:
            content.depth -= 1

    def _written_out(self, expr: x.Expr, values: Values, c: Context) -> ast.expr | None:
        """Return all passes of a quantifier, one beside the other, where they are few."""
        if not isinstance(expr, x.Quantifier) or expr.op not in ("all", "any", "count", "sum"):
            return None
        try:
            every = list(self.content.bindings(expr.binders, values))
        except Unknown:
            return None
        numbers = all(isinstance(one[binder.variable], int) for one in every for binder in expr.binders)
        if len(every) > WRITTEN_OUT or not every or not numbers:
            return None
        more = [c.with_({bd.variable: constant(one[bd.variable]) for bd in expr.binders}) for one in every]
        where: Excuses = () if expr.where is None else ((expr.where, False),)
        if expr.op == "all":
            return b.both([self.unless(where, expr.value, inner) for inner in more if expr.value is not None])
        if expr.op == "any":
            return b.either([self._tested(expr, inner) for inner in more])
        total: ast.expr = b.const(0)
        for inner in more:
            amount = self.expr(expr.value, inner) if expr.op == "sum" and expr.value is not None else b.const(1)
            if expr.op == "sum" and expr.value is None:
                amount = inner.read(expr.binders[-1].variable)
            if expr.where is not None:
                amount = ast.IfExp(self.condition(expr.where, inner), amount, b.const(0))
            total = b.add(total, amount)
        return total

    def unless(self, excuses: Excuses, expr: x.Expr, c: Context) -> ast.expr:
        """Compile a condition that counts only where none of its excuses does."""
        tests = [(self.condition(one, c), excusing) for one, excusing in excuses]
        return b.either([*(one if excusing else b.negate(one) for one, excusing in tests), self.condition(expr, c)])

    def _tested(self, expr: x.Quantifier, c: Context) -> ast.expr:
        tests = [self.condition(part, c) for part in (expr.where, expr.value) if part is not None]
        return b.both(tests)


def constant(value: Any) -> Callable[[], ast.expr]:
    """Return what reads a value that is known."""
    return lambda: b.const(value)


def _read(c: Context | None, variable: x.Variable) -> ast.expr | None:
    """Return what a variable is in a context or around it, without taking it in from there."""
    while c is not None:
        if variable in c.variables:
            return c.variables[variable]()
        c = c.outer
    return None
