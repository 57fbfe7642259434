"""Answers that are mixed, where something is hidden and the game is small enough to be learned by regret."""

from __future__ import annotations

from math import inf
from random import Random
from time import perf_counter

from patolli.play.players.search.budgets import Budget
from patolli.play.players.search.matches import Matches, hides, restart_match
from patolli.play.players.search.regret import RegretSearch
from patolli.run.compiler.layout import SEED
from patolli.run.runtime import Match

MANY = 1 << 40


class Mixing:
    """What a bot knows of a whole game by regret; one for all its decisions in a match."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._program: object = None
        self._search: RegretSearch | None = None
        self.simulations = 0

    def prepare(self, match: Match) -> None:
        """See whether what is played is a small game, if that is not known yet."""
        if self._program is match.program or not hides(match):
            return
        search = RegretSearch(Matches(match), self._seed)
        self._program, self._search = match.program, search if search.small() else None

    def mixture(self, match: Match, budget: Budget) -> list[float] | None:
        """Return how often to give each answer to the open question; None where that is for a search of the position.

        That is so where nothing is hidden, where the game is not small, and where the question is rarely met; in
        the last case half of the budget is spent.
        """
        self.prepare(match)
        if self._search is None or not hides(match):
            return None
        self._search.game = Matches(match)
        began = perf_counter()
        for half in (1, 2):
            end = began + budget.seconds * half / 2 if budget.seconds else inf
            self._search.run((budget.simulations + half - 1) // 2 or MANY, end)
            self.simulations = self._search.simulations
            history = restart_match(match, match.state[SEED])
            known = self._search.find_information(history, match.choices, match) if history is not None else None
            if known is None:
                return None
        return known.average() if known is not None else None

    def draw_choice(self, match: Match, shares: list[float]) -> int:
        """Return an answer at random, each as often as its share."""
        draw = Random(f"{self._seed} at {len(match.choices)}")
        return draw.choices(range(len(shares)), shares)[0]
