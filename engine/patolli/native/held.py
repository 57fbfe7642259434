"""Translate what notes the slots that are written, and what reads tallies; see ``driver.holding``."""

from __future__ import annotations

import ast

from patolli.native import memory
from patolli.native.encoding import I32
from patolli.native.holding import NOTES
from patolli.native.kinding import Kinds
from patolli.native.kinds import Ranged


class Held(Kinds):
    """Translates what notes the slots that are written, and what reads tallies."""

    def _do_note(self, node: ast.Call) -> None:
        self._note(node.args[0])
        self.none()

    def _do_notes(self, node: ast.Call) -> None:
        self.each(node.args[0], self._note)
        self.none()

    def _note(self, slot: ast.expr) -> None:
        noted, number = self.body.local(I32), self.body.local()
        self.number(slot)
        self.body.set(number)
        self.body.i32(memory.NOTED)
        self.body.memory("i32.load")
        self.body.tee(noted)
        self.body.i32(8 * NOTES - 1)
        self.body.op("i32.and")
        self.body.get(number)
        self.body.memory("i64.store", self.linker.tables["NOTES"])
        self.body.i32(memory.NOTED)
        self.body.get(noted)
        self.body.i32(8)
        self.body.op("i32.add")
        self.body.memory("i32.store")
        self.body.release(noted, number)

    def tallied(self, entry: ast.expr) -> None:
        """Give an entry of a tally as a number."""
        entries: range = self.linker.tables["COUNTS"]
        known = self.kind(entry)
        at = self.body.local()
        self.number(entry)
        self.body.set(at)
        if not (isinstance(known, Ranged) and known.low >= entries.start and known.high < entries.stop):
            self.body.get(at)
            self.body.i64(entries.start)
            self.body.op("i64.sub")
            self.body.i64(len(entries))
            self.body.op("i64.ge_u")
            self.body.open("if")
            self.give_up()
            self.body.close()
        self.body.get(at)
        self.body.i64(entries.start)
        self.body.op("i64.sub")
        self.body.i64(3)
        self.body.op("i64.shl", "i32.wrap_i64")
        self.body.memory("i64.load", self.linker.tables["TALLIES"] + 8 * entries.start)
        self.body.release(at)
