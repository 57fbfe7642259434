"""Translate words of the machine (``intrinsics``), as they stand in ``support`` and in the driver."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from patolli.run.native.heap import DATA, NONE
from patolli.run.native.writer import Writer, special

_FLOATS = "#0, f64.reinterpret_i64, #1, f64.reinterpret_i64, {}, i64.reinterpret_f64"
_WORDS = {
    "load8": "@0, i32.load8_u+, i64.extend_i32_u",
    "load32": "@0, i64.load32_u+",
    "load64": "@0, i64.load+",
    "store8": "@0, #1, i32.wrap_i64, i32.store8+, i64.const 0",
    "store32": "@0, #1, i64.store32+, i64.const 0",
    "store64": "@0, #1, i64.store+, i64.const 0",
    "store_float": "@0, #1, f32.convert_i64_s, f32.store+, i64.const 0",
    "copy": "#0, i32.wrap_i64, #1, i32.wrap_i64, #2, i32.wrap_i64, memory.copy, i64.const 0",
    "grow": "#0, i32.wrap_i64, memory.grow, i64.extend_i32_s",
    "shift_unsigned": "#0, #1, i64.shr_u",
    "quotient": "#0, #1, i64.div_u",
    "less_unsigned": "#0, #1, i64.lt_u, i64.extend_i32_u",
    "scale_fraction": "#0, f64.convert_i64_s, "
    f"f64.const {2.0**-53!r}, f64.mul, #1, f64.convert_i64_s, f64.mul, i64.trunc_f64_s",
    "sum64": _FLOATS.format("f64.add"),
    "difference64": _FLOATS.format("f64.sub"),
    "product64": _FLOATS.format("f64.mul"),
    "ratio64": _FLOATS.format("f64.div"),
    "root64": "#0, f64.reinterpret_i64, f64.sqrt, i64.reinterpret_f64",
    "float64": "#0, f64.convert_i64_s, i64.reinterpret_f64",
    "fail": "throw 1, i64.const 0",
}
"""Instructions by word. ``#0`` gives the first argument as a number, ``$0`` as it is, and ``@0`` as an address; the
constant that is added to the address is the offset of the instruction with a plus sign."""
_IN_RULES = {
    "store64": f"#0, i32.wrap_i64, #1, i64.store, i64.const {NONE}",
    "put_word": f"#0, i32.wrap_i64, $1, i64.store, i64.const {NONE}",
    "word_at": "#0, i32.wrap_i64, i64.load",
    "item_there": f"$0, i32.wrap_i64, i32.load offset={DATA}, #1, i32.wrap_i64, "
    "i32.const 3, i32.shl, i32.add, i64.load",
}
"""The same for words that stand in translated rules."""


def emit_machine_word(w: Writer, node: ast.Call) -> None:
    """Write the instructions of a word, or the call of another function of ``support``."""
    assert isinstance(node.func, ast.Name)
    if node.func.id in _WORDS:
        _emit_instructions(w, _WORDS[node.func.id], node.args)
        return
    for one in node.args:
        w.number(one)
    w.call(node.func.id)


def _emit_instructions(w: Writer, instructions: str, given: Sequence[ast.expr]) -> None:
    offset = 0
    for part in instructions.split(", "):
        match part[0]:
            case "#":
                w.number(given[int(part[1:])])
            case "$":
                w.value(given[int(part[1:])])
            case "@":
                offset = _emit_address(w, given[int(part[1:])])
            case _:
                w.body.op(f"{part[:-1]} offset={offset}" if part.endswith("+") else part)


def _emit_address(w: Writer, node: ast.expr) -> int:
    """Give an address; return the constant that is added to it."""
    offset = 0
    match node:
        case ast.BinOp(op=ast.Add(), left=left, right=ast.Constant(value=int(added))) if added >= 0:
            node, offset = left, added
    w.number(node)
    w.body.op("i32.wrap_i64")
    return offset


for _name in _IN_RULES:
    special(_name)(lambda w, node, name=_name: _emit_instructions(w, _IN_RULES[name], node.args))


@special("call_block")
def _emit_call_block(w: Writer, node: ast.Call) -> None:
    number, state, frame = node.args
    w.value(state)
    w.value(frame)
    w.number(number)
    w.body.op("i32.wrap_i64")
    w.call_indirect(2)
