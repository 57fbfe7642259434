"""Make functions of what stands outside rules, and say how a rule is started from outside.

In:     conditions, values and candidates as they stand in a pack.
Out:    names of functions over the state and me; they can be looked up when the unit has been executed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from patolli.analysis.model import Rule
from patolli.compiler import build as b
from patolli.compiler.effects import Effects
from patolli.compiler.frames import Frames
from patolli.compiler.unit import Context, Unit, reader
from patolli.language import tree as t

Work = Any
"""How a rule is carried out: a function, or for one that may ask the number of its first block and its variables."""


class Links:
    """Ties the compiled rules to what the runtime calls."""

    def __init__(self, unit: Unit, plain: Effects, framed: Frames) -> None:
        self.unit, self.plain, self.framed = unit, plain, framed

    def work(self, rule: Rule) -> Work:
        """Return how a compiled rule is carried out."""
        entry = self.framed.entries.get(rule.name) if rule.asks else None
        if entry is None:
            return self.unit.space[self.plain.rule_id(rule.name)]
        return (entry, self.unit.space[f"PAD_{entry}"])

    def condition(self, expr: t.Expr | None) -> str | None:
        """Make a function of a condition over the state and me."""
        return None if expr is None else self.function_of(expr, lambda c: self.plain.condition(expr, c))

    def function_of(self, node: t.Node, value: Callable[[Context], ast.expr]) -> str:
        """Make a function over the state and me that gives a value."""
        c = Context(self.unit, {"me": reader("me")}, None)
        id_ = self.unit.fresh("w")
        self.unit.define(id_, ["s", "me"], [b.give(value(c))], node)
        return id_

    def candidates(self, binder: t.Binder | None, when: t.Expr | None, body: Rule, node: t.Node | None) -> str:
        """Make a function that lists the values for which something is possible; [0] stands for no variable."""

        def value(c: Context) -> ast.expr:
            if binder is not None:
                return self.plain.collected([binder], when, c, body.block)
            tests = [self.plain.condition(when, c)] if when is not None else []
            more = self.plain.guard(body.block, c)
            tests += [more] if more is not None else []
            return ast.IfExp(b.both(tests), ast.List([b.const(0)], ast.Load()), ast.List([], ast.Load()))

        begin = body.block[0] if body.block else t.Nothing(at=t.At(t.FixedText(body.span), 0, 0))
        return self.function_of(node or binder or begin, value)
