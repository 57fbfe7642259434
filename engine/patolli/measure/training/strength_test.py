"""How well what was learned plays, beside another kind of bot."""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.language.program.together import together
from patolli.measure.simulation.games import game_seed
from patolli.measure.simulation.playout import playout
from patolli.play.learning.judge import Judge
from patolli.play.players.bots import make_bot
from patolli.play.players.learned import LearnedBot
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.errors import MatchError


@dataclass(slots=True)
class Measured:
    """What came of some games.

    Attributes:
        who: Who wins, and the word for it.
        beside: Who sat on the other seats, as the end of a sentence.
        won: How many games; None where there is nothing to be won, but a score.
        scores: Of the seat that was looked at, by game.
    """

    who: str
    beside: str
    won: float | None
    scores: list[int] = field(default_factory=list)

    @property
    def game_count(self) -> int:
        """How many games came to their end."""
        return len(self.scores)


def measure_judge(rules: Ruleset, players: int, judge: Judge, other: str, games: int, seed: int) -> Measured:
    """Return what comes of games in which what was learned has one seat, and another kind of bot the others.

    It changes seats from game to game; all seats have the same seeds. A win over others that is shared counts as its
    part, and one of all together is one.
    """
    alone, as_one = players == 1, together(rules.resolved_program)
    beside = "" if alone else f" with it on one seat and {other} on the others" if as_one else f" against {other}"
    unscored = rules.resolved_program.wins is None and (as_one or players + rules.model.automated == 1)
    found = Measured("all win" if as_one and not alone else "wins", beside, None if unscored else 0.0)
    for number in range(games):
        own, seat = game_seed(seed, -1 - number // players), number % players
        seats = [LearnedBot(own, judge=judge) if n == seat else make_bot(other, own, n) for n in range(players)]
        try:
            match = playout(rules, players, own, seats)
        except MatchError:
            continue
        found.scores.append(match.score(seat))
        if found.won is not None:
            found.won += _win_share(match, seat, as_one)
    return found


def _win_share(match: Match, seat: int, as_one: bool) -> float:
    """Return how much of a win a seat has."""
    winners = match.winners
    return float(seat in winners) / (1 if as_one else max(1, len(winners)))
