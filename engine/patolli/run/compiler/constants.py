"""Work out what does not depend on the state of a match: options, numbers of copies, sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.dispatch import Dispatched, handles
from patolli.language.program.model import Program, Table, Value
from patolli.language.program.node import children

if TYPE_CHECKING:
    from patolli.run.compiler.layout import Layout


LARGEST = 10**18
"""A constant is never larger; nothing that is counted comes near."""
TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


class Constants(Dispatched):
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
        """Return the value of a constant expression, or None."""
        return self.handlers["value"][type(expr)](self, expr)

    @handles(
        "value", x.Seats, x.Instances, x.DesignNamed, x.CounterNamed, x.GroupNamed, x.CounterAt, x.FieldOf,
        x.FactOf, x.DesignOf, x.Held, x.RowSpot, x.Have, x.Can, x.After, x.Payable, x.ItemAt,
        x.Quantifier, x.Naming, x.Promised, x.Cut, x.Joined, x.Whole, x.Range, e.CostOf,
    )  # fmt: skip
    def _known_later(self, expr: x.Expr) -> Any:
        return self.seats if isinstance(expr, x.Seats) else None

    @handles("value", x.Number, x.Truth)
    def _evaluate_literal(self, expr: x.Number | x.Truth) -> Any:
        return expr.value

    @handles("value", x.NoValue)
    def _no_value(self, expr: x.NoValue) -> Any:
        return -1

    @handles("value", x.OptionValue)
    def _option(self, expr: x.OptionValue) -> Any:
        return self.model.chosen[expr.option]

    @handles("value", x.Choice)
    def _choice(self, expr: x.Choice) -> Any:
        return self.model.options[expr.option].choices.index(expr.choice)

    @handles("value", x.CopyNumber)
    def _copy_number(self, expr: x.CopyNumber) -> Any:
        return self.copy or None

    @handles("value", x.Instance)
    def _instance(self, expr: x.Instance) -> Any:
        if self.layout is not None:
            return self.layout.index.get((expr.kind, expr.id), -1)
        members = self.model.kinds[expr.kind].members
        return members.index(expr.id) if members and expr.id in members else None

    @handles("value", x.ConstantNamed)
    def _constant(self, expr: x.ConstantNamed) -> Any:
        """Work out a constant once; each may name others twice, and those others again."""
        name = expr.name
        if name not in self.known:
            value = self.table(self.model.constants[name].value)
            self.known[name] = self.value(value) if isinstance(value, x.Expr) else None
        return self.known[name]

    @handles("value", x.FunctionCall)
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

    @handles("value", x.Local)
    def _local(self, expr: x.Local) -> Any:
        return self.variables.get(expr.variable)

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

    # -- what is computed

    @handles("value", x.Negative)
    def _negative(self, expr: x.Negative) -> Any:
        inner = self.value(expr.of)
        return None if inner is None else -inner

    @handles("value", x.Ranged)
    def _evaluate_ranged(self, expr: x.Ranged) -> Any:
        return self.value(expr.of)

    @handles("value", x.RecordOf)
    def _evaluate_record(self, expr: x.RecordOf) -> Any:
        if self.layout is None or expr.kind not in self.layout.records:
            return None
        number = 0
        for of, every in zip(expr.values, self.layout.records[expr.kind], strict=True):
            value = self.value(of)
            if value is None:
                return None
            number = number * len(every) + value - every.start
        return number

    @handles("value", x.Not)
    def _not(self, expr: x.Not) -> Any:
        inner = self.value(expr.of)
        return None if inner is None else not inner

    @handles("value", x.Present)
    def _present(self, expr: x.Present) -> Any:
        inner = self.value(expr.of)
        return None if inner is None else isinstance(inner, list) or inner >= 0

    @handles("value", x.Filled)
    def _evaluate_filled(self, expr: x.Filled) -> Any:
        inner = self.value(expr.of)
        return None if inner is None else bool(inner)

    @handles("value", x.Arithmetic)
    def _arithmetic(self, expr: x.Arithmetic) -> Any:
        op, left, right = expr.op, self.value(expr.left), self.value(expr.right)
        if left is None or right is None or (op in ("div", "mod") and right == 0):
            return None
        value: int = (
            {"+": left + right, "-": left - right, "*": left * right}[op]
            if op in "+-*"
            else (left // right if op == "div" else left % right)
        )
        return max(-LARGEST, min(value, LARGEST))  # constants that multiply each other would grow without end

    @handles("value", x.Logic)
    def _logic(self, expr: x.Logic) -> Any:
        left = self.value(expr.left)
        if left is None:
            return None
        return self.value(expr.right) if bool(left) == (expr.op == "and") else bool(left)

    @handles("value", x.Default)
    def _default(self, expr: x.Default) -> Any:
        left = self.value(expr.left)
        return self.value(expr.right) if isinstance(left, int) and left < 0 else left

    @handles("value", x.IfElse)
    def _if_else(self, expr: x.IfElse) -> Any:
        condition = self.value(expr.condition)
        return None if condition is None else self.value(expr.then if condition else expr.other)

    @handles("value", x.Compare)
    def _compare(self, expr: x.Compare) -> Any:
        left, right = self.value(expr.left), self.value(expr.right)
        return None if left is None or right is None else TESTS[expr.op](left, right)

    @handles("value", x.BuiltinCall)
    def _built_in(self, expr: x.BuiltinCall) -> Any:
        if expr.builtin not in ("min", "max"):
            return None
        values = [self.value(a) for a in expr.arguments]
        return None if None in values else (min if expr.builtin == "min" else max)(values)

    @handles("value", x.ListOf)
    def _list(self, expr: x.ListOf) -> Any:
        items = [self.value(item) for item in expr.items]
        return None if None in items else items


def _by(by: x.Expr) -> str:
    """Say by what a table is looked up."""
    match by:
        case x.Seats():
            return " by 'seats'"
        case x.OptionValue(option=name) | x.ConstantNamed(name=name):
            return f" by {name!r}"
    return ""
