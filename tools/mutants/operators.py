"""What can be changed in a piece of code, by its form: every way in which it says a little less, or something else."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

Changes = Iterator[tuple[str | None, ast.AST]]
"""New nodes, each with words for the whole change where the two nodes would be too much of it."""

OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
CALLED = {
    "min": "max", "max": "min", "any": "all", "all": "any", "meet": "join", "join": "meet",
    "least": "greatest", "greatest": "least",
}  # fmt: skip
"""Functions that have a counterpart."""
ENDS = {"low": "high", "high": "low"}


def changes(node: ast.AST) -> Changes:
    """Yield what a node may become."""
    for kind, ways in WAYS.items():
        if isinstance(node, kind):
            yield from ways(node)


def _constant(value: object) -> ast.Constant:
    return ast.Constant(value)


# ---- statements


def _statement(node: ast.stmt) -> Changes:
    """A statement is left out; one that names a value cannot be, and one that leaves stands in an ``if`` of its own."""
    gone = isinstance(node, ast.Expr | ast.AugAssign)
    if isinstance(node, ast.Assign):
        gone = not any(isinstance(target, ast.Name) for target in node.targets)
    if gone:
        yield None, ast.Pass()


def _loop(node: ast.For | ast.While) -> Changes:
    """A loop ends after its first pass."""
    body = [*node.body, ast.Break()]
    head = f"while {ast.unparse(node.test)}" if isinstance(node, ast.While) else f"for {ast.unparse(node.target)}"
    if isinstance(node, ast.While):
        yield f"only the first pass of '{head}'", ast.While(node.test, body, node.orelse)
    else:
        yield f"only the first pass of '{head}'", ast.For(node.target, node.iter, body, node.orelse)


def _if(node: ast.If | ast.IfExp) -> Changes:
    for value in (True, False):
        words = f"'if {ast.unparse(node.test)}' is {'always' if value else 'never'} met"
        yield words, type(node)(_constant(value), node.body, node.orelse)


def _case(node: ast.match_case) -> Changes:
    words = f"case {ast.unparse(node.pattern)}"
    yield f"no '{words}'", ast.match_case(node.pattern, _constant(False), node.body)
    if node.guard is not None:
        yield f"'{words}' without its 'if'", ast.match_case(node.pattern, None, node.body)


def _patterns(node: ast.MatchOr) -> Changes:
    for at in range(len(node.patterns)):
        rest = node.patterns[:at] + node.patterns[at + 1 :]
        yield None, rest[0] if len(rest) == 1 else ast.MatchOr(rest)


def _comprehension(node: ast.comprehension) -> Changes:
    for at, condition in enumerate(node.ifs):
        rest = node.ifs[:at] + node.ifs[at + 1 :]
        yield (
            f"no 'if {ast.unparse(condition)}' in a comprehension",
            ast.comprehension(node.target, node.iter, rest, node.is_async),
        )


# ---- expressions


def _both(node: ast.BoolOp) -> Changes:
    for at in range(len(node.values)):
        rest = node.values[:at] + node.values[at + 1 :]
        yield None, rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _compare(node: ast.Compare) -> Changes:
    if len(node.ops) == 1:
        yield None, ast.Compare(node.left, [OTHER[type(node.ops[0])]()], node.comparators)


def _computed(node: ast.BinOp) -> Changes:
    match node.op:
        case ast.BitOr():
            yield None, node.left
            yield None, node.right
        case ast.BitAnd():
            yield None, node.left
        case ast.Add():
            yield None, ast.BinOp(node.left, ast.Sub(), node.right)
        case ast.Sub():
            yield None, ast.BinOp(node.left, ast.Add(), node.right)
        case ast.Mult():
            yield None, ast.BinOp(node.left, ast.Add(), node.right)
        case ast.FloorDiv():
            yield None, ast.BinOp(ast.BinOp(node.left, ast.FloorDiv(), node.right), ast.Add(), _constant(1))


def _unary(node: ast.UnaryOp) -> Changes:
    if not isinstance(node.operand, ast.Constant):
        yield None, node.operand


def _value(node: ast.Constant) -> Changes:
    if isinstance(node.value, bool):
        yield None, _constant(not node.value)
    elif isinstance(node.value, int):
        yield None, _constant(node.value + 1)
        yield None, _constant(node.value - 1)


def _items(node: ast.Tuple | ast.List | ast.Set) -> Changes:
    """One of several is missing; not of a tuple that others take apart."""
    if isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and not isinstance(node, ast.Tuple) and node.elts:
        for at in range(len(node.elts)):
            rest = node.elts[:at] + node.elts[at + 1 :]
            if rest or isinstance(node, ast.List):
                yield None, type(node)(rest, ast.Load()) if isinstance(node, ast.List) else ast.Set(rest)


def _called(node: ast.Call) -> Changes:
    match node.func:
        case ast.Name(id=name) if name in CALLED:
            yield None, ast.Call(ast.Name(CALLED[name], ast.Load()), node.args, node.keywords)
        case ast.Attribute(value=of, attr=name) if name in CALLED:
            new = ast.Attribute(of, CALLED[name], ast.Load())
            yield None, ast.Call(new, node.args, node.keywords)


def _attribute(node: ast.Attribute) -> Changes:
    if node.attr in ENDS and isinstance(node.ctx, ast.Load):
        yield None, ast.Attribute(node.value, ENDS[node.attr], ast.Load())


WAYS: dict[type[ast.AST], Callable[..., Changes]] = {
    ast.stmt: _statement, ast.For: _loop, ast.While: _loop, ast.If: _if, ast.IfExp: _if, ast.match_case: _case,
    ast.MatchOr: _patterns,
    ast.comprehension: _comprehension, ast.BoolOp: _both, ast.Compare: _compare, ast.BinOp: _computed,
    ast.UnaryOp: _unary, ast.Constant: _value, ast.List: _items, ast.Set: _items, ast.Call: _called,
    ast.Attribute: _attribute,
}  # fmt: skip
