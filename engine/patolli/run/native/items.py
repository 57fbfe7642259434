"""Translate looking up items and parts of lists."""

from __future__ import annotations

import ast

from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import DATA, ITEMS, LEN, LIST
from patolli.run.native.kinds import FIXED, FRAME, MATCH, STATE, Ranged
from patolli.run.native.wasm_encoder import I32


class Items(Kinds):
    """Translates looking up items and parts of lists."""

    def item(self, node: ast.Subscript) -> None:
        """Give an item, or a part, of a list as a word."""
        of = self.kind(node.value)
        if isinstance(node.slice, ast.Slice):
            self.slice(node, LIST)
            return
        fixed = self.constant(node.slice)
        if of in FIXED and isinstance(fixed, int) and fixed >= 0:
            self.value(node.value)
            self.body.op("i32.wrap_i64")
            self.body.memory("i64.load", ITEMS + 8 * fixed)
            return
        if of in (FRAME, MATCH):
            self.value(node.value)
            self.number(node.slice)
            self.body.i64(3)
            self.body.op("i64.shl", "i64.add", "i32.wrap_i64")
            self.body.memory("i64.load", ITEMS)
            return
        if of == STATE:
            self._at(node.slice, len_constant=self.linker.slots.size)
            where = self.body.local(I32)
            self.body.set(where)
            self.value(node.value)
            self.body.op("i32.wrap_i64")
            self.body.get(where)
            self.body.op("i32.add")
            self.body.memory("i64.load", ITEMS)
            self.body.release(where)
            return
        if isinstance(node.value, ast.Name) and node.value.id not in self.kinds:
            table = self.names(node.value.id)
            if isinstance(table, tuple | range) and len(table) <= 100_000:
                self._at(node.slice, len_constant=len(table))
                self.body.memory("i64.load", self.linker.word(table) - 1 + 16)
                return
        if isinstance(of, tuple) and of[0] == "tuple":
            held, at = self.body.local(), self.body.local()
            self.value(node.value)
            self.body.set(held)
            self.number(node.slice)
            self.body.tee(at)
            self.body.get(held)
            self.length()
            self.body.op("i64.ge_u")
            self.body.open("if")
            self.give_up()
            self.body.close()
            self.body.get(at)
            self.body.i64(3)
            self.body.op("i64.shl")
            self.body.get(held)
            self.body.op("i64.add", "i32.wrap_i64")
            self.body.memory("i64.load", ITEMS)
            self.body.release(held, at)
            return
        if self.constant(node.slice) == -1:
            self._last(node.value)
            return
        self.value(node.value)
        self.number(node.slice)
        self.call("item")

    def _last(self, node: ast.expr) -> None:
        """Give the last item of a list."""
        held = self.body.local(I32)
        self.value(node)
        self.body.op("i32.wrap_i64")
        self.body.tee(held)
        self.body.memory("i32.load", LEN)
        self.body.op("i32.eqz")
        self.body.open("if")
        self.give_up()
        self.body.close()
        self.body.get(held)
        self.body.memory("i32.load", DATA)
        self.body.get(held)
        self.body.memory("i32.load", LEN)
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")
        self.body.i32(8)
        self.body.op("i32.sub")
        self.body.memory("i64.load")
        self.body.release(held)

    def _at(self, index: ast.expr, len_constant: int) -> None:
        """Give how far from the first item, in bytes, an index lies that has to be below a number."""
        if isinstance(index, ast.Constant) and isinstance(index.value, int) and 0 <= index.value < len_constant:
            self.body.i32(index.value * 8)
            return
        known = self.kind(index)
        if isinstance(known, Ranged) and known.low >= 0 and known.high < len_constant:
            self.number(index)
            self.body.op("i32.wrap_i64")
            self.body.i32(3)
            self.body.op("i32.shl")
            return
        at = self.body.local()
        self.number(index)
        self.body.tee(at)
        self.body.i64(len_constant)
        self.body.op("i64.ge_u")
        self.body.open("if")
        self.give_up()
        self.body.close()
        self.body.get(at)
        self.body.op("i32.wrap_i64")
        self.body.i32(3)
        self.body.op("i32.shl")
        self.body.release(at)

    def slice(self, node: ast.Subscript, kind: int) -> None:
        """Give a part of a list as a list of its own."""
        cut = node.slice
        assert isinstance(cut, ast.Slice)
        self.value(node.value)
        if cut.step is not None:
            if cut.lower is not None or cut.upper is not None or self.constant(cut.step) != -1:
                raise self.fail(node, "a step")
            self.body.i64(kind)
            self.call("backwards")
            return
        if cut.lower is None:
            self.body.i64(0)
        else:
            self.number(cut.lower)
        if cut.upper is None:
            self.body.i64(1 << 31)
        else:
            self.number(cut.upper)
        self.body.i64(kind)
        self.call("part")

    def attribute(self, node: ast.Attribute) -> None:
        """Give a field of a row of a table."""
        if node.attr == "__getitem__":
            name = f"#{id(node)}"
            item = ast.Subscript(node.value, ast.Name(name, ast.Load()), ast.Load())
            given = ast.arguments([], [ast.arg(name)], None, [], [], None, [])
            self.closure(ast.Lambda(given, item))
            return
        if isinstance(node.value, ast.Name) and node.value.id not in self.kinds:
            known = getattr(self.names(node.value.id), node.attr)
            self.body.i64(self.linker.word(known))
            return
        position = self.linker.fields.get(node.attr)
        if position is None:
            raise self.fail(node, "a field")
        self.value(node.value)
        self.body.i64(position)
        self.call("item")
