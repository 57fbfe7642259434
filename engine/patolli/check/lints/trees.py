"""All that a program carries out or works out, tree by tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.expressions import Expr, Variable
from patolli.language.program.model import Items, Program, Table, Value
from patolli.language.program.node import Node, children, declaration, walk


def blocks_of(program: Program) -> Iterator[e.Block]:
    """Yield the effects of every rule; those of pieces, triggers and actions are rules without a name of their own."""
    yield from (rule.block for rule in program.rules.values())


def expressions_of(program: Program) -> Iterator[Node]:
    """Yield what holds all expressions: every effect, and each expression that stands outside rules."""
    for block in blocks_of(program):
        yield from block
    yield from (function.body for function in program.functions.values())
    yield from conditions_outside(program)
    yield from (formula.body for formula in program.formulas)
    yield from (condition for condition, _ in program.invariants.values())
    for constant in program.constants.values():
        yield from _values(constant.value)
    for design in program.designs.values():
        for fact in design.facts.values():
            yield from _values(fact)


def read_by(*roots: Node | Iterable[Node] | None) -> set[Variable]:
    """Return the variables that stand anywhere in some trees."""
    read = (location for node in walk(*roots) for location in declaration(node).reads(node))
    return {location[1] for location in read if location[0] == "variable"}


def inside(node: Node) -> Iterable[Node]:
    """Return what stands inside a node, without a place whose pieces are only counted."""
    match node:
        case x.BuiltinCall(builtin="size", arguments=(x.Held() as held,)) | x.Filled(of=x.Held() as held):
            return held.indices
        case x.Whole(op="count" | "any", of=x.Held() as held):
            return held.indices
    return children(node)


def conditions_outside(program: Program) -> Iterator[Expr]:
    """Yield the conditions that stand outside rules: when something is active, applies or follows."""
    formulas = [*program.list_payment_conditions(), *(kind.active for kind in program.kinds.values())]
    yield from (formula.body for formula in formulas if formula is not None)
    found = [trigger.condition for trigger in program.triggers]
    found += [one.when for one in program.anytime] + [one.when for one in program.waivers]
    yield from (condition for condition in found if condition is not None)


def _values(value: Value) -> Iterator[Node]:
    match value:
        case Table():
            yield value.by
            for row in value.rows.values():
                yield from _values(row)
        case Items():
            for item in value:
                yield from _values(item)
        case Node():
            yield value
