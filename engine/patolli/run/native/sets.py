"""Translate what keeps sets of bits behind the state, and goes through them; see ``compiler.bitsets``.

A set of up to 60 instances is one number, a bit for each. Of more, each number has 32, and two are looked at together.
"""

from __future__ import annotations

import ast

from patolli.run.compiler.bitsets import PART, WHOLE, width_of
from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import ITEMS
from patolli.run.native.parts import Work
from patolli.run.native.wasm_encoder import I32


class Sets(Kinds):
    """Translates what keeps sets of bits, and goes through them."""

    def through_set(self, target: ast.expr, source: ast.Call, work: Work, leads: tuple[int, int]) -> None:
        """Go through the numbers of a set, from the lowest one on."""
        state, slot, size = source.args
        count = self.constant(size)
        at = self.body.local(I32)
        self._slot(state, slot)
        self.body.set(at)
        for first in range(0, count, 2 * PART if count > WHOLE else WHOLE):
            self._members(target, at, count, first, work, leads)
        self.body.release(at)

    def _members(self, target: ast.expr, at: int, count: int, first: int, work: Work, leads: tuple[int, int]) -> None:
        """Go through the numbers of a set that stand together in one word of the machine."""
        left = self.body.local()
        self.body.get(at)
        self.body.memory("i64.load", ITEMS + first // PART * 8)
        self.body.i64(1)
        self.body.op("i64.shr_u")
        if count > WHOLE:
            self.body.get(at)
            self.body.memory("i64.load", ITEMS + (first // PART + 1) * 8)
            self.body.i64(PART - 1)
            self.body.op("i64.shl", "i64.or")
        self.body.set(left)
        done = self.body.open("block")
        top = self.body.open("loop")
        self.body.get(left)
        self.body.op("i64.eqz")
        self.body.br_if(done)
        self.body.get(left)
        self.body.op("i64.ctz")
        if first:
            self.body.i64(first)
            self.body.op("i64.add")
        self._bind_number(target)
        self.body.get(left)
        self.body.get(left)
        self.body.i64(1)
        self.body.op("i64.sub", "i64.and")
        self.body.set(left)
        self._inside(work, leads[0])
        self.body.br(top)
        self.body.close()
        self.body.close()
        self.body.release(left)

    def _slot(self, state: ast.expr, slot: ast.expr) -> None:
        """Give how far before a slot its items would begin."""
        self.value(state)
        self.body.op("i32.wrap_i64")
        self.number(slot)
        self.body.op("i32.wrap_i64")
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")

    def _do_kept_up(self, node: ast.Call) -> None:
        """Move an instance from the set of the value that it has to that of the value that it gets."""
        state, first, at, size, number, value = node.args
        count, base, sets = self.constant(size), self.constant(first), self.constant(at)
        width = width_of(count)
        which, bit = self.body.local(I32), self.body.local()
        old, new = self.body.local(I32), self.body.local(I32)
        self._bit(number, count, bit, which)
        self.value(state)
        self.body.op("i32.wrap_i64")
        self.number(number)
        self.body.op("i32.wrap_i64")
        self.body.i32(3)
        self.body.op("i32.shl", "i32.add")
        self.body.memory("i64.load", ITEMS + 8 * base)
        self.untag()
        for where in (old, new):
            if where == new:
                self.number(value)
            self.body.op("i32.wrap_i64")
            self.body.i32(8 * width)
            self.body.op("i32.mul")
            self.body.get(which)
            self.body.op("i32.add")
            self.value(state)
            self.body.op("i32.wrap_i64", "i32.add")
            self.body.set(where)
        offset = ITEMS + 8 * (sets + width)
        self.body.get(old)
        self.body.get(old)
        self.body.memory("i64.load", offset)
        self.body.get(bit)
        self.body.i64(-1)
        self.body.op("i64.xor", "i64.and")
        self.body.memory("i64.store", offset)
        self.body.get(new)
        self.body.get(new)
        self.body.memory("i64.load", offset)
        self.body.get(bit)
        self.body.op("i64.or")
        self.body.memory("i64.store", offset)
        self.body.release(which, bit, old, new)
        self.none()

    def _do_kept_if(self, node: ast.Call) -> None:
        """Put an instance into a set where something holds, and else take it out."""
        state, slot, size, number, test = node.args
        which, bit, at = self.body.local(I32), self.body.local(), self.body.local(I32)
        self._bit(number, self.constant(size), bit, which)
        self._slot(state, slot)
        self.body.get(which)
        self.body.op("i32.add")
        self.body.set(at)
        self.body.get(at)
        self.body.get(at)
        self.body.memory("i64.load", ITEMS)
        self.body.get(bit)
        self.body.i64(-1)
        self.body.op("i64.xor", "i64.and")
        self.body.get(bit)
        self.body.i64(0)
        self.condition(test)
        self.body.op("select", "i64.or")
        self.body.memory("i64.store", ITEMS)
        self.body.release(which, bit, at)
        self.none()

    def _bit(self, number: ast.expr, count: int, bit: int, which: int) -> None:
        """Work out the bit of an instance as it stands in a word, and how many bytes behind the first its part is."""
        self.body.i64(2)
        self.number(number)
        if count > WHOLE:
            self.body.i64(PART - 1)
            self.body.op("i64.and")
        self.body.op("i64.shl")
        self.body.set(bit)
        if count > WHOLE:
            self.number(number)
            self.body.i64(5)
            self.body.op("i64.shr_u")
            self.body.i64(3)
            self.body.op("i64.shl", "i32.wrap_i64")
        else:
            self.body.i32(0)
        self.body.set(which)

    def _do_sets_emptied(self, node: ast.Call) -> None:
        state, slot, size = node.args
        first = self.constant(slot)
        for at in range(first, first + self.constant(size)):
            self.value(state)
            self.body.op("i32.wrap_i64")
            self.body.i64(0)
            self.body.memory("i64.store", ITEMS + 8 * at)
        self.none()
