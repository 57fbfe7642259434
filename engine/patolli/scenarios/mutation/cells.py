"""Try many cells of tables with one program: what a fact or a constant says is exchanged as a table of that program.

In:     mutants of facts and constants, and the program with which the original is played.
Out:    a program in which nobody relies on what these say, and the tables of each mutant, which take their place.

Most of a program is the same whatever a cell says; only what is worked out and proven beforehand may lean on it. So
each such fact is read by a function of its own here, and that function is loose: nothing is proven with it, and no
table is made of what calls it. What is worked out before any match, as sizes, copies and other facts, cannot be made
loose: what is read there is left to programs of its own. So is a number that has a name, as it becomes part of the
code, and a cost that names something else than before.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from patolli.compiler import Executable
from patolli.compiler.constants import Constants
from patolli.compiler.metering import Meter
from patolli.compiler.tables import Tables
from patolli.compiler.unit import fact_table
from patolli.diagnostics import Span
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.model import Formula, Function, Program, Rule, Table, Trigger, Value
from patolli.program.node import Node, walk
from patolli.program.rewriting import rebuilding

Column = tuple[str, str]
"""A kind and one of its facts; for a constant no kind and its name."""
_DYNAMIC = frozenset("composition rules functions anytime waivers invariants measures active".split())
"""Parts of a program that are carried out by a match, or are none of it; formulas, wherever they stand, are others."""
Rebuild = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a fact of a design says in a mutant, or, without a design, what a constant says."""

    column: Column
    design: str
    value: Value


# ---- who reads what


def worked_out(program: Program) -> frozenset[Column]:
    """Return the facts and constants that are read when a program is made, by what no match changes."""
    open_ = [node for one in fields(program) if one.name not in _DYNAMIC for node in _nodes(getattr(program, one.name))]
    found: set[Column] = set()
    called: set[str] = set()
    while open_:
        for node in walk(open_.pop()):
            column = _column(node)
            if column is not None:
                found.add(column)
            elif isinstance(node, x.FunctionCall) and node.function not in called:
                called.add(node.function)
                open_.append(program.functions[node.function].body)
    return frozenset(found)


def _nodes(value: Any) -> Iterator[Node]:
    """Yield the outermost nodes in data that stands outside rules."""
    if isinstance(value, Node):
        yield value
    elif isinstance(value, Table):
        yield from _nodes([value.by, *value.rows.values()])
    elif isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _nodes(item)
    elif is_dataclass(value) and not isinstance(value, Formula | Span):
        for field in fields(value):
            yield from _nodes(getattr(value, field.name))


def _column(node: Node) -> Column | None:
    """Return which column a node reads, if any."""
    match node:
        case x.FactOf(kind=kind, fact=fact):
            return kind, fact
        case x.ConstantNamed(name=name):
            return "", name
    return None


def columns_of(program: Program, column: Column) -> list[Column]:
    """Return a column with those that say the same of the designs of its kind."""
    kind, name = column
    same = [one.name for one in program.kinds.values() if kind and one.designs_of == kind and name in one.facts]
    return [column, *((one, name) for one in same)]


def exchangeable_column(program: Program, column: Column, fixed: Set[Column]) -> bool:
    """Tell whether one table after another can be put into the place of a column; *fixed* are ``worked_out``."""
    kind, name = column
    if any(one in fixed for one in columns_of(program, column)):
        return False
    if not kind:
        return isinstance(program.constants[name].type, ty.Seq)
    return name != "owner" and name in program.kinds[kind].facts


def said(program: Program, cell: Cell) -> Value:
    """Return what the original says there."""
    if not cell.design:
        return program.constants[cell.column[1]].value
    return program.designs[cell.design].facts[cell.column[1]]


def played_with(program: Program, cell: Cell, counts: Iterable[int]) -> int | None:
    """Return the first number of players for which a cell makes a difference; None where it makes none."""
    for players in counts:
        constants = Constants(program, players + program.automated)
        if _row(constants, said(program, cell)) != _row(constants, cell.value):
            return players
    return None


def _row(constants: Constants, value: Value) -> object:
    """Return what a value is for a number of players."""
    value = constants.table(value)
    return [_row(constants, item) for item in value] if isinstance(value, list) else value


def alike(one: Value, other: Value) -> bool:
    """Tell whether costs that values hold name the same, as rules know what costs may name; other values are alike."""
    if isinstance(one, e.CostOf) != isinstance(other, e.CostOf):
        return False
    if isinstance(one, e.CostOf) and isinstance(other, e.CostOf):
        return [(type(item), _named(item)) for item in one.items] == [
            (type(item), _named(item)) for item in other.items
        ]
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, Table) and isinstance(other, Table):
        return one.rows.keys() == other.rows.keys() and all(
            alike(row, other.rows[key]) for key, row in one.rows.items()
        )
    return True


def _named(item: Any) -> tuple[str, ...]:
    return tuple(item.counters)


# ---- the program


