"""Translate conditions, which give 0 or 1 in 32 bits.

Where a comparison is *sure*, it is computed although another one may decide: a jump would be guessed wrong too often.
"""

from __future__ import annotations

import ast

from patolli.run.native.builtins import emit_class_test
from patolli.run.native.calls import emit_call_as_condition
from patolli.run.native.expression_kinds import infer_kind
from patolli.run.native.kinds import INT, Kind
from patolli.run.native.purity import emit_flat, looks_at_state
from patolli.run.native.wasm_text import I32
from patolli.run.native.writer import Local, Writer

_ORDER = {ast.Lt: "i64.lt_s", ast.LtE: "i64.le_s", ast.Gt: "i64.gt_s", ast.GtE: "i64.ge_s"}
FLAT = 4
"""Of how many comparisons, at most, all are computed where the first may decide."""


def emit_condition(w: Writer, node: ast.expr) -> None:
    """Give whether an expression holds."""
    match node:
        case ast.Constant(value=value):
            w.body.op(f"i32.const {1 if value else 0}")
        case ast.UnaryOp(op=ast.Not()):
            w.condition(node.operand)
            w.body.op("i32.eqz")
        case ast.BoolOp(values=values) if (
            len(values) <= FLAT and not w.raw and all(looks_at_state(w, one) for one in values)
        ):
            emit_flat(w, node)
        case ast.BoolOp(values=values):
            for one in values[:-1]:
                w.condition(one)
                w.body.open("if", I32)
                if isinstance(node.op, ast.Or):
                    w.body.op("i32.const 1", "else")
            w.condition(values[-1])
            for _ in values[:-1]:
                if isinstance(node.op, ast.And):
                    w.body.op("else", "i32.const 0")
                w.body.close()
        case ast.Compare():
            _emit_comparisons(w, node)
        case ast.IfExp():
            w.choice(node, I32, w.condition)
        case ast.Call() if emit_call_as_condition(w, node):
            pass
        case _:
            kind = infer_kind(w, node)
            if kind == INT:
                w.number(node)
                w.body.op("i64.const 0", "i64.ne")
            elif isinstance(kind, tuple):
                w.value(node)
                w.length()
                w.body.op("i32.wrap_i64", "i32.const 0", "i32.ne")
            else:
                kept = w.body.local()
                w.value(node)
                w.body.op(f"local.tee {kept}")
                emit_truth(w, kept, teed=True)
                w.body.release(kept)


def emit_truth(w: Writer, kept: int, teed: bool = False) -> None:
    """Make a word whether it counts as true."""
    if not teed:
        w.body.op(f"local.get {kept}")
    w.body.op("i32.wrap_i64", "i32.const 1", "i32.and")
    w.body.open("if", I32)
    w.body.op(f"local.get {kept}")
    w.call("truth")
    w.body.op("i32.wrap_i64", "else", f"local.get {kept}", "i64.const 0", "i64.ne")
    w.body.close()


def _emit_comparisons(w: Writer, node: ast.Compare) -> None:
    left: ast.expr | Local = node.left
    held: list[int] = []
    for position, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        last = position == len(node.ops) - 1
        if last:
            _emit_comparison(w, left, op, right)
            break
        kind = infer_kind(w, right)
        at = w.body.local()
        held.append(at)
        if position == 0:
            first_kind = infer_kind(w, node.left)
            first = w.body.local()
            held.append(first)
            w.operand(node.left, first_kind)
            w.body.op(f"local.set {first}")
            left = (first, first_kind)
        w.operand(right, kind)
        w.body.op(f"local.set {at}")
        _emit_comparison(w, left, op, (at, kind))
        w.body.open("if", I32)
        left = (at, kind)
    for _ in node.ops[1:]:
        w.body.op("else", "i32.const 0")
        w.body.close()
    w.body.release(*held)


def _read_kind(w: Writer, of: ast.expr | Local) -> Kind:
    return of[1] if isinstance(of, tuple) else infer_kind(w, of)


def _emit_as_number(w: Writer, of: ast.expr | Local) -> None:
    if isinstance(of, tuple):
        w.body.op(f"local.get {of[0]}")
        if of[1] != INT:
            w.untag()
    else:
        w.number(of)


def _emit_as_word(w: Writer, of: ast.expr | Local) -> None:
    if isinstance(of, tuple):
        w.body.op(f"local.get {of[0]}")
        if of[1] == INT and not w.raw:
            w.tag()
    else:
        w.value(of)


