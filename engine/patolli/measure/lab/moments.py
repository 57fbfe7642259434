"""What a watched program has said of a match: which pieces were used, measures, and counters where phases end.

In:     what ``compiler.watch_hooks`` says while a match is played.
Out:    columns of its row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from patolli.kernel.budget import renew
from patolli.kernel.state import State
from patolli.measure.lab.facts import Row
from patolli.measure.lab.pieces import apart
from patolli.run.compiler.watch_hooks import Heard, Moment, Seen, Taken, Watching

MEASURED, PHASES = 16, 4
"""How many moments of a measure, and of a phase, are kept: of more of them every second, fourth and so on, and of a
measure the last."""


class Counters:
    """All counters of a program: a number for each and each seat, or the table; the sum where there are several."""

    def __init__(self, layout: Any, seats: int) -> None:
        self.names: list[str] = []
        self.seats: list[int] = []
        self._slots: list[range] = []
        for name, (base, sizes) in layout.counters.items():
            slots = layout.slots(base, sizes)
            own = layout.model.counters[name].dims[:1] == ("player",)
            each = len(slots) // seats if own else len(slots)
            for seat in range(seats) if own else (-1,):
                self.names.append(name)
                self.seats.append(seat)
                self._slots.append(slots[max(seat, 0) * each :][:each])
        there = [slots for slots in self._slots if slots] or [range(1)]
        self._low, self._high = min(one.start for one in there), max(one.stop for one in there)
        # Nearly all are one slot: these are fetched together, and what is several is summed after that.
        starts = [slots.start - self._low if slots else 0 for slots in self._slots]
        self._fetch = itemgetter(0, 0, *starts)
        self._several = [
            (at, slice(start, start + len(slots)))
            for at, (start, slots) in enumerate(zip(starts, self._slots, strict=True))
            if len(slots) != 1
        ]

    def of(self, state: State) -> list[int]:
        """Return all numbers of a state."""
        return self.among(state[self._low : self._high])

    def among(self, stretch: Sequence[Any]) -> list[int]:
        """Return all numbers, from the stretch of a state in which they stand."""
        values = [*map(int, self._fetch(stretch)[2:])]
        for at, slots in self._several:
            values[at] = sum(map(int, stretch[slots]))
        return values


class Moments:
    """Reads what is said of the matches of one watched program."""

    def __init__(self, program: Any, seats: int) -> None:
        """Read what *program* says: ``seen`` is what it has said so far, ``moved`` which pieces it has moved."""
        self._watching: Watching = program.watching
        self.seen, self.moved = self._watching.seen, self._watching.moved
        self._functions = program.measures
        self._declared = program.layout.model.measures
        self._seats = seats
        self._meanings = [self._meaning(one) for one in self._watching.moments]
        self._used = Used(program.layout.instances, self._watching.uses, len(self._meanings), seats)
        self._kept: list[tuple[list[Seen], list[Taken], Sequence[int], dict[str, list[int]]]] = []

    def _meaning(self, moment: Moment) -> tuple[str, list[tuple[str, slice]]]:
        """Return the name of the phase that ends then, if one does, and where in the values measures stand."""
        found, at = list[tuple[str, slice]](), 0
        for name in moment.measures:
            many = self._seats if self._declared[name].each else 1
            found.append((name, slice(at, at + many)))
            at += many
        return moment.rule if moment.phase else "", found

    def hear(self, heard: Heard) -> None:
        """Report the forced choices of the match that is played to a listener, also those that were made before."""
        self._watching.heard[0] = heard
        for state, seat in self._watching.early:
            heard(state, seat)
        self._watching.early.clear()

    def keep(self, state: State, rounds: Sequence[int], ended: bool) -> None:
        """Keep what was said of a match; *rounds* says how much that was when each of them began.

        Raises:
            Exception: A measure that is taken at the end fails.
        """
        last: dict[str, list[int]] = {}
        for name, measure in self._declared.items() if ended else ():
            if not measure.rule:
                renew()
                of = self._functions[f"measure {name}"]
                last[name] = [int(of(state, seat)) for seat in range(self._seats if measure.each else 1)]
        self._kept.append((self.seen.copy(), self._watching.taken.copy(), rounds, last))

    def rows(self, counters: Counters) -> list[Row]:
        """Return what was said of each match that is kept, as columns, and forget it."""
        used = self._used.rows([seen for seen, *_ in self._kept], [rounds for _, _, rounds, _ in self._kept])
        found = [
            row | self._take_moment(seen, taken, last, counters)
            for row, (seen, taken, _, last) in zip(used, self._kept, strict=True)
        ]
        self._kept = []
        return found

    def _take_moment(
        self, seen: Sequence[Seen], taken: Sequence[Taken], last: dict[str, list[int]], counters: Counters
    ) -> Row:
        """Return the counters where phases ended, and the measures."""
        ends: dict[str, list[Sequence[int]]] = {}
        found: dict[str, list[Sequence[int]]] = {name: [] for name in self._declared}
        meanings, many = self._meanings, len(self._meanings)
        for number, _, at in seen:
            if number < many:
                phase, measures = meanings[number]
                values, stretch = taken[at]
                if phase:
                    ends.setdefault(phase, []).append(stretch)
                for name, there in measures:
                    found[name].append(values[there])
        for name, numbers in last.items():
            found[name].append(numbers)
        return self._phases(ends, counters) | self._measures(found)

    def _phases(self, ends: dict[str, list[Sequence[int]]], counters: Counters) -> Row:
        row: Row = {"phase_id": [], "phase_nth": [], "phase_counters": []}
        for rule, all_ in sorted(ends.items()):
            for nth, values in thin_out(all_, PHASES):
                row["phase_id"].append(rule)
                row["phase_nth"].append(nth)
                row["phase_counters"] += counters.among(values)
        return row

    def _measures(self, found: dict[str, list[Sequence[int]]]) -> Row:
        row: Row = {"measure_id": [], "measure_nth": [], "measure_seat": [], "measure_value": []}
        for name, all_ in sorted(found.items()):
            for nth, values in thin_out(all_, MEASURED, last=True):
                row["measure_id"] += [name] * len(values)
                row["measure_nth"] += [nth] * len(values)
                row["measure_seat"] += range(len(values)) if self._declared[name].each else [-1]
                row["measure_value"] += values
        return row


class Used:
    """Works out which pieces were used in several matches at once."""

    def __init__(self, instances: Any, uses: dict[int, str], first: int, seats: int) -> None:
        """Take what the numbers of *uses* stand for, with the least in *first*: each the pieces of a kind."""
        names = [
            [f"{kind}/{one.design.id}" if one.design is not None else "" for one in instances[kind]]
            for _, kind in sorted(uses.items())
        ]
        self._names = sorted({name for some in names for name in some if name})
        rank = {name: number for number, name in enumerate(self._names)} | {"": -1}
        # The pieces of all uses behind each other, each by the number of its design in the alphabet.
        self._design = np.array([rank[name] for some in names for name in some], np.int64)
        self._begin = np.cumsum([0, *map(len, names)])
        self._first, self._seats = first, seats

    def rows(self, said: Sequence[Sequence[Seen]], rounds: Sequence[Sequence[int]]) -> Iterator[Row]:
        """Yield of each match the pieces that were used, from what was *said*, and how much when its *rounds* began."""
        sizes = np.array([*map(len, said)], np.int64)
        many = int(sizes.sum())
        numbers = np.fromiter(chain.from_iterable(chain.from_iterable(said)), np.int64, 3 * many).reshape(many, 3)
        match = np.repeat(np.arange(len(said)), sizes)
        at = np.arange(many) - (np.cumsum(sizes) - sizes)[match]
        here = numbers[:, 0] >= self._first
        use, me, piece = numbers[here].T
        match, at = match[here], at[here]
        design = self._design[self._begin[use - self._first] + piece]
        if len(design) and design.min() < 0:
            known = design >= 0
            match, at, me, design = match[known], at[known], me[known], design[known]
        key = (match * len(self._names) + design) * self._seats + me
        order = np.argsort(key, kind="stable")
        starts = np.flatnonzero(np.diff(key[order], prepend=-1))
        times = np.diff(starts, append=len(order))
        first = order[starts]
        width = many + 1
        begun = np.array([number * width + one for number, some in enumerate(rounds) for one in some], np.int64)
        before = np.cumsum([0, *map(len, rounds)])[match[first]]
        round = np.searchsorted(begun, match[first] * width + at[first], side="right") - before
        names = self._names
        columns = {
            "used_piece": [names[one] for one in design[first].tolist()], "used_seat": me[first].tolist(),
            "used_round": round.tolist(), "used_times": times.tolist(),
        }  # fmt: skip
        return apart(columns, match[first], len(said))


def thin_out(all_: Sequence[Any], most: int, last: bool = False) -> list[tuple[int, Any]]:
    """Return what comes first, second and so on with its number: all, or every second, fourth and so on of too many.

    Args:
        all_: What there is, in order.
        most: More are too many.
        last: Whether the last is kept besides.
    """
    step = 1
    while len(all_) // step > most:
        step *= 2
    found = [(nth, all_[nth - 1]) for nth in range(step, len(all_) + 1, step)]
    return [*found, (len(all_), all_[-1])] if last and len(all_) % step else found
