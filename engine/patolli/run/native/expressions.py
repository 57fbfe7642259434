"""Translate expressions as words or as numbers, whichever is wanted.

``value`` gives a word, ``number`` a whole number; ``put`` gives a number where the kind of the expression is one.
"""

from __future__ import annotations

import ast
from functools import partial

from patolli.run.native.calls import emit_call, emit_call_as_number
from patolli.run.native.comprehensions import emit_comprehension
from patolli.run.native.conditions import emit_truth
from patolli.run.native.expression_kinds import MISSING, infer_kind, read_constant
from patolli.run.native.heap import LARGEST, LIST, SET, TUPLE
from patolli.run.native.items import emit_attribute, emit_closure, emit_item
from patolli.run.native.kinds import INT, Ranged
from patolli.run.native.memory import BUDGET
from patolli.run.native.purity import is_sure
from patolli.run.native.wasm_text import I64
from patolli.run.native.writer import Writer

_ARITHMETIC = {ast.Add: "i64.add", ast.Sub: "i64.sub", ast.Mult: "i64.mul"}
_BITS = {
    ast.BitAnd: "i64.and", ast.BitOr: "i64.or", ast.BitXor: "i64.xor", ast.LShift: "i64.shl", ast.RShift: "i64.shr_s",
}  # fmt: skip
SMALL = 1 << 10
"""Factors up to this leave room enough: numbers that are kept are below 10**15."""


def emit_word(w: Writer, node: ast.expr) -> None:
    """Give an expression as a word."""
    if w.raw:
        w.number(node)
        return
    match node:
        case ast.Constant(value=value):
            w.body.op(f"i64.const {w.linker.word(value)}")
        case ast.Name(id=name):
            w.name(name)
        case ast.Tuple(elts=items) if (known := read_constant(node)) is not MISSING:
            w.body.op(f"i64.const {w.linker.word(known)}")
        case ast.Tuple(elts=items) | ast.List(elts=items):
            _emit_items(w, TUPLE if isinstance(node, ast.Tuple) else LIST, items)
        case ast.Set(elts=items):
            w.items(SET, [])
            made = w.body.local()
            w.body.op(f"local.set {made}")
            for one in items:
                w.body.op(f"local.get {made}")
                w.value(one)
                w.call("add")
                w.body.op("drop")
            w.body.op(f"local.get {made}")
            w.body.release(made)
        case ast.IfExp() if infer_kind(w, node) == INT and is_sure(w, node):
            w.number(node)
            w.tag()
        case ast.IfExp():
            w.choice(node, I64, w.value)
        case ast.NamedExpr(target=ast.Name(id=name)):
            kind = infer_kind(w, node.value)
            w.operand(node.value, kind)
            w.store(name, kind)
            w.name(name)
        case ast.Subscript():
            budget = isinstance(node.value, ast.Name) and node.value.id == "budget"
            if budget and infer_kind(w, node) == INT:
                w.number(node)
                w.tag()
            else:
                emit_item(w, node)
        case ast.ListComp() | ast.GeneratorExp():
            emit_comprehension(w, node, LIST)
        case ast.SetComp():
            emit_comprehension(w, node, LIST)
            w.body.op(f"i64.const {LIST}")
            w.call("distinct")
        case ast.Lambda():
            emit_closure(w, node)
        case ast.Attribute():
            emit_attribute(w, node)
        case ast.Call():
            emit_call(w, node)
        case ast.BoolOp() if infer_kind(w, node) != INT:
            _emit_first(w, node)
        case ast.BinOp(op=ast.Mult(), left=ast.List(elts=[one]), right=right):
            w.value(one)
            w.number(right)
            w.call("repeat_value")
        case ast.BinOp() if infer_kind(w, node) != INT:
            _emit_unknown_sum(w, node)
        case _:
            w.number(node)
            w.tag()


def _emit_items(w: Writer, kind: int, items: list[ast.expr]) -> None:
    if not any(isinstance(one, ast.Starred) for one in items):
        w.items(kind, [partial(w.value, one) for one in items])
        return
    made = w.body.local()
    w.items(LIST, [])
    w.body.op(f"local.set {made}")
    for one in items:
        w.body.op(f"local.get {made}")
        w.value(one.value if isinstance(one, ast.Starred) else one)
        w.call("extend" if isinstance(one, ast.Starred) else "push")
        w.body.op("drop")
    w.body.op(f"local.get {made}", f"i64.const {kind}")
    w.call("whole_of")  # whose items lie behind its head, as those of a frame have to
    w.body.release(made)


