"""Turn quantifiers and lists into loops over the state ``s``.

Quantifiers that stop early or keep a best value become functions of their own, whose parameters are the variables
that they read; lists become comprehensions.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable

from patolli.analysis.walking import nodes
from patolli.compiler import build as b
from patolli.compiler.unit import Context, Unit, local
from patolli.language import tree as t

Finish = Callable[[Context], list[ast.stmt]]


class Quantifiers(ABC):
    """The compiler of quantifiers; expressions build on it."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    @abstractmethod
    def expr(self, expr: t.Expr, c: Context) -> ast.expr:
        """Compile an expression."""

    @abstractmethod
    def condition(self, expr: t.Expr, c: Context) -> ast.expr:
        """Compile a condition."""

    def _quantifier(self, expr: t.Quantifier, c: Context) -> ast.expr:
        match expr.id:
            case "list":
                return self.comprehended(expr, c, ast.ListComp)
            case "distinct":
                return b.call("distinct", self.comprehended(expr, c, ast.ListComp))
            case "sorted":
                return self._sorted(expr, c)
        return self.lift(expr, c)

    def _generators(self, expr: t.Quantifier, c: Context) -> tuple[list[ast.comprehension], Context]:
        return self.generators(expr.binders, expr.where, c, expr)

    def generators(
        self, binders: list[t.Binder], where: t.Expr | None, c: Context, node: t.Node | None = None
    ) -> tuple[list[ast.comprehension], Context]:
        """Return the generators of a comprehension, and the context inside it; each test stands as early as it can."""
        found: list[ast.comprehension] = []
        tests = tests_by_binder(binders, where)
        for binder, wanted in zip(binders, tests, strict=True):
            source = self.expr(binder.source, c)
            c = c.child(binder.id)
            conditions = [self.condition(test, c) for test in wanted]
            if (
                not found
                and isinstance(node, t.Quantifier | t.For | t.Choose)
                and (weight := self.unit.bounds.weight(node))
            ):
                conditions.insert(0, b.call("tick", b.const(weight)))
            found.append(ast.comprehension(ast.Name(local(binder.id), ast.Store()), source, conditions, 0))
        return found, c

    def comprehended(self, expr: t.Quantifier, c: Context, kind: type[ast.ListComp] | type[ast.SetComp]) -> ast.expr:
        """Return a comprehension of what a quantifier collects."""
        generators, inner = self._generators(expr, c)
        value = self.expr(expr.value, inner) if expr.value is not None else inner.read(expr.binders[-1].id)
        return kind(value, generators)

    def _sorted(self, expr: t.Quantifier, c: Context) -> ast.expr:
        generators, inner = self._generators(expr, c)
        value = self.expr(expr.value, inner) if expr.value is not None else inner.read(expr.binders[-1].id)
        key = self.expr(expr.by, inner) if expr.by is not None else value
        pairs = ast.ListComp(ast.Tuple([key, value], ast.Load()), generators)
        return b.call("by_key", pairs)

    def lift(self, expr: t.Quantifier, c: Context) -> ast.expr:
        """Make a function of a quantifier, and return the call of it."""
        start, step, end = self._plan(expr)
        return self.loops(expr.binders, expr.where, c, "q", start, step, end, expr)

    def loops(
        self, binders: list[t.Binder], where: t.Expr | None, c: Context, prefix: str,
        start: list[ast.stmt], step: Finish, end: list[ast.stmt], node: t.Node,
    ) -> ast.expr:  # fmt: skip
        """Make a function with one loop per binder, and return the call of it."""
        inner = c.lifted()
        generators, scope = self.generators(binders, where, inner, node)
        body = step(scope)
        for generator in reversed(generators):
            if generator.ifs:
                body = [b.when(b.both(generator.ifs), body)]
            assert isinstance(generator.target, ast.Name)
            body = [b.loop(generator.target.id, generator.iter, body)]
        id_ = self.unit.fresh(prefix)
        self.unit.define(id_, ["s", *map(local, inner.captured)], [*start, *body, *end], node)
        return b.call(id_, b.name("s"), *inner.captured.values())

    def _plan(self, expr: t.Quantifier) -> tuple[list[ast.stmt], Finish, list[ast.stmt]]:
        out = b.name("out")

        def value(scope: Context) -> ast.expr:
            return self.expr(expr.value, scope) if expr.value is not None else scope.read(expr.binders[-1].id)

        match expr.id:
            case "any":

                def hit(scope: Context) -> list[ast.stmt]:
                    if expr.value is None:
                        return [b.give(b.const(True))]
                    return [b.when(self.condition(expr.value, scope), [b.give(b.const(True))])]

                return [], hit, [b.give(b.const(False))]
            case "all":

                def miss(scope: Context) -> list[ast.stmt]:
                    assert expr.value is not None or expr.where is None
                    test = self.condition(expr.value, scope) if expr.value is not None else b.const(True)
                    return [b.when(b.negate(test), [b.give(b.const(False))])]

                return [], miss, [b.give(b.const(True))]
            case "count" | "sum":

                def more(scope: Context) -> list[ast.stmt]:
                    amount = b.const(1) if expr.id == "count" else value(scope)
                    return [ast.AugAssign(ast.Name("out", ast.Store()), ast.Add(), amount)]

                return [b.assign(out, b.const(0))], more, [b.give(out)]
            case "first":
                return [], lambda scope: [b.give(value(scope))], [b.give(b.const(-1))]
        return self._extreme(expr, value)

    def _extreme(
        self, expr: t.Quantifier, value: Callable[[Context], ast.expr]
    ) -> tuple[list[ast.stmt], Finish, list[ast.stmt]]:
        best, out, key = b.name("best"), b.name("out"), b.name("key")
        op = ">" if expr.id in ("max", "highest") else "<"

        def better(scope: Context) -> list[ast.stmt]:
            measured = self.expr(expr.by, scope) if expr.by is not None else value(scope)
            test = ast.BoolOp(ast.Or(), [ast.Compare(best, [ast.Is()], [b.const(None)]), b.compare(key, op, best)])
            change = [b.assign(best, key)]
            if expr.id in ("lowest", "highest"):
                change.append(b.assign(out, value(scope)))
            return [b.assign(key, measured), b.when(test, change)]

        start = [b.assign(best, b.const(None)), b.assign(out, b.const(-1))]
        if expr.id in ("lowest", "highest"):
            return start, better, [b.give(out)]
        nothing = ast.IfExp(ast.Compare(best, [ast.Is()], [b.const(None)]), b.const(0), best)
        return [start[0]], better, [b.give(nothing)]


def tests_by_binder(binders: list[t.Binder], where: t.Expr | None) -> list[list[t.Expr]]:
    """Put each part of a condition at the first binder behind which all its variables are known.

    Only parts joined by ``and`` move, and none overtakes an earlier one that may guard it.
    """
    tests: list[list[t.Expr]] = [[] for _ in binders]
    if where is None:
        return tests
    ids = [binder.id for binder in binders]
    least = 0
    for part in _parts(where):
        names = {name for name in _names(part) if name in ids}
        least = max([least, *(ids.index(name) for name in names)])
        tests[least].append(part)
    return tests


def _parts(condition: t.Expr) -> list[t.Expr]:
    if isinstance(condition, t.Logic) and condition.op == "and":
        return [*_parts(condition.left), *_parts(condition.right)]
    return [condition]


def _names(value: object) -> set[str]:
    """Return all plain names in a tree."""
    return {node.id for node in nodes(value) if isinstance(node, t.Name)}
