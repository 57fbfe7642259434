"""Put a program together.

In:     a :class:`Source`: the functions of a program as Python, with what their names stand for.
Out:    the bytes of a module, and where in it the lines of the author begin.
Errors: ``Unsupported``, where something cannot be translated.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from functools import cache

from patolli.run.native import memory, support
from patolli.run.native.function_sources import Source
from patolli.run.native.heap import LIST, NONE, TEXT, TUPLE, Unsupported
from patolli.run.native.kinds import INT
from patolli.run.native.statements import new_writer
from patolli.run.native.translator import Translator
from patolli.run.native.wasm_text import FUNCTION, MEMORY, Body, assemble
from patolli.run.native.writer import Writer

ALONE = (("write_measures", 0), ("sample_rollouts", 3))
"""What a module exports that plays where no Python is, with the numbers of parameters."""
TOGETHER = (("open_batch", 1), ("reset_batch", 1), ("step_batch", 1))
"""What others export: batches."""


class Linker(Translator):
    """Translates everything that matches need, and lays out a module.

    Attributes:
        floor: Where what comes next in memory may lie, when all is linked.
        written: What was written of each function, for a reader.
    """

    floor = 0
    written: dict[int, Body] | None = None

    def link(self, searching: bool = False, alone: bool = False) -> bytes:
        """Return the module of :meth:`write_module`. Raises ImportError: the extra ``native`` is not installed."""
        return assemble(self.write_module(searching, alone))

    def write_module(self, searching: bool = False, alone: bool = False) -> str:
        """Translate everything that can be reached and return the module: one that plays matches, or searches them.

        One that is *alone* also says what a match is worth, and tries options: there is no other code for that.
        """
        if searching:
            self._export_step("run_simulations", 2, 0)
            self.module.exports.append(("memory", MEMORY, 0))
        else:
            self._export_match(self.support("prepare_match"), self.driver("match"))
            for name, parameters in ALONE if alone else TOGETHER:
                self._export_step(name, parameters, self.support("prepare_match"))
        while self.queue:
            self._translate(*self.queue.pop())
        if not searching:
            self._translate(*self.last)  # when all streams are known
        self._finish()
        self.module.bodies = [self.bodies[index] for index in range(len(self.module.functions))]
        return self.module.to_text()

    def _translate(self, index: int, make: Callable[[], Writer]) -> None:
        writer = make()
        self.bodies[index] = writer.body.to_text()
        if self.written is not None:
            self.written[index] = writer.body

    def _export_match(self, begun: int, play: int) -> None:
        """Export what plays matches, each up to so many choices; seeds and keys of their streams are given."""

        def make() -> Writer:
            given = [(name, INT) for name in ("at", "number", "limit")]
            writer = new_writer(self, self._global, given, raw=True)
            body = writer.body
            top = body.open("loop")
            for k, name in enumerate(self.streams()):
                body.op(f"i32.const {memory.KEYS + 8 * self.statics.texts[name]}", "local.get 0", "i32.wrap_i64")
                body.op(f"i64.load offset={8 + 8 * k}", "i64.store")
            for called in (begun, play):
                body.op("local.get 0", "i32.wrap_i64", "i64.load")
                if called == play:
                    writer.tag()
                    body.op("local.get 2")
                    writer.tag()
                body.op(f"call {called}", "drop")
            body.op("local.get 0", f"i64.const {8 + 8 * len(self.streams())}", "i64.add", "local.set 0")
            body.op("local.get 1", "i64.const 1", "i64.sub", "local.tee 1", "i64.const 0", "i64.gt_s")
            body.br_if(top)
            body.close()
            body.op(f"i32.const {memory.FLOOR}", "i64.load")
            return writer

        for name, parameters in (
            ("begin_match", 1),
            ("take_option", 1),
            ("write_state", 0),
            ("write_options", 0),
            ("rolled_out", 3),
        ):
            self._export_step(name, parameters, begun)
        self.last = self._enter(("export", "matches"), 3, make), make
        self.queue.pop()
        self.module.exports += [("memory", MEMORY, 0), ("matches", FUNCTION, self.last[0])]

    def _export_step(self, name: str, parameters: int, begun: int) -> None:
        """Export a function of the driver that takes and gives whole numbers; the first one makes all ready."""
        called = self.driver(name)

        def make() -> Writer:
            writer = new_writer(self, self._global, [(f"#{k}", INT) for k in range(parameters)], raw=True)
            if name in ("begin_match", "rolled_out", "open_batch"):
                writer.body.op("local.get 0", f"call {begun}", "drop")
            for k in range(parameters):
                writer.body.op(f"local.get {k}")
                writer.tag()
            writer.body.op(f"call {called}")
            writer.untag()
            return writer

        self.module.exports.append((name, FUNCTION, self._enter(("export", name), parameters, make)))

    def streams(self) -> dict[str, int]:
        """Return the streams of chance, in the order in which their keys are given, with the numbers of their texts."""
        return {name: self.statics.texts[name] for name in sorted(self.drawn)}

    def _finish(self) -> None:
        """Lay out what is known only now, and write the fixed places."""
        statics = self.statics
        number = len(statics.texts)
        if number > memory.TEXTS:
            raise Unsupported("so many streams of chance")
        draws = statics.lay_out_object(LIST, [-2] * number)
        names = []
        for name in sorted(self.drawn):
            letters = [2 * ord(letter) for letter in json.dumps(name)]
            names.append(statics.lay_out_object(TEXT, [2 * statics.texts[name], *letters]))
        named = statics.lay_out_object(TUPLE, names)
        letters_of = {statics.texts[name]: [2 * letter for letter in name.encode()] for name in self.drawn}
        spelled = statics.lay_out_object(
            TUPLE, [statics.lay_out_object(TUPLE, letters_of[k]) if k in letters_of else NONE for k in range(number)]
        )
        streamed = statics.lay_out_object(TUPLE, [2 * text for text in self.streams().values()])
        end = statics.end + 7 & -8
        self.module.pages = (end >> 16) + 17
        cells = {
            memory.WHOLE: 199, memory.HEAP: end, memory.TOP: self.module.pages << 16, memory.FLOOR: end,
            memory.LIMIT: support.objects.LEAST, memory.DRAWN: draws, memory.NAMED: named,
            memory.STREAMED: streamed, memory.SPELLED: spelled,
        }  # fmt: skip
        self.module.data += [(at, struct.pack("<q", value)) for at, value in cells.items()]
        self.module.data += [
            (memory.SEEDED, _make_generator_state()),
            (memory.SHA, _hashing()),
            (statics.base, bytes(statics.data)),
        ]
        self.floor = end


@cache
def _make_generator_state() -> bytes:
    """Return the numbers of the generator before they are seeded."""
    numbers = [19650218]
    for at in range(1, 624):
        numbers.append(1812433253 * (numbers[-1] ^ numbers[-1] >> 30) + at & 0xFFFFFFFF)
    return struct.pack("<624I", *numbers)


@cache
def _hashing() -> bytes:
    """Return the numbers of SHA-256: of the roots of primes, the first 32 bits behind the point."""
    primes = [n for n in range(2, 312) if all(n % k for k in range(2, n))]
    thirds = [_root(prime << 96, 3) & 0xFFFFFFFF for prime in primes]
    halves = [_root(prime << 64, 2) & 0xFFFFFFFF for prime in primes[:8]]
    return struct.pack("<72I", *thirds, *halves)


def _root(value: int, exponent: int) -> int:
    """Return a root, rounded down."""
    low, high = 0, 1 << 48
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**exponent <= value else (low, middle - 1)
    return low


__all__ = ["Linker", "Source"]
