"""Estimate how long a computation can take, so that only the dangerous ones are counted while a match runs.

A *bound* is an upper estimate of the number of loop passes. Loops whose bound is small need no counting at all; in
those above ``DANGEROUS`` each pass of the outermost loop draws on the step budget, and so does every call of a
function or plain rule that can call itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from patolli.compiler.layout import Layout
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.expressions import Binder
from patolli.program.node import Node, children

DANGEROUS = 1_000_000
MOST = 10**15


class Bounds:
    """Bounds of the functions, rules, expressions and effects of one program."""

    def __init__(self, layout: Layout) -> None:
        self.model = layout.model
        self.layout = layout
        self.tabled: set[str] = set()
        self.functions: dict[str, int] = {}
        self.rules: dict[str, int] = {}
        self.tables: dict[str, Any] = {}
        self.longest: dict[str, int] = {}

    def learn(self, tables: dict[str, Any]) -> None:
        """Take the true lengths of lists in facts and tabled functions from now on."""
        self.tables = tables
        self.functions.clear()
        self.rules.clear()

    def _known(self, source: x.Expr) -> int | None:
        """Return the length of the longest list that a fact or a tabled function holds."""
        if isinstance(source, x.FactOf):
            name, depth = f"F_{source.kind}_{source.fact}", 1
        elif isinstance(source, x.FunctionCall) and source.function in self.tabled:
            name, depth = f"T_{function_name(source.function)}", len(source.arguments)
        else:
            return None
        if name not in self.longest and name in self.tables:
            self.longest[name] = max(1, _longest(self.tables[name], depth))
        return self.longest.get(name)

    def size(self, source: x.Expr) -> int:
        """Return how many items a list may have."""
        known = self._known(source)
        if known is not None:
            return known
        match source:
            case x.ListOf():
                return len(source.items)
            case x.Range():
                low = self.layout.constants.value(source.low)
                high = self.layout.constants.value(source.high)
                sure = isinstance(low, int) and isinstance(high, int)
                return max(0, high - low + 1) if sure else 16  # longer ones draw on the budget when they are made
            case x.IfElse():
                return max(self.size(source.then), self.size(source.other))
            case x.Quantifier():
                return self.passes(source.binders)
        item = source.type.of if isinstance(source.type, ty.Seq) else None
        return max(8, self.layout.size(item.kind)) if isinstance(item, ty.Ref) else 100

    def passes(self, binders: Iterable[Binder]) -> int:
        """Return how often the innermost of some nested loops may run."""
        total = 1
        for binder in binders:
            total = min(MOST, total * max(1, self.size(binder.source)))
        return total

    def of(self, *values: Node | Iterable[Node] | None) -> int:
        """Return the bound of some trees."""
        total = 0
        for value in values:
            total += self._of(value) if isinstance(value, Node) else self.of(*(value or ()))
        return min(MOST, total)

    def _of(self, value: Node) -> int:
        if isinstance(value, e.Choose):
            return min(MOST, self._choosing(value) + self.of(value.otherwise))
        if isinstance(value, x.Can):
            return min(MOST, 1 + self.of(value.arguments) + self._of_beginning(value.rule))
        inner = sum(map(self.of, children(value)))
        if isinstance(value, x.Quantifier | e.For):
            outside = sum(self.of(b.source) for b in value.binders)
            return min(MOST, self.passes(value.binders) * (1 + inner) + outside)
        if isinstance(value, e.Repeat):
            times = self.layout.constants.value(value.times)
            return min(MOST, (times if isinstance(times, int) else 1000) * (1 + inner))
        if isinstance(value, e.Loop):
            return min(MOST, 1000 * (1 + inner))
        if isinstance(value, x.FunctionCall) and value.function not in self.tabled:
            inner += self._of_function(value.function)
        elif isinstance(value, e.CallRule):
            inner += self._of_rule(value.rule)
        return min(MOST, inner + 1)

    def _of_beginning(self, rule: str) -> int:
        """Return the bound of looking whether a rule is possible, which ends at its first loop."""
        block = self.model.rules[rule].block
        loops = (i for i, effect in enumerate(block) if isinstance(effect, e.For | e.Repeat | e.Loop | e.UpTo))
        return self.of(block[: next(loops, len(block))])

    def _choosing(self, choose: e.Choose) -> int:
        """Return the bound of finding what can be chosen; what happens without it is no part of that."""
        inner = self.of(choose.binders, choose.where)
        return min(MOST, self.passes(choose.binders) * (1 + inner))

    def _of_function(self, name: str) -> int:
        if name not in self.functions:
            self.functions[name] = 100  # while it is being worked out; recursion is counted on its own
            self.functions[name] = self.of(self.model.functions[name].body)
        return self.functions[name]

    def _of_rule(self, name: str) -> int:
        if name not in self.rules:
            self.rules[name] = 100
            rule = self.model.rules.get(name)
            self.rules[name] = self.of(rule.block) if rule is not None else 100
        return self.rules[name]

    def weight(self, node: x.Quantifier | e.For | e.Choose) -> int:
        """Return what one pass of the outermost loop draws on the budget; 0 when nobody needs to count."""
        total = self._choosing(node) if isinstance(node, e.Choose) else self.of(node)
        if total <= DANGEROUS or not node.binders:
            return 0
        return max(1, total // max(1, self.size(node.binders[0].source)))


def _longest(table: Any, depth: int) -> int:
    if depth == 0:
        return len(table) if isinstance(table, tuple) else 0
    return max((_longest(row, depth - 1) for row in table), default=0)


def function_name(name: str) -> str:
    """Return the name of a declared function in generated code."""
    return "f_" + "".join(ch if ch.isalnum() or ch == "_" else "_x_" for ch in name)
