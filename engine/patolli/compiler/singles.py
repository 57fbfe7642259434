"""Go through a list of one without a loop, and carry out at once what only sets slots.

In:     the functions of a program as Python, by the file of the author.
Out:    the same functions; a loop over the instances of a kind of which there is one is gone, and so is the call of a
        rule that does nothing but look at slots and set them.

A declaration with one instance is how a pack keeps what belongs to a turn, and at the end of each turn a rule for every
field sets it back. Each of them is then one comparison and one assignment, and stands where it was called: neither can
fail, so nobody sees from where it was done.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.calm import STATE, changed, filled, is_calm, names_in, nodes_of, table_of

Space = Mapping[str, Any]
MOST = 4
"""How many statements a rule may have that is put into the place of its call."""


def unroll(functions: Sequence[ast.FunctionDef], space: Space) -> None:
    """Do without loops over one instance, and put rules that only set slots into the places where they are called."""
    for function in functions:
        _each_block(function, lambda statement: _once(statement, space))
    setting = {one.name: one for one in functions if _only_sets(one, space)}
    for function in functions if setting else ():
        _each_block(function, lambda statement: _done_here(statement, setting, space))


def _each_block(function: ast.FunctionDef, change: Any) -> None:
    """Put into the place of each statement the statements that are made of it, if any."""
    for node in list(nodes_of(function)):
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(block, list):
                block[:] = [one for statement in block for one in (change(statement) or [statement])]


def _once(loop: ast.stmt, space: Space) -> list[ast.stmt] | None:
    """Return what the only pass of a loop does; None where there may be another number of them."""
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or loop.orelse:
        return None
    source, tests = loop.iter, list[ast.expr]()
    match source:
        case ast.ListComp(
            elt=ast.Name(id=item), generators=[ast.comprehension(target=ast.Name(id=target)) as only]
        ) if item == target == loop.target.id:
            source, tests = only.iter, only.ifs
    table = table_of(source.id, space) if isinstance(source, ast.Name) else None
    if table is None or len(table) != 1 or not isinstance(table[0], int):
        return None
    if any(isinstance(one, ast.Break | ast.Continue) for statement in loop.body for one in nodes_of(statement)):
        return None
    body: list[Any] = [ast.If(b.both(tests), loop.body, [])] if tests else loop.body
    made = [changed(filled(one, {loop.target.id: b.const(table[0])}), _added_up) for one in body]
    for one in made:
        b.place(one, loop.lineno)
    return made


def _added_up(node: Any) -> Any:
    match node:
        case ast.BinOp(left=ast.Constant() as left, op=ast.Add() | ast.Sub() as op, right=ast.Constant() as right):
            return b.add(left, right, isinstance(op, ast.Sub))
    return node


def _only_sets(function: ast.FunctionDef, space: Space) -> bool:
    """Tell whether a rule does nothing but set slots, some of them on conditions."""
    *body, last = function.body
    given = isinstance(last, ast.Return) and isinstance(last.value, ast.Constant)
    return given and 0 < len(body) <= MOST and all(_sets(one, space) for one in body)


def _sets(statement: ast.stmt, space: Space) -> bool:
    match statement:
        case ast.If(test=test, body=body, orelse=[]):
            return is_calm(test, space) and all(_sets(one, space) for one in body)
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id="s"), slice=slot)], value=value):
            return is_calm(slot, space) and is_calm(value, space)
    return False


def _done_here(
    statement: ast.stmt, setting: Mapping[str, ast.FunctionDef], space: Space
) -> list[ast.stmt] | None:  # fmt: skip
    """Return what a call of a rule does that only sets slots; None for every other statement."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=arguments)) if name in setting and all(
            is_calm(one, space) and STATE not in names_in(one) for one in arguments[1:]
        ):
            function = setting[name]
            values = {one.arg: value for one, value in zip(function.args.args, arguments, strict=True)}
            body: list[Any] = function.body[:-1]
            made: list[Any] = [filled(one, values) for one in body]
            return made
    return None
