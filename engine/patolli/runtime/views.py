"""What a player sees of a match: a function of the declarations alone.

A place is visible to ``all``, to its ``owner`` (the first index), to ``none``, or shows its ``top``. Where its pieces
are hidden only their number is told; facts and fields of pieces that lie in hidden places are left out, and so are
hidden fields and what lies on a hidden piece or is counted for it. A score that depends on what the player cannot see
is None until the match is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import Instance
from patolli.program import types as ty
from patolli.program.model import Counter, Place
from patolli.runtime.eyes import Eyes, Index
from patolli.runtime.situations import Situations

if TYPE_CHECKING:
    from patolli.runtime.match import Match


def view(match: Match, player: int) -> dict[str, Any]:
    """Return the view of one player as plain data: ``counters``, ``places``, ``pieces`` and the open question.

    Raises:
        ValueError: There is no such seat.
    """
    match.seat(player)
    layout = match.program.layout
    eyes = Eyes(layout, match.state, player)
    result: dict[str, Any] = {
        "players": match.players, "over": match.over, "scores": _scores(match, player),
        "winners": match.winners if match.over else None,
        "counters": {counter.name: _counter(eyes, counter) for counter in layout.model.counters.values()},
        "places": {place.name: _place(eyes, place) for place in layout.model.places.values()},
        "pieces": _fields(match, eyes),
    }  # fmt: skip
    decision = match.decision
    if decision is not None:
        result["to_move"] = decision.player
        mine = decision.player == player
        result["prompt"] = decision.prompt if mine else ""
        result["options"] = list(decision.labels) if mine else []
    return result


def _scores(match: Match, player: int) -> list[int | None]:
    """Return the score of each seat; None where it depends on what the player cannot see. The result is for all."""
    formula, program = match.program.layout.model.score, match.program
    if formula is None or match.over:
        return list(match.scores)
    summaries = program.workings.preconditions.summaries
    if summaries.reads(formula.body).isdisjoint(program.layout.model.concealed):
        return list(match.scores)
    sight = Situations(program, match.labels, match.clone().state, player).sight
    return [
        None if sight.hides(formula.body, {formula.me: seat}) else match.score(seat) for seat in range(match.players)
    ]


def _counter(eyes: Eyes, counter: Counter) -> Any:
    base, sizes = eyes.layout.counters[counter.name]

    def read(slot: int, indices: tuple[Index, ...]) -> Any:
        return eyes.state[slot] if eyes.open(counter, indices) else None

    def closed(indices: tuple[Index, ...]) -> bool:
        return not eyes.open(counter, indices)

    return _nested(eyes, counter.dims, sizes, base, read, closed)


def _nested(
    eyes: Eyes, dims: tuple[str, ...], sizes: tuple[int, ...], base: int, read: Callable[[int, tuple[Index, ...]], Any],
    closed: Callable[[tuple[Index, ...]], bool], indices: tuple[Index, ...] = (),
) -> Any:  # fmt: skip
    """Return what is at all indices, by their names; None for all that stands behind one that is closed."""
    if not dims:
        return read(base, indices)
    width = 1
    for size in sizes[1:]:
        width *= size
    found = {}
    for number, instance in enumerate(eyes.layout.instances[dims[0]]):
        here = (*indices, (dims[0], number))
        inside = None
        if not closed(here):
            inside = _nested(eyes, dims[1:], sizes[1:], base + number * width, read, closed, here)
        found[piece_name(instance)] = inside
    return found


def _place(eyes: Eyes, place: Place) -> Any:
    base, sizes = eyes.layout.places[place.name]
    names = eyes.layout.instances[place.of]

    def one(slot: int, indices: tuple[Index, ...]) -> Any:
        held = eyes.state[slot]
        pieces = held if isinstance(held, list) else ([held] if held >= 0 else [])
        if place.visible == "top":
            return {"hidden": max(0, len(pieces) - 1), "top": piece_name(names[pieces[-1]]) if pieces else None}
        if not eyes.open(place, indices):
            return {"hidden": len(pieces)}
        if isinstance(held, list):
            return [piece_name(names[p]) for p in pieces]
        return piece_name(names[held]) if held >= 0 else None

    def read(slot: int, indices: tuple[Index, ...]) -> Any:
        if place.type == "row":
            return [one(spot, indices) for spot in range(slot, slot + sizes[-1])]
        return one(slot, indices)

    return _nested(eyes, place.dims, sizes, base, read, lambda indices: not eyes.known(indices))


def _fields(match: Match, eyes: Eyes) -> dict[str, Any]:
    """Return the fields of pieces that can be seen, and of members of grids and enumerations."""
    layout = match.program.layout
    found: dict[str, Any] = {}
    for kind in layout.model.kinds.values():
        if not kind.fields:
            continue
        rows = {}
        for i, instance in enumerate(layout.instances[kind.name]):
            if eyes.piece(kind.name, i):
                rows[piece_name(instance)] = {
                    f.name: _field_value(match, f.type, match.state[layout.fields[(kind.name, f.name)] + i])
                    for f in kind.fields.values()
                    if eyes.field(kind.name, f.name, i)
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
