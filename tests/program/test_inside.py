"""What stands inside a node is found by the types of its fields, however it is found."""

from __future__ import annotations

from typing import Any

import pytest

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.node import _PARTS, DECLARED, Node, children, walk

HERE = Span("a.yaml", 1, 1, 1, 1)


def leaf(number: int) -> x.Number:
    return x.Number(number, type=ty.INT, span=HERE)


def made(kind: type[Node], full: bool) -> tuple[Any, list[Node]]:
    """Return a node of a kind with a leaf, or two, wherever nodes may stand, and these leaves in order."""
    node, inside = object.__new__(kind), list[Node]()
    for name, type_ in _PARTS[kind].items():
        several = type_.startswith(("tuple", "Block"))
        count = (2 if several else 1) if full or not (several or "None" in type_) else 0
        there = [leaf(len(inside) + number) for number in range(count)]
        inside += there
        value = tuple(there) if several and (full or "None" not in type_) else there[0] if there else None
        object.__setattr__(node, name, value)  # nodes are frozen
    return node, inside


@pytest.mark.parametrize("full", [True, False])
def test_inside_of_every_kind(subtests: pytest.Subtests, full: bool) -> None:
    for kind in DECLARED:
        with subtests.test(kind.__name__):
            node, inside = made(kind, full)
            assert [id(one) for one in children(node)] == [id(one) for one in inside]
            assert [id(one) for one in walk(node)] == [id(node), *map(id, inside)]


def test_order_of_a_walk() -> None:
    inner = x.Arithmetic("+", leaf(1), leaf(2), type=ty.INT, span=HERE)
    outer = x.Arithmetic("*", inner, leaf(3), type=ty.INT, span=HERE)
    numbers = [one.value for one in walk((outer, leaf(4)), None, leaf(5)) if isinstance(one, x.Number)]
    assert numbers == [1, 2, 3, 4, 5]
    assert isinstance(next(walk(outer)), x.Arithmetic)
    assert e.Effect in Node.__subclasses__()
