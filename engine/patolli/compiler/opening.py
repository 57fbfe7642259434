"""Do at once what small functions of the kernel are called for, where nothing is out of bounds.

In:     the functions of a program as Python.
Out:    the same functions; the kernel is called only where it has something to say.

``item_of`` and ``ranged`` look whether a number lies within bounds, and do nothing else when it does; which is the
lesser or the greater of two numbers is one comparison. A call of a function takes several times as long as either. What
is looked at gets a name, and is worked out once, where it was before. Inside lists that are collected nothing is
changed, as Python allows no names to be given in some parts of them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from patolli.compiler import build as b
from patolli.compiler.calm import copied, is_calm, size_of

SMALL = 8
"""Nodes of the largest expression for a list that may be worked out again."""


def open_up(functions: Sequence[ast.FunctionDef], space: Mapping[str, Any]) -> None:
    """Open calls of the kernel up."""
    for function in functions:
        _Opener(space).inside(function)


class _Opener:
    def __init__(self, space: Mapping[str, Any]) -> None:
        self.space, self.count = space, 0

    def inside(self, node: ast.AST) -> None:
        """Open all calls inside a node, the inner ones first."""
        for name in b.fields(node):
            value = getattr(node, name, None)
            if value.__class__ is list:
                value[:] = [self._opened(one) if isinstance(one, ast.AST) else one for one in value]
            elif isinstance(value, ast.AST):
                setattr(node, name, self._opened(value))

    def _opened(self, node: Any) -> Any:
        if isinstance(node, ast.ListComp | ast.SetComp | ast.Lambda):
            return node
        self.inside(node)
        match node:
            case ast.Call(func=ast.Name(id="ranged"), args=[value, ast.Constant() as low, ast.Constant() as high, _]):
                name, given = self._named(value)
                node.args[0] = b.name(name)
                inside = ast.Compare(low, [ast.LtE(), ast.LtE()], [given, high])
                return ast.IfExp(inside, b.name(name), node)
            case ast.Call(func=ast.Name(id="item_of"), args=[items, index]) if (
                is_calm(items, self.space) and size_of(items) <= SMALL
            ):
                name, given = self._named(index)
                node.args[1] = b.name(name)
                inside = ast.Compare(b.const(0), [ast.LtE(), ast.Lt()], [given, b.call("len", copied(items))])
                return ast.IfExp(inside, b.item(copied(items), b.name(name)), node)
            case ast.Call(func=ast.Name(id="min" | "max" as which), args=[value, ast.Constant(value=int()) as bound]):
                name, given = self._named(value)
                test = b.compare(given, "<" if which == "min" else ">", bound)
                return ast.IfExp(test, b.name(name), bound)
        return node

    def _named(self, value: ast.expr) -> tuple[str, ast.expr]:
        """Return a name for a value, and what gives it that."""
        self.count += 1
        name = f"k_{self.count}"
        return name, ast.NamedExpr(ast.Name(name, ast.Store()), value)
