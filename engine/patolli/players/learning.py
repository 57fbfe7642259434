"""What plays by what was learned: ``learned``, ``learned:FILE``, and a search whose leaves it values.

What needs numpy is imported when such a bot is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from patolli.players.search import Budget, SearchBot

if TYPE_CHECKING:
    from patolli.learning.judge import Judge
    from patolli.players.seating import Player
    from patolli.runtime import Match, Ruleset

NEEDS = "what is learned needs the package numpy: pip install 'patolli[learn]'"


class Learning:
    """Makes bots that play by what ``patolli train`` has learned."""

    def __init__(self, file: Path | None = None) -> None:
        """Take a file; without one it is found by what is played.

        Raises:
            ValueError: A package that is needed is not installed.
        """
        if find_spec("numpy") is None:
            raise ValueError(NEEDS)
        self.file = file

    def __call__(self, seed: int) -> Player:
        """Make a bot from a seed."""
        from patolli.players.learned import LearnedBot

        return LearnedBot(seed, self.file)

    def check(self, rules: Ruleset, players: int) -> None:
        """See that there is something learned for this.

        Raises:
            ValueError: There is nothing, or it does not fit; the message says why.
        """
        from patolli.learning.files import judge_for

        judge_for(rules, players, self.file)

    def fingerprint(self, rules: Ruleset, players: int) -> str:
        """Return a hash of what was learned for this.

        Raises:
            OSError: It cannot be read.
        """
        from patolli.learning.files import place

        return blake2b((self.file or place(rules, players)).read_bytes(), digest_size=16).hexdigest()


class LearnedValue:
    """Says what a match in its middle is worth to each seat by what was learned: the ``value`` of a ``SearchBot``."""

    def __init__(self, file: Path | None = None) -> None:
        """Take a file; without one it is found by what is played."""
        self._file = file
        self._judge: Judge | None = None

    def ready(self, match: Match) -> Judge:
        """Return what was learned for what is played, and value by it from now on.

        Raises:
            ModelError: Nothing was learned for it, or it does not fit.
        """
        from patolli.learning.files import judge_for

        self._judge = judge_for(match.ruleset, match.players - match.ruleset.model.automated, self._file)
        return self._judge

    def __call__(self, match: Match) -> Sequence[float]:
        """Return what a match is worth to each seat, from 0 to 1; it raises what :meth:`ready` does."""
        return (self._judge or self.ready(match)).by_seat(match)


class Searching(Learning):
    """Makes bots that search with a budget, and value positions by what was learned."""

    def __init__(self, budget: Budget, file: Path | None = None) -> None:
        """Take a budget for a decision, and a file; without one it is found by what is played.

        Raises:
            ValueError: A package that is needed is not installed.
        """
        super().__init__(file)
        self.budget = budget

    def __call__(self, seed: int) -> SearchBot:
        """Make a bot from a seed."""
        return SearchBot(seed, self.budget, value=LearnedValue(self.file))


def learned_from(file: str) -> Learning:
    """Return what makes bots by a file.

    Raises:
        ValueError: No file is named.
    """
    if not file:
        raise ValueError("'learned:' names no file; write learned:FILE, or learned alone")
    return Learning(Path(file))
