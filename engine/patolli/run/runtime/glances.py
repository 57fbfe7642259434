"""What a seat sees of a state, as one flat value that is fast to read and to compare.

It is equal for two states exactly where :func:`views.view` shows the seat the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from patolli.kernel.state import State
from patolli.run.compiler.seat_view import compile_glance
from patolli.run.runtime.visibility import Number, Visibility

Glance = Callable[[State], tuple[Any, ...]]


class Glances:
    """What each seat sees in matches of one layout."""

    def __init__(self, visibility: Visibility) -> None:
        """Find out what each seat always sees."""
        self.visibility, self.layout = visibility, visibility.layout
        self._made: dict[int, Glance] = {}

    def of_seat(self, seat: int) -> Glance:
        """Return what reads a state as a seat sees it."""
        if seat not in self._made:
            self._made[seat] = self._compile(seat)
        return self._look_for_others(seat) if self.visibility.deciders else self._made[seat]

    def _look_for_others(self, seat: int) -> Glance:
        """Return what reads a state as a seat does that may decide for others: it sees what these see."""
        looks = [self._made.setdefault(one, self._compile(one)) for one in range(self.layout.seats)]
        return lambda state: tuple((one, looks[one](state)) for one in self.layout.list_viewing_seats(state, seat))

    def _compile(self, seat: int) -> Glance:
        visibility, lists = self.visibility, set(self.layout.lists)
        unsure = {one.slot: one for one in visibility.numbers}
        always = [slot for slot in chain.from_iterable(self.layout.list_numbers()) if slot not in unsure]
        always += [slot for slot, one in unsure.items() if not one.pieces and one.seats >> seat & 1]
        opened, carried = list[tuple[int, int]](), list[Number]()
        for slot, one in unsure.items():
            if one.pieces:
                carried.append(one)
            elif one.opener and not one.seats >> seat & 1:
                opened.append((slot, one.opener))
        single, several, counted, filled = list[int](), list[int](), list[int](), list[int]()
        moving = list[int]()  # places on pieces that may be hidden, and those that show their top
        for place in self.layout.model.places.values():
            for slot in self.layout.slots(*self.layout.places[place.name]):
                seen = visibility.seats.get(slot, -1) >> seat & 1
                if slot in visibility.carriers or slot in visibility.tops:
                    moving.append(slot)
                elif seen:
                    (several if slot in lists else single).append(slot)
                else:
                    (counted if slot in lists else filled).append(slot)
        boxed = [
            range(self.layout.at[kind], self.layout.at[kind] + self.layout.size(kind)) for kind in visibility.kinds
        ]
        read, read_lists, read_counted = get_all(always + single), get_all(several), get_all(counted)
        carry = self._compile_carried(seat, carried, moving) if carried or moving else None

        def look(state: State) -> tuple[Any, ...]:
            seen = (
                *read(state), *map(tuple, read_lists(state)), *map(len, read_counted(state)),
                *[state[slot] >= 0 for slot in filled],
                *[state[slot] if state[opener] else None for slot, opener in opened],
                *[state[slots[0] : slots[-1] + 1].count(0) for slots in boxed],
            )  # fmt: skip
            return seen if carry is None else (*seen, *carry(state))

        return look

    def _compile_carried(
        self, seat: int, carried: Sequence[Number], moving: Sequence[int]
    ) -> Callable[[State], list[Any]]:
        """Return what reads the numbers and places that belong to pieces, as far as these are seen."""
        visibility, glance = self.visibility, compile_glance(self.layout, seat)
        order = [piece for kind in sorted(self.layout.model.hidden_kinds) for piece in visibility.pieces[kind]]
        at = {piece: number for number, piece in enumerate(order)}
        own = [(one.slot, at[one.pieces[0]]) for one in carried if one.seats >> seat & 1 and len(one.pieces) == 1]
        rest = [
            (one.slot, one.seats >> seat & 1, one.opener, tuple(at[piece] for piece in one.pieces))
            for one in carried
            if not (one.seats >> seat & 1 and len(one.pieces) == 1)
        ]
        places = [
            (slot, slot in visibility.tops, visibility.seats.get(slot, -1) >> seat & 1,
             tuple(at[piece] for piece in visibility.carriers.get(slot, ())))
            for slot in moving
        ]  # fmt: skip

        def look(state: State) -> list[Any]:
            seen = [one for part in glance(state) for one in part]
            found: list[Any] = [state[slot] if seen[piece] else None for slot, piece in own]
            found += [
                state[slot] if (mine or (opener and state[opener])) and all([seen[one] for one in pieces]) else None
                for slot, mine, opener, pieces in rest
            ]
            for slot, top, mine, pieces in places:
                held = state[slot]
                if not all([seen[one] for one in pieces]):
                    found.append(None)
                elif top:
                    found.append((len(held), held[-1:]))
                elif mine:
                    found.append(tuple(held) if held.__class__ is list else held)
                else:
                    found.append(len(held) if held.__class__ is list else held >= 0)
            return found

        return look


def get_all(slots: Sequence[int]) -> Callable[[State], tuple[Any, ...]]:
    """Return what reads some slots of a state."""
    if len(slots) > 1:
        return itemgetter(*slots)
    return lambda state: tuple(state[slot] for slot in slots)
