"""Find the pure expressions of generated code, and put one into the place of another.

A pure expression reads the state, the frame and tables that no match changes, and nothing else: it cannot fail, writes
nothing and draws nothing. So it may be computed more often than it is written, later, or not at all; where an
expression stands decides of it only how long it takes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from patolli.run.compiler import build as b

STATE, FRAME = "s", "f"
_OPERATORS = (ast.Add, ast.Sub)


def table_of(name: str, space: Mapping[str, Any]) -> tuple[Any, ...] | range | None:
    """Return the table of a name that no match changes; None where it names none."""
    found = space.get(name)
    return found if isinstance(found, tuple | range) else None


def is_pure(node: ast.AST, space: Mapping[str, Any]) -> bool:
    """Return whether an expression is pure."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Subscript(value=ast.Name(id="s" | "f"), slice=slot):
            return not isinstance(slot, ast.Slice) and is_pure(slot, space)
        case ast.Subscript(slice=ast.Constant(value=int(at)), value=ast.Name(id=name)):
            table = table_of(name, space)
            return table is not None and 0 <= at < len(table)
        case ast.Subscript(value=of, slice=index):
            # What stands in a table goes by instances of a kind, and there is an entry for each; a list in it may be
            # of any length, so a number that an author wrote is no index of one.
            depth = 1
            while isinstance(of, ast.Subscript):
                if not is_pure(of.slice, space) or isinstance(of.slice, ast.Constant):
                    return False
                of, depth = of.value, depth + 1
            fixed = isinstance(of, ast.Name) and of.id[:1] in "FTGND" and table_of(of.id, space) is not None
            return fixed and not isinstance(index, ast.Constant) and is_pure(index, space)
        case ast.BinOp():
            return isinstance(node.op, _OPERATORS) and is_pure(node.left, space) and is_pure(node.right, space)
        case ast.UnaryOp() | ast.BoolOp() | ast.IfExp() | ast.Tuple():
            return all(is_pure(part, space) for part in b.inside(node))
        case ast.Compare():
            return all(is_pure(part, space) for part in (node.left, *node.comparators))
    return False


def is_truth(node: ast.expr) -> bool:
    """Return whether an expression is true or false, and nothing that counts as such."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp():
            return all(map(is_truth, node.values))
        case ast.Constant():
            return isinstance(node.value, bool)
    return False


def is_seat(node: ast.expr) -> bool:
    """Return whether an expression is the seat of a frame, a number from 0."""
    match node:
        case ast.Name(id="f1") | ast.Subscript(value=ast.Name(id="f"), slice=ast.Constant(value=1)):
            return True
    return False


def size_of(node: ast.AST) -> int:
    """Return how many nodes an expression has."""
    return sum(1 for _ in nodes_of(node))


def nodes_of(*roots: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes, but for operators and contexts."""
    open_ = list(roots)
    while open_:
        node = open_.pop()
        yield node
        if node.__class__ not in b.LEAVES:
            open_ += b.inside(node)


def names_in(node: ast.AST) -> set[str]:
    """Return the names in an expression."""
    return {one.id for one in nodes_of(node) if isinstance(one, ast.Name)}


def copy_tree(node: Any) -> Any:
    """Return a copy of a tree, which shares operators, contexts and constants with it."""
    kind = node.__class__
    new = kind.__new__(kind)
    new.__dict__.update(node.__dict__)  # as 'copy' does, in a fraction of the time
    if kind in b.LEAVES:
        return new
    for name in b.fields(node):
        value = getattr(node, name, None)
        if value.__class__ is list:
            setattr(new, name, [copy_tree(one) if isinstance(one, ast.AST) else one for one in value])
        elif isinstance(value, ast.AST):
            setattr(new, name, copy_tree(value))
    return new


def transform_tree(node: Any, change: Callable[[Any], Any]) -> Any:
    """Put into each place of a tree, the inner ones first, what *change* makes of the node there; return the tree."""
    if node.__class__ in b.LEAVES:
        return change(node)
    for name in b.fields(node):
        value = getattr(node, name, None)
        if value.__class__ is list:
            value[:] = [transform_tree(one, change) if isinstance(one, ast.AST) else one for one in value]
        elif isinstance(value, ast.AST):
            new = transform_tree(value, change)
            if new is not value:
                setattr(node, name, new)
    return change(node)


def substitute_names(node: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """Return a copy of an expression in which names are replaced by expressions."""

    def change(one: Any) -> Any:
        return copy_tree(values[one.id]) if isinstance(one, ast.Name) and one.id in values else one

    found: ast.expr = transform_tree(copy_tree(node), change)
    return found
