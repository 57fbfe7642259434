"""Find where a function is asked of all instances of a kind in turn, and first looks at one of their fields.

In:     functions as Python, behind the passes that make code shorter.
Out:    ``p for p in points if may_lay(s, me, p)``, where ``may_lay`` gives ``s[p + 4] < 0 and ..``: what it asks first.

Those that do not pass are never asked, if it is known which they are. Nothing is drawn on the step budget before that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.calm import changed, copied, names_in, nodes_of, table_of
from patolli.compiler.scanning import PLAIN, VALUE, Field


@dataclass(slots=True)
class Asked:
    """A generator that goes over all instances: the field and what is asked of it, and the steps of a pass."""

    generator: ast.comprehension
    of: Field
    test: ast.expr
    steps: int


def calls_of(
    function: ast.FunctionDef,
    functions: Mapping[str, ast.FunctionDef],
    fields: Mapping[tuple[int, int], Field],
    space: Mapping[str, Any],
) -> Iterator[Asked]:
    """Yield the generators of a function that ask another one of all instances of a kind."""
    for node in nodes_of(function):
        if not isinstance(node, ast.ListComp):
            continue
        for generator in node.generators:
            number, steps = _instances(generator.iter, space)
            match generator:
                case ast.comprehension(
                    target=ast.Name(id=item), ifs=[ast.Call(func=ast.Name(id=name), args=given), *_]
                ) if number and name in functions:
                    found = _first(functions[name], given, item, number, fields)
                    if found is not None:
                        yield Asked(generator, *found, steps)


def _instances(source: ast.expr, space: Mapping[str, Any]) -> tuple[int, int]:
    """Return over how many numbers from 0 on a source goes, and the steps of a pass; 0 and 0 for another source."""
    steps = 0
    match source:
        case ast.Call(func=ast.Name(id="passes"), args=[inner, ast.Constant(value=int(steps))]):
            source = inner
    table = table_of(source.id, space) if isinstance(source, ast.Name) else None
    return (len(table), steps) if table is not None and list(table) == list(range(len(table))) else (0, 0)


def _first(
    function: ast.FunctionDef, given: list[ast.expr], item: str, number: int, fields: Mapping[tuple[int, int], Field]
) -> tuple[Field, ast.expr] | None:
    """Return the field at which a function looks first, and what it asks of it; None where it does something else."""
    match function.body:
        case [ast.Return(value=ast.BoolOp(op=ast.And(), values=[first, *_]))]:
            pass
        case _:
            return None
    names = [one.arg for one in function.args.args]
    positions = [at for at, one in enumerate(given) if isinstance(one, ast.Name) and one.id == item]
    if len(names) != len(given) or len(positions) != 1:
        return None
    parameter, bases = names[positions[0]], set[int]()

    def value(node: Any) -> Any:
        match node:
            case ast.Subscript(
                value=ast.Name(id="s"),
                slice=ast.BinOp(left=ast.Name(id=id_), op=ast.Add(), right=ast.Constant(value=int(base))),
            ) if id_ == parameter:
                bases.add(base)
                return b.name(VALUE)
        return node

    holder = ast.Expr(copied(first))
    changed(holder, value)
    test = holder.value
    of = fields.get((base := bases.pop(), base + number)) if len(bases) == 1 else None
    plain = names_in(test) == {VALUE} and all(isinstance(one, PLAIN) for one in nodes_of(test))
    return (of, test) if of is not None and plain else None
