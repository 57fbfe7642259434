"""Games that are played to learn from.

The first ones are between greedy bots, and a few that take anything: what they come to is learned before what learns
plays itself, and to choose by it is already better than to play as they do. In all others every seat is played by what
was learned so far. In all of them some moves are taken at random, so that there is something to compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from patolli.measure.simulation.games import game_seed
from patolli.measure.simulation.playout import playout
from patolli.play.learning.judge import Judge
from patolli.play.players.bot_seats import Player
from patolli.play.players.chance import RandomBot
from patolli.play.players.greedy import GreedyBot
from patolli.play.players.learned import Exploring, LearnedBot
from patolli.run.runtime import Ruleset
from patolli.run.runtime.errors import MatchError

LINES = 4
"""Lines that are tried per question beyond the first of each option; fewer than in earnest, for more games."""
FIRST_LINES = 4
BY_CHANCE = (0.02, 0.05, 0.1)
"""In what share of the questions of a game the answer is taken at random."""
FIRST_BY_CHANCE = (0.02, 0.05, 0.1, 0.1, 0.3, 1.0)


@dataclass(frozen=True, slots=True)
class Played:
    """A game: its seed, and all choices that were made; ``over`` says whether it came to its end."""

    seed: int
    choices: tuple[int, ...]
    over: bool = True


def self_play(rules: Ruleset, players: int, seed: int, index: int, judge: Judge | None, limit: int) -> Played:
    """Play the game at *index* of a training from *seed*; without a *judge* it is one of the first ones."""
    own = game_seed(seed, index)
    draw = Random(f"training {own}")
    seats = [_player(draw, judge) for _ in range(players)]
    try:
        match = playout(rules, players, own, seats, limit)
    except MatchError:  # such a game teaches nothing; `simulate` is for finding out why
        return Played(own, (), over=False)
    return Played(own, tuple(match.choices), match.over)


def _player(draw: Random, judge: Judge | None) -> Player:
    seed = draw.getrandbits(62)
    if judge is not None:
        return Exploring(LearnedBot(seed, judge=judge, lines=LINES), draw.choice(BY_CHANCE), seed + 1)
    share = draw.choice(FIRST_BY_CHANCE)
    return RandomBot(seed) if share == 1.0 else Exploring(GreedyBot(seed, FIRST_LINES), share, seed + 1)
