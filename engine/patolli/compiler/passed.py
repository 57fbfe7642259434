"""Leave out a test that has just passed.

In:     the functions of a program as Python, by the file of the author, before anything is put into another place.
Out:    the same functions; of tests that must hold together, none asks what one before it has asked.

What an author asks of a value (`any(w in ways where fits(w))`) the rule behind it often demands once more (`choose w in
ways where fits(w)`), and so a function is made for each of them. Where both have the same body and are called with the
same values, one after the other, the second gives what the first gave: tests change nothing. So it is left out; the
functions stay, each with the lines of its author.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.calm import changed, copied, nodes_of

Functions = Mapping[str, ast.FunctionDef]


def leave_out(functions: Sequence[ast.FunctionDef]) -> None:
    """Leave out tests that have passed already, in the functions of one file."""
    known, forms = {one.name: one for one in functions}, dict[str, str]()
    for function in functions:
        alone = False
        for node in nodes_of(function):
            match node:
                case ast.If(orelse=[], body=[ast.If(orelse=[])]):
                    _nested(node, known, forms)
                case ast.ListComp() | ast.SetComp():
                    for generator in node.generators:
                        generator.ifs = list(_once(generator.ifs, known, forms))
                case ast.BoolOp(op=ast.And()):
                    node.values = list(_once(node.values, known, forms))
                    alone = alone or len(node.values) == 1
        if alone:
            changed(function, _by_itself)


def _by_itself(node: Any) -> Any:
    return node.values[0] if isinstance(node, ast.BoolOp) and len(node.values) == 1 else node


def _nested(outer: ast.If, known: Functions, forms: dict[str, str]) -> None:
    """Leave the inner one of two conditions out."""
    (inner,) = outer.body
    assert isinstance(inner, ast.If)
    first, then = b.parts_of(outer.test), b.parts_of(inner.test)
    left = list(_once([*first, *then], known, forms))[len(first) :]
    if len(left) == len(then):
        return
    if left:
        inner.test = b.both(left)
    else:
        outer.body = inner.body


def _once(tests: Sequence[ast.expr], known: Functions, forms: dict[str, str]) -> Iterator[ast.expr]:
    """Yield tests, without those that ask what an earlier one has asked."""
    if sum(_asks(test, known) for test in tests) < 2:
        yield from tests
        return
    met: set[str] = set()
    for test in tests:
        if _asks(test, known):
            assert isinstance(test, ast.Call)
            assert isinstance(test.func, ast.Name)
            asked = "".join([_form(test.func.id, known, forms), *map(ast.dump, test.args)])
            if asked in met:
                continue
            met.add(asked)
        yield test


def _asks(test: ast.expr, known: Functions) -> bool:
    return isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id in known


def _form(name: str, known: Functions, forms: dict[str, str]) -> str:
    """Return the body of a function as text in which its own names are numbered."""
    if name not in forms:
        function, numbers = known[name], dict[str, str]()
        own = {one.arg for one in function.args.args}
        own |= {one.id for one in nodes_of(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}

        def numbered(node: Any) -> Any:
            if isinstance(node, ast.Name) and node.id in own:
                node.id = numbers.setdefault(node.id, f"#{len(numbers)}")
            return node

        for parameter in function.args.args:
            numbers[parameter.arg] = f"#{len(numbers)}"
        forms[name] = "".join(ast.dump(changed(copied(statement), numbered)) for statement in function.body)
    return forms[name]
