"""Compile single parts of a program on demand: what a match needs to say why.

In:     expressions, payments and demands of the program that was compiled.
Out:    functions over a state and the variables that they read.

They come from the same compiler as the rules, so that the reports say what is done. Each is compiled once, when it is
first asked for; a match that explains nothing never comes here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import logic
from patolli.language.program.preconditions import Demand
from patolli.language.program.tree_rewriter import free
from patolli.run.compiler import build as b
from patolli.run.compiler import payments
from patolli.run.compiler.effects import Effects
from patolli.run.compiler.marked_tags import compile_tag
from patolli.run.compiler.unit import Context, of_variables


@dataclass(frozen=True, slots=True)
class Working:
    """A part of a program, compiled: it is called with a state and the values of its variables."""

    variables: tuple[x.Variable, ...]
    function: Callable[..., Any]


class Workings:
    """The parts of one compiled program; what was made is kept, and with it what it was made from."""

    def __init__(self, plain: Effects, execute: Callable[[], None]) -> None:
        """Compile with *plain*; *execute* makes the new functions known."""
        self.plain, self.unit, self.execute = plain, plain.unit, execute
        self.preconditions = plain.unit.proven.preconditions
        self._made: dict[tuple[Any, ...], tuple[object, Working]] = {}
        self._payments: dict[int, tuple[x.Payable, e.Pay]] = {}
        self._parts: dict[tuple[int, str], tuple[x.Expr, list[x.Expr]]] = {}

    def value(self, expr: x.Expr) -> Working:
        """Return what works out an expression."""
        return self._of("value", expr, lambda c: self.plain.expr(expr, c))

    def affordable(self, pay: e.Pay) -> Working:
        """Return the function that tests whether a payment is possible, whatever follows it."""
        return self._of("affordable", pay, lambda c: payments.affordable(self.plain, pay, c))

    def compile_need(self, pay: e.Pay) -> Working:
        """Return the function that gives the need of a payment."""
        return self._of("need", pay, lambda c: payments.compile_need(self.plain, pay, c))

    def tag(self, pay: e.Pay) -> Working:
        """Return the function that gives the tag of a payment, with what holds of what is paid for."""
        return self._of("tag", pay, lambda c: compile_tag(self.plain, pay, c))

    def ways(self, pay: e.Pay) -> Working:
        """Return what lists all ways to pay."""
        return self._of("ways", pay, lambda c: payments.ways(self.plain, pay, c))

    def paying(self, test: x.Payable) -> e.Pay:
        """Return the payment that a test is about; for the same test, the same object."""
        if id(test) not in self._payments:
            item = e.CostItem(test.cost, (), test.who, span=test.span)
            self._payments[id(test)] = test, e.Pay((item,), None, test.who, None, span=test.span)
        return self._payments[id(test)][1]

    def possible(self, demand: Demand, variables: Iterable[x.Variable], span: Span) -> Working:
        """Return the function that tests a demand; *variables* are those that are known where it is made."""
        known = tuple(variables)
        return self._compile_working(
            ("possible", id(demand), *map(id, known)), demand, known,
            lambda c: self.plain.test(demand, c) or b.const(True), span,
        )  # fmt: skip

    def conjuncts(self, condition: x.Expr) -> list[x.Expr]:
        """Return the parts of a condition that must all hold; for the same condition, the same objects."""
        return self._split(condition, logic.conjuncts)

    def disjuncts(self, condition: x.Expr) -> list[x.Expr]:
        """Return the alternatives of a condition; for the same condition, the same objects."""
        return self._split(condition, logic.disjuncts)

    def _split(self, condition: x.Expr, how: Callable[[x.Expr], list[x.Expr]]) -> list[x.Expr]:
        key = (id(condition), how.__name__)
        if key not in self._parts:
            self._parts[key] = condition, how(condition)
        return self._parts[key][1]

    def _of(self, what: str, node: x.Expr | e.Pay, make: Callable[[Context], ast.expr]) -> Working:
        return self._compile_working((what, id(node)), node, free(node), make, node.span)

    def _compile_working(
        self, key: tuple[Any, ...], made_from: object, variables: tuple[x.Variable, ...],
        make: Callable[[Context], ast.expr], span: Span,
    ) -> Working:  # fmt: skip
        if key not in self._made:
            id_ = self.unit.fresh("y")
            self.unit.current = "a question why"
            value = make(of_variables(self.unit, *variables))
            self.unit.define(id_, ["s", *map(self.unit.local, variables)], [b.give(value)], span)
            self.execute()
            self._made[key] = made_from, Working(variables, self.unit.space[id_])
        return self._made[key][1]
