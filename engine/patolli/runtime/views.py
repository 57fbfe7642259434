"""What a player sees of a match: a function of the declarations alone.

A place is visible to ``all``, to its ``owner`` (the first index), to ``none``, or shows its ``top``. Where its pieces
are hidden only their number is told; facts and fields of pieces that lie in hidden places are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import Instance
from patolli.program import types as ty
from patolli.program.model import Counter, Place

if TYPE_CHECKING:
    from patolli.runtime.match import Match


def view(match: Match, player: int) -> dict[str, Any]:
    """Return the view of one player as plain data: ``counters``, ``places``, ``pieces`` and the open question."""
    seen: set[tuple[str, int]] = set()
    places = {place.name: _place(match, place, player, seen) for place in match.program.layout.model.places.values()}
    counters = {c.name: _counter(match, c, player) for c in match.program.layout.model.counters.values()}
    result: dict[str, Any] = {
        "players": match.players, "over": match.over, "scores": match.scores, "counters": counters, "places": places,
        "pieces": _fields(match, seen),
    }  # fmt: skip
    decision = match.decision
    if decision is not None:
        result["to_move"] = decision.player
        mine = decision.player == player
        result["prompt"] = decision.prompt if mine else ""
        result["options"] = [option.label for option in decision.options] if mine else []
    return result


def _counter(match: Match, counter: Counter, player: int) -> Any:
    layout = match.program.layout
    base, sizes = layout.counters[counter.name]
    return _nested(
        match, counter.dims, sizes, base, player if counter.visible == "owner" else -1, lambda slot: match.state[slot]
    )


def _nested(match: Match, dims: tuple[str, ...], sizes: tuple[int, ...], base: int, only: int, read: Any) -> Any:
    if not dims:
        return read(base)
    width = 1
    for size in sizes[1:]:
        width *= size
    names = match.program.layout.instances[dims[0]]
    return {
        piece_name(instance): _nested(match, dims[1:], sizes[1:], base + i * width, -1, read)
        if only in (-1, i)
        else None
        for i, instance in enumerate(names)
    }


def _place(match: Match, place: Place, player: int, seen: set[tuple[str, int]]) -> Any:
    layout = match.program.layout
    base, sizes = layout.places[place.name]
    names = layout.instances[place.of]
    owned = place.dims[:1] == ("player",)

    def read(slot: int) -> Any:
        held = match.state[slot]
        pieces = held if isinstance(held, list) else ([held] if held >= 0 else [])
        owner = (slot - base) // max(1, len(layout.slots(base, sizes[1:]))) if owned else -1
        if place.visible == "none" or (place.visible == "owner" and owner != player):
            return {"hidden": len(pieces)}
        if place.visible == "top":
            seen.update((place.of, p) for p in pieces[-1:])
            return {"hidden": max(0, len(pieces) - 1), "top": piece_name(names[pieces[-1]]) if pieces else None}
        seen.update((place.of, p) for p in pieces)
        if isinstance(held, list):
            return [piece_name(names[p]) for p in pieces]
        return piece_name(names[held]) if held >= 0 else None

    if place.type == "row":

        def row(slot: int) -> Any:
            return [read(s) for s in range(slot, slot + sizes[-1])]

        if not place.dims:
            return row(base)
        return _nested(match, place.dims, sizes, base, -1, row)
    return _nested(match, place.dims, sizes, base, -1, read)


def _fields(match: Match, seen: set[tuple[str, int]]) -> dict[str, Any]:
    """Return the fields of pieces that can be seen, and of members of grids and enumerations."""
    layout = match.program.layout
    found: dict[str, Any] = {}
    for kind in layout.model.kinds.values():
        if not kind.fields:
            continue
        rows = {}
        for i, instance in enumerate(layout.instances[kind.name]):
            if kind.placed and (kind.name, i) not in seen and match.state[layout.at[kind.name] + i]:
                continue
            rows[piece_name(instance)] = {
                f.name: _field_value(match, f.type, match.state[layout.fields[(kind.name, f.name)] + i])
                for f in kind.fields.values()
            }
        found[kind.name] = rows
    return found


def _field_value(match: Match, type_: ty.AnyType, value: int) -> Any:
    if type_ == ty.INT:
        return value
    if type_ == ty.BOOL:
        return bool(value)
    return match.labels.value(type_, value, -1) if value >= 0 else None


def piece_name(instance: Instance) -> str:
    """Return the name of a piece in views: its id, with its owner where it has one."""
    owner = f"player_{instance.owner + 1}"
    return instance.id if instance.owner < 0 or instance.id == owner else f"{owner}.{instance.id}"
