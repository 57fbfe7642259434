"""List the values that must be known before a match starts, and find what makes one unknown.

In:     a resolved program.
Out:    every such expression, with what it is for; the part of it that only a match decides.

The state is laid out from these values, and tables of facts and constants are filled with them, so none may read the
state. Facts are computed side by side, so none may read another one either; ready-made facts of grids, such as ``row``,
can be read. Amounts of costs are not among these values, because a cost in a fact may depend on the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.calls import function_bodies
from patolli.language.program.model import Attribute, Design, Items, Kind, Program, Table, Value
from patolli.language.program.node import Node, declaration, walk


@dataclass(frozen=True, slots=True)
class SetupValue:
    """An expression that must be known before a match.

    Attributes:
        expr: The expression.
        given: What holds where it is computed: which row of a table is looked up.
        kind: Of a fact, the kind that has it.
        fact: Of a fact, its name.
        design: Of a fact of one piece, the piece; ``copy`` counts its copies.
    """

    expr: x.Expr
    given: tuple[x.Expr, ...] = ()
    kind: str = ""
    fact: str = ""
    design: Design | None = None


def setup_values(program: Program) -> Iterator[SetupValue]:
    """Yield every value that must be known before a match, in the order of the program."""
    for kind in program.kinds.values():
        yield from _of_kind(kind)
    for counter in program.counters.values():
        yield from _list_given_values(counter.high, counter.start)
    for place in program.places.values():
        yield from _list_given_values(place.size)
    for constant in program.constants.values():
        yield from (SetupValue(expr, given) for expr, given in _expressions(constant.value))
    for substitution in program.substitutions:
        if isinstance(substitution.give, e.CounterItem):
            yield from _list_given_values(substitution.give.amount)


def _of_kind(kind: Kind) -> Iterator[SetupValue]:
    yield from _list_given_values(kind.copies, *kind.sides)
    for attribute in (*kind.facts.values(), *kind.fields.values()):
        yield from _of_attribute(kind, attribute)
    for design in kind.designs:
        yield from _list_given_values(design.copies, *(design.place.indices if design.place is not None else ()))
        for fact, value in design.facts.items():
            for expr, given in _expressions(value):
                yield SetupValue(expr, given, kind.name, fact, design)


def _of_attribute(kind: Kind, attribute: Attribute) -> Iterator[SetupValue]:
    lines = kind.lines.get(attribute.name, [])
    _, legend = kind.maps.get(attribute.name, ([], {}))
    for expr in (*chain(*lines), *legend.values(), *([attribute.default] if attribute.default is not None else [])):
        yield SetupValue(expr, (), kind.name, "" if attribute.mutable else attribute.name)


def _list_given_values(*values: x.Expr | None) -> Iterator[SetupValue]:
    return (SetupValue(value) for value in values if value is not None)


def _expressions(value: Value, given: tuple[x.Expr, ...] = ()) -> Iterator[tuple[x.Expr, tuple[x.Expr, ...]]]:
    """Yield the expressions in a fact or constant, and by what its tables are looked up, each with what holds there."""
    match value:
        case Table():
            yield value.by, given
            for name, row in value.rows.items():
                yield from _expressions(row, (*given, *_list_lookup_conditions(value, name)))
        case Items():
            for item in value:
                yield from _expressions(item, given)
        case x.Expr() if not isinstance(value, e.CostOf):
            yield value, given


def _list_lookup_conditions(table: Table, row: str) -> Iterator[x.Expr]:
    """Yield what holds where a row of a table is looked up; the row ``else`` stands for all that no other one names."""
    for name in table.rows if row == "else" else (row,):
        key = _key(name, table.by)
        if key is not None:
            op = "!=" if row == "else" else "=="
            yield x.Compare(op, table.by, key, type=ty.BOOL, span=table.by.span)


def _key(name: str, by: x.Expr) -> x.Expr | None:
    if isinstance(by.type, ty.Choice):
        return x.Choice(by.type.option, name, type=by.type, span=by.span) if name != "else" else None
    return x.Number(int(name), type=ty.INT, span=by.span) if name.lstrip("-").isdigit() else None


class Knowledge:
    """Finds what is not known before a match. What was found of a function is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._functions: dict[str, Node | None] = {}

    def unknown_part(self, expr: x.Expr) -> tuple[Node, Node] | None:
        """Return the outermost part that only a match decides, and the node that reads it, perhaps in a function."""
        for node in walk(expr):
            reading = self._reading(node)
            if reading is not None:
                return node, reading
        return None

    def _reading(self, node: Node) -> Node | None:
        return self._in_function(node.function) if isinstance(node, x.FunctionCall) else self._itself(node)

    def _itself(self, node: Node) -> Node | None:
        if isinstance(node, x.FactOf):
            return None if self._is_ready_made(node) else node
        reads = (location[0] for location in declaration(node).reads(node))
        return node if any(sort not in ("variable", "function") for sort in reads) else None

    def _in_function(self, name: str) -> Node | None:
        """Return what a function reads that only a match decides, in the functions that it calls, too."""
        if name not in self._functions:
            nodes = chain.from_iterable(map(walk, function_bodies(self.program, name)))
            self._functions[name] = next((node for node in nodes if self._itself(node) is not None), None)
        return self._functions[name]

    def _is_ready_made(self, node: x.FactOf) -> bool:
        kind = self.program.kinds[node.kind]
        return (
            node.fact in kind.data
            or node.fact in kind.lines
            or kind.is_record
            or (bool(kind.lays) and node.fact != "owner")
        )


def constants_by_use(program: Program) -> dict[str, list[str]]:
    """Return the constants that each constant names, in its costs and in the functions that it calls, too."""
    return {name: _constants_in(program, constant.value) for name, constant in program.constants.items()}


def _constants_in(program: Program, value: Value) -> list[str]:
    nodes = list(walk(_trees(value)))
    functions = [node.function for node in nodes if isinstance(node, x.FunctionCall)]
    nodes += walk(function_bodies(program, *functions)) if functions else ()
    return sorted({node.name for node in nodes if isinstance(node, x.ConstantNamed)})


def _trees(value: Value) -> list[x.Expr]:
    match value:
        case Table():
            return [value.by, *chain.from_iterable(map(_trees, value.rows.values()))]
        case Items():
            return list(chain.from_iterable(map(_trees, value)))
        case x.Expr():
            return [value]
    return []
