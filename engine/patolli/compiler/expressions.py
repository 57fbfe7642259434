"""Turn typed expressions into Python expressions over the state ``s``."""

from __future__ import annotations

import ast

from patolli.compiler import build as b
from patolli.compiler.bounds import function_name
from patolli.compiler.builtins import BUILT
from patolli.compiler.quantifiers import Quantifiers
from patolli.compiler.unit import Context, Unit
from patolli.kernel.budget import LONGEST
from patolli.language import tree as t
from patolli.program import types as ty


class Expressions(Quantifiers):
    """The compiler of expressions; effects build on it."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.layout = unit.layout
        self.model = unit.model

    # -- conditions and values

    def condition(self, expr: t.Expr, c: Context) -> ast.expr:
        """Compile a condition; something that may be none counts as true when it is not."""
        if isinstance(expr, t.Not):
            return b.negate(self.condition(expr.of, c))
        if isinstance(expr, t.Logic) and expr.type == ty.BOOL:
            op = ast.And() if expr.op == "and" else ast.Or()
            return ast.BoolOp(op, [self.condition(expr.left, c), self.condition(expr.right, c)])
        value = self.expr(expr, c)
        plain = expr.type in (None, ty.ANY, ty.BOOL) or isinstance(expr.type, ty.Seq)
        return value if plain else b.compare(value, ">=", b.const(0))

    def expr(self, expr: t.Expr, c: Context) -> ast.expr:
        """Compile an expression."""
        known = self.layout.constants.value(expr, copy=0) if not isinstance(expr, t.Name | t.Listing) else None
        if isinstance(known, int):
            return b.const(known)
        return getattr(self, f"_{type(expr).__name__.lower()}")(expr, c)  # type: ignore[no-any-return]

    def _number(self, expr: t.Number, c: Context) -> ast.expr:
        return b.const(expr.value)

    def _truth(self, expr: t.Truth, c: Context) -> ast.expr:
        return b.const(expr.value)

    def _nobody(self, expr: t.Nobody, c: Context) -> ast.expr:
        return b.const(-1)

    def _name(self, expr: t.Name, c: Context) -> ast.expr:
        note = expr.note
        match note[0]:
            case "variable":
                return c.read(expr.id)
            case "seats":
                return b.const(self.layout.seats)
            case "players":
                return b.name("K_player")
            case "kind":
                return b.name(f"K_{note[1]}")
            case "instance":
                return b.const(self.instance(note[1], note[2]))
            case "design":
                return b.const(self._design(note[1], note[2]))
            case "option" | "choice":
                return b.const(self.layout.constants.value(expr))
            case "constant":
                return b.name(f"C_{note[1]}")
            case "member":
                return b.const(self.layout.counters[note[1]][0])
            case "group":
                return b.const([self.layout.counters[m][0] for m in self.model.groups[note[1]]])
            case "function":
                return self._call_function(note[1], [], c)
            case "counter":
                return b.item("s", self.counter_slot(note[1], note[2], [], c))
            case "place":
                return self._place_value(note, [], c)
        raise AssertionError(note)

    def instance(self, kind: str, name: str) -> int:
        """Return the index of an instance; -1 when it does not exist with this number of seats."""
        return self.layout.index.get((kind, name), -1)

    def _design(self, kind: str, name: str) -> int:
        return next(i for i, d in enumerate(self.model.kinds[kind].designs) if d.id == name)

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

    def counter_slot(self, name: str, implied: bool, arguments: list[t.Expr], c: Context) -> ast.expr:
        """Return the slot of a counter."""
        base, sizes = self.layout.counters[name]
        indices = [self.expr(a, c) for a in arguments]
        return self.slot(base, sizes, [c.read("me"), *indices] if implied else indices)

    def place_slot(self, expr: t.Expr, c: Context) -> ast.expr:
        """Return the slot of a place; 0 for the box."""
        note = expr.note
        if note[0] == "box":
            return b.const(0)
        arguments = expr.arguments if isinstance(expr, t.Call) else []
        base, sizes = self.layout.places[note[1]]
        indices = [self.expr(a, c) for a in arguments]
        if self.model.places[note[1]].type == "row" and indices and not isinstance(indices[-1], ast.Constant):
            indices[-1] = b.call("within", indices[-1], b.const(sizes[-1]))
        return self.slot(base, sizes, [c.read("me"), *indices] if note[2] else indices)

    def row_slots(self, expr: t.Expr, c: Context) -> tuple[ast.expr, int]:
        """Return the first slot of a row and its length."""
        arguments = expr.arguments if isinstance(expr, t.Call) else []
        base, sizes = self.layout.places[expr.note[1]]
        indices = [self.expr(a, c) for a in arguments]
        indices = [c.read("me"), *indices] if expr.note[2] else indices
        return self.slot(base, sizes, [*indices, b.const(0)]), sizes[-1]

    def _place_value(self, note: tuple[object, ...], arguments: list[t.Expr], c: Context) -> ast.expr:
        holder = t.Call(str(note[1]), arguments, at=None, note=note)  # type: ignore[arg-type]
        if note[3] == "row":
            first, size = self.row_slots(holder, c)
            return b.call("row_pieces", b.name("s"), first, b.const(size))
        return b.item("s", self.place_slot(holder, c))

    # -- attributes and calls

    def _attribute(self, expr: t.Attribute, c: Context) -> ast.expr:
        note = expr.note
        if note[0] == "instance":
            return b.const(self.instance(note[1], note[2]))
        of = self.expr(expr.of, c)
        match note[0]:
            case "counter":
                return b.item("s", b.add(of, b.const(self.layout.counters[note[1]][0])))
            case "field":
                return b.item("s", b.add(of, b.const(self.layout.fields[(note[1], note[2])])))
            case "fact":
                return b.item(f"F_{note[1]}_{note[2]}", of)
            case "design_of":
                return b.item(f"D_{note[1]}", of)
        raise AssertionError(note)

    def _index(self, expr: t.Index, c: Context) -> ast.expr:
        index = self.expr(expr.index, c)
        of = self.expr(expr.of, c)
        if isinstance(index, ast.Constant) and isinstance(index.value, int) and index.value >= 0:
            return b.item(of, index)
        return b.call("item_of", of, index)

    def _call(self, expr: t.Call, c: Context) -> ast.expr:
        note = expr.note
        match note[0]:
            case "function":
                return self._call_function(note[1], expr.arguments, c)
            case "counter":
                return b.item("s", self.counter_slot(note[1], note[2], expr.arguments, c))
            case "place":
                return self._place_value(note, expr.arguments, c)
            case "whole":
                return self._whole(note[1], expr.arguments[0], c)
            case "builtin":
                return BUILT[expr.id](self, expr, c)
        raise AssertionError(note)

    def _call_function(self, name: str, arguments: list[t.Expr], c: Context) -> ast.expr:
        if name in self.unit.tabled:
            found: ast.expr = b.name(f"T_{function_name(name)}")
            for argument in arguments:
                found = b.item(found, self.expr(argument, c))
            return found
        return b.call(function_name(name), b.name("s"), c.read("me"), *(self.expr(a, c) for a in arguments))

    def _whole(self, quantifier: str, of: t.Expr, c: Context) -> ast.expr:
        if quantifier == "count" and isinstance(of, t.Quantifier) and of.id == "distinct" and len(of.binders) == 1:
            return b.call("len", self.comprehended(of, c, ast.SetComp))
        value = self.expr(of, c)
        if quantifier == "count":
            return b.call("len", value)
        return b.call({"any": "bool", "sum": "sum"}.get(quantifier, f"whole_{quantifier}"), value)

    # -- operators

    def _binary(self, expr: t.Binary, c: Context) -> ast.expr:
        left, right = self.expr(expr.left, c), self.expr(expr.right, c)
        if expr.op in "+-":
            return b.add(left, right, expr.op == "-")
        if expr.op == "*":
            return b.times(left, right)
        return ast.BinOp(left, ast.FloorDiv() if expr.op == "div" else ast.Mod(), right)

    def _negative(self, expr: t.Negative, c: Context) -> ast.expr:
        return ast.UnaryOp(ast.USub(), self.expr(expr.of, c))

    def _not(self, expr: t.Not, c: Context) -> ast.expr:
        return b.negate(self.condition(expr.of, c))

    def _logic(self, expr: t.Logic, c: Context) -> ast.expr:
        if expr.note == "default":
            return b.call("default", self.expr(expr.left, c), b.delayed(self.expr(expr.right, c)))
        return self.condition(expr, c)

    def _ifelse(self, expr: t.IfElse, c: Context) -> ast.expr:
        return ast.IfExp(self.condition(expr.condition, c), self.expr(expr.then, c), self.expr(expr.other, c))

    def _listing(self, expr: t.Listing, c: Context) -> ast.expr:
        return ast.Tuple([self.expr(i, c) for i in expr.items], ast.Load())

    def _spanof(self, expr: t.SpanOf, c: Context) -> ast.expr:
        low, high = self.expr(expr.low, c), self.expr(expr.high, c)
        if isinstance(low, ast.Constant) and isinstance(high, ast.Constant):
            numbers = range(int(low.value), int(high.value) + 1)  # type: ignore[arg-type]
            if len(numbers) <= LONGEST:  # a longer one is a fault, when it is reached
                return b.name(self.unit.keep("R", numbers))
        return b.call("span", low, b.add(high, b.const(1)))

    def _compare(self, expr: t.Compare, c: Context) -> ast.expr:
        parts: list[ast.expr] = []
        left_expr, left = expr.first, self.expr(expr.first, c)
        for op, right_expr in expr.rest:
            if op in ("in", "not in"):
                parts.append(self._member(left_expr, left, op, right_expr, c))
                continue
            right = self.expr(right_expr, c)
            if isinstance(left_expr.type, ty.Seq) and isinstance(right_expr.type, ty.Seq):
                parts.append(
                    b.compare(b.call("tuple", left), op, b.call("tuple", right))
                )  # places are lists, fixed lists tuples
            else:
                parts.append(b.compare(left, op, right))
            left_expr, left = right_expr, right
        return b.both(parts)

    def _member(self, left_expr: t.Expr, left: ast.expr, op: str, right: t.Expr, c: Context) -> ast.expr:
        note = t.note_of(right)
        kind = ty.strip(left_expr.type)
        if note[0] == "place" and note[3] in ("pile", "area") and isinstance(kind, ty.Ref):
            at = b.item("s", b.add(left, b.const(self.layout.at[kind.kind])))
            return b.compare(at, "==" if op == "in" else "!=", self.place_slot(right, c))
        return b.compare(left, op, self.expr(right, c))
