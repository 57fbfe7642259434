"""What a watched program has said of a match: which pieces were used, measures, and counters where phases end.

In:     what ``compiler.watching`` says while a match is played.
Out:    columns of its row.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from patolli.compiler.watching import Heard, Seen, Watching
from patolli.kernel.budget import renew
from patolli.kernel.state import State
from patolli.lab.facts import Row

MEASURED, PHASES = 16, 4
"""How many moments of a measure, and of a phase, are kept at most: of more of them every second, fourth and so on."""


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
        self._watching: Watching = program.space["WATCHING"]
        self.seen, self.moved = self._watching.seen, self._watching.moved
        self._functions = program.space["MEASURES"]
        self._declared = program.layout.model.measures
        instances = program.layout.instances
        self._pieces = {
            number: [f"{kind}/{one.design.id}" if one.design is not None else "" for one in instances[kind]]
            for number, kind in self._watching.uses.items()
        }
        self._seats = seats
        self._kept: list[tuple[list[Seen], Sequence[int], dict[str, list[int]]]] = []

    def hear(self, heard: Heard) -> None:
        """Let somebody hear of the forced answers of the match that is played, also of those that were given before."""
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
        self._kept.append((self.seen.copy(), rounds, last))

    def rows(self, counters: Counters) -> list[Row]:
        """Return what was said of each match that is kept, as columns, and forget it."""
        found: list[Row] = []
        for seen, rounds, last in self._kept:
            moments: list[tuple[int, Any]] = []
            row = self._used(seen, rounds, moments) | self._phases(moments, counters)
            found.append(row | self._measures(moments, last))
        self._kept = []
        return found

    def _used(self, seen: Sequence[Seen], rounds: Sequence[int], moments: list[tuple[int, Any]]) -> Row:
        """Return which pieces were used; what is said of none of them goes to *moments*."""
        found: dict[tuple[str, int], list[int]] = {}
        of = self._pieces.get
        for at, (_, number, me, what) in enumerate(seen):
            names = of(number)
            if names is None:
                moments.append((number, what))
            elif name := names[what]:
                key = name, me
                if key in found:
                    found[key][1] += 1
                else:
                    found[key] = [at, 1]
        used = sorted(found.items())
        return {
            "used_piece": [piece for (piece, _), _ in used],
            "used_seat": [seat for (_, seat), _ in used],
            "used_round": [bisect_right(rounds, first) for _, (first, _) in used],
            "used_times": [times for _, (_, times) in used],
        }

    def _phases(self, said: Sequence[tuple[int, Any]], counters: Counters) -> Row:
        moments = self._watching.moments
        ends: dict[str, list[Sequence[int]]] = defaultdict(list)
        for number, taken in said:
            if moments[number].phase:
                ends[moments[number].rule].append(taken[1])
        row: Row = {"phase_id": [], "phase_nth": [], "phase_counters": []}
        for rule, all_ in sorted(ends.items()):
            for nth, values in kept(all_, PHASES):
                row["phase_id"].append(rule)
                row["phase_nth"].append(nth)
                row["phase_counters"] += counters.among(values)
        return row

    def _measures(self, said: Sequence[tuple[int, Any]], last: dict[str, list[int]]) -> Row:
        found: dict[str, list[Sequence[int]]] = {name: [] for name in self._declared}
        moments, size = self._watching.moments, self._seats
        for number, taken in said:
            at = 0
            for name in moments[number].measures:
                many = size if self._declared[name].each else 1
                found[name].append(taken[0][at : at + many])
                at += many
        for name, values in last.items():
            found[name].append(values)
        row: Row = {"measure_id": [], "measure_nth": [], "measure_seat": [], "measure_value": []}
        for name, all_ in sorted(found.items()):
            for nth, values in kept(all_, MEASURED):
                row["measure_id"] += [name] * len(values)
                row["measure_nth"] += [nth] * len(values)
                row["measure_seat"] += range(len(values)) if self._declared[name].each else [-1]
                row["measure_value"] += values
        return row


def kept(all_: Sequence[Any], most: int) -> list[tuple[int, Any]]:
    """Return what comes first, second and so on with its number: all, or every second, fourth and so on of too many."""
    step = 1
    while len(all_) // step > most:
        step *= 2
    return [(nth, all_[nth - 1]) for nth in range(step, len(all_) + 1, step)]
