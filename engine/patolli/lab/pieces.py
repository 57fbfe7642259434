"""Where the pieces of a match lie, looked at before every round: which were seen, and who took which."""

from __future__ import annotations

from itertools import compress, count
from operator import ne
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State
from patolli.runtime.eyes import EVERYBODY, Eyes

if TYPE_CHECKING:
    from patolli.compiler.layout import Layout

Found = dict[tuple[str, int], list[int]]
"""By design and seat the first round, and how many copies."""


class Slots:
    """What is the same in all matches of a program: who sees what lies in a slot, and whose the slot is."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.kinds = [(kind, base, base + layout.size(kind)) for kind, base in layout.at.items() if layout.size(kind)]
        self.designs = {
            kind: [f"{kind}/{one.design.id if one.design is not None else one.id}" for one in layout.instances[kind]]
            for kind, _, _ in self.kinds
        }
        self.dark = {0}  # slots of nobody in which nothing is seen, and none at all
        self.places: dict[int, tuple[int, bool | None]] = {}
        self.tops = [slot for slot, name in layout.holders.items() if layout.model.places[name].visible == "top"]

    def place(self, slot: int, state: State) -> tuple[int, bool | None]:
        """Return whose a slot is, -1 for nobody's, and whether what lies there is seen; None: it depends on pieces."""
        found = self.places.get(slot)
        if found is None:
            found = self.places[slot] = self._looked_up(slot, state)
            if found == (-1, False):
                self.dark.add(slot)
        return found

    def _looked_up(self, slot: int, state: State) -> tuple[int, bool | None]:
        at = Eyes(self.layout, state, EVERYBODY).place_at(slot)
        if at is None:
            return -1, False
        place, indices = at
        owners = (self.layout.instances[kind][number].owner for kind, number in indices)
        seat = next((owner for owner in owners if owner >= 0), -1)
        if any(kind in self.layout.at for kind, _ in indices):
            return seat, None
        return seat, place.visible == "all" or (place.visible == "owner" and bool(indices))


class Watched:
    """The pieces of one match."""

    def __init__(self, slots: Slots, state: State) -> None:
        """Look at the state at the end of the set-up."""
        self.slots = slots
        self.seen: dict[str, list[int]] = {}
        self.taken: Found = {}
        self._known: set[tuple[str, int]] = set()
        self._held: set[tuple[str, int, int]] = set()
        self._at: list[list[Any]] = [state[low:high] for _, low, high in slots.kinds]
        dark = slots.dark
        for (kind, _, _), there in zip(slots.kinds, self._at, strict=True):
            for number, slot in enumerate(there):
                if slot not in dark:
                    self._lies(kind, number, slot, state, 0)
        self.taken.clear()  # what is there at the beginning is not taken, then or later
        self._tops(state, 0)

    def look(self, state: State, round: int) -> None:
        """Note what lies elsewhere than at the last look."""
        dark = self.slots.dark
        for index, (kind, low, high) in enumerate(self.slots.kinds):
            now, before = state[low:high], self._at[index]
            if now != before:
                self._at[index] = now
                for number in compress(count(), map(ne, now, before)):
                    slot = now[number]
                    if slot not in dark:
                        self._lies(kind, number, slot, state, round)
        if self.slots.tops:
            self._tops(state, round)

    def _lies(self, kind: str, number: int, slot: int, state: State, round: int) -> None:
        seat, seen = self.slots.places.get(slot) or self.slots.place(slot, state)
        if seen is not False and (kind, number) not in self._known:
            if seen is None:
                seen = Eyes(self.slots.layout, state, EVERYBODY).slot(slot, number)
            if seen:
                self._see(kind, number, round)
        if seat >= 0 and (kind, number, seat) not in self._held:
            self._held.add((kind, number, seat))
            self.taken.setdefault((self.slots.designs[kind][number], seat), [round, 0])[1] += 1

    def _see(self, kind: str, number: int, round: int) -> None:
        if (kind, number) not in self._known:
            self._known.add((kind, number))
            self.seen.setdefault(self.slots.designs[kind][number], [round, 0])[1] += 1

    def _tops(self, state: State, round: int) -> None:
        for slot in self.slots.tops:
            if held := state[slot]:
                kind = self.slots.layout.model.places[self.slots.layout.holders[slot]].of
                self._see(kind, held[-1], round)
