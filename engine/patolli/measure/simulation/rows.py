"""A game as table rows: one row for each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from patolli.measure.simulation.games import Game


class Row(TypedDict):
    """The facts of one seat in one game."""

    game: int
    seed: int
    seat: int
    bot: str
    score: int | None
    rank: int | None
    won: bool | None
    choices: int
    digest: str | None
    fault: str


COLUMNS: dict[str, type] = {
    "game": int, "seed": int, "seat": int, "bot": str, "score": int, "rank": int, "won": bool, "choices": int,
    "digest": str, "fault": str,
}  # fmt: skip
"""The columns in order, each with its type; a value may also be None."""


def rows_of(game: Game, bots: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each seat, in order.

    Columns: the number of the game in the simulation (from 0) and its seed; the seat (from 0) and its bot; score, rank
    (1 is best, equal seats share a rank) and whether the seat has won; the number of choices in the game, by all seats;
    the digest of its final state. If a game failed or was abandoned, score, rank, won and digest are None, and
    ``fault`` says why; otherwise ``fault`` is empty. The rank is also None if the pack only declares winners.
    """
    for seat, bot in enumerate(bots):
        ended = bool(game.digest)
        yield {
            "game": game.index,
            "seed": game.seed,
            "seat": seat,
            "bot": str(bot),
            "score": game.scores[seat] if ended else None,
            "rank": game.ranks[seat] if game.ranks else None,
            "won": seat in game.winners if ended else None,
            "choices": game.decisions,
            "digest": game.digest if ended else None,
            "fault": game.fault,
        }
