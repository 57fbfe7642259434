"""Translate words of the machine (``intrinsics``), as they stand in ``support`` and in the driver."""

from __future__ import annotations

import ast

from patolli.run.native.heap import DATA
from patolli.run.native.writer import Writer, special

_LOADS = {"load8": "i32.load8_u", "load32": "i64.load32_u", "load64": "i64.load"}
_FLOATS = {"sum64": "f64.add", "difference64": "f64.sub", "product64": "f64.mul", "ratio64": "f64.div"}
_STORES = {"store8": "i32.store8", "store32": "i64.store32", "store64": "i64.store", "store_float": "f32.store"}


def emit_machine_word(w: Writer, node: ast.Call) -> None:
    """Write an instruction of the machine."""
    assert isinstance(node.func, ast.Name)
    name, given = node.func.id, node.args
    if name in _LOADS:
        offset = _emit_address(w, given[0])
        w.body.op(f"{_LOADS[name]} offset={offset}")
        if name == "load8":
            w.body.op("i64.extend_i32_u")
    elif name in _STORES:
        offset = _emit_address(w, given[0])
        w.number(given[1])
        if name == "store8":
            w.body.op("i32.wrap_i64")
        elif name == "store_float":
            w.body.op("f32.convert_i64_s")
        w.body.op(f"{_STORES[name]} offset={offset}", "i64.const 0")
    elif name == "copy":
        for one in given:
            w.number(one)
            w.body.op("i32.wrap_i64")
        w.body.op("memory.copy", "i64.const 0")
    elif name == "grow":
        w.number(given[0])
        w.body.op("i32.wrap_i64", "memory.grow", "i64.extend_i32_s")
    elif name in ("shift_unsigned", "quotient", "less_unsigned"):
        w.number(given[0])
        w.number(given[1])
        w.body.op({"shift_unsigned": "i64.shr_u", "quotient": "i64.div_u", "less_unsigned": "i64.lt_u"}[name])
        if name == "less_unsigned":
            w.body.op("i64.extend_i32_u")
    elif name == "scale_fraction":
        w.number(given[0])
        w.body.op("f64.convert_i64_s", f"f64.const {2.0**-53!r}", "f64.mul")
        w.number(given[1])
        w.body.op("f64.convert_i64_s", "f64.mul", "i64.trunc_f64_s")
    elif name in _FLOATS:
        for one in given:
            w.number(one)
            w.body.op("f64.reinterpret_i64")
        w.body.op(_FLOATS[name], "i64.reinterpret_f64")
    elif name == "root64":
        w.number(given[0])
        w.body.op("f64.reinterpret_i64", "f64.sqrt", "i64.reinterpret_f64")
    elif name == "float64":
        w.number(given[0])
        w.body.op("f64.convert_i64_s", "i64.reinterpret_f64")
    elif name == "fail":
        w.body.op("throw 1", "i64.const 0")
    else:
        for one in given:
            w.number(one)
        w.call(name)


def _emit_address(w: Writer, node: ast.expr) -> int:
    """Give an address; return the constant that is added to it."""
    match node:
        case ast.BinOp(op=ast.Add(), left=left, right=ast.Constant(value=int(offset))) if offset >= 0:
            w.number(left)
            w.body.op("i32.wrap_i64")
            return offset
    w.number(node)
    w.body.op("i32.wrap_i64")
    return 0


@special("call_block")
def _emit_call_block(w: Writer, node: ast.Call) -> None:
    number, state, frame = node.args
    w.value(state)
    w.value(frame)
    w.number(number)
    w.body.op("i32.wrap_i64")
    w.call_indirect(2)


@special("store64")
def _emit_store64(w: Writer, node: ast.Call) -> None:
    w.number(node.args[0])
    w.body.op("i32.wrap_i64")
    w.number(node.args[1])
    w.body.op("i64.store")
    w.none()


@special("put_word")
def _emit_put_word(w: Writer, node: ast.Call) -> None:
    w.number(node.args[0])
    w.body.op("i32.wrap_i64")
    w.value(node.args[1])
    w.body.op("i64.store")
    w.none()


@special("word_at")
def _emit_word_at(w: Writer, node: ast.Call) -> None:
    w.number(node.args[0])
    w.body.op("i32.wrap_i64", "i64.load")


@special("item_there")
def _emit_item_there(w: Writer, node: ast.Call) -> None:
    w.value(node.args[0])
    w.body.op("i32.wrap_i64", f"i32.load offset={DATA}")
    w.number(node.args[1])
    w.body.op("i32.wrap_i64", "i32.const 3", "i32.shl", "i32.add", "i64.load")
