"""Return what can be seen of a state: by one seat, or by everybody.

A counter or place is open as its declaration says (``visible``), and only as far as its indices can be known: what lies
on a piece of a hidden hand would reveal that the piece is there. Everything that a player reads is tested here.
"""

from __future__ import annotations

from patolli.kernel.state import State
from patolli.language.program import types as ty
from patolli.language.program.model import Counter, Place
from patolli.run.compiler.layout import Layout
from patolli.run.compiler.seat_view import is_open_to

EVERYBODY = -2
"""A seat of no player, not even of what has no owner: what is visible to it is visible to all."""
Index = tuple[str, int]
"""A kind, and the number of one of its instances."""


class SeatVisibility:
    """What the player on ``seat`` can see of a state; with :data:`EVERYBODY`, what all can."""

    def __init__(self, layout: Layout, state: State, seat: int) -> None:
        """Look at *state* from *seat*."""
        self.layout, self.model, self.state, self.seat = layout, layout.model, state, seat
        self.seats = layout.list_viewing_seats(state, seat)
        self._pieces: dict[Index, bool] = {}

    def piece(self, kind: str, number: int) -> bool:
        """Return whether a piece lies where it can be seen; what is no piece, or lies in the box, can be."""
        at = self.layout.at.get(kind)
        if at is None or number < 0 or not self.state[at + number]:
            return True
        key = (kind, number)
        if key not in self._pieces:
            self._pieces[key] = False  # a piece that lies on itself, by whatever way
            self._pieces[key] = self.slot(self.state[at + number], number)
        return self._pieces[key]

    def slot(self, slot: int, piece: int = -1) -> bool:
        """Return whether what lies in the slot of a place can be seen; in a pile that shows its top, of one *piece*."""
        found = self.place_at(slot)
        if found is None:
            return True
        place, indices = found
        if place.visible == "top":
            held = self.state[slot]
            return bool(held) and held[-1] == piece and self.is_known(indices)
        return self.open(place, indices)

    def open(self, thing: Counter | Place, indices: tuple[Index, ...]) -> bool:
        """Return whether a counter, or what lies in a place, can be seen at some indices."""
        owner = self.owner(*indices[0]) if indices else -1
        return thing.visible != "top" and self.is_open(thing.visible, owner) and self.is_known(indices)

    def is_open(self, visible: str, owner: int) -> bool:
        """Return whether what has an owner, or none (-1), is open to the seat, or to one for which it decides."""
        return any(is_open_to(visible, owner, seat) for seat in self.seats)

    def is_held(self, kind: str, number: int) -> bool:
        """Return whether a piece lies before this seat where everybody else sees it: the seat names it by its place."""
        if kind not in self.model.held_kinds or number < 0:
            return False
        found = self.place_at(self.state[self.layout.at[kind] + number])
        if found is None or found[0].visible != "others":
            return False
        return self.owner(*found[1][0]) == self.seat

    def field(self, kind: str, name: str, number: int) -> bool:
        """Return whether a field of a piece can be seen: the piece, and what it declares."""
        if number < 0:
            return True
        field = self.model.kinds[kind].fields[name]
        seen = field.visible == "all" or (field.visible == "owner" and self.owner(kind, number) in self.seats)
        if not seen and field.unless:
            seen = bool(self.state[self.layout.fields[(kind, field.unless)] + number])
        return seen and self.piece(kind, number)

    def is_known(self, indices: tuple[Index, ...]) -> bool:
        """Return whether it may be shown that there is something at some indices: on pieces that can be seen."""
        return all(self.piece(kind, number) for kind, number in indices)

    def owner(self, kind: str, number: int) -> int:
        """Return the seat to which an index belongs."""
        return self.layout.instances[kind][number].owner

    def value(self, type_: ty.AnyType, value: object) -> bool:
        """Return whether all pieces that a value names can be seen."""
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq) and isinstance(value, tuple | list):
            return all(self.value(type_.of, one) for one in value)
        return not isinstance(type_, ty.Ref) or not isinstance(value, int) or self.piece(type_.kind, value)

    def place_at(self, slot: int) -> tuple[Place, tuple[Index, ...]] | None:
        """Return the place to which a slot belongs, with its indices; None for the box."""
        name = self.layout.holders.get(slot)
        if name is None:
            return None
        place, (base, sizes) = self.model.places[name], self.layout.places[name]
        return place, indices_of(place.dims, sizes, slot - base)


def counter_at(layout: Layout, name: str, slot: int) -> tuple[Counter, tuple[Index, ...]]:
    """Return the counter of a name, and the indices for which it stands in a slot."""
    counter, (base, sizes) = layout.model.counters[name], layout.counters[name]
    return counter, indices_of(counter.dims, sizes, slot - base)


def indices_of(dims: tuple[str, ...], sizes: tuple[int, ...], offset: int) -> tuple[Index, ...]:
    """Return the indices of the slot at an offset; the number of a spot in a row is none of them."""
    numbers = []
    for size in reversed(sizes):
        numbers.append(offset % size)
        offset //= size
    return tuple(zip(dims, reversed(numbers), strict=False))
