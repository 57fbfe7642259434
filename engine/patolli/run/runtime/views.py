"""What a player sees of a match: a function of the declarations alone.

A place is visible to ``all``, to its ``owner`` (the first index), to ``none``, or shows its ``top``. Where its pieces
are hidden only their number is shown; facts and fields of pieces that lie in hidden places are left out, and so are
hidden fields and what lies on a hidden piece or is counted for it. A score that depends on what the player cannot see
is None until the match is over.

What lies on the table comes from what ``compiler.seat_view`` made of the declarations.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from patolli.run.compiler.seat_view import piece_name
from patolli.run.runtime.seat_visibility import EVERYBODY
from patolli.run.runtime.situations import Situations

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

Look = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]
"""Counters, places and pieces, each by name."""


def view(match: Match, player: int) -> dict[str, Any]:
    """Return the view of one player as plain data: ``counters``, ``places``, ``pieces`` and the open question.

    With :data:`EVERYBODY` as the player it is what everyone sees, such as a spectator.

    Raises:
        TypeError: The seat is no whole number.
        ValueError: There is no such seat.
    """
    if player != EVERYBODY:
        match.seat(player)
    counters, places, pieces = look_at_table(match, player)
    over = match.over
    result: dict[str, Any] = {
        "players": match.players, "over": over, "scores": scores(match, player),
        "winners": match.winners if over else None, "counters": counters, "places": places, "pieces": pieces,
    }  # fmt: skip
    decision = match.decision
    if decision is not None:
        result["to_move"] = decision.player
        mine = decision.player == player
        result["prompt"] = decision.prompt if mine else ""
        result["options"] = list(decision.labels) if mine else []
    return result


def look_at_table(match: Match, player: int) -> Look:
    """Return what a player sees on the table, also as one who decides for others: counters, places and pieces."""
    seats = match.program.layout.list_viewing_seats(match.state, player)
    looks = [match.ruleset.get_seat_view(match.program, seat)(match.state) for seat in seats]
    return looks[0] if len(looks) == 1 else reduce(_merge_looks, looks)


def _merge_looks(one: Any, other: Any) -> Any:
    """Return what two seats see together: what is hidden from one of them, the other one may see."""
    if isinstance(one, tuple):
        return tuple(map(_merge_looks, one, other))
    if isinstance(one, dict) and isinstance(other, dict) and "hidden" not in one and "hidden" not in other:
        return {key: _merge_looks(one.get(key), other.get(key)) for key in {**one, **other}}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return list(map(_merge_looks, one, other))
    return other if one is None or (isinstance(one, dict) and "hidden" in one and "top" not in one) else one


def scores(match: Match, player: int) -> list[int | None]:
    """Return the score of each seat; None where it depends on what the player cannot see. The result is for all."""
    formula, program = match.program.layout.model.score, match.program
    if formula is None or match.over:
        return list(match.scores)
    summaries = program.workings.preconditions.summaries
    if summaries.reads(formula.body).isdisjoint(program.layout.model.hidden_locations):
        return list(match.scores)
    hidden_reads = Situations(program, match.labels, program.layout.copy_state(match.state), player).hidden_reads
    return [
        None if hidden_reads.hides(formula.body, {formula.me: seat}) else match.score(seat)
        for seat in range(match.players)
    ]


__all__ = ["look_at_table", "piece_name", "scores", "view"]
