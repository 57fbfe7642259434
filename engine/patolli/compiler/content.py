"""What of a program follows from the content alone, and what of the state an expression looks at where much is known.

In:     expressions, and the values of some of their variables.
Out:    values; slots of the state, and entries of tallies.

What cannot be followed so exactly counts as looking at all that its nodes declare.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from patolli.compiler.layout import Layout
from patolli.compiler.located import located
from patolli.compiler.sightings import looks_up
from patolli.compiler.workings import Workings
from patolli.kernel.values import perhaps_at_rest
from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.model import Program
from patolli.program.node import Location, Node, children, declaration, walk
from patolli.program.rewriting import free

Values = dict[x.Variable, Any]
PARTS = 20_000
"""How many passes, tests and slots an expression may stand for before it is left whole."""
DEPTH = 8
"""How many functions are followed into each other."""
ENTRIES = 20_000
"""How many entries all tallies together may have."""


class Unknown(Exception):
    """A value depends on the state, or cannot be worked out."""


class TooLarge(Exception):
    """There are too many parts."""


class Content:
    """Knows what follows from the content alone."""

    def __init__(self, workings: Workings) -> None:
        self.workings, self.unit = workings, workings.unit
        self.layout: Layout = workings.unit.layout
        self.tallied: dict[tuple[int, ...], int] = {}  # by the slots that count, where in their tally 0 is counted
        self.entries = len(self.layout.initial)  # the entries of tallies have numbers behind all slots
        self.left = PARTS
        self._slots: dict[Location, frozenset[int]] = {}
        for first, end, location in located(self.layout):
            self._slots[location] = self._slots.get(location, frozenset()) | frozenset(range(first, end))
        self._known: dict[tuple[Any, ...], Any] = {}
        self._stateless: dict[int, bool] = {}
        self._free: dict[int, tuple[x.Expr, tuple[x.Variable, ...]]] = {}
        self._equalities: dict[int, tuple[x.Binder, x.Expr, x.Expr] | None] = {}
        self._tallies: dict[tuple[Any, ...], tuple[int, ...]] = {}
        self.depth = 0

    # -- what is known

    def known(self, expr: x.Expr, values: Values) -> Any:
        """Return the value of an expression that follows from the content.

        Raises:
            Unknown: It does not.
        """
        if isinstance(expr, x.Local) and expr.variable in values:
            return values[expr.variable]
        variables = self.free(expr) if self._of_content(expr) else None
        if variables is None or any(variable not in values for variable in variables):
            raise Unknown
        key = (id(expr), *(perhaps_at_rest(values[variable]) for variable in variables))
        if key not in self._known:
            try:
                self._known[key] = self.workings.value(expr).function([], *key[1:])
            except Exception as error:  # where it fails, it fails when the condition is worked out
                raise Unknown from error
        return self._known[key]

    def free(self, expr: x.Expr) -> tuple[x.Variable, ...]:
        """Return the variables that an expression reads and does not bind itself."""
        if id(expr) not in self._free:
            self._free[id(expr)] = expr, free(expr)
        return self._free[id(expr)][1]

    def _of_content(self, expr: x.Expr) -> bool:
        """Tell whether an expression looks at nothing but variables and the content."""
        if id(expr) not in self._stateless:
            reads = any(location[0] != "variable" for location in self.unit.summaries.read_by(expr))
            self._stateless[id(expr)] = not reads and not any(
                isinstance(n, x.Can | x.After | x.Payable) for n in walk(expr)
            )
        return self._stateless[id(expr)]

    def bindings(self, binders: Iterable[x.Binder], values: Values) -> Iterator[Values]:
        """Yield what binders stand for, one after the other.

        Raises:
            Unknown: That depends on the state.
        """
        first, *others = binders
        items = self.known(first.source, values)
        self.left -= len(items)
        if self.left < 0:
            raise TooLarge
        for item in items:
            inner = {**values, first.variable: item}
            if others:
                yield from self.bindings(others, inner)
            else:
                yield inner

    # -- what is looked at

    def all_of(self, *exprs: x.Expr) -> frozenset[int]:
        """Return the slots of everything that the nodes of expressions declare."""
        found: frozenset[int] = frozenset()
        for location in self.unit.summaries.reads(*exprs):
            found |= self._slots.get(location, frozenset())
        return found

    def looked_at(self, expr: x.Expr, values: Values) -> set[int]:
        """Return the slots that an expression may look at, and those of tallies behind all others."""
        tally = self.tally(expr, values)
        if tally is not None:
            first, value, slots = tally
            try:
                return {first + self.known(value, values)}
            except Unknown:
                return {*slots, *self.looked_at(value, values)}
        try:
            self.known(expr, values)
            return set()
        except Unknown:
            pass
        if isinstance(expr, x.Quantifier):
            return self._looked_at_by_all(expr, values)
        try:
            found = self._inside(expr, values)
            if found is not None:
                return found
            found = self._exactly(expr, values)
        except Unknown:
            found = None
        if found is None:
            found = set()
            for location in declaration(expr).reads(expr):
                if location[0] != "variable":
                    found |= self._slots.get(location) or self.all_of(expr)
        for part in children(expr):
            if isinstance(part, x.Expr):
                found |= self.looked_at(part, values)
            else:
                found |= self.all_of(expr)
        return found

    def _looked_at_by_all(self, expr: x.Quantifier, values: Values) -> set[int]:
        found: set[int] = set()
        try:
            every = list(self.bindings(expr.binders, values))
        except Unknown:  # what lies in known places is looked at there, and whatever else it is about by its kind
            every = [values]
            for binder in expr.binders:
                found |= self.looked_at(binder.source, values)
        for one in every:
            for part in (expr.where, expr.value, expr.by):
                if part is not None:
                    found |= self.looked_at(part, one)
        return found

    def _inside(self, expr: x.Expr, values: Values) -> set[int] | None:
        """Return all slots that an expression looks at, with what stands inside it, where that is known better."""
        match expr:
            case x.Compare(right=x.Held() as held) if looks_up(self.layout.model, expr):
                found = self._where(held.kind, expr.left, values)
                return found.union(*(self.looked_at(index, values) for index in held.indices))
            case x.FunctionCall() if self.depth < DEPTH:
                function = self.layout.model.functions[expr.function]
                given = [self.known(argument, values) for argument in (expr.me, *expr.arguments)]
                inner = dict(zip((function.me, *function.parameters), given, strict=True))
                self.depth += 1
                try:
                    return self.looked_at(function.body, inner)
                finally:
                    self.depth -= 1
        return None

    def _where(self, kind: str, piece: x.Expr, values: Values) -> set[int]:
        """Return the slots that say where a piece is; where nobody knows which it is, those of all."""
        base = self.layout.at[kind]
        try:
            return {base + self.known(piece, values)}
        except Unknown:  # not what lies in the place: moves between places are noted where the pieces are
            return {*range(base, base + self.layout.size(kind)), *self.looked_at(piece, values)}

    def _exactly(self, expr: x.Expr, values: Values) -> set[int] | None:
        """Return the slots that an expression itself looks at; None where it says by its declaration."""
        layout = self.layout
        match expr:
            case x.CounterAt():
                return self._at(*layout.counters[expr.counter], expr.indices, values)
            case x.FieldOf():
                return {layout.fields[expr.kind, expr.field] + self.known(expr.of, values)}
            case x.Held():
                return self._at(*layout.places[expr.place], expr.indices, values)
            case x.RowSpot():
                return self._at(*layout.places[expr.place], (*expr.indices, expr.spot), values)
            case x.BuiltinCall(builtin="place_of"):
                return {layout.at[expr.kind] + self.known(expr.arguments[0], values)}
        return None

    def _at(self, base: int, sizes: tuple[int, ...], indices: Iterable[x.Expr], values: Values) -> set[int]:
        """Return the slots of a counter or place: of a whole row, where it is not said which spot of it."""
        found = [self.known(index, values) for index in indices]
        first, width = 0, 1
        for position, size in enumerate(sizes):
            first = first * size + (found[position] if position < len(found) else 0)
            width *= 1 if position < len(found) else size
        return set(range(base + first, base + first + width))

    # -- tallies

    def tally(self, expr: x.Expr, values: Values) -> tuple[int, x.Expr, tuple[int, ...]] | None:
        """Find the tally of ``count(y in T where y.field == value)``, or of ``any``.

        Returns:
            Where it begins, the value that is counted, and where such values stand; None for other expressions.
        """
        if id(expr) not in self._equalities:
            self._equalities[id(expr)] = _equality(expr)
        found = self._equalities[id(expr)]
        if found is None:
            return None
        binder, read, value = found
        key = (id(expr), *(perhaps_at_rest(values.get(variable)) for variable in self.free(binder.source)))
        if key not in self._tallies:
            self._tallies[key] = self._counting(binder, read, values)
        slots = self._tallies[key]
        if not slots:
            return None
        first = self.tallied.get(slots)
        if first is None:
            width = self._greatest(read.type) + 2
            if self.entries + width > len(self.layout.initial) + ENTRIES:
                return None
            first = self.tallied[slots] = self.entries + 1  # before it, things without a value are counted
            self.entries += width
        return first, value, slots

    def counting(self, node: Node, values: Values) -> tuple[x.Variable, ...]:
        """Return the variables on which it depends what a tally counts that is found for a node, if one is."""
        if not isinstance(node, x.Quantifier) or self.tally(node, values) is None:
            return ()
        return tuple(self.free(node.binders[0].source))

    def _greatest(self, type_: ty.AnyType) -> int:
        """Return the greatest number that stands for a value: things have numbers, counters their first slots."""
        kind = ty.strip(type_)
        if isinstance(kind, ty.Ref):
            return self.layout.size(kind.kind) - 1
        return max(base for base, _ in self.layout.counters.values())

    def _counting(self, binder: x.Binder, read: x.Expr, values: Values) -> tuple[int, ...]:
        """Return the slots that a tally counts, none where that depends on the state or one would count twice."""
        try:
            every = list(self.bindings((binder,), values))
            slots = [slot for one in every for slot in self._exactly(read, one) or ()]
        except Unknown:
            return ()
        return tuple(slots) if len(set(slots)) == len(every) else ()


def counted(program: Program) -> frozenset[Location]:
    """Return the fields and counters whose values an invariant may ask a tally for."""
    functions = [function.body for function in program.functions.values()]
    nodes = [node for expr in (*functions, *(one for one, _ in program.invariants.values())) for node in walk(expr)]
    read = [found[1] for node in nodes if isinstance(node, x.Quantifier) and (found := _equality(node)) is not None]
    return frozenset().union(*(declaration(one).reads(one) for one in read))


def _equality(expr: x.Expr) -> tuple[x.Binder, x.Expr, x.Expr] | None:
    """Return the parts of ``count(y in T where y.field == value)``: ``y in T``, ``y.field`` and ``value``."""
    if not isinstance(expr, x.Quantifier) or expr.op not in ("count", "any") or len(expr.binders) != 1:
        return None
    tests = [test for test in (expr.where, expr.value) if test is not None]
    if (expr.op == "count" and expr.value is not None) or len(tests) != 1:
        return None
    (test,) = tests
    if not isinstance(test, x.Compare) or test.op != "==":
        return None
    (binder,) = expr.binders
    for read, value in ((test.left, test.right), (test.right, test.left)):
        index = _index(read)
        if isinstance(index, x.Local) and index.variable is binder.variable and binder.variable not in free(value):
            kind = ty.strip(read.type)
            if isinstance(kind, ty.Ref | ty.Group) and ty.strip(value.type) == kind:
                return binder, read, value
    return None


def _index(read: x.Expr) -> x.Expr | None:
    """Return of what an expression is the one number in the state, where it is that of one thing."""
    match read:
        case x.FieldOf():
            return read.of
        case x.CounterAt(indices=(index,)):
            return index
    return None
