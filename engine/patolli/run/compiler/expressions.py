"""Turn expressions into Python expressions over the state ``s``.

A condition is compiled in one of two ways: as a value it is true or false, as a test it may be a list, which counts as
true when something is in it.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise

from patolli.kernel.budget import LONGEST
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.dispatch import handles
from patolli.language.program.effects import PlaceAt
from patolli.run.compiler import build as b
from patolli.run.compiler import builtins, payments, promises
from patolli.run.compiler.quantifiers import Quantifiers, conjuncts, gathering
from patolli.run.compiler.unit import Context, Unit, fact_table, function_name

_COMPUTED = (
    x.Arithmetic, x.Negative, x.Compare, x.Present, x.Filled, x.Not, x.Logic, x.Default, x.IfElse, x.BuiltinCall,
    x.ConstantNamed,
)  # fmt: skip
"""The kinds of expressions whose value may be known before a match."""
_AT_REST = (x.FieldOf, x.FactOf, x.ConstantNamed)
"""The kinds of expressions that give a list as it is kept, as an item of a list is."""
_WHOLE = {
    "count": "len", "any": "bool", "sum": "sum", "min": "whole_min", "max": "whole_max",
    "first": "whole_first", "only": "whole_only", "lowest": "whole_lowest", "highest": "whole_highest",
    "sorted": "whole_sorted", "distinct": "distinct", "list": "at_rest",
}  # fmt: skip
"""What quantifiers over the items of a list are compiled to."""


class Expressions(Quantifiers):
    """The compiler of expressions; effects build on it."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.layout = unit.layout
        self.model = unit.model

    @abstractmethod
    def can(self, rule: str, arguments: list[ast.expr]) -> ast.expr:
        """Return the test whether the beginning of a rule is possible; the first argument is me."""

    @abstractmethod
    def carried_out(self, rule: str, arguments: list[ast.expr]) -> ast.expr:
        """Return the call that carries out a rule which asks no question; the first argument is me."""

    # -- conditions and values

    def condition(self, expr: x.Expr, c: Context) -> ast.expr:
        """Compile an expression as a test."""
        match expr:
            case x.Filled():
                return self.expr(expr.of, c)
            case x.Logic(op="and"):
                return b.both(self.conditions(conjuncts(expr), c))
            case x.Logic():
                return b.either([self.condition(expr.left, c), self.condition(expr.right, c)])
        return self.expr(expr, c)

    def conditions(self, parts: Sequence[x.Expr], c: Context) -> list[ast.expr]:
        """Compile conditions that are to hold together; comparisons of the same value become one."""
        return b.chain_comparisons([self.condition(part, c) for part in parts], _following(parts))

    def expr(self, expr: x.Expr, c: Context) -> ast.expr:
        """Compile an expression as a value."""
        if isinstance(expr, _COMPUTED):
            known = self.layout.constants.value(expr)
            if isinstance(known, int):
                return b.const(known)
        value: ast.expr = self.handlers["value"][type(expr)](self, expr, c)
        known_once = self.unit.once.get(id(expr))
        if known_once is None:
            return value
        kept = c.read_variable(known_once[1])
        return ast.IfExp(kept, b.item(kept, 0), b.call("remember_value", kept, value))

    def compile_kept_value(self, expr: x.Expr, c: Context) -> ast.expr:
        """Compile a value that is kept, compared or made part of a list: a list is a tuple then, at every depth."""
        value = self.expr(expr, c)
        if isinstance(expr, _AT_REST) or (isinstance(expr, x.Local) and expr.variable in self.unit.items):
            return value
        if isinstance(expr.type, ty.Seq):
            return b.call(gathering("at_rest", expr.type), value)
        return b.call("perhaps_at_rest", value) if ty.is_list(expr.type) else value

    # -- what is known when a match is made

    @handles("value", x.Number, x.Truth)
    def _compile_literal(self, expr: x.Number | x.Truth, c: Context) -> ast.expr:
        return b.const(expr.value)

    @handles("value", x.NoValue)
    def _no_value(self, expr: x.NoValue, c: Context) -> ast.expr:
        return b.const(-1)

    @handles("value", x.Seats)
    def _seats(self, expr: x.Seats, c: Context) -> ast.expr:
        return b.const(self.layout.seats)

    @handles("value", x.Instances)
    def _instances(self, expr: x.Instances, c: Context) -> ast.expr:
        return b.name(f"K_{expr.kind}")

    @handles("value", x.Instance)
    def _instance(self, expr: x.Instance, c: Context) -> ast.expr:
        """Give the index of an instance; -1 when it does not exist with this number of seats."""
        return b.const(self.layout.index.get((expr.kind, expr.id), -1))

    @handles("value", x.DesignNamed)
    def _design(self, expr: x.DesignNamed, c: Context) -> ast.expr:
        designs = self.model.kinds[expr.kind].designs
        return b.const(next(i for i, d in enumerate(designs) if d.id == expr.id))

    @handles("value", x.OptionValue, x.Choice)
    def _option(self, expr: x.OptionValue | x.Choice, c: Context) -> ast.expr:
        return b.const(self.layout.constants.value(expr))

    @handles("value", x.ConstantNamed)
    def _constant(self, expr: x.ConstantNamed, c: Context) -> ast.expr:
        return b.name(f"C_{expr.name}")

    @handles("value", x.CounterNamed)
    def _counter_named(self, expr: x.CounterNamed, c: Context) -> ast.expr:
        return b.const(self.layout.counters[expr.counter][0])

    @handles("value", x.GroupNamed)
    def _group(self, expr: x.GroupNamed, c: Context) -> ast.expr:
        return b.const([self.layout.counters[m][0] for m in self.model.groups[expr.group]])

    @handles("value", x.CopyNumber)
    def _copy_number(self, expr: x.CopyNumber, c: Context) -> ast.expr:
        return b.const(self.unit.copy)

    @handles("value", e.CostOf)
    def _cost(self, expr: e.CostOf, c: Context) -> ast.expr:
        """Give the pairs and mixes of a cost; the slots belong to no particular player."""
        return payments.compile_ownerless_cost(self, expr, c)

    # -- what is read

    @handles("value", x.Local)
    def _local(self, expr: x.Local, c: Context) -> ast.expr:
        return c.read_variable(expr.variable)

    @handles("value", x.CounterAt)
    def _counter(self, expr: x.CounterAt, c: Context) -> ast.expr:
        return b.item("s", self.counter_slot(expr.counter, expr.indices, c))

    @handles("value", x.FieldOf)
    def _field(self, expr: x.FieldOf, c: Context) -> ast.expr:
        return b.item("s", b.add(self.expr(expr.of, c), b.const(self.layout.fields[(expr.kind, expr.field)])))

    @handles("value", x.FactOf)
    def _fact(self, expr: x.FactOf, c: Context) -> ast.expr:
        return b.item(fact_table(expr.kind, expr.fact), self.expr(expr.of, c))

    @handles("value", x.RecordOf)
    def _compile_record(self, expr: x.RecordOf, c: Context) -> ast.expr:
        """Give the number of a record: that of each value, counted from the least, with the last field fastest."""
        number: ast.expr = b.const(0)
        for of, every in zip(expr.values, self.layout.records[expr.kind], strict=True):
            value = self.expr(of, c)
            if of.type == ty.BOOL:
                value = ast.IfExp(value, b.const(1), b.const(0))
            number = b.add(b.times(number, b.const(len(every))), b.add(value, b.const(every.start), minus=True))
        return number

    @handles("value", x.DesignOf)
    def _design_of(self, expr: x.DesignOf, c: Context) -> ast.expr:
        return b.item(f"D_{expr.kind}", self.expr(expr.of, c))

    @handles("value", x.Held)
    def _compile_held(self, expr: x.Held, c: Context) -> ast.expr:
        if self.model.places[expr.place].type == "row":
            first, size = self.row_slots(expr, c)
            return b.call("row_pieces", b.name("s"), first, b.const(size))
        held = b.item("s", self.place_slot(expr, c))
        self.unit.held[id(held)] = (held, self.layout.size(self.model.places[expr.place].of))
        return held

    @handles("value", x.RowSpot)
    def _row_spot(self, expr: x.RowSpot, c: Context) -> ast.expr:
        indices = (*expr.indices, expr.spot)
        return b.item("s", self._spot(expr.place, indices, c))

    @handles("value", x.Have)
    def _have(self, expr: x.Have, c: Context) -> ast.expr:
        return b.item("s", b.add(self.expr(expr.member, c), self.expr(expr.who, c)))

    # -- slots

    def slot(self, base: int, sizes: tuple[int, ...], indices: list[ast.expr]) -> ast.expr:
        """Return the slot of a counter or place with these indices."""
        offset: ast.expr = b.const(0)
        for position, index in enumerate(indices):
            width = 1
            for size in sizes[position + 1 :]:
                width *= size
            offset = b.add(offset, b.times(index, b.const(width)))
        return b.add(offset, b.const(base))

    def counter_slot(self, name: str, indices: Sequence[x.Expr], c: Context) -> ast.expr:
        """Return the slot of a counter."""
        base, sizes = self.layout.counters[name]
        return self.slot(base, sizes, [self.expr(index, c) for index in indices])

    def place_slot(self, at: PlaceAt | x.Held, c: Context) -> ast.expr:
        """Return the slot of a place; 0 for the box."""
        if not at.place:
            return b.const(0)
        if isinstance(at, PlaceAt) and at.sort == "spot" and self.model.places[at.place].type == "row":
            return self._spot(at.place, at.indices, c)
        base, sizes = self.layout.places[at.place]
        return self.slot(base, sizes, [self.expr(index, c) for index in at.indices])

    def _spot(self, place: str, indices: Sequence[x.Expr], c: Context) -> ast.expr:
        """Return the slot of one spot of a row, with a look whether the row is so long."""
        base, sizes = self.layout.places[place]
        found = [self.expr(index, c) for index in indices]
        last = found[-1]
        if not (isinstance(last, ast.Constant) and isinstance(last.value, int) and 0 <= last.value < sizes[-1]):
            found[-1] = b.call("within", found[-1], b.const(sizes[-1]))
        return self.slot(base, sizes, found)

    def row_slots(self, at: PlaceAt | x.Held, c: Context) -> tuple[ast.expr, int]:
        """Return the first slot of a row and its length."""
        base, sizes = self.layout.places[at.place]
        indices = [self.expr(index, c) for index in at.indices]
        return self.slot(base, sizes, [*indices, b.const(0)]), sizes[-1]

    # -- calls

    @handles("value", x.Can)
    def _can(self, expr: x.Can, c: Context) -> ast.expr:
        return self.can(expr.rule, [self.expr(a, c) for a in (expr.me, *expr.arguments)])

    @handles("value", x.Payable)
    def _payable(self, expr: x.Payable, c: Context) -> ast.expr:
        item = e.CostItem(expr.cost, (), expr.who, span=expr.span)
        return payments.affordable(self, e.Pay((item,), None, expr.who, None, span=expr.span), c)

    @handles("value", x.FunctionCall)
    def _function_call(self, expr: x.FunctionCall, c: Context) -> ast.expr:
        name = expr.function
        if name in self.unit.tabled:
            found: ast.expr = b.name(f"T_{function_name(name)}")
            for argument in expr.arguments:
                found = b.item(found, self.expr(argument, c))
            return found
        given = (self.expr(a, c) for a in (expr.me, *expr.arguments))
        return b.call(function_name(name), b.name("s"), *given)

    @handles("value", x.BuiltinCall)
    def _builtin_call(self, expr: x.BuiltinCall, c: Context) -> ast.expr:
        return builtins.compile_call(self, expr, c)

    def bind_names(self, given: Sequence[x.Given], c: Context) -> tuple[Context, list[ast.stmt]]:
        """Return the statements that give values their names, and the context behind them."""
        body: list[ast.stmt] = []
        for one in given:
            source = self.compile_kept_value(one.source, c)
            c = c.child(one.variable)
            body.append(b.assign(c.read_variable(one.variable), source))
        return c, body

    @handles("value", x.Naming)
    def _naming(self, expr: x.Naming, c: Context) -> ast.expr:
        inner = c.lift_context()
        scope, body = self.bind_names(expr.given, inner)
        return self.call_lifted(self.unit.lift("n", inner, [*body, b.give(self.expr(expr.value, scope))], expr.span), c)

    @handles("value", x.Promised)
    def _compile_promised(self, expr: x.Promised, c: Context) -> ast.expr:
        inner = c.lift_context()
        body = [*promises.compile_promise_checks(self, expr, inner), b.give(self.expr(expr.value, inner))]
        return self.call_lifted(self.unit.lift("n", inner, body, expr.span), c)

    @handles("value", x.After)
    def _after(self, expr: x.After, c: Context) -> ast.expr:
        """Carry out the rule on what it may change, look, and take it back; what is given was computed before."""
        inner = c.lift_context()
        arguments = [self.compile_kept_value(argument, inner) for argument in (expr.me, *expr.arguments)]
        scope, body = self.bind_names(expr.given, inner)
        kept = b.name(self.unit.keep_writes(expr.rule))
        work, value = self.carried_out(expr.rule, arguments), self.compile_kept_value(expr.value, scope)
        looked = b.call("ahead", b.name("s"), kept, b.delay_value(work), b.delay_value(value))
        return self.call_lifted(self.unit.lift("a", inner, [*body, b.give(looked)], expr.span), c)

    # -- lists

    @handles("value", x.ItemAt)
    def _item_at(self, expr: x.ItemAt, c: Context) -> ast.expr:
        index = self.expr(expr.index, c)
        of = self.expr(expr.of, c)
        if isinstance(index, ast.Constant) and isinstance(index.value, int) and index.value >= 0:
            return b.item(of, index)
        return b.call("item_of", of, index)

    @handles("value", x.Whole)
    def _whole(self, expr: x.Whole, c: Context) -> ast.expr:
        of = expr.of
        if expr.op == "count" and isinstance(of, x.Quantifier) and of.op == "distinct" and len(of.binders) == 1:
            return b.call("len", self.compile_comprehension(of, c, ast.SetComp))
        return b.call(gathering(_WHOLE[expr.op], of.type), self.expr(of, c))

    @handles("value", x.ListOf)
    def _list_of(self, expr: x.ListOf, c: Context) -> ast.expr:
        return ast.Tuple([self.compile_kept_value(i, c) for i in expr.items], ast.Load())

    @handles("value", x.Joined)
    def _compile_join(self, expr: x.Joined, c: Context) -> ast.expr:
        return b.call("join_lists", self.compile_kept_value(expr.left, c), self.compile_kept_value(expr.right, c))

    @handles("value", x.Range)
    def _range(self, expr: x.Range, c: Context) -> ast.expr:
        low, high = self.expr(expr.low, c), self.expr(expr.high, c)
        if isinstance(low, ast.Constant) and isinstance(high, ast.Constant):
            numbers = range(int(low.value), int(high.value) + 1)  # type: ignore[arg-type]
            if len(numbers) <= LONGEST:  # a longer one is a fault, when it is reached
                return b.name(self.unit.keep("R", numbers))
        return b.call("span", low, b.add(high, b.const(1)))

    # -- operators

    @handles("value", x.Arithmetic)
    def _arithmetic(self, expr: x.Arithmetic, c: Context) -> ast.expr:
        left, right = self.expr(expr.left, c), self.expr(expr.right, c)
        if expr.op in "+-":
            return b.add(left, right, expr.op == "-")
        if expr.op == "*":
            return b.times(left, right)
        return ast.BinOp(left, ast.FloorDiv() if expr.op == "div" else ast.Mod(), right)

    @handles("value", x.Negative)
    def _negative(self, expr: x.Negative, c: Context) -> ast.expr:
        return ast.UnaryOp(ast.USub(), self.expr(expr.of, c))

    @handles("value", x.Ranged)
    def _compile_ranged(self, expr: x.Ranged, c: Context) -> ast.expr:
        value = self.expr(expr.of, c)
        if isinstance(value, ast.Constant):  # which the checker has looked at
            return value
        return b.call("check_range", value, b.const(expr.low), b.const(expr.high), b.const(expr.name))

    @handles("value", x.Present)
    def _present(self, expr: x.Present, c: Context) -> ast.expr:
        of = self.expr(expr.of, c)
        return b.compare(of, "!=", b.const(-1)) if ty.is_list(expr.of.type) else b.compare(of, ">=", b.const(0))

    @handles("value", x.Filled)
    def _compile_filled(self, expr: x.Filled, c: Context) -> ast.expr:
        return b.call("bool", self.expr(expr.of, c))

    @handles("value", x.Not)
    def _not(self, expr: x.Not, c: Context) -> ast.expr:
        return b.negate(self.condition(expr.of, c))

    @handles("value", x.Logic)
    def _logic(self, expr: x.Logic, c: Context) -> ast.expr:
        if expr.op == "and":
            parts = conjuncts(expr)
            return b.both(b.chain_comparisons([self.expr(part, c) for part in parts], _following(parts)))
        return b.either([self.expr(expr.left, c), self.expr(expr.right, c)])

    @handles("value", x.Default)
    def _default(self, expr: x.Default, c: Context) -> ast.expr:
        function = "default_list" if ty.is_list(expr.left.type) else "default"
        return b.call(function, self.expr(expr.left, c), b.delay_value(self.expr(expr.right, c)))

    @handles("value", x.IfElse)
    def _if_else(self, expr: x.IfElse, c: Context) -> ast.expr:
        return ast.IfExp(self.condition(expr.condition, c), self.expr(expr.then, c), self.expr(expr.other, c))

    @handles("value", x.Compare)
    def _compare(self, expr: x.Compare, c: Context) -> ast.expr:
        if expr.op in ("in", "not in"):
            return self._member(expr, c)
        return b.compare(self.compile_kept_value(expr.left, c), expr.op, self.compile_kept_value(expr.right, c))

    def _member(self, expr: x.Compare, c: Context) -> ast.expr:
        kind, place = ty.strip(expr.left.type), expr.right
        left = self.compile_kept_value(expr.left, c)
        if (
            isinstance(place, x.Held)
            and isinstance(kind, ty.Ref)
            and self.model.places[place.place].type in ("pile", "area")
        ):
            at = b.item("s", b.add(left, b.const(self.layout.at[kind.kind])))
            return b.compare(at, "==" if expr.op == "in" else "!=", self.place_slot(place, c))
        return b.compare(left, expr.op, self.compile_kept_value(place, c) if ty.is_list(kind) else self.expr(place, c))


def _following(parts: Sequence[x.Expr]) -> list[bool]:
    """Return for each condition whether it is a comparison of what stands on the right of the one before."""
    found = [False] * len(parts)
    for position, (one, next_) in enumerate(pairwise(parts), 1):
        if isinstance(one, x.Compare) and isinstance(next_, x.Compare) and "in" not in one.op + next_.op:
            lists = any(isinstance(v.type, ty.Seq) for v in (one.left, one.right, next_.right))
            found[position] = one.right is next_.left and not lists
    return found
