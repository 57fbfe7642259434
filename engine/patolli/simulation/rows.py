"""A game as rows of a table: one for each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from patolli.simulation.games import Game


class Row(TypedDict):
    """What is told of one seat of one game."""

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
"""The columns in their order, with what stands in them, or nothing."""


def rows_of(game: Game, bots: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each seat, in order.

    Columns are: the number of the game in the simulation, from 0, and its seed; the seat, from 0, and who sits there;
    score, rank (1 is best, equals share one) and whether the seat has won; the choices that were made in the game, by
    all; the digest of its final state. Of a game that could not go on, or was given up, score, rank, won and digest
    are None, and ``fault`` tells why; it is empty otherwise. So is a rank where the pack says who wins and no more.
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
