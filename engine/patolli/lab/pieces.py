"""Where the pieces of a match lie, looked at before every round: which were seen, and who took which."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from operator import itemgetter, ne
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State
from patolli.lab.facts import Row
from patolli.runtime.eyes import EVERYBODY, Eyes

if TYPE_CHECKING:
    from patolli.compiler.layout import Layout

Found = dict[tuple[str, int], list[int]]
"""By design and seat the first round, and how many copies."""


@dataclass(slots=True)
class Begun:
    """How the first match that was watched began.

    Attributes:
        at: Where all pieces lay at the end of the set-up.
        known: The pieces that were seen, and nothing but the place decides that.
        held: Pieces that lay at a seat, with it.
        again: Pieces of which more than the place decides whether they are seen.
    """

    at: list[Any]
    known: set[int]
    held: set[tuple[int, int]]
    again: set[int]


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
        self.dark = {0}  # slots of nobody in which nothing is seen, and none at all
        self.begun: Begun | None = None
        self._open: set[int] = set()  # slots in which everybody sees everything
        self._under: dict[int, list[int]] = {}  # by slot, what says where the pieces lie that it belongs to
        self.places: dict[int, tuple[int, bool | None]] = {}
        self._parts: dict[int, str] = {}
        self.tops = [slot for slot, name in layout.holders.items() if layout.model.places[name].visible == "top"]

    def place(self, slot: int, state: State) -> tuple[int, bool | None]:
        """Return whose a slot is, -1 for nobody's, and whether what lies there is seen; None: it depends on pieces."""
        found = self.places.get(slot)
        if found is None:
            found = self.places[slot] = self._looked_up(slot, state)
            if found == (-1, False):
                self.dark.add(slot)
        return found

    def part(self, slot: int) -> str:
        """Return what the facts call the part of a board to which a slot belongs; nothing where there are no parts."""
        if slot not in self._parts:
            at = Eyes(self.layout, [], EVERYBODY).place_at(slot)
            place, indices = at if at is not None else (None, ())
            there = [self.layout.instances[kind][number] for kind, number in indices if kind != "player"]
            names = ",".join(one.design.id if one.design is not None else one.id for one in there)
            self._parts[slot] = f"{place.name}/{names}" if place is not None and names else ""
        return self._parts[slot]

    def shows(self, state: State, slot: int, piece: int) -> bool:
        """Tell whether everybody sees a piece in a slot of which that depends on pieces."""
        under = self._under.get(slot)
        if under is None:
            under = self._under[slot] = self._looked_under(slot, state)
        if under and all(not state[one] or state[one] in self._open for one in under):
            return True  # so it is nearly always
        base = max(base for base in self.bases.values() if base <= piece)
        return Eyes(self.layout, state, EVERYBODY).slot(slot, piece - base)

    def _looked_under(self, slot: int, state: State) -> list[int]:
        """Return what says where the pieces lie that all have to be seen; nothing where more than that decides."""
        at = Eyes(self.layout, state, EVERYBODY).place_at(slot)
        if at is None or at[0].visible != "all":
            return []
        return [self.bases[kind] + number for kind, number in at[1] if kind in self.bases]

    def _looked_up(self, slot: int, state: State) -> tuple[int, bool | None]:
        at = Eyes(self.layout, state, EVERYBODY).place_at(slot)
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
    """The pieces of one match."""

    def __init__(self, slots: Slots, state: State, moved: set[int]) -> None:
        """Look at the state at the end of the set-up; *moved* has the pieces that may lie elsewhere from now on."""
        self.slots = slots
        self.seen: dict[str, list[int]] = {}
        self.taken: Found = {}
        self._known: set[int] = set()
        self._held: set[tuple[int, int]] = set()
        self._came: dict[int, int] = {}
        self._at: list[Any] = state[: slots.end]
        self._moved = moved
        self._set_up(state)
        moved.clear()
        self._came.clear()
        self.taken.clear()  # what is there at the beginning is not taken, then or later
        self._tops(state, 0)

    def _set_up(self, state: State) -> None:
        """Look at all pieces; most lie where they lay in the first match, and are known from there."""
        slots, begun = self.slots, self.slots.begun
        if begun is None:
            self._lie(slots.designs, state, 0)
            again = {piece for piece in slots.designs if slots.place(state[piece], state)[1] is None}
            there = [state[piece] for piece in slots.designs]
            slots.begun = Begun(there, self._known - again, self._held.copy(), again)
            return
        other = begun.again.union(compress(slots.designs, map(ne, map(state.__getitem__, slots.designs), begun.at)))
        self._known, self._held = begun.known - other, {one for one in begun.held if one[0] not in other}
        for design, copies in Tally(map(slots.designs.__getitem__, self._known)).items():
            self.seen[design] = [0, copies]
        self._lie(other, state, 0)

    def look(self, state: State, round: int) -> None:
        """Note what lies elsewhere than at the last look."""
        before, designs, pieces = self._at, self.slots.designs, list[int]()
        for piece in self._moved:
            if piece in designs and before[piece] != state[piece]:
                before[piece] = state[piece]
                pieces.append(piece)
        self._moved.clear()
        self._lie(pieces, state, round)
        if self.slots.tops:
            self._tops(state, round)

    def _lie(self, pieces: Iterable[int], state: State, round: int) -> None:
        """Note pieces where they lie now."""
        slots, known, held, came = self.slots, self._known, self._held, self._came
        dark, places = slots.dark, slots.places
        for piece in pieces:
            slot = state[piece]
            if slot in dark:
                continue
            if slot in came:
                came[slot] += 1
            else:
                came[slot] = 1
            seat, seen = places.get(slot) or slots.place(slot, state)
            if piece not in known and (slots.shows(state, slot, piece) if seen is None else seen):
                self._see(piece, round)
            if seat >= 0 and (piece, seat) not in held:
                held.add((piece, seat))
                self.taken.setdefault((slots.designs[piece], seat), [round, 0])[1] += 1

    def _see(self, piece: int, round: int) -> None:
        self._known.add(piece)
        design = self.slots.designs[piece]
        if design in self.seen:
            self.seen[design][1] += 1
        else:
            self.seen[design] = [round, 1]

    def _tops(self, state: State, round: int) -> None:
        for slot in self.slots.tops:
            if held := state[slot]:
                kind = self.slots.layout.model.places[self.slots.layout.holders[slot]].of
                piece = self.slots.bases[kind] + held[-1]
                if piece not in self._known:
                    self._see(piece, round)

    def found(self) -> Row:
        """Return what was seen, and who took what."""
        seen, taken = sorted(self.seen.items()), sorted(self.taken.items())
        came: dict[str, int] = {}
        for slot, times in self._came.items():
            if name := self.slots.part(slot):
                came[name] = came.get(name, 0) + times
        there = sorted(came.items())
        return {
            "came_place": [name for name, _ in there],
            "came_times": [times for _, times in there],
            "seen_piece": [piece for piece, _ in seen],
            "seen_round": [turn for _, (turn, _) in seen],
            "seen_copies": [copies for _, (_, copies) in seen],
            "taken_piece": [piece for (piece, _), _ in taken],
            "taken_seat": [seat for (_, seat), _ in taken],
            "taken_round": [turn for _, (turn, _) in taken],
            "taken_copies": [copies for _, (_, copies) in taken],
        }
