"""Translate words of the machine (``intrinsics``), as they stand in ``support`` and in the driver."""

from __future__ import annotations

import ast
import struct

from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import DATA

_LOADS = {"load8": "i32.load8_u", "load32": "i64.load32_u", "load64": "i64.load"}
_FLOATS = {"sum64": "f64.add", "difference64": "f64.sub", "product64": "f64.mul", "ratio64": "f64.div"}
_STORES = {"store8": "i32.store8", "store32": "i64.store32", "store64": "i64.store"}


class Words(Kinds):
    """Translates words of the machine (``intrinsics``), as they stand in ``support`` and in the driver."""

    def _raw_call(self, node: ast.Call) -> None:
        assert isinstance(node.func, ast.Name)
        name, given = node.func.id, node.args
        if name in _LOADS:
            offset = self._address(given[0])
            self.body.memory(_LOADS[name], offset)
            if name == "load8":
                self.body.op("i64.extend_i32_u")
        elif name in _STORES:
            offset = self._address(given[0])
            self.number(given[1])
            if name == "store8":
                self.body.op("i32.wrap_i64")
            self.body.memory(_STORES[name], offset)
            self.body.i64(0)
        elif name == "copy":
            for one in given:
                self.number(one)
                self.body.op("i32.wrap_i64")
            self.body.out += b"\xfc\x0a\x00\x00"
            self.body.i64(0)
        elif name == "grow":
            self.number(given[0])
            self.body.op("i32.wrap_i64")
            self.body.out += b"\x40\x00"
            self.body.op("i64.extend_i32_s")
        elif name in ("shift_unsigned", "quotient", "less_unsigned"):
            self.number(given[0])
            self.number(given[1])
            self.body.op({"shift_unsigned": "i64.shr_u", "quotient": "i64.div_u", "less_unsigned": "i64.lt_u"}[name])
            if name == "less_unsigned":
                self.body.op("i64.extend_i32_u")
        elif name == "scale_fraction":
            self.number(given[0])
            self.body.op("f64.convert_i64_s")
            self.body.out += b"\x44" + struct.pack("<d", 2.0**-53)
            self.body.op("f64.mul")
            self.number(given[1])
            self.body.op("f64.convert_i64_s", "f64.mul", "i64.trunc_f64_s")
        elif name in _FLOATS:
            for one in given:
                self.number(one)
                self.body.op("f64.reinterpret_i64")
            self.body.op(_FLOATS[name], "i64.reinterpret_f64")
        elif name == "root64":
            self.number(given[0])
            self.body.op("f64.reinterpret_i64", "f64.sqrt", "i64.reinterpret_f64")
        elif name == "float64":
            self.number(given[0])
            self.body.op("f64.convert_i64_s", "i64.reinterpret_f64")
        elif name == "fail":
            self.body.to("throw", 1)
            self.body.i64(0)
        else:
            for one in given:
                self.number(one)
            self.call(name)

    def _address(self, node: ast.expr) -> int:
        """Give an address; return the constant that is added to it."""
        match node:
            case ast.BinOp(op=ast.Add(), left=left, right=ast.Constant(value=int(offset))) if offset >= 0:
                self.number(left)
                self.body.op("i32.wrap_i64")
                return offset
        self.number(node)
        self.body.op("i32.wrap_i64")
        return 0

    def _do_call_block(self, node: ast.Call) -> None:
        number, state, frame = node.args
        self.value(state)
        self.value(frame)
        self.number(number)
        self.body.op("i32.wrap_i64")
        self._indirect(2)

    def _do_store64(self, node: ast.Call) -> None:
        self.number(node.args[0])
        self.body.op("i32.wrap_i64")
        self.number(node.args[1])
        self.body.memory("i64.store")
        self.none()

    def _do_put_word(self, node: ast.Call) -> None:
        self.number(node.args[0])
        self.body.op("i32.wrap_i64")
        self.value(node.args[1])
        self.body.memory("i64.store")
        self.none()

    def _do_word_at(self, node: ast.Call) -> None:
        self.number(node.args[0])
        self.body.op("i32.wrap_i64")
        self.body.memory("i64.load")

    def _do_item_there(self, node: ast.Call) -> None:
        self.value(node.args[0])
        self.body.op("i32.wrap_i64")
        self.body.memory("i32.load", DATA)
        self.number(node.args[1])
        self.body.op("i32.wrap_i64")
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")
        self.body.memory("i64.load")
