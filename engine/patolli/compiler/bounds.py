"""Estimate how long a computation can take, so that only the dangerous ones are counted while a match runs.

A *bound* is an upper estimate of the number of loop passes. Loops whose bound is small need no counting at all; in
those above ``DANGEROUS`` each pass of the outermost loop draws on the step budget, and so does every call of a
function or plain rule that can call itself.
"""

from __future__ import annotations

from typing import Any

from patolli.analysis.model import Model
from patolli.analysis.walking import children
from patolli.compiler.layout import Layout
from patolli.language import tree as t
from patolli.program import types as ty

DANGEROUS = 1_000_000
MOST = 10**15


class Bounds:
    """Bounds of the functions, rules, expressions and effects of one program."""

    def __init__(self, model: Model, layout: Layout) -> None:
        self.model = model
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

    def _known(self, source: t.Expr) -> int | None:
        """Return the length of the longest list that a fact or a tabled function holds."""
        note = t.note_of(source)
        if note[0] == "fact":
            name = f"F_{note[1]}_{note[2]}"
        elif note[0] == "function" and note[1] in self.tabled:
            name = f"T_{function_name(note[1])}"
        else:
            return None
        if name not in self.longest and name in self.tables:
            depth = 1 if note[0] == "fact" else len(self.model.functions[note[1]].parameters)
            self.longest[name] = max(1, _longest(self.tables[name], depth))
        return self.longest.get(name)

    def size(self, source: t.Expr) -> int:
        """Return how many items a list may have."""
        known = self._known(source)
        if known is not None:
            return known
        match source:
            case t.Listing():
                return len(source.items)
            case t.SpanOf():
                low = self.layout.constants.value(source.low)
                high = self.layout.constants.value(source.high)
                sure = isinstance(low, int) and isinstance(high, int)
                return max(0, high - low + 1) if sure else 16  # longer ones draw on the budget when they are made
            case t.IfElse():
                return max(self.size(source.then), self.size(source.other))
            case t.Quantifier():
                return self.passes(source.binders)
        item = source.type.of if isinstance(source.type, ty.Seq) else None
        return max(8, self.layout.size(item.kind)) if isinstance(item, ty.Ref) else 100

    def passes(self, binders: list[t.Binder]) -> int:
        """Return how often the innermost of some nested loops may run."""
        total = 1
        for binder in binders:
            total = min(MOST, total * max(1, self.size(binder.source)))
        return total

    def of(self, value: object) -> int:
        """Return the bound of a tree."""
        if isinstance(value, list | tuple):
            return min(MOST, sum(map(self.of, value)))
        if not isinstance(value, t.Node):
            return 0
        if isinstance(value, t.Choose):
            return min(MOST, self._choosing(value) + self.of(value.otherwise or []))
        if isinstance(value, t.Call) and value.id == "can" and t.note_of(value)[0] == "builtin":
            return min(MOST, 1 + sum(map(self._of_beginning, value.arguments)))
        inner = sum(map(self.of, children(value)))
        if isinstance(value, t.Quantifier | t.For):
            outside = sum(self.of(b.source) for b in value.binders)
            return min(MOST, self.passes(value.binders) * (1 + inner) + outside)
        if isinstance(value, t.Repeat):
            times = self.layout.constants.value(value.times)
            return min(MOST, (times if isinstance(times, int) else 1000) * (1 + inner))
        if isinstance(value, t.Loop):
            return min(MOST, 1000 * (1 + inner))
        if isinstance(value, t.Call | t.Name):
            inner += self._called(value)
        return min(MOST, inner + 1)

    def _of_beginning(self, call: t.Expr) -> int:
        """Return the bound of looking whether a rule is possible, which ends at its first loop."""
        note = t.note_of(call)
        if note[0] != "rule" or not isinstance(call, t.Call):
            return self.of(call)
        block = self.model.rules[note[1]].block
        loops = (i for i, effect in enumerate(block) if isinstance(effect, t.For | t.Repeat | t.Loop | t.UpTo))
        return self.of(call.arguments) + self.of(block[: next(loops, len(block))])

    def _choosing(self, choose: t.Choose) -> int:
        """Return the bound of finding what can be chosen; what happens without it is no part of that."""
        inner = self.of(choose.binders) + self.of(choose.where)
        return min(MOST, self.passes(choose.binders) * (1 + inner))

    def _called(self, call: t.Call | t.Name) -> int:
        note = t.note_of(call)
        if note[0] == "function" and note[1] in self.tabled:
            return 0
        if note[0] == "function":
            return self._of_function(note[1])
        if note[0] == "rule":
            return self._of_rule(note[1])
        return 0

    def _of_function(self, name: str) -> int:
        if name not in self.functions:
            self.functions[name] = 100  # while it is being worked out; recursion is counted on its own
            self.functions[name] = self.of(self.model.functions[name].body)
        return self.functions[name]

    def _of_rule(self, name: str) -> int:
        if name not in self.rules:
            self.rules[name] = 100
            self.rules[name] = self.of(self.model.rules[name].block)
        return self.rules[name]

    def weight(self, node: t.Quantifier | t.For | t.Choose) -> int:
        """Return what one pass of the outermost loop draws on the budget; 0 when nobody needs to count."""
        total = self._choosing(node) if isinstance(node, t.Choose) else self.of(node)
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
