"""How well what was learned plays, against another kind of bot."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from patolli.players.bots import make_bot
from patolli.players.learned import LearnedBot
from patolli.runtime.errors import MatchError
from patolli.simulation.games import game_seed
from patolli.simulation.playout import playout

if TYPE_CHECKING:
    from patolli.learning.judge import Judge
    from patolli.runtime import Ruleset


def wins_against(rules: Ruleset, players: int, judge: Judge, other: str, games: int, seed: int) -> tuple[float, int]:
    """Return how many games one seat of what was learned wins, the others being of another kind, and of how many.

    It changes seats from game to game; all seats have the same seeds. A win that is shared counts as its part.
    """
    won, played = 0.0, 0
    for number in range(games):
        own, seat = game_seed(seed, -1 - number // players), number % players
        seats = [LearnedBot(own, judge=judge) if n == seat else make_bot(other, own, n) for n in range(players)]
        try:
            match = playout(rules, players, own, seats)
        except MatchError:
            continue
        played += 1
        won += (seat in match.winners) / max(1, len(match.winners))
    return won, played


def interval(won: float, played: int) -> tuple[float, float]:
    """Return the bounds of the share of games that would be won in the long run, with 95 % confidence.

    Source:
        E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209.
    """
    if not played:
        return 0.0, 1.0
    z, share = 1.96, won / played
    middle = (share + z * z / (2 * played)) / (1 + z * z / played)
    half = z * sqrt(share * (1 - share) / played + z * z / (4 * played * played)) / (1 + z * z / played)
    return max(0.0, middle - half), min(1.0, middle + half)
