"""Look at what takes least first, where nobody can tell.

In:     all functions of a program as Python, before anything is put into another place.
Out:    the same functions; of tests that must hold together, what only looks at slots stands before calls of functions
        that go through lists.

Only functions count that go through lists of the state and tables, compare, and give a value: they cannot fail, write
nothing and draw nothing but their passes. So it does not matter whether they are called.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from patolli.run.compiler import build as b
from patolli.run.compiler.calm import is_calm, nodes_of

Space = Mapping[str, Any]


def put_in_order(files: Mapping[str, Sequence[ast.FunctionDef]], space: Space) -> None:
    """Put calm tests before calls of functions that only look, with loops."""
    functions = [function for made in files.values() for function in made]
    looking = {
        one.name: not isinstance(one.body[0], ast.Return)
        for one in functions
        if all(_looks(statement, space) for statement in one.body)
    }
    for function in functions if looking else ():
        for node in nodes_of(function):
            match node:
                case ast.If() | ast.IfExp():
                    node.test = b.both(_order_tests(_parts(node.test), looking, space))
                case ast.comprehension():
                    node.ifs = _order_tests(node.ifs, looking, space)


def _looks(statement: ast.stmt, space: Space) -> bool:
    match statement:
        case ast.For(target=ast.Name(), iter=source, body=body, orelse=[]):
            return is_calm(source, space) and all(_looks(one, space) for one in body)
        case ast.If(test=test, body=body, orelse=orelse):
            return is_calm(test, space) and all(_looks(one, space) for one in (*body, *orelse))
        case ast.Return(value=value):
            return value is not None and is_calm(value, space)
    return False


def _parts(test: ast.expr) -> list[ast.expr]:
    """Return what is joined by ``and``, at every depth."""
    found = b.parts_of(test)
    return [test] if len(found) == 1 else [part for one in found for part in _parts(one)]


def _order_tests(tests: list[ast.expr], looking: Mapping[str, bool], space: Space) -> list[ast.expr]:
    """Return tests in another order; what neither is calm nor only looks stays where it is, and nothing passes it."""
    found: list[ast.expr] = []
    calls: list[ast.expr] = []
    for test in tests:
        if is_calm(test, space):
            found.append(test)
        elif called := _only_looks(test, looking, space):
            (calls if looking[called] else found).append(test)
        else:
            found += [*calls, test]
            calls = []
    return found + calls


def _only_looks(test: ast.expr, looking: Mapping[str, bool], space: Space) -> str:
    """Return the function that a test calls, if that only looks; otherwise nothing."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _only_looks(operand, looking, space)
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in looking:
            return name if all(is_calm(one, space) for one in arguments) else ""
    return ""
