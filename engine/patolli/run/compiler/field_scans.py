"""Find where a list is made by going over all instances of a kind and looking at one of their fields.

In:     comprehensions as Python, behind the passes that make code shorter.
Out:    of each generator over the values of a field what it asks of them first.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from patolli.language.program.node import Location
from patolli.run.compiler import build as b
from patolli.run.compiler.purity import copy_tree, is_pure, names_in, nodes_of, substitute_names, transform_tree

VALUE = "w_"
"""What the value of a field is called in a test that is kept."""
PLAIN = (ast.Compare, ast.UnaryOp, ast.BoolOp, ast.Constant, ast.Name)


@dataclass(slots=True)
class Field:
    """A field of the instances of a kind: its slots, and how many values it has from 0; 0 where it is any number."""

    location: Location
    first: int
    end: int
    values: int


@dataclass(slots=True)
class Scan:
    """A generator that goes over all instances and keeps those with a value, or those that pass a test."""

    owner: ast.ListComp
    generator: ast.comprehension
    of: Field
    item: str
    value: str
    test: ast.expr
    rest: list[ast.expr]
    steps: int
    wanted: ast.expr | None  # the value; None where there is a test of its own

    @property
    def key(self) -> tuple[int, str]:
        """Name what is kept: the field, and the test where there is one."""
        if self.wanted is not None:
            return self.of.first, ""
        return self.of.first, ast.dump(substitute_names(self.test, {self.value: b.name(VALUE)}))


def scan(
    owner: ast.ListComp, generator: ast.comprehension, fields: Mapping[tuple[int, int], Field], space: Mapping[str, Any]
) -> Scan | None:
    """Return what a generator asks of one of the *fields*, which are known by first slot and end; None for another."""
    scanned = _recognize_scan(generator)
    of = fields.get(scanned[:2]) if scanned is not None else None
    if scanned is None or of is None or not generator.ifs:
        return None
    *_, steps, item, value = scanned
    test, *rest = b.parts_of(generator.ifs[0])
    rest += generator.ifs[1:]
    wanted = None
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[other]) if (
            name == value and of.values and not isinstance(other, ast.Constant)
        ):
            if {item, value} & names_in(other) or not is_pure(other, space):
                return None
            wanted = other
        case _ if not all(isinstance(one, PLAIN) for one in nodes_of(test)) or names_in(test) != {value}:
            return None
    return Scan(owner, generator, of, item, value, test, rest, steps, wanted)


def look_up(read: Scan) -> None:
    """Take the test of a generator away, and let what else looks at the value look it up."""
    again = b.item("s", b.add(b.name(read.item), b.const(read.of.first)))

    def change(one: Any) -> Any:
        return copy_tree(again) if isinstance(one, ast.Name) and one.id == read.value else one

    read.generator.ifs = read.rest
    read.generator.target = ast.Name(read.item, ast.Store())
    transform_tree(read.owner, change)


def _recognize_scan(generator: ast.comprehension) -> tuple[int, int, int, str, str] | None:
    """Return over which slots a generator goes, the steps of a pass, and its variables; None for another one."""
    steps = 0
    match generator:
        case ast.comprehension(
            target=ast.Tuple(elts=[ast.Name(id=item), ast.Name(id=value)]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[source]),
        ):
            match source:
                case ast.Call(func=ast.Name(id="passes"), args=[inner, ast.Constant(value=int(steps))]):
                    source = inner
            match source:
                case ast.Subscript(
                    value=ast.Name(id="s"),
                    slice=ast.Slice(lower=ast.Constant(value=int(first)), upper=ast.Constant(value=int(end))),
                ):
                    return first, end, steps, item, value
    return None
