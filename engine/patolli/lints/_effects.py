"""What effects and expressions touch, straight from the declarations of their kinds.

Locations are those of ``program.node``. What a payment may change by the way is written out; what the beginning of a
rule or a purse looks at is not, it stays as the location that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from patolli.program import effects as e
from patolli.program.expressions import Binder, Expr
from patolli.program.model import Program
from patolli.program.node import Location, Node, children, declaration, walk


def called(program: Program, effect: Node) -> list[str]:
    """Return the rules that an effect may carry out by itself."""
    if not declaration(effect).runs:
        return []
    match effect:
        case e.CallRule():
            return [effect.rule]
        case e.Do():
            return program.effect_rules(effect.kind, effect.fact)
    found = []
    for location in declaration(effect).writes(effect):
        if location[0] == "counter" and (spend := program.counters[location[1]].spend):
            found.append(spend)
        elif location[0] == "paying":
            found += [less.body for less in program.discounts if less.body and location[1] in less.on]
            found += [waiver.body for waiver in program.waivers if location[1] in waiver.on]
    return list(dict.fromkeys(found))


def writes(program: Program, effect: Node) -> Iterator[Location]:
    """Yield what an effect may change by itself, not counting the rules that it carries out."""
    for location in declaration(effect).writes(effect):
        if location[0] == "paying":
            gives: Iterable[Any] = (one.give for one in program.substitutions)
            yield from (("counter", counter) for give in gives for counter in give.counters)
        else:
            yield location


def reads(program: Program, *roots: Node) -> set[Location]:
    """Return what some trees look at, and the functions that they use; what they bind themselves is left out."""
    found = _looked_at(roots)
    functions = {location for location in found if location[0] == "function"}
    open_ = list(functions)
    while open_:
        body = program.functions[open_.pop()[1]].body
        here = {location for location in _looked_at([body]) if location[0] != "variable"}  # it sees only its own
        news = {location for location in here if location[0] == "function"} - functions
        functions |= news
        open_ += news
        found |= here
    return found


def _looked_at(roots: Iterable[Node]) -> set[Location]:
    inside = list(walk(roots))
    bound = {("variable", node.variable) for node in inside if isinstance(node, Binder)}
    return {location for node in inside for location in declaration(node).reads(node)} - bound


def blindly_changed(effect: Node) -> list[Node]:
    """Return the parts of an effect that name what it changes without looking at it."""
    declared = declaration(effect)
    if not set(declared.writes(effect)) - set(declared.reads(effect)):
        return []
    target = getattr(effect, "target", None)
    return [part for part in children(effect) if isinstance(part, e.Item) or part is target]


def effects(block: e.Block) -> Iterator[e.Effect]:
    """Yield every effect of a block, outer ones first."""
    open_: list[Node] = list(reversed(block))
    while open_:
        here = open_.pop()
        if isinstance(here, e.Effect):
            yield here
        open_.extend(reversed([inner for inner in children(here) if not isinstance(inner, Expr)]))


def blocks(node: Node) -> Iterator[e.Block]:
    """Yield the blocks of effects directly inside a node."""
    for one in fields(node):
        value = getattr(node, one.name)
        if isinstance(value, tuple) and value and isinstance(value[0], e.Effect):
            yield value
