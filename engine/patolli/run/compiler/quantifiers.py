"""Turn quantifiers and lists into loops over the state ``s``.

Quantifiers that stop early or keep a best value become functions of their own, whose parameters are the variables
that they read; lists become comprehensions.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.dispatch import Dispatched, handles
from patolli.language.program.expressions import Binder
from patolli.language.program.node import walk
from patolli.run.compiler import build as b
from patolli.run.compiler.invariant import unchanging
from patolli.run.compiler.unit import Context, Lifted, Unit

Finish = Callable[[Context], list[ast.stmt]]
_PLAIN = {"at_rest": "tuple", "distinct": "each_once"}
"""What does the same for items that are no lists."""


def gathering(function: str, items: ty.AnyType) -> str:
    """Return the function that does for items of a type what *function* does; what holds lists takes longer to keep."""
    nested = not isinstance(items, ty.Seq) or items.of == ty.ANY or ty.is_list(items.of)
    return function if nested else _PLAIN.get(function, function)


class Quantifiers(Dispatched):
    """The compiler of quantifiers; expressions build on it."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    @abstractmethod
    def expr(self, expr: x.Expr, c: Context) -> ast.expr:
        """Compile an expression as a value."""

    @abstractmethod
    def compile_kept_value(self, expr: x.Expr, c: Context) -> ast.expr:
        """Compile a value that is kept or made part of a list."""

    @abstractmethod
    def condition(self, expr: x.Expr, c: Context) -> ast.expr:
        """Compile an expression as a test, where a list may stand for whether it is filled."""

    @abstractmethod
    def conditions(self, parts: Sequence[x.Expr], c: Context) -> list[ast.expr]:
        """Compile conditions that are to hold together."""

    @handles("value", x.Quantifier)
    def _quantifier(self, expr: x.Quantifier, c: Context) -> ast.expr:
        match expr.op:
            case "list":
                return self.compile_comprehension(expr, c, ast.ListComp)
            case "distinct":
                return b.call(gathering("distinct", expr.type), self.compile_comprehension(expr, c, ast.ListComp))
            case "sorted":
                return self._compile_sort(expr, c)
        start, step, end = self._plan(expr)
        made = self.loops(expr.binders, expr.where, c, "q", start, step, end, expr)
        return self.call_lifted(made, c)

    @handles("value", x.Cut)
    def _cut(self, expr: x.Cut, c: Context) -> ast.expr:
        out = b.name("out")

        def more(scope: Context) -> list[ast.stmt]:
            leave = b.when(self.condition(expr.where, scope), [b.give(out)])
            take = b.do(b.method(out, "append", scope.read_variable(expr.binder.variable)))
            return [take, leave] if expr.through else [leave, take]

        start = [b.assign(out, ast.List([], ast.Load()))]
        return self.call_lifted(self.loops((expr.binder,), None, c, "q", start, more, [b.give(out)], expr), c)

    def call_lifted(self, lifted: Lifted, c: Context) -> ast.expr:
        """Return the call of a lifted function."""
        id_, variables = lifted
        return b.call(id_, b.name("s"), *map(c.read_variable, variables))

    def generators(
        self, binders: Sequence[Binder], where: x.Expr | None, c: Context
    ) -> tuple[list[ast.comprehension], Context]:
        """Return the generators of a comprehension, and the context inside it; each test stands as early as it can."""
        found: list[ast.comprehension] = []
        tests = tests_by_binder(binders, where)
        for binder, wanted in zip(binders, tests, strict=True):
            source = self.expr(binder.source, c)
            c = c.child(binder.variable)
            self.unit.items.add(binder.variable)
            conditions = self.conditions(wanted, c)
            target = ast.Name(self.unit.local(binder.variable), ast.Store())
            found.append(ast.comprehension(target, source, conditions, 0))
        return found, c

    def compile_comprehension(
        self, expr: x.Quantifier, c: Context, kind: type[ast.ListComp] | type[ast.SetComp]
    ) -> ast.expr:
        """Return a comprehension of what a quantifier collects."""

        def build_sorted(c: Context) -> ast.expr:
            generators, inner = self.generators(expr.binders, expr.where, c)
            return kind(self._compile_collected_value(expr, inner), generators)

        return self.remembering(expr.binders, (expr.where, expr.value), c, build_sorted, expr.span)

    def remembering(
        self, binders: Sequence[Binder], parts: Sequence[x.Expr | None], c: Context,
        made: Callable[[Context], ast.expr], span: Span,
    ) -> ast.expr:  # fmt: skip
        """Return what *made* makes of a context, in a function of its own where parts are computed only once."""
        same = self._same(binders, parts)
        if not same:
            return made(c)
        inner = c.lift_context()
        with self.once(same, inner) as (scope, start):
            body = [*start, b.give(made(scope))]
        return self.call_lifted(self.unit.lift("q", inner, body, span), c)

    def _same(self, binders: Sequence[Binder], parts: Sequence[x.Expr | None]) -> list[x.Expr]:
        """Return what is the same for all items of a loop, but for what a loop around it remembers already."""
        found = unchanging(binders, parts, self.unit.tabled)
        return [part for part in found if id(part) not in self.unit.once]

    @contextmanager
    def once(self, same: Sequence[x.Expr], c: Context) -> Iterator[tuple[Context, list[ast.stmt]]]:
        """Let parts be computed at their first use and be remembered; give the context for that, and what begins."""
        start: list[ast.stmt] = []
        before = dict(self.unit.once)
        for part in same:
            kept = x.Variable("once", part.type, part.span)
            c = c.child(kept)
            start.append(b.assign(c.read_variable(kept), ast.List([], ast.Load())))
            self.unit.once[id(part)] = part, kept
        try:
            yield c, start
        finally:
            self.unit.once = before

    def _compile_collected_value(self, expr: x.Quantifier, c: Context) -> ast.expr:
        return (
            self.compile_kept_value(expr.value, c)
            if expr.value is not None
            else c.read_variable(expr.binders[-1].variable)
        )

    def _compile_sort(self, expr: x.Quantifier, c: Context) -> ast.expr:
        def build_sorted(c: Context) -> ast.expr:
            generators, inner = self.generators(expr.binders, expr.where, c)
            value = self._compile_collected_value(expr, inner)
            key = self.expr(expr.by, inner) if expr.by is not None else value
            return b.call("by_key", ast.ListComp(ast.Tuple([key, value], ast.Load()), generators))

        return self.remembering(expr.binders, (expr.where, expr.value, expr.by), c, build_sorted, expr.span)

    def loops(
        self, binders: Sequence[Binder], where: x.Expr | None, c: Context, prefix: str,
        start: list[ast.stmt], step: Finish, end: list[ast.stmt], node: x.Expr | e.Choose | e.Option,
    ) -> Lifted:  # fmt: skip
        """Make a function with one loop per binder."""
        inner = c.lift_context()
        parts = [where, *_worked_out(node)]
        with self.once(self._same(binders, parts), inner) as (outer, first):
            generators, scope = self.generators(binders, where, outer)
            body = step(scope)
        for generator in reversed(generators):
            if generator.ifs:
                body = [b.when(b.both(generator.ifs), body)]
            assert isinstance(generator.target, ast.Name)
            body = [b.loop(generator.target.id, generator.iter, body)]
        return self.unit.lift(prefix, inner, [*first, *start, *body, *end], node.span)

    def _plan(self, expr: x.Quantifier) -> tuple[list[ast.stmt], Finish, list[ast.stmt]]:
        out = b.name("out")
        match expr.op:
            case "any":
                return [], self._hit(expr, True), [b.give(b.const(False))]
            case "all":
                return [], self._hit(expr, False), [b.give(b.const(True))]
            case "count" | "sum":

                def more(scope: Context) -> list[ast.stmt]:
                    amount = b.const(1) if expr.op == "count" else self._compile_collected_value(expr, scope)
                    return [ast.AugAssign(ast.Name("out", ast.Store()), ast.Add(), amount)]

                return [b.assign(out, b.const(0))], more, [b.give(out)]
            case "first":
                return [], lambda scope: [b.give(self._compile_collected_value(expr, scope))], [b.give(b.const(-1))]
        return self._extreme(expr)

    def _hit(self, expr: x.Quantifier, wanted: bool) -> Finish:
        """Return what leaves a loop as soon as a value is, or is not, as it should be."""

        def compile_hit(scope: Context) -> list[ast.stmt]:
            leave = b.give(b.const(wanted))
            if expr.value is None:
                assert wanted or expr.where is None
                return [leave] if wanted else []
            test = self.condition(expr.value, scope)
            return [b.when(test if wanted else b.negate(test), [leave])]

        return compile_hit

    def _extreme(self, expr: x.Quantifier) -> tuple[list[ast.stmt], Finish, list[ast.stmt]]:
        best, out, key = b.name("best"), b.name("out"), b.name("key")
        op = ">" if expr.op in ("max", "highest") else "<"

        def better(scope: Context) -> list[ast.stmt]:
            measured = self.expr(expr.by, scope) if expr.by is not None else self._compile_collected_value(expr, scope)
            test = ast.BoolOp(ast.Or(), [ast.Compare(best, [ast.Is()], [b.const(None)]), b.compare(key, op, best)])
            change = [b.assign(best, key)]
            if expr.op in ("lowest", "highest"):
                change.append(b.assign(out, self._compile_collected_value(expr, scope)))
            return [b.assign(key, measured), b.when(test, change)]

        start = [b.assign(best, b.const(None)), b.assign(out, b.const(-1))]
        if expr.op in ("lowest", "highest"):
            return start, better, [b.give(out)]
        nothing = ast.IfExp(ast.Compare(best, [ast.Is()], [b.const(None)]), b.const(0), best)
        return [start[0]], better, [b.give(nothing)]


def _worked_out(node: x.Expr | e.Choose | e.Option) -> list[x.Expr | None]:
    """Return what a loop works out for each item beside its condition."""
    match node:
        case x.Quantifier():
            return [node.value, node.by]
        case x.Cut():
            return [node.where]
    return []


def tests_by_binder(binders: Sequence[Binder], where: x.Expr | None) -> list[list[x.Expr]]:
    """Put each part of a condition at the first binder behind which all its variables are known.

    Only parts joined by ``and`` move, and none overtakes an earlier one that may guard it.
    """
    tests: list[list[x.Expr]] = [[] for _ in binders]
    if where is None:
        return tests
    place = {binder.variable: number for number, binder in enumerate(binders)}
    least = 0
    for part in conjuncts(where):
        read = (place.get(node.variable, 0) for node in walk(part) if isinstance(node, x.Local))
        least = max([least, *read])
        tests[least].append(part)
    return tests


def conjuncts(condition: x.Expr) -> list[x.Expr]:
    """Return the parts of a condition that are joined by ``and``, in order."""
    if isinstance(condition, x.Logic) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]
