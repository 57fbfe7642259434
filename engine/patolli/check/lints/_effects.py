"""Walk over the effects of a block, and say what an effect names only to change it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache

from patolli.language.program import effects as e
from patolli.language.program.expressions import Expr
from patolli.language.program.node import Node, children, declaration


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


def blindly_changed(effect: Node) -> list[Node]:
    """Return the parts of an effect that it changes without looking; losses are looked at: they have a limit."""
    if isinstance(effect, e.Gain) and effect.less:
        return []
    declared = declaration(effect)
    changed = {
        location for location in declared.writes(effect) if location[0] != "paying"
    }  # that is no place in a state
    if not changed - set(declared.reads(effect)):
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
    kind: type = type(node)
    for name in _names(kind):
        value = getattr(node, name)
        if isinstance(value, tuple) and value and isinstance(value[0], e.Effect):
            yield value
