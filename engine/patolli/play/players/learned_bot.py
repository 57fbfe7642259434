"""Bots that use learned values: ``learned``, ``learned:FILE``, and a search that evaluates positions with them.

The modules that need numpy are imported when such a bot is created.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from patolli.play.players.search import Budget, SearchBot

if TYPE_CHECKING:
    from patolli.play.learning.judge import Judge
    from patolli.play.players.bot_seats import Player
    from patolli.run.runtime import Match, Ruleset

NEEDS = "learned values need the package numpy: pip install 'patolli[learn]'"


class Learning:
    """Creates bots that use a value that ``patolli train`` has learned."""

    def __init__(self, file: Path | None = None) -> None:
        """Use a file; without one, find it by the ruleset. Raises ValueError: a required package is not installed."""
        if find_spec("numpy") is None:
            raise ValueError(NEEDS)
        self.file = file

    def __call__(self, seed: int) -> Player:
        """Create a bot from a seed."""
        from patolli.play.players.learned import LearnedBot

        return LearnedBot(seed, self.file)

    def check(self, rules: Ruleset, players: int) -> None:
        """Check that there is a learned value for this ruleset. Raises ValueError: there is none, or none fits."""
        from patolli.play.learning.files import judge_for

        judge_for(rules, players, self.file)

    def fingerprint(self, rules: Ruleset, players: int) -> str:
        """Return a hash of the learned value for this ruleset. Raises OSError: the file cannot be read."""
        from patolli.play.learning.files import place

        return blake2b((self.file or place(rules, players)).read_bytes(), digest_size=16).hexdigest()


class LearnedValue:
    """Evaluates a match before its end, for each seat, with a learned value: the ``value`` of a ``SearchBot``."""

    def __init__(self, file: Path | None = None) -> None:
        """Use a file; without one, the file is found by the ruleset."""
        self._file = file
        self._judge: Judge | None = None

    def ready(self, match: Match) -> Judge:
        """Load, keep and return the learned value for this ruleset. Raises ModelError: there is none that fits."""
        from patolli.play.learning.files import judge_for

        self._judge = judge_for(match.ruleset, match.players - match.ruleset.model.automated, self._file)
        return self._judge

    def __call__(self, match: Match) -> Sequence[float]:
        """Return the value of a match for each seat, from 0 to 1; it raises the same errors as :meth:`ready`."""
        return (self._judge or self.ready(match)).by_seat(match)


class Searching(Learning):
    """Creates bots that search with a budget and evaluate positions with a learned value."""

    def __init__(self, budget: Budget, file: Path | None = None, temperature: float = 0.0) -> None:
        """Use a budget per decision, a file and a temperature; without a file, it is found by the ruleset.

        Raises:
            ValueError: A required package is not installed.
        """
        super().__init__(file)
        self.budget, self.temperature = budget, temperature

    def __call__(self, seed: int) -> SearchBot:
        """Create a bot from a seed."""
        return SearchBot(seed, self.budget, value=LearnedValue(self.file), temperature=self.temperature)


def learned_from(file: str) -> Learning:
    """Return a function that creates bots from a file. Raises ValueError: no file is named."""
    if not file:
        raise ValueError("the file after 'learned:' is missing; write learned:FILE, or only learned")
    return Learning(Path(file))
