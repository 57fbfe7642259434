"""The bot that chooses at random among the legal options."""

from __future__ import annotations

from random import Random

from patolli.run.runtime import Match


class RandomBot:
    """Chooses uniformly among the legal options."""

    def __init__(self, seed: int) -> None:
        self._draw = Random(seed).random

    def decide(self, match: Match) -> int:
        """Return the index of a random option."""
        pending = match.pending
        assert pending is not None
        return int(self._draw() * len(pending))
