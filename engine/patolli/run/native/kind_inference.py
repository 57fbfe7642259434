"""Work out the kinds of the local names of a function before it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from patolli.run.compiler.build import inside
from patolli.run.compiler.purity import nodes_of
from patolli.run.native.expression_kinds import infer_item_kind, infer_kind
from patolli.run.native.kinds import ANNOTATED, ANY, INT, Kind, Ranged, column, join
from patolli.run.native.writer import Writer

ROUNDS = 4
"""How often kinds are computed at most; what has none then may be anything."""


def infer_local_kinds(w: Writer, function: ast.FunctionDef) -> Kind:
    """Work out the kinds of all local names; return that of what the function gives."""
    given, returned = list(_assignments(function.body)), list(_list_return_values(function.body))
    parameters = dict(w.kinds)
    w.grown = _grown(function)
    for target, _, _ in given:
        for name in names_of(target):
            w.kinds.setdefault(name, None)
    if w.raw:
        w.kinds.update(dict.fromkeys(w.kinds, INT))
        return INT
    for _ in range(ROUNDS):
        before = dict(w.kinds)
        for target, value, mode in given:
            kind = ANNOTATED.get(mode) or (infer_item_kind(w, value) if mode == "item" else infer_kind(w, value))
            _join_kind(w, target, kind)
        if before == w.kinds:
            break
    else:
        for name in w.kinds:
            if name not in parameters:
                w.kinds[name] = ANY
    for name, kind in w.kinds.items():
        if kind is None:
            w.kinds[name] = ANY
    found: Kind = None
    for given_back in returned:
        found = join(found, ANY if given_back is None else infer_kind(w, given_back))
    if not returned or not isinstance(function.body[-1], ast.Return):
        found = ANY
    return found


def _join_kind(w: Writer, target: ast.expr, kind: Kind) -> None:
    if isinstance(target, ast.Name):
        plain = ANY if isinstance(kind, tuple) and kind[0] == "pair" else kind
        if target.id in w.grown and isinstance(plain, tuple):
            plain = ("list", ANY)
        before = w.kinds[target.id]
        found = join(before, plain)
        if (
            isinstance(before, Ranged)
            and isinstance(found, Ranged)
            and (found.low, found.high) != (before.low, before.high)
        ):
            found = INT  # else what is counted up would never come to an end
        w.kinds[target.id] = found
    elif isinstance(target, ast.Tuple):
        for position, one in enumerate(target.elts):
            paired = isinstance(kind, tuple) and kind[0] == "pair"
            inner = kind[position + 1] if paired else column(kind, position, len(target.elts))
            _join_kind(w, one, inner)


def names_of(target: ast.expr) -> Iterator[str]:
    """Yield the names that a target has."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple):
        for one in target.elts:
            yield from names_of(one)


def _assignments(body: list[ast.stmt]) -> Iterator[tuple[ast.expr, ast.expr, str]]:
    """Yield what gives values to names: targets, values, and whether a loop goes through them, or what they are."""
    for node in body:
        match node:
            case ast.Assign():
                for target in node.targets:
                    yield target, node.value, "value"
            case ast.AnnAssign(value=value, annotation=annotation) if value is not None:
                yield node.target, value, annotation.id if isinstance(annotation, ast.Name) else "value"
            case ast.AugAssign(target=ast.Name(id=name)):
                yield node.target, ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value), "value"
            case ast.For():
                yield node.target, node.iter, "item"
                yield from _assignments(node.body)
                yield from _assignments(node.orelse)
            case ast.If() | ast.While():
                yield from _assignments(node.body)
                yield from _assignments(node.orelse)
            case ast.Try():
                yield from _assignments(node.body)
                for handler in node.handlers:
                    yield from _assignments(handler.body)
        yield from _walrus(node)


def _grown(function: ast.FunctionDef) -> set[str]:
    """Return the names of lists to which something is added, or in which something is replaced."""
    found: set[str] = set()
    for node in nodes_of(function):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" | "insert"):
                found.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                found.add(name)
    return found


def _walrus(node: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr, str]]:
    """Yield what gives values to names inside the expressions of a statement."""
    stack: list[Any] = [one for one in inside(node) if not isinstance(one, ast.stmt | ast.ExceptHandler)]
    while stack:
        one = stack.pop()
        if isinstance(one, ast.NamedExpr):
            yield one.target, one.value, "value"
        stack += inside(one)


def _list_return_values(body: list[ast.stmt]) -> Iterator[ast.expr | None]:
    for node in body:
        match node:
            case ast.Return():
                yield node.value
            case ast.If() | ast.For() | ast.While():
                yield from _list_return_values(node.body)
                yield from _list_return_values(node.orelse)
            case ast.Try():
                yield from _list_return_values(node.body)
                for handler in node.handlers:
                    yield from _list_return_values(handler.body)
