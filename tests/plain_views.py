"""What a seat sees of the table in its plainest form, to hold what is compiled against: every slot of every declaration
is looked at, and asked of ``Eyes`` whether it is seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from patolli.language.program import types as ty
from patolli.language.program.model import Counter, Place
from patolli.run.compiler.seat_view import piece_name
from patolli.run.runtime import Match
from patolli.run.runtime.seat_visibility import Index, SeatVisibility


def plain_view(match: Match, seat: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return counters, places and pieces by name."""
    seat_visibility = SeatVisibility(match.program.layout, match.state, seat)
    model = seat_visibility.layout.model
    return (
        {counter.name: _counter(seat_visibility, counter) for counter in model.counters.values()},
        {place.name: _place(seat_visibility, place) for place in model.places.values()},
        _fields(match, seat_visibility),
    )


def _counter(seat_visibility: SeatVisibility, counter: Counter) -> Any:
    base, sizes = seat_visibility.layout.counters[counter.name]

    def read(slot: int, indices: tuple[Index, ...]) -> Any:
        return seat_visibility.state[slot] if seat_visibility.open(counter, indices) else None

    def closed(indices: tuple[Index, ...]) -> bool:
        return not seat_visibility.open(counter, indices)

    return _nested(seat_visibility, counter.dims, sizes, base, read, closed)


def _nested(
    seat_visibility: SeatVisibility, dims: tuple[str, ...], sizes: tuple[int, ...], base: int, read: Callable[[int, tuple[Index, ...]], Any],
    closed: Callable[[tuple[Index, ...]], bool], indices: tuple[Index, ...] = (),
) -> Any:  # fmt: skip
    """Return what is at all indices, by their names; None for all that stands behind one that is closed."""
    if not dims:
        return read(base, indices)
    width = 1
    for size in sizes[1:]:
        width *= size
    found = {}
    for number, instance in enumerate(seat_visibility.layout.instances[dims[0]]):
        here = (*indices, (dims[0], number))
        inside = None
        if not closed(here):
            inside = _nested(seat_visibility, dims[1:], sizes[1:], base + number * width, read, closed, here)
        found[piece_name(instance)] = inside
    return found


def _place(seat_visibility: SeatVisibility, place: Place) -> Any:
    base, sizes = seat_visibility.layout.places[place.name]
    names = seat_visibility.layout.instances[place.of]

    def one(slot: int, indices: tuple[Index, ...]) -> Any:
        held = seat_visibility.state[slot]
        pieces = held if isinstance(held, list) else ([held] if held >= 0 else [])
        if place.visible == "top":
            return {"hidden": max(0, len(pieces) - 1), "top": piece_name(names[pieces[-1]]) if pieces else None}
        if not seat_visibility.open(place, indices):
            return {"hidden": len(pieces)}
        if isinstance(held, list):
            return [piece_name(names[p]) for p in pieces]
        return piece_name(names[held]) if held >= 0 else None

    def read(slot: int, indices: tuple[Index, ...]) -> Any:
        if place.type == "row":
            return [one(spot, indices) for spot in range(slot, slot + sizes[-1])]
        return one(slot, indices)

    return _nested(
        seat_visibility, place.dims, sizes, base, read, lambda indices: not seat_visibility.is_known(indices)
    )


def _fields(match: Match, seat_visibility: SeatVisibility) -> dict[str, Any]:
    """Return the fields of pieces that can be seen, and of members of grids and enumerations."""
    layout = match.program.layout
    found: dict[str, Any] = {}
    for kind in layout.model.kinds.values():
        if not kind.fields:
            continue
        rows = {}
        for i, instance in enumerate(layout.instances[kind.name]):
            if seat_visibility.piece(kind.name, i):
                rows[piece_name(instance)] = {
                    f.name: _field_value(match, f.type, match.state[layout.fields[(kind.name, f.name)] + i])
                    for f in kind.fields.values()
                    if seat_visibility.field(kind.name, f.name, i)
                }
        found[kind.name] = rows
    return found


def _field_value(match: Match, type_: ty.AnyType, value: Any) -> Any:
    if isinstance(type_, ty.Maybe | ty.Seq) and isinstance(value, tuple):
        return [_field_value(match, ty.strip(type_).of, item) for item in value]
    if isinstance(type_, ty.Maybe) and value < 0:
        return None
    if type_ == ty.INT:
        return value
    if type_ == ty.BOOL:
        return bool(value)
    return match.labels.value(type_, value, -1) if value >= 0 else None
