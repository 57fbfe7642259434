"""Work out what does not depend on the state of a match: options, numbers of copies, sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patolli.language.diagnostics import Problem
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program, Table, Value
from patolli.language.program.node import children
from patolli.language.resolve.presence import worked_out

if TYPE_CHECKING:
    from patolli.run.compiler.layout import Layout


LARGEST = 10**18
"""A constant is never larger; nothing that is counted comes near."""


class Constants:
    """Evaluates constant expressions for one number of seats."""

    def __init__(self, model: Program, seats: int) -> None:
        self.model = model
        self.seats = seats
        self.problems: list[Problem] = []
        self.known: dict[str, Any] = {}
        self.called: dict[tuple[Any, ...], Any] = {}  # what functions return, by their names and arguments
        self.open: list[str] = []  # functions that are being computed
        self.variables: dict[x.Variable, Any] = {}
        self.copy = 0  # in the facts and places of a piece, which copy it is; 0 is none in particular
        self.layout: Layout | None = None  # where there are instances by now, what knows them

    def of_copy(self, copy: int, layout: Layout | None = None) -> Constants:
        """Return the same for the facts of one copy of a piece."""
        found = self._with({})
        found.copy, found.layout = copy, layout
        return found

    def _with(self, variables: dict[x.Variable, Any]) -> Constants:
        """Return the same for the body of a function, with its parameters."""
        found = Constants(self.model, self.seats)
        found.problems, found.known, found.called = self.problems, self.known, self.called
        found.variables, found.layout = variables, self.layout
        return found

    def number(self, expr: x.Expr) -> int:
        """Return the number that *expr* stands for; 0 and a problem where it takes a list or a loop to know it."""
        value = self.value(expr)
        if value is None:
            changing = self._changing(expr)
            help_ = "use numbers, options, constants, 'seats' and arithmetic; a number is needed here before all lists"
            self.problems.append(Problem("P0411", "this must be known before a match starts", changing.span, help_))
            return 0
        return int(value)

    def _changing(self, expr: x.Expr) -> x.Expr:
        """Find the part of an expression that is not constant."""
        if isinstance(expr, x.Negative | x.Not | x.Arithmetic | x.Logic | x.IfElse | x.Compare | x.BuiltinCall):
            for part in children(expr):
                if isinstance(part, x.Expr) and self.value(part) is None:
                    return self._changing(part)
        return expr

    def value(self, expr: x.Expr) -> Any:
        """Return the value of a constant expression; None for what only a match decides."""
        match expr:
            case x.Number() | x.Truth():
                return expr.value
            case x.Seats():
                return self.seats
            case x.NoValue():
                return -1
            case x.OptionValue():
                return self.model.chosen[expr.option]
            case x.Choice():
                return self.model.options[expr.option].choices.index(expr.choice)
            case x.CopyNumber():
                return self.copy or None
            case x.Local():
                return self.variables.get(expr.variable)
            case x.Instance():
                return self._instance(expr)
            case x.ConstantNamed():
                return self._constant(expr.name)
            case x.FunctionCall():
                return self._function_call(expr)
            case x.Ranged():
                return self.value(expr.of)
            case x.RecordOf():
                return self._record(expr)
            case x.Default():
                left = self.value(expr.left)
                return self.value(expr.right) if isinstance(left, int) and left < 0 else left
            case x.IfElse():
                condition = self.value(expr.condition)
                return None if condition is None else self.value(expr.then if condition else expr.other)
            case x.Logic():
                left = self.value(expr.left)
                decides = left is not None and bool(left) != (expr.op == "and")
                return bool(left) if decides else None if left is None else self.value(expr.right)
            case x.Negative() | x.Not() | x.Present() | x.Filled() | x.Arithmetic() | x.Compare() | x.ListOf():
                values = [self.value(part) for part in children(expr) if isinstance(part, x.Expr)]
                return None if None in values else _compute(expr, values)
            case x.BuiltinCall(builtin="min" | "max"):
                values = [self.value(argument) for argument in expr.arguments]
                return None if None in values else (min if expr.builtin == "min" else max)(values)
        return None

    def _instance(self, expr: x.Instance) -> int | None:
        if self.layout is not None:
            return self.layout.index.get((expr.kind, expr.id), -1)
        members = self.model.kinds[expr.kind].members
        return members.index(expr.id) if members and expr.id in members else None

    def _constant(self, name: str) -> Any:
        """Work out a constant once; each may name others twice, and those others again."""
        if name not in self.known:
            value = self.table(self.model.constants[name].value)
            self.known[name] = self.value(value) if isinstance(value, x.Expr) else None
        return self.known[name]

    def _function_call(self, expr: x.FunctionCall) -> Any:
        """Compute what a function returns, once for the same arguments; one that calls itself is not followed."""
        function = self.model.functions[expr.function]
        given = [self.value(argument) for argument in expr.arguments]
        if function.name in self.open or not all(isinstance(one, int) for one in given):
            return None
        key = (function.name, *given)
        if key not in self.called:
            inner = self._with(dict(zip(function.parameters, given, strict=True)))
            inner.open = [*self.open, function.name]
            self.called[key] = inner.value(function.body)
        return self.called[key]

    def _record(self, expr: x.RecordOf) -> int | None:
        if self.layout is None or expr.kind not in self.layout.records:
            return None
        number = 0
        for of, every in zip(expr.values, self.layout.records[expr.kind], strict=True):
            value = self.value(of)
            if value is None:
                return None
            number = number * len(every) + value - every.start
        return number

    def table(self, value: Value) -> Value:
        """Return the row of a table that counts in this match; other values as they are."""
        while isinstance(value, Table):
            by = value.by
            key = str(self.number(by))
            if isinstance(by.type, ty.Choice):
                key = self.model.options[by.type.option].choices[int(key)]
            row = value.rows.get(key, value.rows.get("else"))
            if row is None:
                lacking = self._lacking(value, key)
                message = f"this table{_by(by)} has no row for {' and '.join(lacking)}"
                help_ = f"add {', '.join(f'`{row}: ..`' for row in lacking)}, or a row `else`"
                self.problems.append(Problem("P0413", message, value.span, help_))
                return x.Number(0, type=ty.INT, span=by.span)
            value = row
        return value

    def _lacking(self, table: Table, key: str) -> list[str]:
        """Return the rows that a table lacks, those for other numbers of players too."""
        if not isinstance(table.by, x.Seats):
            return [key]
        low, high = self.model.players
        return [str(seats) for seats in range(low, high + 1) if str(seats) not in table.rows] or [key]


def _compute(expr: x.Expr, values: list[Any]) -> Any:
    """Return what known values of the parts of an expression make; None for a division by 0."""
    match expr:
        case x.Negative():
            return -values[0]
        case x.Not():
            return not values[0]
        case x.Present():
            return isinstance(values[0], list) or values[0] >= 0
        case x.Filled():
            return bool(values[0])
        case x.Compare():
            if expr.op in ("in", "not in"):
                return (values[0] in values[1]) == (expr.op == "in")
            return bool(worked_out(expr.op, *values))
        case x.Arithmetic():
            value = worked_out(expr.op, *values)
            # constants that multiply each other would grow without end
            return None if value is None else max(-LARGEST, min(value, LARGEST))
    return values


def _by(by: x.Expr) -> str:
    """Say by what a table is looked up."""
    match by:
        case x.Seats():
            return " by 'seats'"
        case x.OptionValue(option=name) | x.ConstantNamed(name=name):
            return f" by {name!r}"
    return ""
