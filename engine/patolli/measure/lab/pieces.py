"""Where the pieces of matches lie, looked at before every round: which were seen, and who took which.

While a match is played, it is only put on lists which pieces lie elsewhere than before. What that means is computed
for many matches at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import compress, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from patolli.kernel.state import State
from patolli.measure.lab.facts import Row
from patolli.run.runtime.seat_visibility import EVERYBODY, SeatVisibility

if TYPE_CHECKING:
    from patolli.run.compiler.layout import Layout

Numbers = NDArray[np.int64]
NEVER = 2**31 - 1
"""A round that no match comes to."""


class Slots:
    """What is the same in all matches of a program: who sees what lies in a slot, and whose the slot is.

    A piece is known by the slot of the state that says where it lies; ``designs`` has its name.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.designs: dict[int, str] = {}
        for kind, base in sorted(layout.at.items(), key=itemgetter(1)):
            for number, one in enumerate(layout.instances[kind][: layout.size(kind)]):
                self.designs[base + number] = f"{kind}/{one.design.id if one.design is not None else one.id}"
        self.end = max(self.designs, default=-1) + 1
        self.bases = dict(layout.at)
        self.fixed: set[int] = set()  # slots whose viewers are known, whatever lies there
        self._open: set[int] = set()  # slots in which everybody sees everything
        self._under: dict[int, list[int]] = {}  # by slot, what says where the pieces lie that it belongs to
        self._places: dict[int, tuple[int, bool | None]] = {}
        there = range(max(layout.holders, default=0) + 1)
        self.uncertain = [slot for slot in there if self.place(slot, [])[1] is None]
        self._tables: tuple[Numbers, NDArray[np.bool_], Numbers, list[str]] | None = None
        self.tops = [slot for slot, name in layout.holders.items() if layout.model.places[name].visible == "top"]

    def tables(self) -> tuple[Numbers, NDArray[np.bool_], Numbers, list[str]]:
        """Return by slot whose it is, whether what lies there is always seen, and the number of its part.

        The names of parts come with it, by the alphabet; 0 is no part. A slot without an owner in which nothing is
        seen is part of nothing.
        """
        if self._tables is None:
            there = range(max(self.layout.holders, default=0) + 1)
            places = [self.place(slot, []) for slot in there]
            parts = ["" if places[slot] == (-1, False) else self._part(slot) for slot in there]
            names = sorted({"", *parts})
            numbers = {name: number for number, name in enumerate(names)}
            self._tables = (
                np.array([seat for seat, _ in places], np.int64),
                np.array([seen is True for _, seen in places]),
                np.array([numbers[part] for part in parts], np.int64),
                names,
            )
        return self._tables

    def place(self, slot: int, state: State) -> tuple[int, bool | None]:
        """Return the owner of a slot (-1: none), and whether what lies there is seen; None: it depends on pieces."""
        found = self._places.get(slot)
        if found is None:
            found = self._places[slot] = self._looked_up(slot, state)
            if found[1] is not None:
                self.fixed.add(slot)
        return found

    def _part(self, slot: int) -> str:
        """Return what the facts call the part of a board to which a slot belongs; nothing where there are no parts."""
        at = SeatVisibility(self.layout, [], EVERYBODY).place_at(slot)
        place, indices = at if at is not None else (None, ())
        there = [self.layout.instances[kind][number] for kind, number in indices if kind != "player"]
        names = ",".join(one.design.id if one.design is not None else one.id for one in there)
        return f"{place.name}/{names}" if place is not None and names else ""

    def shows(self, state: State, slot: int, piece: int) -> bool:
        """Return whether everyone sees a piece in a slot whose viewers depend on pieces."""
        under = self._under.get(slot)
        if under is None:
            under = self._under[slot] = self._looked_under(slot, state)
        for one in under:
            if state[one] and state[one] not in self._open:
                break
        else:
            if under:
                return True  # so it is nearly always
        base = max(base for base in self.bases.values() if base <= piece)
        return SeatVisibility(self.layout, state, EVERYBODY).slot(slot, piece - base)

    def _looked_under(self, slot: int, state: State) -> list[int]:
        """Return what says where the pieces lie that all have to be seen; nothing where more than that decides."""
        at = SeatVisibility(self.layout, state, EVERYBODY).place_at(slot)
        if at is None or at[0].visible != "all":
            return []
        return [self.bases[kind] + number for kind, number in at[1] if kind in self.bases]

    def _looked_up(self, slot: int, state: State) -> tuple[int, bool | None]:
        at = SeatVisibility(self.layout, state, EVERYBODY).place_at(slot)
        if at is None:
            return -1, False
        place, indices = at
        owners = (self.layout.instances[kind][number].owner for kind, number in indices)
        seat = next((owner for owner in owners if owner >= 0), -1)
        if any(kind in self.layout.at for kind, _ in indices):
            return seat, None
        if place.visible == "all":
            self._open.add(slot)
        return seat, place.visible == "all" or (place.visible == "owner" and bool(indices))


