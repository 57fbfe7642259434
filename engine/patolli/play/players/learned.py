"""The bot that maximizes a learned value at the end of its own turn.

It looks ahead like the greedy bot, on a match that is consistent with what its seat knows. It evaluates the ends of
lines with a network that ``patolli train`` has fitted (``patolli.play.learning``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from patolli.play.learning.files import ModelError, judge_for
from patolli.play.learning.judge import Judge
from patolli.play.players.bot_seats import BotError, Player
from patolli.play.players.greedy import LINES, GreedyBot
from patolli.run.runtime import Match


class LearnedBot(GreedyBot):
    """Chooses the option whose best line ends with the greatest learned value."""

    def __init__(self, seed: int, file: Path | None = None, judge: Judge | None = None, lines: int = LINES) -> None:
        """Create a bot.

        Args:
            seed: Decides between equal options, and which lines are tried.
            file: The file with the learned value (default: the file for this ruleset).
            judge: The learned value, if it is already loaded.
            lines: The number of lines per decision, in addition to the first line of each option.
        """
        super().__init__(seed, lines)
        self._file, self._judge = file, judge

    def decide(self, match: Match) -> int:
        """Return the index of the best option found. Raises BotError: no learned value fits this ruleset."""
        if self._judge is None:
            players = match.players - match.ruleset.model.automated
            try:
                self._judge = judge_for(match.ruleset, players, self._file)
            except ModelError as error:
                seat = match.decider
                raise BotError("learned", seat, str(error), [], tuple(match.choices)) from error
        return super().decide(match)

    def values(self, ends: Sequence[Match], seat: int) -> Sequence[float]:
        """Return the value of each match for a seat, from 0 to 1."""
        assert self._judge is not None
        return self._judge.values(ends, seat)


class Exploring:
    """A bot that sometimes chooses a random option, to explore."""

    def __init__(self, bot: Player, share: float, seed: int) -> None:
        """Take a bot, and in what share of the questions it is not asked."""
        self._bot, self._share, self._random = bot, share, Random(seed)

    def decide(self, match: Match) -> int:
        """Return the index of an option."""
        assert match.pending is not None
        if self._random.random() < self._share:
            return self._random.randrange(len(match.pending))
        return self._bot.decide(match)
