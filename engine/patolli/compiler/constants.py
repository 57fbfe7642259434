"""Work out what does not depend on the state of a match: options, numbers of copies, sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from patolli.analysis.declare import Table
from patolli.analysis.model import Model
from patolli.diagnostics import Problem
from patolli.language import tree as t
from patolli.language.spelling import spell
from patolli.program import types as ty

if TYPE_CHECKING:
    from patolli.compiler.layout import Layout


LARGEST = 10**18
"""A constant is never larger; nothing that is counted comes near."""


class Constants:
    """Evaluates constant expressions for one number of seats."""

    def __init__(self, model: Model, seats: int) -> None:
        self.model = model
        self.seats = seats
        self.problems: list[Problem] = []
        self.known: dict[str, Any] = {}
        self.open: list[str] = []

    def number(self, expr: t.Expr, kind: str = "", copy: int = 1, layout: Layout | None = None) -> int:
        """Return the number that *expr* stands for; 0 and a problem when it is not constant."""
        value = self.value(expr, kind, copy, layout)
        if value is None:
            changing = self._changing(expr, kind, copy, layout)
            help_ = "use numbers, options, constants and 'seats'"
            self.problems.append(Problem("P0411", "this must be known before a match starts", changing.span, help_))
            return 0
        return int(value)

    def _changing(self, expr: t.Expr, kind: str, copy: int, layout: Layout | None) -> t.Expr:
        """Find the part of an expression that is not constant."""
        parts: list[t.Expr] = []
        match expr:
            case t.Negative() | t.Not():
                parts = [expr.of]
            case t.Binary() | t.Logic():
                parts = [expr.left, expr.right]
            case t.IfElse():
                parts = [expr.condition, expr.then, expr.other]
            case t.Compare():
                parts = [expr.first, *(part for _, part in expr.rest)]
            case t.Call() if expr.id in ("min", "max"):
                parts = expr.arguments
        for part in parts:
            if self.value(part, kind, copy, layout) is None:
                return self._changing(part, kind, copy, layout)
        return expr

    def value(self, expr: t.Expr, kind: str = "", copy: int = 1, layout: Layout | None = None) -> Any:
        """Return the value of a constant expression, or None."""

        def find(inner: t.Expr) -> Any:
            return self.value(inner, kind, copy, layout)

        match expr:
            case t.Number() | t.Truth():
                return expr.value
            case t.Nobody():
                return -1
            case t.Name():
                return self._name(expr, copy, layout)
            case t.Negative():
                inner = find(expr.of)
                return None if inner is None else -inner
            case t.Not():
                inner = find(expr.of)
                return None if inner is None else not inner
            case t.Binary():
                return self._binary(expr.op, find(expr.left), find(expr.right))
            case t.Logic():
                left = find(expr.left)
                if left is None:
                    return None
                return find(expr.right) if bool(left) == (expr.op == "and") else bool(left)
            case t.IfElse():
                condition = find(expr.condition)
                return None if condition is None else find(expr.then if condition else expr.other)
            case t.Compare():
                return self._compare(find(expr.first), [(op, find(e)) for op, e in expr.rest])
            case t.Call() if expr.id in ("min", "max"):
                values = [find(a) for a in expr.arguments]
                return None if None in values else (min if expr.id == "min" else max)(values)
            case t.Listing():
                items = [find(i) for i in expr.items]
                return None if None in items else items
        return None

    def _name(self, expr: t.Name, copy: int, layout: Layout | None) -> Any:
        note = t.note_of(expr)
        match note[0]:
            case "seats":
                return self.seats
            case "option":
                return self.model.chosen[note[1]]
            case "choice":
                assert isinstance(expr.type, ty.Choice)
                return self.model.options[expr.type.option].choices.index(note[1])
            case "variable" if note[1] == "copy":
                return copy or None  # copies count from 1; 0 is no copy in particular
            case "constant":
                return self._constant(note[1])
            case "instance":
                members = self.model.kinds[note[1]].members
                if layout is not None:
                    return layout.index.get((note[1], note[2]))
                return members.index(note[2]) if members and note[2] in members else None
        return None

    def _constant(self, name: str) -> Any:
        """Work out a constant once; each may name others twice, and those others again."""
        if name not in self.known:
            self.known[name] = None
            self.open.append(name)
            value = self.table(self.model.constants[name].value)
            self.known[name] = self.value(value) if isinstance(value, t.Expr) else None
            self.open.pop()
        elif name in self.open:
            span = self.model.constants[name].span
            self.problems.append(Problem("P0411", f"the constant {name!r} is defined by itself", span))
        return self.known[name]

    def table(self, value: object) -> object:
        """Return the row of a table that counts in this match; other values as they are."""
        while isinstance(value, Table):
            by = value.by
            key = str(self.value(by))
            if isinstance(by, t.Name) and isinstance(by.type, ty.Choice):
                key = self.model.options[by.type.option].choices[int(key)]
            row = value.rows.get(key, value.rows.get("else"))
            if row is None:
                lacking = self._lacking(value, key)
                message = f"this table by {spell(by)!r} has no row for {' and '.join(lacking)}"
                help_ = f"add {', '.join(f'`{row}: ..`' for row in lacking)}, or a row `else`"
                self.problems.append(Problem("P0413", message, value.span, help_))
                return t.Number(0, at=by.at)
            value = row
        return value

    def _lacking(self, table: Table, key: str) -> list[str]:
        """Return the rows that a table lacks, those for other numbers of players too."""
        if t.note_of(table.by)[0] != "seats":
            return [key]
        low, high = self.model.players
        return [str(seats) for seats in range(low, high + 1) if str(seats) not in table.rows] or [key]

    def _binary(self, op: str, left: Any, right: Any) -> Any:
        if left is None or right is None or (op in ("div", "mod") and right == 0):
            return None
        value: int = (
            {"+": left + right, "-": left - right, "*": left * right}[op]
            if op in "+-*"
            else (left // right if op == "div" else left % right)
        )
        return max(-LARGEST, min(value, LARGEST))  # constants that multiply each other would grow without end

    def _compare(self, left: Any, rest: list[tuple[str, Any]]) -> Any:
        for op, right in rest:
            if left is None or right is None:
                return None
            tests: dict[str, Callable[[Any, Any], bool]] = {
                "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
                "<=": lambda a, b: a <= b,
                ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "in": lambda a, b: a in b,
                "not in": lambda a, b: a not in b,
            }  # fmt: skip
            if not tests[op](left, right):
                return False
            left = right
        return True