def loosened(program: Program, columns: Iterable[Column]) -> Program:
    """Return a program in which rules, functions and formulas rely on nothing that these columns say."""
    readers = {one: _reader(program, one) for column in columns for one in columns_of(program, column)}
    if not readers:
        return program

    def instead(node: Node) -> Node:
        reader = readers.get(_column(node) or ("", ""))
        if reader is None:
            return node
        assert isinstance(node, x.Expr)
        given = (node.of,) if isinstance(node, x.FactOf) else ()
        nobody = x.Nobody(type=ty.NONE, span=node.span)
        return x.FunctionCall(reader.name, nobody, given, type=node.type, span=node.span)

    rebuild = rebuilding(instead, lambda node: _column(node) in readers)
    made = copy.copy(program)
    made.rules = {name: _rule(rule, rebuild) for name, rule in program.rules.items()}
    made.functions = {name: replace(one, body=rebuild(one.body)) for name, one in program.functions.items()}
    made.functions.update((reader.name, reader) for reader in readers.values())
    made.loose = program.loose | {reader.name for reader in readers.values()}
    _formulas(made, rebuild)
    return made


def _reader(program: Program, column: Column) -> Function:
    """Return the function that reads a column."""
    kind, name = column
    me = x.Variable("me", ty.Ref("player"), _span(program, column))
    if not kind:
        constant = program.constants[name]
        value: x.Expr = x.ConstantNamed(name, type=constant.type, span=constant.span)
        return Function(f"constant.{name}", constant.span, me, (), value, constant.type)
    fact = program.kinds[kind].facts[name]
    of = x.Variable("it", ty.Ref(kind), fact.span)
    value = x.FactOf(kind, name, x.Local(of, type=of.type, span=fact.span), type=fact.type, span=fact.span)
    return Function(f"{kind}.{name}", fact.span, me, (of,), value, fact.type)


def _span(program: Program, column: Column) -> Span:
    kind, name = column
    return program.kinds[kind].facts[name].span if kind else program.constants[name].span


def _rule(rule: Rule, rebuild: Rebuild) -> Rule:
    blocks = [rebuild(step.block) for step in rule.steps]
    joined = [_triggers(triggers, rebuild) for triggers in (rule.before, rule.after, rule.instead)]
    given = rebuild(rule.given)
    same = all(new is step.block for new, step in zip(blocks, rule.steps, strict=True))
    if same and given is rule.given and joined == [rule.before, rule.after, rule.instead]:
        return rule
    steps = tuple(replace(step, block=block) for step, block in zip(rule.steps, blocks, strict=True))
    before, after, instead = joined
    return replace(rule, steps=steps, given=given, before=before, after=after, instead=instead)


def _triggers(triggers: tuple[Trigger, ...], rebuild: Rebuild) -> tuple[Trigger, ...]:
    return tuple(replace(one, condition=rebuild(one.condition)) for one in triggers)


def _formulas(made: Program, rebuild: Rebuild) -> None:
    """Rebuild what stands outside rules and is worked out of a match."""

    def anew(one: Formula) -> Formula:
        return Formula(one.me, one.variables, rebuild(one.body))

    def formula(one: Formula | None) -> Formula | None:
        return None if one is None else anew(one)

    made.score, made.among, made.wins = formula(made.score), formula(made.among), formula(made.wins)
    made.ties = [anew(one) for one in made.ties]
    made.values = {name: anew(one) for name, one in made.values.items()}
    made.invariants = {name: (rebuild(one), text) for name, (one, text) in made.invariants.items()}
    made.active = rebuild(made.active)
    made.anytime = [replace(one, binder=rebuild(one.binder), when=rebuild(one.when)) for one in made.anytime]
    made.waivers = [replace(one, binder=rebuild(one.binder), when=rebuild(one.when)) for one in made.waivers]
    made.substitutions = [replace(one, when=formula(one.when)) for one in made.substitutions]
    made.discounts = [replace(one, when=formula(one.when)) for one in made.discounts]
    made.kinds = dict(made.kinds)
    for name, kind in made.kinds.items():
        if kind.active is not None:
            made.kinds[name] = replace(kind, active=formula(kind.active))


# ---- one mutant


@contextmanager
def exchanged_cell(executable: Executable, cell: Cell) -> Iterator[bool]:
    """Let a cell say for a while what it says in a mutant; yield whether it can be worked out in this program."""
    space = executable.workings.unit.space  # what is shown to people is read elsewhere, and stays as it is
    tables = None
    with suppress(Exception):  # what goes wrong here goes wrong in the mutant, too, which is made by itself then
        tables = _tables(executable, cell)
    if tables is None:
        yield False
        return
    before = {name: space[name] for name in tables}
    space.update(tables)
    try:
        yield True
    finally:
        space.update(before)


def _tables(executable: Executable, cell: Cell) -> dict[str, Any] | None:
    """Return the tables that hold a cell; None where a cost in it depends on the match."""
    layout = executable.layout
    plain = executable.workings.plain
    tables = Tables(plain, {}, Meter(plain.unit))
    found: dict[str, Any] = {}
    for kind, name in columns_of(layout.model, cell.column):
        if not kind:
            found[f"C_{name}"] = tables.value(cell.value, layout.model.constants[name].type, 1)
            continue
        table, type_ = fact_table(kind, name), layout.model.kinds[kind].facts[name].type
        rows = [*executable.workings.unit.space[table]]
        for number, instance in enumerate(layout.instances[kind]):
            if instance.design is not None and instance.design.id == cell.design:
                rows[number] = tables.value(cell.value, type_, instance.copy)
        found[table] = tuple(rows)
    return None if tables.changing else found
