"""The bot that takes any legal option, all alike."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patolli.runtime import Match


class RandomBot:
    """Chooses uniformly among the legal options."""

    def __init__(self, seed: int) -> None:
        """Make a bot with its own source of chance."""
        self._draw = Random(seed).random

    def decide(self, match: Match) -> int:
        """Return the index of any option."""
        pending = match.pending
        assert pending is not None
        return int(self._draw() * len(pending))