def _emit_comparison(w: Writer, left: ast.expr | Local, op: ast.cmpop, right: ast.expr | Local) -> None:
    """Give whether one comparison holds."""
    if isinstance(op, ast.In | ast.NotIn):
        _emit_membership(w, left, right)
        if isinstance(op, ast.NotIn):
            w.body.op("i32.eqz")
        return
    if isinstance(op, ast.Is | ast.IsNot):
        _emit_identity(w, left, right)
        if isinstance(op, ast.IsNot):
            w.body.op("i32.eqz")
        return
    one, other = _read_kind(w, left), _read_kind(w, right)
    if isinstance(op, ast.Eq | ast.NotEq):
        _emit_equality(w, left, right, one, other)
        if isinstance(op, ast.NotEq):
            w.body.op("i32.eqz")
        return
    if one == INT or other == INT or not w.careful:
        _emit_as_number(w, left)
        _emit_as_number(w, right)
        w.body.op(_ORDER[type(op)])
        return
    swapped = isinstance(op, ast.Gt | ast.LtE)
    first = w.body.local()
    _emit_as_word(w, left)
    w.body.op(f"local.set {first}")
    _emit_as_word(w, right)
    if swapped:
        w.body.op(f"local.get {first}")
    else:
        second = w.body.local()
        w.body.op(f"local.set {second}", f"local.get {first}", f"local.get {second}")
        w.body.release(second)
    w.call("less")
    w.body.op("i32.wrap_i64")
    if isinstance(op, ast.GtE | ast.LtE):
        w.body.op("i32.eqz")
    w.body.release(first)


def _emit_identity(w: Writer, left: ast.expr | Local, right: ast.expr | Local) -> None:
    match left, right:
        case ast.Attribute(value=of, attr="__class__"), ast.Name(id="list" | "tuple" | "dict" as name):
            emit_class_test(w, of, (name,))
        case _:
            _emit_as_word(w, left)
            _emit_as_word(w, right)
            w.body.op("i64.eq")


def _emit_equality(w: Writer, left: ast.expr | Local, right: ast.expr | Local, one: Kind, other: Kind) -> None:
    if one == INT and other == INT:
        _emit_as_number(w, left)
        _emit_as_number(w, right)
        w.body.op("i64.eq")
        return
    if one == INT or other == INT or _is_single(left) or _is_single(right):
        _emit_as_word(w, left)
        _emit_as_word(w, right)
        w.body.op("i64.eq")
        return
    first, second = w.body.local(), w.body.local()
    _emit_as_word(w, left)
    w.body.op(f"local.set {first}")
    _emit_as_word(w, right)
    w.body.op(f"local.set {second}", f"local.get {first}", f"local.get {second}", "i64.eq")
    w.body.open("if", I32)
    w.body.op("i32.const 1", "else", f"local.get {first}", f"local.get {second}", "i64.and", "i32.wrap_i64")
    w.body.op("i32.const 1", "i32.and")
    w.body.open("if", I32)
    w.body.op(f"local.get {first}", f"local.get {second}")
    w.call("equal")
    w.body.op("i32.wrap_i64", "else", "i32.const 0")
    w.body.close()
    w.body.close()
    w.body.release(first, second)


def _is_single(of: ast.expr | Local) -> bool:
    """Return whether there is only one word for what is equal."""
    return isinstance(of, ast.Constant)


def _emit_membership(w: Writer, left: ast.expr | Local, right: ast.expr | Local) -> None:
    if isinstance(right, ast.Tuple | ast.List | ast.Set) and len(right.elts) <= 12:
        kind = _read_kind(w, left)
        at = w.body.local()
        if isinstance(left, tuple):
            w.body.op(f"local.get {left[0]}")
        else:
            w.operand(left, kind)
        w.body.op(f"local.set {at}")
        if not right.elts:
            w.body.op("i32.const 0")
        for one in right.elts[:-1]:
            _emit_equality(w, (at, kind), one, kind, infer_kind(w, one))
            w.body.open("if", I32)
            w.body.op("i32.const 1", "else")
        if right.elts:
            _emit_equality(w, (at, kind), right.elts[-1], kind, infer_kind(w, right.elts[-1]))
        for _ in right.elts[:-1]:
            w.body.close()
        w.body.release(at)
        return
    item = w.body.local()
    _emit_as_word(w, left)
    w.body.op(f"local.set {item}")
    _emit_as_word(w, right)
    w.body.op(f"local.get {item}")
    w.call("contains")
    w.body.op("i32.wrap_i64")
    w.body.release(item)
