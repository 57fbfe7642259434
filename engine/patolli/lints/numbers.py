"""What is known of numbers and lists while a rule is read from its beginning to its end."""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.program import expressions as x
from patolli.program.expressions import Variable
from patolli.program.model import Items, Kind, Program, Table

Bounds = tuple[int, int]
"""The lowest and the highest value."""


@dataclass(slots=True)
class Numbers:
    """Bounds of numbers, given those of some variables."""

    program: Program
    variables: dict[Variable, Bounds] = field(default_factory=dict)

    def bounds(self, expr: x.Expr) -> Bounds | None:
        """Return the lowest and highest value of a number, where both are known."""
        match expr:
            case x.Number():
                return expr.value, expr.value
            case x.Negative():
                of = self.bounds(expr.of)
                return None if of is None else (-of[1], -of[0])
            case x.Arithmetic():
                return self._computed(expr)
            case x.BuiltinCall(builtin="min" | "max" as name):
                parts = [self.bounds(one) for one in expr.arguments]
                known = [part for part in parts if part is not None]
                work = min if name == "min" else max
                whole = known and len(known) == len(parts)
                return (work(p[0] for p in known), work(p[1] for p in known)) if whole else None
            case x.Local():
                return self.variables.get(expr.variable)
        return self._declared(expr)

    def _computed(self, expr: x.Arithmetic) -> Bounds | None:
        left, right = self.bounds(expr.left), self.bounds(expr.right)
        if left is None or right is None:
            return None
        match expr.op:
            case "+":
                return left[0] + right[0], left[1] + right[1]
            case "-":
                return left[0] - right[1], left[1] - right[0]
            case "*":
                corners = [a * b for a in left for b in right]
                return min(corners), max(corners)
            case "div" if right[0] == right[1] > 0:
                return left[0] // right[0], left[1] // right[0]
        return None

    def _declared(self, expr: x.Expr) -> Bounds | None:
        program = self.program
        match expr:
            case x.Seats():
                return program.players
            case x.OptionValue() if not program.options[expr.option].choices:
                return program.options[expr.option].low, program.options[expr.option].high
            case x.ConstantNamed():
                value = program.constants[expr.name].value
                return self.bounds(value) if isinstance(value, x.Number) else None
            case x.CounterAt():
                counter = program.counters[expr.counter]
                return (counter.low, counter.high.value) if isinstance(counter.high, x.Number) else None
            case x.FactOf():
                return _of_fact(program.kinds[expr.kind], expr.fact)
            case x.FieldOf():
                attribute = program.kinds[expr.kind].fields[expr.field]
                return None if attribute.low is None or attribute.high is None else (attribute.low, attribute.high)
        return None


def _of_fact(kind: Kind, name: str) -> Bounds | None:
    """Return the bounds of a fact whose values are all written as numbers."""
    values: list[object] = list(kind.data[name]) if name in kind.data else values_of(kind, name)
    numbers = [value.value if isinstance(value, x.Number) else value for value in values]
    written = [number for number in numbers if isinstance(number, int)]
    return (min(written), max(written)) if len(written) == len(values) and written else None


def values_of(kind: Kind, fact: str) -> list[object]:
    """Return what the designs of a kind have as a fact."""
    return [design.facts.get(fact, kind.facts[fact].default) for design in kind.designs]


# ---- lists


def lists_of(program: Program, expr: x.Expr) -> list[object]:
    """Return every list that an expression may be, when all of them are known; else nothing."""
    found = _values(program, expr)
    return found if all(size_of(value) >= 0 for value in found) else []


def _values(program: Program, expr: x.Expr) -> list[object]:
    """Return everything that a list may be; what is unknown is an empty text."""
    match expr:
        case x.ListOf():
            return [expr]
        case x.ConstantNamed():
            return rows(program.constants[expr.name].value)
        case x.FactOf():
            kind = program.kinds[expr.kind]
            facts = kind.data.get(expr.fact)
            return list(facts) if facts is not None else [r for v in values_of(kind, expr.fact) for r in rows(v)]
        case x.ItemAt():
            return [item for value in _values(program, expr.of) for item in _items(value)]
    return [""]


def rows(value: object) -> list[object]:
    """Return the rows of a table; any other value alone."""
    return [row for inner in value.rows.values() for row in rows(inner)] if isinstance(value, Table) else [value]


def _items(value: object) -> list[object]:
    if isinstance(value, x.ListOf):
        return list(value.items)
    return list(value) if isinstance(value, list | tuple) else [""]


def size_of(value: object) -> int:
    """Return the length of a list, -1 when it is unknown."""
    match value:
        case x.ListOf():
            return len(value.items)
        case x.Range(low=x.Number(value=low), high=x.Number(value=high)):
            return max(0, high - low + 1)
        case list() | tuple():
            return len(value)
    return -1


__all__ = ["Bounds", "Items", "Numbers", "lists_of", "rows", "size_of", "values_of"]
