"""Run a module: hand matches over, and read what came of them."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from patolli.kernel.budget import meter
from patolli.kernel.chance import stream_key
from patolli.run.native import memory
from patolli.run.native.heap import NoRoom

MOST = 256
"""Matches that are handed over together at most."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a match.

    Attributes:
        status: 1 when it is over, 0 when it was left after the limit, 2 when it has to be played in Python.
        choices: How many choices were made.
        measures: What scores, tie-breaks and conditions of the result are, one after another for each seat.
        state: The state at the end as JSON, as a digest reads it.
    """

    status: int
    choices: int
    measures: Sequence[int]
    state: bytes


def instance(engine: Any, module: Any) -> tuple[Any, Any]:
    """Return a store with an instance of a module, and its exports. Raises NoRoom: its memory cannot be reserved."""
    import wasmtime

    store = wasmtime.Store(engine)
    try:
        return store, wasmtime.Instance(store, module, []).exports(store)
    except wasmtime.WasmtimeError as error:
        raise no_room(error) from None


def no_room(error: Exception) -> NoRoom:
    """Say that the engine gets no memory, with the limit of this process where it has one."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        limited = limit != resource.RLIM_INFINITY
    except ImportError:  # Windows
        limit, limited = 0, False
    reason = str(error).strip().partition("\n")[0]
    words = f"the native engine gets no memory ({reason})"
    return NoRoom(f"{words}: this process is limited to {limit // 1024:,} KiB of it (ulimit -v)" if limited else words)


class Machine:
    """A module that is ready to play.

    Attributes:
        streams: The streams of chance, in the order in which the keys are handed over, with the numbers of their texts.
    """

    def __init__(self, engine: Any, module: Any, floor: int, streams: Mapping[str, int]) -> None:
        self.store, exports = instance(engine, module)
        self._matches, self._memory = exports["matches"], exports["memory"]
        self._steps = [exports[name] for name in ("begin_match", "take_option", "write_state", "rolled_out")]
        self.given, self.streams = floor, dict(streams)
        self.floor = floor + MOST * 8 * (1 + len(self.streams))
        self.whole = -1

    def play(self, seeds: Sequence[int], limit: int) -> Iterator[Played]:
        """Play a match for each seed, no more than ``MOST``."""
        import wasmtime

        words = []
        for seed in seeds:
            words += [seed, *[stream_key(seed, name) for name in self.streams]]
        write, store = self._memory.write, self.store
        write(store, struct.pack("<q", self.floor), memory.FLOOR)
        write(store, struct.pack("<q", meter.whole[1]), memory.WHOLE)
        self._reserve(self.given + 8 * len(words))
        write(store, struct.pack(f"<{len(words)}Q", *words), self.given)
        try:
            end = self._matches(store, self.given, len(seeds), limit)
        except (wasmtime.Trap, wasmtime.WasmtimeError):
            end = -1
        if end < 0:
            if len(seeds) == 1:
                yield Played(2, 0, (), b"")
                return
            for seed in seeds:
                yield from self.play((seed,), limit)
            return
        data = bytes(self._memory.read(store, self.floor, end))
        at = 0
        for _ in seeds:
            status, choices, number = struct.unpack_from("<3q", data, at)
            *measures, length = struct.unpack_from(f"<{number + 1}q", data, at + 24)
            begin = at + 32 + 8 * number
            yield Played(status, choices, measures, data[begin : begin + length])
            at = begin + length + 7 & -8

    def rollouts(self, seed: int, number: int, limit: int) -> tuple[int, list[int]] | None:
        """Play matches that draw on one generator; return the sums of choices and of measures.

        Returns:
            None where one of them has to be played in Python.
        """
        import wasmtime

        write, store = self._memory.write, self.store
        write(store, struct.pack("<q", self.floor), memory.FLOOR)
        try:
            at = self._steps[3](store, seed, number, limit)
        except (wasmtime.Trap, wasmtime.WasmtimeError):
            return None
        _, choices, count = struct.unpack("<3q", self._memory.read(store, at, at + 24))
        sums = self._memory.read(store, at + 24, at + 24 + 8 * count)
        return choices, list(struct.unpack(f"<{count}q", sums))

    def open(self, seed: int) -> int:
        """Begin a match that is played step by step; return how many options there are, -1 when it is over."""
        write, store = self._memory.write, self.store
        write(store, struct.pack("<q", self.floor), memory.FLOOR)
        for name, text in self.streams.items():
            write(store, struct.pack("<Q", stream_key(seed, name)), memory.KEYS + 8 * text)
        return int(self._steps[0](store, seed))

    def answer(self, index: int) -> int:
        """Take an option; return how many there are then, -1 when the match is over."""
        return int(self._steps[1](self.store, index))

    def state(self) -> bytes:
        """Return the state of the match as JSON, as a digest reads it."""
        length = self._steps[2](self.store)
        (at,) = struct.unpack("<q", self._memory.read(self.store, memory.HEAP, memory.HEAP + 8))
        return bytes(self._memory.read(self.store, at, at + length))

    def _reserve(self, end: int) -> None:
        missing = end - self._memory.data_len(self.store)
        if missing > 0:
            self._memory.grow(self.store, (missing >> 16) + 1)
            top = self._memory.data_len(self.store)
            self._memory.write(self.store, struct.pack("<q", top), memory.TOP)


def engine() -> Any:
    """Return an engine for modules that throw exceptions."""
    import wasmtime

    config = wasmtime.Config()
    config.wasm_exceptions = True
    config.parallel_compilation = False  # a process that has threads is not safely forked, and simulations fork
    return wasmtime.Engine(config)
