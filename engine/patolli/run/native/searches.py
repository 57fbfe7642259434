"""Run searches in a module, and look at what they remember.

What a search is about (who is asked, what a seat may know, what an end is worth) is said by numbers from outside: see
``memory``. So nothing here knows players, and trees are named by their addresses.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import chain, compress, count
from math import log, sqrt
from operator import ne
from typing import Any, NamedTuple

from patolli.kernel.budget import meter
from patolli.run.compiler.layout import DRAWS, FRAMES, SEED
from patolli.run.native import memory
from patolli.run.native.heap import LIST, NONE, TUPLE
from patolli.run.native.host import instance
from patolli.run.native.machines import Prepared
from patolli.run.native.support.trees import MEAN, NODE, SCORES, UNKNOWN
from patolli.run.native.value_layout import Packed, read_word
from patolli.run.runtime import Match

BEGIN, MOST = 8 << 20, 1 << 30
"""How many bytes trees have at first, and at most."""
ROOM = 2 << 20
"""More room is made for them before less than this is left."""
MISSTEPS = 20
"""Simulations that fail as they must not, after which a search is left to Python."""
Job = tuple["Match | None", int]
"""The world in which a simulation begins, None for the match as it is, and the seed of what chance brings there."""
_AS_IT_IS = struct.pack("<2q", NONE, 0)
"""A job in the match as it is, where chance brings nothing."""


class Lost(Exception):
    """A module cannot do what it should, time and again."""


class KnownNode(NamedTuple):
    """What is known of a node: its address, as in ``tree.Node``, and the addresses of its questions."""

    at: int
    visits: int
    total: float
    available: int
    bounds: tuple[tuple[float, ...], tuple[float, ...]] | None
    asks: tuple[int, ...]
    scores: int


class KnownAsk(NamedTuple):
    """What is known of a question, as in ``tree.Ask``; the nodes are addresses, 0 for none."""

    key: int
    held: Any
    visits: int
    since: int
    changed: bool
    options: tuple[Any, ...]
    nodes: tuple[int, ...]
    children: Mapping[Any, int]


class Searcher:
    """A module with a memory of its own, in which one search goes on after the other."""

    def __init__(self, prepared: Prepared, seats: int) -> None:
        self.seats, self.streams, self.texts = seats, prepared.streams, prepared.texts
        self._store, exports = instance(prepared.engine, prepared.module)
        self._searched, self._memory = exports["run_simulations"], exports["memory"]
        self._floor = prepared.floor
        self._given: tuple[Match, int] | None = None
        self._missteps = 0
        self.each = 0.0
        """Seconds that a simulation took last, with what is done around it; 0 before there was one."""

    # -- memory

    def get(self, at: int) -> int:
        """Return the number at an address."""
        found: int = self.read_numbers(at, "q")[0]
        return found

    def read_numbers(self, at: int, forms: str) -> tuple[Any, ...]:
        """Return the numbers behind each other from an address on, whole ones for "q" and others for "d"."""
        return struct.unpack(f"<{forms}", self._memory.read(self._store, at, at + 8 * len(forms)))

    def write_numbers(self, at: int, *numbers: float, form: str = "q") -> None:
        """Write numbers from an address on."""
        self._memory.write(self._store, struct.pack(f"<{len(numbers)}{form}", *numbers), at)

    def _reach(self, end: int) -> None:
        missing = end - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, (missing >> 16) + 1)
            self.write_numbers(memory.TOP, self._memory.data_len(self._store))

    def _room(self, size: int) -> int:
        """Return where so many bytes are for what stays as long as the search."""
        at: int = self.get(memory.ARENA)
        self.write_numbers(memory.ARENA, at + size)
        return at

    def cells(self) -> Any:
        """Return all numbers of 64 bits, as long as nothing grows."""
        size = self._memory.data_len(self._store)
        return memoryview(self._memory.get_buffer_ptr(self._store, size, 0)).cast("B").cast("q")

    # -- a search

    def begin(self, numbers: Mapping[int, int], exploration: float, state: Any) -> None:
        """Forget everything and begin a search with empty trees.

        Args:
            numbers: By address what the search is about, see ``memory``.
            exploration: How much is tried that does not look best, in standard deviations of what a seat got.
            state: What a generator of Python gives as its state, from which nothing was drawn yet.
        """
        self.write_numbers(memory.ARENA, self._floor)
        self.write_numbers(memory.ARENA_END, self._floor + BEGIN)
        self._reach(self._floor + BEGIN)
        self._given, self.simulations, self._missteps = None, 0, 0
        for at, number in numbers.items():
            self.write_numbers(at, number)
        self.write_numbers(memory.EXPLORATION, exploration, form="d")
        rows = {cell: self._room(8 * self.seats) for cell in _ROWS}
        rows |= {memory.STEPS_AT: self._room(24 * memory.LONGEST), memory.MOVES_AT: self._room(16 * memory.LONGEST)}
        rows |= {memory.LATE_AT: self._room(24 * memory.LONGEST), memory.RECORDS: self._room(8 * 1024)}
        for cell, at in rows.items():
            self.write_numbers(cell, at)
        self.write_numbers(rows[memory.RECORDS], *[0] * 1024)
        self.write_numbers(memory.RECORDS_SIZE, 1024, 0)
        self.write_numbers(rows[memory.SEEN], *[0] * self.seats)
        self.write_numbers(rows[memory.SPREAD], *[0] * self.seats)
        self.write_numbers(rows[memory.SCALE], *[exploration * 0.5] * self.seats, form="d")
        self.write_numbers(memory.SIMULATIONS, 0)
        self.write_numbers(memory.WHOLE, meter.whole[1])
        self._led = 0
        self._memory.write(self._store, struct.pack("<624I", *state[1][:624]), memory.MT)
        self.write_numbers(memory.TWISTED, 0)
        self.roots([0] * numbers[memory.TREES])

    def roots(self, roots: Sequence[int]) -> None:
        """Let trees begin at nodes; 0 is a new one."""
        self.write_numbers(self.get(memory.ROOTS), *[one or self._new_node() for one in roots])

    def _new_node(self) -> int:
        at = self._room(NODE)
        self.write_numbers(at, *[0] * (NODE // 8))
        self.write_numbers(at + MEAN, UNKNOWN)
        return at

    def run(self, match: Match, jobs: Sequence[Job] | int) -> int:
        """Run a simulation for each job; return how many there were.

        Args:
            match: The match as far as it is known, with the open question; worlds differ from it.
            jobs: Where each begins; or so many of them begin in the match as it is, and chance brings nothing.

        Returns:
            Fewer than there are jobs where the outcome is proved, or no more can be remembered.

        Raises:
            Lost: Again and again something happens that should not.
        """
        import wasmtime

        number = jobs if isinstance(jobs, int) else len(jobs)
        self._learn_leads(self.simulations + number + 2)
        if not self._make_room():
            return 0
        at = self._give(match, jobs)
        done = 0
        while done < number:
            self.write_numbers(memory.DONE, 0)
            try:
                made = self._searched(self._store, at + 16 * done, number - done)
                done += made
                self.simulations += made
                break
            except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
                self._missteps += 1
                if self._missteps > MISSTEPS:
                    raise Lost(str(error)) from error
                made = self.get(memory.DONE) + 1  # of the one that failed nothing is learned
                done += made
                self.simulations += made
                self.write_numbers(memory.SIMULATIONS, self.get(memory.SIMULATIONS) + 1)
        return done

    def _make_room(self) -> bool:
        """Make room for what is added to the trees; return whether there is enough."""
        at, end = self.read_numbers(memory.ARENA, "qq")
        if end - at < ROOM:
            end = min(at + max(BEGIN, at - self._floor), self._floor + MOST)
            self.write_numbers(memory.ARENA_END, end)
            self._given = None
        self._reach(end + BEGIN // 4)
        return bool(end - at >= ROOM)

    def _learn_leads(self, number: int) -> None:
        """See that what the logarithms of so many numbers lead to is there: both engines have to use the same ones."""
        if number <= self._led:
            return
        many = max(1024, 2 << number.bit_length())
        self.write_numbers(memory.ARENA_END, max(self.get(memory.ARENA_END), self.get(memory.ARENA) + 8 * many + ROOM))
        self._reach(self.get(memory.ARENA_END))
        self._given = None
        at = self._room(8 * many)
        self._memory.write(self._store, _leads(many), at)
        self.write_numbers(memory.LEADING, at)
        self._led = many

    def _give(self, match: Match, jobs: Sequence[Job] | int) -> int:
        """Lay out the match, worlds and jobs behind the trees; return where the jobs are."""
        if self._given is None or self._given[0] is not match:
            base = Packed(self.get(memory.ARENA_END) + 7 & -8, self.streams, self.texts)
            options = base.word(match.pending)
            word = base.lay_out_object(LIST, [base.state(match.state), options, 2 * match.extra, 0])
            self._reach(base.end)
            self._memory.write(self._store, base.data, base.at)
            self.write_numbers(memory.BASE, word)
            self._given = match, base.end
        given = Packed(self._given[1], self.streams, self.texts)
        if isinstance(jobs, int):
            data = _AS_IT_IS * jobs
        else:
            known = {id(world): world for world, _ in jobs}
            words = {at: NONE if world is None else self._changes(given, match, world) for at, world in known.items()}
            pairs = ((words[id(world)], seed) for world, seed in jobs)
            data = struct.pack(f"<{2 * len(jobs)}q", *chain.from_iterable(pairs))
        at = given.end
        self._reach(at + len(data) + 65536)
        self._memory.write(self._store, given.data + data, given.at)
        self.write_numbers(memory.FLOOR, at + len(data))
        return at

    def _changes(self, given: Packed, match: Match, world: Match) -> int:
        """Lay out what is otherwise in a world: slots of single things, of lists, and frames."""
        state, other = match.state, world.state
        slots = [*compress(count(), map(ne, state, other))]
        plain = [(k, other[k]) for k in slots if other[k].__class__ is not list and k not in (SEED, DRAWS)]
        lists = [(k, other[k]) for k in slots if other[k].__class__ is list and k != FRAMES]
        frames = given.word(other[FRAMES]) if FRAMES in slots else NONE
        return given.lay_out_object(TUPLE, [given.word(tuple(plain)), given.word(tuple(lists)), frames])

    # -- what is known

    def node(self, at: int) -> KnownNode:
        """Return what is known of a node."""
        cells = self.cells()
        visits, total, available, bounds, ask = cells[at >> 3 : (at >> 3) + 5]
        asks = []
        while ask:
            asks.append(ask)
            ask = cells[(ask >> 3) + 2]
        pairs = [_float(one) for one in cells[bounds >> 3 : (bounds >> 3) + 2 * self.seats]] if bounds else []
        known = (tuple(pairs[::2]), tuple(pairs[1::2])) if bounds else None
        return KnownNode(at, visits, _float(total), available, known, tuple(asks), cells[(at + SCORES) >> 3])

    def ask(self, at: int) -> KnownAsk:
        """Return what is known of a question."""
        cells, here = self.cells(), at >> 3
        key, held, _, visits, since, changed, number, entries = cells[here : here + 8]
        table, size = cells[here + 11 : here + 13]
        known = cells[entries >> 3 : (entries >> 3) + number] if number else []
        every = [one for one in cells[table >> 3 : (table >> 3) + size] if one] if table else known
        values = {one: read_word(cells, cells[one >> 3], self.texts) for one in {*every, *known}}
        nodes = {one: cells[(one >> 3) + 2] for one in values}
        return KnownAsk(
            key, read_word(cells, held, self.texts), visits, since, bool(changed),
            tuple([values[one] for one in known]), tuple([nodes[one] for one in known]),
            {values[one]: nodes[one] for one in every if nodes[one]},
        )  # fmt: skip


_known_leads = b""


def _leads(number: int) -> bytes:
    """Return the square roots of the logarithms of so many whole numbers as they lie in memory; 0 has none."""
    global _known_leads
    known = _known_leads
    if len(known) < 8 * number:
        known = _known_leads = struct.pack(f"<{number}d", 0.0, *map(sqrt, map(log, range(1, number))))
    return known[: 8 * number]


def _float(bits: int) -> float:
    found: float = struct.unpack("<d", struct.pack("<q", bits))[0]
    return found


_ROWS = (
    memory.ROOTS, memory.NODES, memory.SEEN, memory.SPREAD, memory.SCALE, memory.PAYOFFS, memory.OUTCOME,
    memory.MEASURED, memory.LEVELS, memory.LOWS, memory.HIGHS,
)  # fmt: skip