def _emit_first(w: Writer, node: ast.BoolOp) -> None:
    """Give the value of an ``and`` or ``or``."""
    kept = w.body.local()
    for position, one in enumerate(node.values):
        w.value(one)
        if position == len(node.values) - 1:
            break
        w.body.op(f"local.tee {kept}")
        emit_truth(w, kept, teed=True)
        w.body.open("if", I64)
        if isinstance(node.op, ast.Or):
            w.body.op(f"local.get {kept}", "else")
    for _ in node.values[1:]:
        if isinstance(node.op, ast.And):
            w.body.op("else", f"local.get {kept}")
        w.body.close()
    w.body.release(kept)


def _emit_unknown_sum(w: Writer, node: ast.BinOp) -> None:
    """Give a sum of what may be lists."""
    left, right = w.body.local(), w.body.local()
    w.value(node.left)
    w.body.op(f"local.set {left}")
    w.value(node.right)
    w.body.op(f"local.set {right}")
    known = isinstance(infer_kind(w, node), tuple)
    if not known:
        w.body.op(f"local.get {left}", "i32.wrap_i64", "i32.const 1", "i32.and")
        w.body.open("if", I64)
    w.body.op(f"local.get {left}", f"local.get {right}", f"i64.const {TUPLE}")
    w.call("both")
    if not known:
        w.body.op("else", f"local.get {left}", f"local.get {right}", "i64.add")
        w.body.close()
    w.body.release(left, right)


def emit_number(w: Writer, node: ast.expr) -> None:
    """Give an expression as a whole number."""
    match node:
        case ast.Constant(value=int(value)):
            w.body.op(f"i64.const {int(value)}")
        case ast.Name(id=name) if name in w.kinds:
            at, kind = w.local(name)
            w.body.op(f"local.get {at}")
            if kind != INT:
                w.untag()
        case ast.Name(id=name):
            known = w.names(name)
            if isinstance(known, int):
                w.body.op(f"i64.const {known}")
            else:
                w.name(name)
                w.untag()
        case ast.BinOp():
            _emit_arithmetic(w, node)
        case ast.UnaryOp(op=ast.USub()):
            w.body.op("i64.const 0")
            w.number(node.operand)
            w.body.op("i64.sub")
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            w.condition(node)
            w.body.op("i64.extend_i32_u")
        case ast.BoolOp() if w.raw or all(_is_test(one) for one in node.values):
            w.condition(node)
            w.body.op("i64.extend_i32_u")
        case ast.IfExp() if is_sure(w, node):
            w.number(node.body)
            w.number(node.orelse)
            w.condition(node.test)
            w.body.op("select")
        case ast.IfExp():
            w.choice(node, I64, w.number)
        case ast.NamedExpr(target=ast.Name(id=name)):
            w.number(node.value)
            at, kind = w.local(name)
            if kind == INT:
                w.body.op(f"local.tee {at}")
            else:
                w.tag()
                w.body.op(f"local.tee {at}")
                w.untag()
        case ast.Subscript(value=ast.Name(id="budget"), slice=ast.Constant(value=int(position))):
            w.body.op(f"i32.const {BUDGET + 8 * position}", "i64.load")
        case ast.Call() if emit_call_as_number(w, node):
            pass
        case ast.BoolOp():
            _emit_first(w, node)
            w.untag()
        case _:
            if w.raw:
                raise w.fail(node, "no number")
            w.value(node)
            w.untag()


def _is_test(node: ast.expr) -> bool:
    """Return whether an expression is 0 or 1."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
            return True
        case ast.BoolOp(values=values):
            return all(map(_is_test, values))
        case ast.IfExp():
            return _is_test(node.body) and _is_test(node.orelse)
        case ast.Call(func=ast.Name(id="any" | "all" | "bool")):
            return True
    return False


def _emit_arithmetic(w: Writer, node: ast.BinOp) -> None:
    kind = type(node.op)
    if kind in _BITS and not w.raw:
        raise w.fail(node, "sets of bits")
    w.number(node.left)
    w.number(node.right)
    if kind is ast.Mult and not w.raw and not _fits(w, node.left, node.right):
        w.call("times")
    elif kind in _ARITHMETIC:
        w.body.op(_ARITHMETIC[kind])
    elif kind in _BITS:
        w.body.op(_BITS[kind])
    elif kind in (ast.FloorDiv, ast.Mod):
        if w.raw:
            w.body.op("i64.div_s" if kind is ast.FloorDiv else "i64.rem_s")
        else:
            w.call("divide_floor" if kind is ast.FloorDiv else "remainder")
    else:
        raise w.fail(node, "no operation for numbers")


def _fits(w: Writer, left: ast.expr, right: ast.expr) -> bool:
    """Return whether a product is small enough whatever the numbers are."""
    if _small(left) or _small(right):
        return True
    one, other = infer_kind(w, left), infer_kind(w, right)
    if not isinstance(one, Ranged) or not isinstance(other, Ranged):
        return False
    return max(abs(one.low), abs(one.high)) * max(abs(other.low), abs(other.high)) < LARGEST


def _small(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and abs(node.value) <= SMALL
