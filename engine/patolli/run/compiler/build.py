"""Small helpers that build nodes of Python's own syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def name(id_: str) -> ast.expr:
    """A name that is read."""
    return ast.Name(id_, ast.Load())


def const(value: object) -> ast.expr:
    """A constant."""
    if isinstance(value, tuple | list):
        return ast.Tuple([const(v) for v in value], ast.Load())
    return ast.Constant(value)  # type: ignore[arg-type]


def call(function: str | ast.expr, *arguments: ast.expr) -> ast.expr:
    """A call."""
    return ast.Call(name(function) if isinstance(function, str) else function, list(arguments), [])


def method(of: ast.expr, attribute: str, *arguments: ast.expr) -> ast.expr:
    """A call of a method."""
    return ast.Call(ast.Attribute(of, attribute, ast.Load()), list(arguments), [])


def item(of: str | ast.expr, index: ast.expr | int) -> ast.Subscript:
    """An item that is read."""
    inner = const(index) if isinstance(index, int) else index
    return ast.Subscript(name(of) if isinstance(of, str) else of, inner, ast.Load())


def store(target: ast.expr) -> ast.Name | ast.Subscript:
    """The same expression as a target of an assignment."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Store())
    assert isinstance(target, ast.Subscript)
    return ast.Subscript(target.value, target.slice, ast.Store())


def assign(target: ast.expr, value: ast.expr) -> ast.stmt:
    """An assignment."""
    return ast.Assign([store(target)], value)


def add(left: ast.expr, right: ast.expr, minus: bool = False) -> ast.expr:
    """A sum, computed when both parts are constant."""
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
        return const(left.value - right.value if minus else left.value + right.value)  # type: ignore[operator]
    if isinstance(right, ast.Constant) and right.value == 0:
        return left
    if isinstance(left, ast.Constant) and left.value == 0 and not minus:
        return right
    return ast.BinOp(left, ast.Sub() if minus else ast.Add(), right)


def lists(parts: Sequence[ast.expr]) -> ast.expr:
    """Return one list of the items of several lists.

    The first one is always written as a list, so that a reader of the sum can see that it is none of numbers.
    """
    if not parts:
        return ast.List([], ast.Load())
    found = parts[0]
    if len(parts) > 1 and not _is_list(found):
        found = ast.List([ast.Starred(found, ast.Load())], ast.Load())
    for part in parts[1:]:
        found = ast.BinOp(found, ast.Add(), part)
    return found


def _is_list(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_list(node.body) and _is_list(node.orelse)
    return isinstance(node, ast.List | ast.ListComp)


def times(left: ast.expr, right: ast.expr) -> ast.expr:
    """A product, computed when both parts are constant."""
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
        return const(left.value * right.value)  # type: ignore[operator]
    if isinstance(right, ast.Constant) and right.value == 1:
        return left
    if isinstance(left, ast.Constant) or isinstance(right, ast.Constant):
        return ast.BinOp(left, ast.Mult(), right)
    return call("product", left, right)


OPERATORS: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
    "in": ast.In, "not in": ast.NotIn,
}  # fmt: skip


def compare(left: ast.expr, op: str, right: ast.expr) -> ast.expr:
    """A comparison."""
    return ast.Compare(left, [OPERATORS[op]()], [right])


def delay_value(value: ast.expr) -> ast.expr:
    """A value that is computed on demand."""
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)


def asking(variable: str, value: ast.expr) -> ast.expr:
    """A function of one variable."""
    return ast.Lambda(ast.arguments([], [ast.arg(variable)], None, [], [], None, []), value)


def chain_comparisons(conditions: Sequence[ast.expr], following: Sequence[bool]) -> list[ast.expr]:
    """Join comparisons that share a value in the middle, so that it is computed once.

    Args:
        conditions: Conditions that must all be met.
        following: Of each whether it is a comparison of what stands on the right of the one before.
    """
    found: list[ast.expr] = []
    for condition, follows in zip(conditions, following, strict=True):
        last = found[-1] if found else None
        if follows and isinstance(last, ast.Compare) and isinstance(condition, ast.Compare):
            found[-1] = ast.Compare(last.left, [*last.ops, *condition.ops], [*last.comparators, *condition.comparators])
        else:
            found.append(condition)
    return found