class Pieces:
    """The pieces of several matches, one after the other."""

    def __init__(self, slots: Slots, seats: int, moved: set[int]) -> None:
        """Look where *slots* say; *moved* has the pieces that may lie elsewhere than when it was last cleared."""
        self.slots, self._seats, self._moved = slots, seats, moved
        self._fetch = itemgetter(0, 0, *slots.designs)
        self._number = np.zeros(slots.end, np.int64)  # by its slot that of a piece, from 0
        self._number[[*slots.designs]] = np.arange(len(slots.designs))
        self._designs = sorted(set(slots.designs.values()))
        number = {name: number for number, name in enumerate(self._designs)}
        of = np.array([number[name] for name in slots.designs.values()], np.int64)
        self._by_design = np.argsort(of, kind="stable")
        self._first = np.searchsorted(of[self._by_design], np.arange(len(self._designs)))
        self._forget()

    def _forget(self) -> None:
        self._begun: list[tuple[int, ...]] = []  # of each match, where all pieces lay at the end of the set-up
        self._looks: list[tuple[int, int, int]] = []  # of each, in which match and round it was, and how much had moved
        self._pieces: list[int] = []
        self._places: list[int] = []  # where each of these lay then
        self._shown: list[tuple[int, int, int]] = []  # in which match and round which piece was seen besides

    def begin(self, state: State) -> None:
        """Look at the state at the end of the set-up of another match."""
        self._moved.clear()
        self._known: set[int] = set()  # pieces that were shown
        there = self._fetch(state)[2:]
        self._begun.append(there)
        if not self.slots.fixed.issuperset(there):
            self._uncertain(state, 0, self.slots.designs, there)
        self._tops(state, 0)

    def look(self, state: State, round: int) -> None:
        """Note where the pieces lie that may lie elsewhere than at the last look."""
        slots, moved = self.slots, self._moved
        pieces = [*moved]
        self._pieces += pieces
        self._places += map(state.__getitem__, pieces)
        self._looks.append((len(self._begun) - 1, round, len(pieces)))
        if slots.uncertain and (new := moved - self._known):  # what was seen is not looked at again
            places = [*map(state.__getitem__, new)]
            if not slots.fixed.issuperset(places):
                self._uncertain(state, round, new, places)
        moved.clear()
        if slots.tops:
            self._tops(state, round)

    def _uncertain(self, state: State, round: int, pieces: Iterable[int], places: Collection[int]) -> None:
        """Note which pieces are seen, of some that were not so before, where more than the place decides that."""
        slots, known = self.slots, self._known
        unsure = {*places} - slots.fixed  # so that known slots are not tested one by one
        for piece, slot in compress(zip(pieces, places, strict=True), map(unsure.__contains__, places)):
            if slots.place(slot, state)[1] is None and slots.shows(state, slot, piece):
                known.add(piece)
                self._shown.append((len(self._begun) - 1, round, piece))

    def _tops(self, state: State, round: int) -> None:
        for slot in self.slots.tops:
            if held := state[slot]:
                kind = self.slots.layout.model.places[self.slots.layout.holders[slot]].of
                piece = self.slots.bases[kind] + held[-1]
                self._shown.append((len(self._begun) - 1, round, piece))

    # -- what it means

    def rows(self) -> list[Row]:
        """Return of each match what was seen, and who took what, and forget it."""
        matches, pieces = len(self._begun), len(self.slots.designs)
        begun = np.array(self._begun, np.int64).reshape(matches, pieces)
        came = self._elsewhere(begun)
        shown = np.array(self._shown, np.int64).reshape(-1, 3).T
        shown = np.stack([shown[0], shown[1], self._number[shown[2]]])
        seat, open_, part, parts = self.slots.tables()
        seen, taken = self._list_seen(begun, came, shown, open_), self._list_taken(begun, came, seat)
        found = [
            {**one, **other, **third}
            for one, other, third in zip(seen, taken, _came(matches, came, part, parts), strict=True)
        ]
        self._forget()
        return found

    def _elsewhere(self, begun: Numbers) -> Numbers:
        """Return what lay elsewhere than before: in which match and round it was, which piece, and where it lay."""
        match, round, many = np.array(self._looks, np.int64).reshape(-1, 3).T
        match, round = np.repeat(match, many), np.repeat(round, many)
        piece, place = self._number[np.array(self._pieces, np.int64)], np.array(self._places, np.int64)
        key = match * begun.shape[1] + piece
        order = np.argsort(key, kind="stable")  # so a piece of a match stands behind itself, look by look
        key, after = key[order], place[order]
        before = np.roll(after, 1)
        first = np.diff(key, prepend=-1) != 0
        before[first] = begun.reshape(-1)[key[first]]
        there = order[before != after]
        return np.stack([match[there], round[there], piece[there], place[there]])

    def _list_seen(self, begun: Numbers, came: Numbers, shown: Numbers, open_: NDArray[np.bool_]) -> Iterator[Row]:
        rounds = np.where(open_[begun], 0, NEVER)
        for match, round, piece in (came[:3][:, open_[came[3]]], shown):
            np.minimum.at(rounds.reshape(-1), match * begun.shape[1] + piece, round)
        first, copies = self._together(rounds)
        match, design = copies.nonzero()
        columns = {
            "seen_piece": self._design_names(design), "seen_round": first[match, design].tolist(),
            "seen_copies": copies[match, design].tolist(),
        }  # fmt: skip
        return apart(columns, match, len(begun))

    def _list_taken(self, begun: Numbers, came: Numbers, seat: Numbers) -> Iterator[Row]:
        matches, pieces = begun.shape
        rounds = np.full((matches, self._seats, pieces), NEVER, np.int64)
        mine = seat[came[3]] >= 0
        match, round, piece, slot = came[:, mine]
        np.minimum.at(rounds.reshape(-1), (match * self._seats + seat[slot]) * pieces + piece, round)
        match, piece = (seat[begun] >= 0).nonzero()
        rounds[match, seat[begun[match, piece]], piece] = NEVER  # what is there at the beginning is not taken, or later
        first, copies = (one.swapaxes(1, 2) for one in self._together(rounds))
        match, design, who = copies.nonzero()
        columns = {
            "taken_piece": self._design_names(design), "taken_seat": who.tolist(),
            "taken_round": first[match, design, who].tolist(), "taken_copies": copies[match, design, who].tolist(),
        }  # fmt: skip
        return apart(columns, match, matches)

    def _together(self, rounds: Numbers) -> tuple[Numbers, Numbers]:
        """Return by design, in place of by piece, the first round, and of how many pieces there is one."""
        sorted_ = rounds[..., self._by_design]
        if not len(self._first):
            return sorted_, sorted_
        first = np.minimum.reduceat(sorted_, self._first, axis=-1)
        return first, np.add.reduceat((sorted_ < NEVER).astype(np.int64), self._first, axis=-1)

    def _design_names(self, designs: Numbers) -> list[str]:
        return [self._designs[one] for one in designs.tolist()]


def _came(matches: int, came: Numbers, part: Numbers, parts: list[str]) -> Iterator[Row]:
    """Yield of each match how many pieces came to each part of a board."""
    match, _, _, slot = came
    width = len(parts)
    times = np.bincount(match * width + part[slot], minlength=matches * width).reshape(matches, width)
    times[:, 0] = 0  # no part
    match, there = times.nonzero()
    columns = {"came_place": [parts[one] for one in there.tolist()], "came_times": times[match, there].tolist()}
    return apart(columns, match, matches)


def apart(columns: dict[str, list[Any]], match: Numbers, matches: int) -> Iterator[Row]:
    """Yield the columns of each match, of those of all behind each other."""
    bounds = np.searchsorted(match, np.arange(matches + 1)).tolist()
    for low, high in pairwise(bounds):
        yield {name: values[low:high] for name, values in columns.items()}
