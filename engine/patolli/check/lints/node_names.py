"""What a node names: things of the ruleset by their sort and id.

Ids stand in fields that are called after their sort, in every kind of node alike, so that what a new kind names counts
without a further word here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache

from patolli.language.program import expressions as x
from patolli.language.program.node import Node

SORTS = ("constant", "counter", "function", "group", "kind", "option", "place", "rule")


@cache
def _sorts(kind: type) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.name in SORTS)


def list_named_things(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the things that a node names by itself, each as its sort and id; ``name`` where the sort is not known."""
    kind: type = type(node)
    for sort in _sorts(kind):
        if id_ := getattr(node, sort):
            yield sort, id_
    match node:
        case x.ConstantNamed():
            yield "constant", node.name
        case x.Instance() | x.DesignNamed():
            yield "piece", node.id
        case x.BuiltinCall() if node.name:
            yield "name", node.name
