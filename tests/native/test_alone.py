"""Modules for a page alone: options are tried without a trace, and what the rules measure is what Python measures."""

from __future__ import annotations

import json
import struct
from hashlib import sha256
from random import Random

import pytest

import patolli
from patolli.kernel.chance import stream_key
from patolli.run.native import memory
from patolli.run.native.linker import Linker
from patolli.run.native.program import source_of

wasmtime = pytest.importorskip("wasmtime")


class Alone:
    """A match in such a module, as a page plays it."""

    def __init__(self, rules, seats, seed):
        from patolli.run.native.host import engine

        linker, made = Linker(source_of(rules, seats)), engine()
        module = wasmtime.Module(made, linker.link(alone=True))
        self.store, self.seed, self.streams = wasmtime.Store(made), seed, linker.streams()
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.memory = self.exports["memory"]
        self._write(memory.FLOOR, linker.floor)
        self.unlock()
        self.options = self.exports["begin_match"](self.store, seed)

    def _write(self, at, number):
        self.memory.write(self.store, struct.pack("<Q", number), at)

    def unlock(self):
        for name, text in self.streams.items():
            self._write(memory.KEYS + 8 * text, stream_key(self.seed, name))

    def written(self, name, *given):
        length = self.exports[name](self.store, *given)
        (at,) = struct.unpack("<q", self.memory.read(self.store, memory.HEAP, memory.HEAP + 8))
        return bytes(self.memory.read(self.store, at, at + length))

    def answer(self, index):
        self.options = self.exports["take_option"](self.store, index)


@pytest.mark.parametrize("pack", ["pig", "tic_tac_toe", "checkers", "backgammon"])
def test_options_are_tried_without_a_trace(pack):
    rules = patolli.load(pack)
    alone, match, draw = Alone(rules, 2, 5), rules.start(2, seed=5), Random(1)
    while alone.options > 0 and len(match.choices) < 60:
        before = alone.written("write_state")
        for index in range(min(alone.options, 3)):
            got = json.loads(alone.written("sample_rollouts", index, 4, 4_000))
            assert sum(got) == 4 * 2 * 2, "each pair shares two, and each seat has one with itself"
        alone.unlock()
        assert alone.written("write_state") == before
        index = draw.randrange(alone.options)
        alone.answer(index)
        match.pick(index)
        assert sha256(alone.written("write_state")).hexdigest() == match.digest()
    if match.over:
        assert json.loads(alone.written("write_measures"))[:2] == list(match.scores)


def test_what_wins_at_once_is_tried_with_a_win():
    rules = patolli.load("tic_tac_toe")
    alone, match = Alone(rules, 2, 1), rules.start(2, seed=1)
    for label in ("a1", "b1", "a2", "b2"):
        index = match.decision.labels.index(label)
        alone.answer(index)
        match.pick(index)
    tried = {
        label: json.loads(alone.written("sample_rollouts", index, 50, 4_000))
        for index, label in enumerate(match.decision.labels)
    }

    assert tried["a3"] == [150, 50], "three for each match that is won: two, and one with itself"
    assert max(got[0] for label, got in tried.items() if label != "a3") < 150
