"""Let hidden pieces of a world change places until it offers a seat what that seat is offered in truth.

Who looks for a card in a hidden pile sees every card of it among the options, in their order. Almost no world that is
drawn shows the same ones, so a drawn world is mended: what it offers in the place of another piece changes places with
that one. All that is looked at are the options, which the seat sees, and the drawn world; so nothing that is hidden in
the real match counts, and what the options do not show stays as it was drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from patolli.language.program import types as ty
from patolli.run.compiler.layout import Layout
from patolli.run.runtime.seat_visibility import SeatVisibility
from patolli.run.runtime.visibility import Piece

if TYPE_CHECKING:
    from patolli.run.compiler.asked import Question
    from patolli.run.runtime.match import Match

ROUNDS = 60
"""How often pieces change places in one world until it is given up."""
Exchange = Callable[["Match", Piece, Piece], bool]
"""Lets two pieces change places in a world; returns whether the seat can believe that they lie so."""


def see_options(match: Match) -> list[Any]:
    """Return the options as the player who decides sees them: pieces that are held unseen, by their places."""
    pending, layout = match.pending or [], match.program.layout
    question = match.program.questions.get(match.frame[0]) if pending else None
    if question is None or not layout.model.held_kinds:
        return pending
    seat_visibility = SeatVisibility(layout, match.state, match.decider)

    def replace_held(type_: ty.AnyType, value: Any) -> Any:
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq) and isinstance(value, tuple | list):
            return tuple(replace_held(type_.of, one) for one in value)
        if (
            not isinstance(type_, ty.Ref)
            or not isinstance(value, int)
            or not seat_visibility.is_held(type_.kind, value)
        ):
            return value
        slot = match.state[layout.at[type_.kind] + value]
        held = match.state[slot]
        return ("held", slot, held.index(value) if held.__class__ is list else 0)

    regular = len(pending) - match.extra
    return [see_option(question, value, replace_held) for value in pending[:regular]] + pending[regular:]


def see_option(question: Question, value: Any, see: Callable[[ty.AnyType, Any], Any]) -> Any:
    """Return an option in which each value is replaced by what *see* makes of it and its type."""
    match question.kind:
        case "choose" | "order" if len(question.types) == 1:
            return see(question.types[0], value)
        case "choose" | "order":
            return tuple(map(see, question.types, value))
        case "several":
            one = question.types[0] if value[0] else ty.Seq(question.types[0])  # at the end, all that were chosen
            return (value[0], see(one, value[1]), *value[2:])
        case "menu" | "repeat":
            return (value[0], *map(see, question.labels[value[0]][1], value[1:]))
    return value


def rename_pieces(layout: Layout, type_: ty.AnyType, value: Any, part: Callable[[Piece], Piece]) -> Any:
    """Return a value in which each piece is replaced by what *part* returns for it."""
    type_ = ty.strip(type_)
    if isinstance(type_, ty.Seq) and isinstance(value, tuple | list):
        return type(value)(rename_pieces(layout, type_.of, one, part) for one in value)
    at = layout.at.get(type_.kind) if isinstance(type_, ty.Ref) else None
    if at is None or not isinstance(value, int) or value < 0:
        return value
    return part(at + value) - at


def fit_world(
    match: Match, world: Match, hidden: set[Piece], exchange: Exchange, ask: Callable[[Match], bool], draw: Random
) -> bool:
    """Mend a world until its open question offers the same.

    Args:
        match: The real match.
        world: The drawn one, in which the question was asked.
        hidden: The pieces that the seat does not see.
        exchange: Lets two of them change places.
        ask: Asks the question again; returns whether it is the same question.
        draw: A source of chance.

    Returns:
        Whether it offers the same; if not, the world is of no use any more.
    """
    offered = see_options(match)
    wanted = [piece for piece in list_offered_pieces(match) if piece in hidden]
    others = sorted(hidden.difference(wanted))
    for _ in range(ROUNDS):
        if see_options(world) == offered and world.extra == match.extra:
            return True
        found = [piece for piece in list_offered_pieces(world) if piece in hidden]
        if not _exchange_pieces(world, found, wanted, others, exchange, draw) or not ask(world):
            return False
    return False


def _exchange_pieces(
    world: Match, found: list[Piece], wanted: list[Piece], others: list[Piece], exchange: Exchange, draw: Random
) -> bool:
    """Let pieces change places, so that what is offered comes nearer to what is wanted; return whether any did."""
    if len(found) == len(wanted):
        return _in_order(world, found, wanted, exchange)
    more = [piece for piece in found if piece not in wanted]
    less = [piece for piece in wanted if piece not in found]
    moved = False
    for one, other in zip(more, less, strict=False):
        moved |= exchange(world, one, other)
    # What is offered beyond that makes room for something else, and what is missing takes the place of something else.
    left = more[len(less) :] or less[len(more) :]
    free = [piece for piece in others if piece not in found]
    if not moved and left and free:
        moved = exchange(world, draw.choice(left), draw.choice(free))
    return moved


def _in_order(world: Match, found: list[Piece], wanted: list[Piece], exchange: Exchange) -> bool:
    """Give every piece that is wanted the place of the one that is offered instead."""
    at = {piece: place for place, piece in enumerate(found)}  # whose first place a piece has now
    moved = False
    now = found[:]
    for place, piece in enumerate(wanted):
        there = now[place]
        if there == piece or not exchange(world, there, piece):
            continue
        moved = True
        now[place] = piece
        if piece in at:
            now[at[piece]], at[there] = there, at[piece]
        at[piece] = place
    return moved


def list_offered_pieces(match: Match) -> list[Piece]:
    """Return the pieces that the options of the open question name, each once, in their order."""
    if match.pending is None:
        return []
    found: dict[Piece, None] = {}
    regular = match.pending[: len(match.pending) - match.extra]
    question = match.program.questions.get(match.frame[0])
    if question is None:
        return []
    layout = match.program.layout
    seat_visibility = SeatVisibility(layout, match.state, match.decider)
    for value in regular:
        match question.kind:
            case "choose" | "order":
                types, values = question.types, value if len(question.types) > 1 else (value,)
            case "several":
                types, values = question.types[:1], value[1:2]
            case "menu" | "repeat":
                types, values = question.labels[value[0]][1], value[1:]
            case _:
                return []
        for type_, one in zip(types, values, strict=False):
            found.update(dict.fromkeys(_pieces(seat_visibility, type_, one)))
    return list(found)


def _pieces(seat_visibility: SeatVisibility, type_: ty.AnyType, value: Any) -> Iterator[Piece]:
    """Yield the pieces that a value names to the player who chooses."""
    type_, at = ty.strip(type_), seat_visibility.layout.at
    if isinstance(type_, ty.Seq) and isinstance(value, tuple | list):
        for one in value:
            yield from _pieces(seat_visibility, type_.of, one)
    elif isinstance(type_, ty.Ref) and type_.kind in at and isinstance(value, int) and value >= 0:
        yield from () if seat_visibility.is_held(type_.kind, value) else (at[type_.kind] + value,)
