"""Return which expressions are pure and cheap, and write conditions made of them without a jump."""

from __future__ import annotations

import ast

from patolli.run.native.expression_kinds import infer_kind
from patolli.run.native.kinds import INT, STATE, Ranged
from patolli.run.native.writer import Writer

DEEP = 4
"""How deep an expression may be that is computed although it may not be needed."""


def looks_at_state(w: Writer, node: ast.expr) -> bool:
    """Return whether an expression is a sure comparison of what lies in the state: a jump would be guessed wrong."""
    match node:
        case ast.Compare(left=ast.Subscript(value=ast.Name(id=name))) if w.kinds.get(name) == STATE:
            return is_sure(w, node)
    return False


def is_sure(w: Writer, node: ast.expr, depth: int = 0) -> bool:
    """Return whether an expression cannot fail, changes nothing, and is little work."""
    if depth > DEEP:
        return False
    match node:
        case ast.Constant() | ast.Name():
            return not isinstance(node, ast.Name) or node.id in w.kinds
        case ast.BoolOp(values=parts):
            return all(is_sure(w, one, depth + 1) and infer_kind(w, one) == INT for one in parts)
        case ast.IfExp(test=test, body=body, orelse=other):
            return all(is_sure(w, one, depth + 1) and infer_kind(w, one) == INT for one in (test, body, other))
        case ast.UnaryOp(operand=one):
            return is_sure(w, one, depth + 1) and infer_kind(w, one) == INT
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            return is_sure(w, left, depth + 1) and is_sure(w, right, depth + 1)
        case ast.Compare(
            left=left, ops=[ast.Eq() | ast.NotEq() | ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[right]
        ):
            return (
                INT in (infer_kind(w, left), infer_kind(w, right))
                and is_sure(w, left, depth + 1)
                and is_sure(w, right, depth + 1)
            )
        case ast.Subscript(value=ast.Name(id=name), slice=index) if not isinstance(index, ast.Slice):
            known = infer_kind(w, index)
            if not isinstance(known, Ranged) or known.low < 0 or not is_sure(w, index, depth + 1):
                return False
            if infer_kind(w, node.value) == STATE:
                return bool(known.high < w.linker.slots.size)
            return name not in w.kinds and isinstance(w.names(name), tuple) and known.high < len(w.names(name))
    return False


def emit_flat(w: Writer, node: ast.expr) -> None:
    """Give whether a sure condition holds, without a jump."""
    match node:
        case ast.BoolOp(op=op, values=values):
            for position, one in enumerate(values):
                emit_flat(w, one)
                if position:
                    w.body.op("i32.and" if isinstance(op, ast.And) else "i32.or")
        case ast.UnaryOp(op=ast.Not()):
            emit_flat(w, node.operand)
            w.body.op("i32.eqz")
        case _:
            w.condition(node)


def emit_all(w: Writer, tests: list[ast.expr]) -> None:
    """Give whether all of some sure conditions hold, without a jump."""
    for position, test in enumerate(tests):
        emit_flat(w, test)
        if position:
            w.body.op("i32.and")