def both(parts: Sequence[ast.expr]) -> ast.expr:
    """All of the conditions; true when there are none."""
    return _join_conditions(ast.And(), parts, True)


def either(parts: Sequence[ast.expr]) -> ast.expr:
    """One of the conditions; false when there are none."""
    return _join_conditions(ast.Or(), parts, False)


def parts_of(condition: ast.expr | None) -> list[ast.expr]:
    """Return what is joined by ``and``; nothing of none."""
    if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And):
        return condition.values
    return [] if condition is None else [condition]


def _join_conditions(op: ast.boolop, parts: Sequence[ast.expr], unchanging: bool) -> ast.expr:
    """Join conditions; what is known and decides nothing is left out, and what stands behind what decides."""
    found: list[ast.expr] = []
    for part in parts:
        if isinstance(part, ast.Constant) and part.value is unchanging:
            continue
        found.append(part)
        if isinstance(part, ast.Constant) and part.value is (not unchanging):
            break
    if not found:
        return const(unchanging)
    return found[0] if len(found) == 1 else ast.BoolOp(op, found)


def negate(of: ast.expr) -> ast.expr:
    """The opposite."""
    return ast.UnaryOp(ast.Not(), of)


def when(test: ast.expr, body: list[ast.stmt], other: list[ast.stmt] | None = None) -> ast.stmt:
    """An if."""
    return ast.If(test, body or [ast.Pass()], other or [])


def loop(target: str, source: ast.expr, body: list[ast.stmt]) -> ast.stmt:
    """A for loop."""
    return ast.For(ast.Name(target, ast.Store()), source, body or [ast.Pass()], [])


def give(value: ast.expr | None = None) -> ast.stmt:
    """A return."""
    return ast.Return(value)


def do(value: ast.expr) -> ast.stmt:
    """An expression as a statement."""
    return ast.Expr(value)


def function(id_: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """A function definition."""
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    return ast.FunctionDef(id_, arguments, body or [ast.Pass()], [])


_ALONE = frozenset(
    "ctx op ops type_comment id attr arg name asname rest kind level module is_async simple conversion n s".split()
)
"""Fields in which only operators, names and numbers stand: nothing that has a place."""
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: ()}
_GAPS = frozenset({ast.Dict, ast.arguments, ast.Global, ast.Nonlocal, ast.MatchClass, ast.MatchSingleton})
"""Nodes with lists in which something else than a node may stand."""


LEAVES = frozenset({ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue})
"""Nodes with nothing inside: the most frequent ones."""


def fields(node: ast.AST) -> tuple[str, ...]:
    """Return the names of the fields in which other nodes may stand, but for operators."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _ALONE)
    return names


def inside(node: ast.AST) -> list[ast.AST]:
    """Return the nodes directly inside one, but for operators; much faster than Python's own ``iter_child_nodes``."""
    found: list[ast.AST] = []
    names = _FIELDS.get(node.__class__)
    for name in fields(node) if names is None else names:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += value
        elif value is not None:
            found.append(value)
    return found if type(node) not in _GAPS else [one for one in found if isinstance(one, ast.AST)]


def place(node: ast.AST, line: int) -> None:
    """Give *node*, and what is inside it and has no line yet, a line of the author's file."""
    at = {"lineno": line, "end_lineno": line, "col_offset": 0, "end_col_offset": 0}
    stack = [node]
    while stack:
        current = stack.pop()
        if current._attributes:
            had = current.__dict__
            if "lineno" in had:
                continue  # placed before, with all that is inside it
            had.update(at)
        if current.__class__ not in LEAVES:
            stack += inside(current)


def complete(node: ast.AST, line: int) -> None:
    """Give each node without a line, wherever it stands, the line of what it stands in."""
    if node._attributes:
        if hasattr(node, "lineno"):
            line = node.lineno
        else:
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    if node.__class__ not in LEAVES:
        for one in inside(node):
            complete(one, line)
