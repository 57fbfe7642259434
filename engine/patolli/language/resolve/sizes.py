"""How large grids are: numbers, or expressions over options and constants, as ``rows: size``.

In:     what packs declare; a grid has its cells before names are resolved, so what its size turns on is computed here
        from the texts alone.
Out:    a :class:`Sizes`: the size that a grid has with the options that were chosen, and all that it may have.
Errors: P0054 a size below 1 or above what a grid may have.

What is known of an expression here is what a number, an option, a choice or a constant of such says. Anything else
gives no size; a later step resolves the expression and reports what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from patolli.language.diagnostics import Problem
from patolli.language.packs.composition import Entry
from patolli.language.resolve.model import Model
from patolli.language.resolve.presence import MOST, values_of, worked_out
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar
from patolli.language.syntax import tree as t

Case = dict[str, int]
"""Values of options, choices by number."""
LARGEST = 100
SIDES = ("rows", "columns")


class Sizes:
    """Works out the sizes of the grids of a model."""

    def __init__(self, model: Model, reader: Reader) -> None:
        self.model, self.reader = model, reader
        self._open: list[str] = []  # constants that are being computed

    def sides(self, entry: Entry) -> tuple[t.Expr, ...]:
        """Return the rows and columns of a grid as they are written; nothing for a stack."""
        nodes = [entry.get(key) for key in SIDES]
        read = [self.reader.expression(node) for node in nodes if isinstance(node, Scalar)]
        found = [one for one in read if one is not None]
        return tuple(found) if len(found) == len(SIDES) else ()

    def compute_size(self, sides: tuple[t.Expr, ...]) -> tuple[int, int]:
        """Return rows and columns with the options that were chosen; 1 for what gives no size."""
        rows, columns = (self._within(self._value(side, self.model.chosen)) for side in sides)
        return rows, columns

    def all_of(self, sides: tuple[t.Expr, ...]) -> list[tuple[int, int]]:
        """Return rows and columns with all options, each once, in order; report those that no grid can have."""
        found: dict[tuple[int, int], None] = {}
        for case in self._cases(sides):
            size = [self._value(side, case) for side in sides]
            for side, number in zip(sides, size, strict=True):
                if number is not None and not 1 <= number <= LARGEST:
                    self._odd(side, number, case)
            found[self._within(size[0]), self._within(size[1])] = None
        return sorted(found)

    def is_known(self, side: t.Expr) -> bool:
        """Return whether a side follows from the options."""
        return all(self._value(side, case) is not None for case in self._cases((side,)))

    @staticmethod
    def _within(number: int | None) -> int:
        return 1 if number is None else max(1, min(number, LARGEST))

    def _odd(self, side: t.Expr, number: int, case: Case) -> None:
        names = {name for name in self._options(side) if name in case}
        with_ = " and ".join(f"{name}={self._format_option(name, case[name])}" for name in sorted(names))
        message = f"a grid has 1 to {LARGEST} rows and columns, {f'with {with_} ' if with_ else ''}this is {number}"
        if not any(p.span == side.span and p.code == "P0054" for p in self.model.problems):
            self.model.problems.append(Problem("P0054", message, side.span, "write another size"))

    def _format_option(self, name: str, value: int) -> str:
        choices = self.model.options[name].choices
        return choices[value] if choices else str(value)

    def _cases(self, sides: tuple[t.Expr, ...]) -> Iterator[Case]:
        """Yield the values of the options that count, beside those that were chosen."""
        names = sorted({name for side in sides for name in self._options(side)})
        values = [values_of(self.model.options[name]) for name in names]
        if prod(map(len, values)) > MOST:
            values = [range(self.model.chosen[name], self.model.chosen[name] + 1) for name in names]
        for one in product(*values):
            yield {**self.model.chosen, **dict(zip(names, one, strict=True))}

    # -- values

    def _value(self, expr: t.Expr, case: Case) -> int | None:
        match t.any_expr(expr):
            case t.Number(value=number) | t.Truth(value=number):
                return int(number)
            case t.Name(id=name):
                return self._evaluate_name(name, case)
            case t.Negative(of=of):
                inner = self._value(of, case)
                return None if inner is None else -inner
            case t.Binary(op=op, left=left, right=right):
                return worked_out(op, self._value(left, case), self._value(right, case))
            case t.Compare(first=first, rest=[(op, right)]):
                return worked_out(op, self._value(first, case), self._value(right, case))
            case t.IfElse(condition=condition, then=then, other=other):
                test = self._value(condition, case)
                return None if test is None else self._value(then if test else other, case)
            case t.Call(id="min" | "max" as name, arguments=arguments) if len(arguments) > 1:
                numbers = [self._value(argument, case) for argument in arguments]
                known = [number for number in numbers if number is not None]
                return (min if name == "min" else max)(known) if len(known) == len(numbers) else None
        return None

    def _evaluate_name(self, name: str, case: Case) -> int | None:
        if name in case:
            return case[name]
        what, owner = self.model.names.get(name, ("", ""))
        if what == "choice":
            return self.model.options[owner].choices.index(name)
        node = self._constant(name)
        if node is None or name in self._open:
            return None
        self._open.append(name)
        found = self._content(node, case)
        self._open.pop()
        return found

    def _content(self, node: Node, case: Case) -> int | None:
        """Return the value of a constant: of an expression, or of the row of a table that counts."""
        if isinstance(node, Mapping):
            by = self._quietly(node.get("by"))
            key = self._value(by, case) if by is not None else None
            name = by.id if isinstance(by, t.Name) and by.id in self.model.options else ""
            row = node.get(self._format_option(name, key) if name and key is not None else str(key)) or node.get("else")
            return self._content(row, case) if row is not None and key is not None else None
        expr = self._quietly(node)
        return self._value(expr, case) if expr is not None else None

    def _constant(self, name: str) -> Node | None:
        entry = self.model.composition.sections["constants"].get(name)
        return entry.get("value") if entry is not None else None

    def _quietly(self, node: Node | None) -> t.Expr | None:
        """Parse a text that is read again in its turn, when what is wrong with it is reported."""
        before = len(self.model.problems)
        found = self.reader.expression(node) if isinstance(node, Scalar) else None
        del self.model.problems[before:]
        return found

    def _options(self, expr: t.Expr) -> set[str]:
        """Return the options that an expression names, through constants too."""
        match t.any_expr(expr):
            case t.Name(id=name) if name in self.model.options:
                return {name}
            case t.Name(id=name) if name not in self._open and (node := self._constant(name)) is not None:
                self._open.append(name)
                found = {option for part in self._parts(node) for option in self._options(part)}
                self._open.pop()
                return found
            case t.Negative(of=of):
                return self._options(of)
            case t.Binary(left=left, right=right):
                return self._options(left) | self._options(right)
            case t.Compare(first=first, rest=rest):
                return self._options(first).union(*(self._options(right) for _, right in rest))
            case t.IfElse(condition=condition, then=then, other=other):
                return self._options(condition) | self._options(then) | self._options(other)
            case t.Call(arguments=arguments):
                return {option for argument in arguments for option in self._options(argument)}
        return set()

    def _parts(self, node: Node) -> Iterator[t.Expr]:
        nodes = [value for _, value in node.items.values()] if isinstance(node, Mapping) else [node]
        for one in nodes:
            if isinstance(one, Mapping):
                yield from self._parts(one)
            elif (found := self._quietly(one)) is not None:
                yield found
