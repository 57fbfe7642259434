"""Play batches: a module whose memory holds many matches, and NumPy arrays that look into that memory.

In:     a module, the tables of a pack (``support.batch_observers``), and how many environments there are.
Out:    arrays that each call reads and writes in place.
Errors: ``NoRoom``, where the memory is too small; ``Halted``, where the runtime stops.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from patolli.kernel.budget import meter
from patolli.run.native import memory
from patolli.run.native.driver.batch_steps import ENDS, SEEDS_NEEDED, STOPS
from patolli.run.native.heap import NoRoom
from patolli.run.native.host import instance
from patolli.run.native.machines import Prepared

ROOM = 3 << 30
"""Bytes that the arrays of a batch may take; a memory has at most 4 GiB."""
LINE = 64
"""Arrays begin at a multiple of so many bytes."""
Shape = tuple[int, ...]


class Halted(RuntimeError):
    """The runtime has stopped a call, and its memory cannot be used any more."""


class TablePacker:
    """Lays tables out behind each other, from an address on; equal ones have one place."""

    def __init__(self, base: int) -> None:
        self.base, self.data = base, bytearray()
        self._known: dict[bytes, int] = {}

    @property
    def end(self) -> int:
        """Where what comes next lies."""
        return self.base + len(self.data)

    def put_numbers(self, numbers: Sequence[int] | NDArray[Any], shared: bool = True) -> int:
        """Lay out numbers of 32 bits and return their address; those that are written to are not *shared*."""
        words = np.asarray(numbers, dtype=np.int64) & 0xFFFFFFFF
        return self.put_bytes(words.astype("<u4").tobytes(), shared)

    def put_bytes(self, data: bytes, shared: bool = True) -> int:
        """Lay out bytes and return their address."""
        known = self._known.get(data) if shared else None
        if known is not None:
            return known
        at = self.end
        self.data += data + bytes(-len(data) % 8)
        if shared:
            self._known[data] = at
        return at


class BatchMachine:
    """A module with a memory of its own, in which a batch of matches goes on.

    Attributes:
        base: Where tables may begin.
        streams: How many streams of chance there are.
        arrays: By the cell of ``memory`` that says where they lie, arrays that look into the memory.
    """

    def __init__(self, prepared: Prepared) -> None:
        """Begin with an empty memory. Raises NoRoom: the memory cannot be reserved."""
        self._store, exports = instance(prepared.engine, prepared.module)
        self._memory = exports["memory"]
        self._open, self._reset, self._step = (
            make_fast_call(self._store, exports[name]) for name in ("open_batch", "reset_batch", "step_batch")
        )
        self.base = prepared.floor + LINE - 1 & -LINE
        self.streams = len(prepared.streams)
        self.arrays: dict[int, NDArray[Any]] = {}
        self._number = self._address = 0

    def lay_out(
        self, number: int, tables: TablePacker, cells: Mapping[int, int], arrays: Mapping[int, tuple[DTypeLike, Shape]]
    ) -> None:
        """Write the tables, make the arrays, and begin with environments that have no matches.

        Args:
            number: How many environments there are.
            tables: The tables.
            cells: What stands in cells of ``memory``.
            arrays: By the cell that says where an array lies, its type and shape.

        Raises:
            ValueError: The arrays are too large for any memory.
            NoRoom: The memory cannot be reserved.
        """
        at, places = tables.end, dict[int, int]()
        for cell, (kind, shape) in arrays.items():
            places[cell] = at = at + LINE - 1 & -LINE
            at += prod(shape) * np.dtype(kind).itemsize
        floor = at + LINE - 1 & -LINE
        if floor > ROOM:
            raise ValueError(
                f"{number:,} environments need {floor >> 20:,} MiB for observations and masks, and a batch has "
                f"{ROOM >> 20:,} MiB; use several batches"
            )
        self._reach(floor)
        self._address = self._find_memory()
        whole: Any = (ctypes.c_ubyte * floor).from_address(self._address)
        whole.owner = self._store  # the memory is there as long as one of the arrays is
        raw: NDArray[np.uint8] = np.frombuffer(whole, dtype=np.uint8)
        raw[tables.base : tables.end] = np.frombuffer(bytes(tables.data), dtype=np.uint8)
        for cell, (kind, shape) in arrays.items():
            size = prod(shape) * np.dtype(kind).itemsize
            self.arrays[cell] = raw[places[cell] : places[cell] + size].view(kind).reshape(shape)
        top = self._memory.data_len(self._store)
        given = {memory.FLOOR: floor, memory.WHOLE: meter.whole[1], memory.TOP: top}
        for cell, value in {**cells, **places, **given}.items():
            raw[cell : cell + 8].view(np.int64)[0] = value
        self._number = number
        self._call(self._open)

    def reset(self) -> int:
        """Begin matches in the environments that are selected; return what was noted."""
        return self._call(self._reset)

    def step(self) -> int:
        """Take a step in each environment; return what was noted, or -1 - n if environment n cannot take one."""
        return self._call(self._step)

    def _call(self, function: Callable[[int], int]) -> int:
        if not self._number:
            raise Halted("this batch has stopped; make a new one")
        try:
            found = function(self._number)
        except BaseException:
            self._number = 0
            raise
        if self._find_memory() != self._address:
            self._number = 0
            raise Halted("the memory of the engine was moved, and the arrays of this batch with it; make a new one")
        return found

    def _find_memory(self) -> int:
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)

    def _reach(self, end: int) -> None:
        import wasmtime

        missing = end - self._memory.data_len(self._store)
        if missing > 0:
            try:
                self._memory.grow(self._store, (missing >> 16) + 17)
            except wasmtime.WasmtimeError as error:
                raise NoRoom(f"the engine gets no memory for a batch ({error})") from None


def make_fast_call(store: Any, function: Any) -> Callable[[int], int]:
    """Return what calls a function with a whole number and returns one.

    The public call of wasmtime looks at types each time, which takes as long as 100 steps of a small game. The one
    below it does not, but its names are private: where they are not as expected, the public one is used.
    """
    import wasmtime

    def call(number: int) -> int:
        try:
            return int(function(store, number))
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise Halted(f"the native engine stopped: {error}") from None

    try:
        from wasmtime import _ffi as ffi

        direct, context = ffi.wasmtime_func_call_unchecked, store._context()
        values, trap = (ffi.wasmtime_val_raw_t * 1)(), ctypes.POINTER(ffi.wasm_trap_t)()
        of, to_trap, first = ctypes.byref(function._func), ctypes.byref(trap), values[0]
        first.i64 = 1
        error_of, trap_of = wasmtime.WasmtimeError._from_ptr, wasmtime.Trap._from_ptr
    except (ImportError, AttributeError, TypeError):
        return call

    def call_directly(number: int) -> int:
        first.i64 = number
        error = direct(context, of, values, 1, to_trap)
        if error:
            raise Halted(f"the native engine stopped: {error_of(error)}")
        if trap:
            raise Halted(f"the native engine stopped: {trap_of(trap)}")
        return int(first.i64)

    return call_directly


__all__ = ["ENDS", "SEEDS_NEEDED", "STOPS", "BatchMachine", "Halted", "TablePacker", "make_fast_call"]
