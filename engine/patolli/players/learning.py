"""The kind ``learned``, or ``learned:FILE``: its parts are imported when such a bot is made."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patolli.players.seating import Player
    from patolli.runtime import Ruleset

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


def learned_from(file: str) -> Learning:
    """Return what makes bots by a file.

    Raises:
        ValueError: No file is named.
    """
    if not file:
        raise ValueError("'learned:' names no file; write learned:FILE, or learned alone")
    return Learning(Path(file))
