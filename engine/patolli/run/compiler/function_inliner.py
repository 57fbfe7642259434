"""Put small functions into the places where they are called, and write tests of all items of a short list out.

In:     the functions of a program as Python, by the file of the author.
Out:    the same functions; what a call took is saved.

A function is put into the place of its call when it is nothing but a pure expression (``purity``), and so are its
arguments: it is unknown when, or how often, these are computed. Both stand in the same file, so that each line
stays where its author looks for it. A test of the items of a list, all of them or any, becomes a test of one after the
other where all lists that can stand there come from one table and have the same few items.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence, Set
from typing import Any

from patolli.run.compiler import build as b
from patolli.run.compiler import purity

LARGEST, LIGHT = 40, 4
"""Nodes of the largest function that is put into the place of a call; and of what may be computed more than once."""
SHORT, WRITTEN_OUT = 5, 150
"""How many items a list may have whose tests are written out, and how many nodes these tests may have together."""


def inline(functions: Sequence[ast.FunctionDef], space: Mapping[str, Any], counted: Set[str]) -> None:
    """Put the pure functions of one file into the places where they are called, but those whose calls are *counted*."""
    known = {one.name: one for one in functions if one.name not in counted}
    pure: dict[str, tuple[list[str], ast.expr]] = {}
    tried: set[str] = set()

    def there(name: str) -> tuple[list[str], ast.expr] | None:
        """Return the parameters and the value of a pure function, in which calls were replaced before."""
        if name in known and name not in tried:
            tried.add(name)
            body = known[name].body
            if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
                value: ast.expr = purity.transform_tree(body[0].value, change)
                body[0].value = value
                if purity.is_pure(value, space) and purity.size_of(value) <= LARGEST:
                    pure[name] = [one.arg for one in known[name].args.args], value
        return pure.get(name)

    def change(node: Any) -> Any:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return node
        found = there(node.func.id)
        if found is None or len(found[0]) != len(node.args) or not all(purity.is_pure(one, space) for one in node.args):
            return node
        parameters, value = found
        used = [one.id for one in purity.nodes_of(value) if isinstance(one, ast.Name)]
        for name, argument in zip(parameters, node.args, strict=True):
            if used.count(name) > 1 and purity.size_of(argument) > LIGHT:
                return node
        return purity.substitute_names(value, dict(zip(parameters, node.args, strict=True)))

    for function in functions:
        if function.name not in tried:
            purity.transform_tree(function, change)


def write_out(functions: Sequence[ast.FunctionDef], space: Mapping[str, Any]) -> None:
    """Write tests of all items of short lists out."""
    tests = {one.name: test for one in functions if (test := _test(one, space)) is not None}
    for function in functions if tests else ():
        for loop in purity.nodes_of(function):
            if isinstance(loop, ast.For):
                _write_out(loop, loop.body, tests, space)


_Test = tuple[list[str], str, str, ast.expr, bool]
"""Of a function that tests items: its parameters, the list, an item, the test, and what is given where it holds."""


def _test(function: ast.FunctionDef, space: Mapping[str, Any]) -> _Test | None:
    """Return what a function tests of each item of a list that it is given, if it does nothing else."""
    match function.body:
        case [
            ast.For(
                target=ast.Name(id=item), iter=ast.Name(id=items), orelse=[],
                body=[ast.If(test=test, body=[ast.Return(value=ast.Constant(value=bool(hit)))], orelse=[])],
            ),
            ast.Return(value=ast.Constant(value=bool(miss))),
        ]:  # fmt: skip
            parameters = [one.arg for one in function.args.args]
            sure = purity.is_truth(test) and purity.is_pure(test, space)
            if sure and items in parameters and hit is not miss and items not in purity.names_in(test):
                return parameters, items, item, test, hit
    return None


def _write_out(loop: ast.For, body: list[ast.stmt], tests: Mapping[str, _Test], space: Mapping[str, Any]) -> None:
    """Write the tests out that a loop over rows of a table makes of each of them."""
    if not isinstance(loop.target, ast.Name):
        return
    row, length = loop.target.id, _items(loop.iter, space)
    reads = [
        one for statement in body for one in purity.nodes_of(statement) if isinstance(one, ast.Name) and one.id == row
    ]
    calls: list[Any] = [
        one for statement in body for one in purity.nodes_of(statement) if _tests(one, row, tests, space)
    ]
    if length is None or not 1 <= length <= SHORT or len(reads) != len(calls) or not calls:
        return
    items = [f"i{number}_{row}" for number in range(length)]

    if length * max(purity.size_of(tests[one.func.id][3]) for one in calls) > WRITTEN_OUT:
        return

    def change(node: Any) -> Any:
        if not _tests(node, row, tests, space):
            return node
        parameters, rows, item, test, hit = tests[node.func.id]
        values = dict(zip(parameters, node.args, strict=True))
        del values[rows]
        each = [purity.substitute_names(test, {**values, item: b.name(one)}) for one in items]
        made = b.either(each) if hit else b.both([_opposite(one) for one in each])
        b.place(made, node.lineno)
        return made

    for statement in body:
        purity.transform_tree(statement, change)
    loop.target = ast.Tuple([ast.Name(one, ast.Store()) for one in items], ast.Store())
    b.place(loop.target, loop.lineno)


def _tests(node: Any, row: str, tests: Mapping[str, _Test], space: Mapping[str, Any]) -> bool:
    """Return whether a node is a call that tests the items of a row."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in tests:
        return False
    parameters, rows, *_ = tests[node.func.id]
    if len(parameters) != len(node.args) or not all(purity.is_pure(one, space) for one in node.args):
        return False
    given = node.args[parameters.index(rows)]
    return isinstance(given, ast.Name) and given.id == row


def _opposite(test: ast.expr) -> ast.expr:
    """Return what holds where a test does not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return b.negate(test)


def _items(source: ast.expr, space: Mapping[str, Any]) -> int | None:
    """Return how many items each item of a row of a table has; None where they differ, or are none."""
    depth = 0
    while isinstance(source, ast.Subscript):
        source, depth = source.value, depth + 1
    table = purity.table_of(source.id, space) if isinstance(source, ast.Name) else None
    rows: list[Any] = [table]
    for _ in range(depth + 1):
        if not all(isinstance(row, tuple) for row in rows):
            return None
        rows = [one for row in rows for one in row]
    lengths = {len(row) if isinstance(row, tuple) else -1 for row in rows}
    return lengths.pop() if len(lengths) == 1 and lengths != {-1} else None
