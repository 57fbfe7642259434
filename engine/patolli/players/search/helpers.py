"""Several processes that search the same position, each with chance of its own; what they found is added up.

Source: Chaslot, Winands and van den Herik, Parallel Monte-Carlo Tree Search (root parallelisation), 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from patolli.players.search.budgets import Budget
from patolli.players.search.engines import Engines, Lost
from patolli.players.search.matches import Matches, Value
from patolli.players.search.search import Search
from patolli.players.search.settings import Settings

if TYPE_CHECKING:
    from patolli.runtime import Match

LATE = 0.05
"""Seconds that a helper may be late where time is the budget; one that has just been started is not waited for."""
Found = list[tuple[int, float]]
"""By option how often it was tried, and the sum of what the seat got."""


class Helpers:
    """Processes beside this one; they are started when they are first asked, and end with this one."""

    def __init__(self, number: int) -> None:
        """Be so many, and start none."""
        self._number = number
        self._pool: ProcessPoolExecutor | None = None
        self._asked: list[Future[Found]] = []

    def ask(
        self, match: Match, seed: int, simulations: int, seconds: float, settings: Settings, value: Value | None
    ) -> None:
        """Let all search a match, with the seeds that follow *seed*."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._number)
        for future in self._asked:
            future.cancel()
        self._asked = [
            self._pool.submit(found, match, seed + number + 1, simulations, seconds, settings, value)
            for number in range(self._number)
        ]

    def answers(self, timed: bool) -> Sequence[Found]:
        """Return what they found, in their order; where time is short, of those that are ready."""
        wait(self._asked, LATE if timed else None)
        return [future.result() for future in self._asked if future.done()]

    def __del__(self) -> None:
        """End the processes when nobody needs them."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def found(match: Match, seed: int, simulations: int, seconds: float, settings: Settings, value: Value | None) -> Found:
    """Search a match for so many simulations or seconds, and return what was found of its options."""
    end = perf_counter() + seconds if seconds else inf
    engines = Engines("auto", Budget(simulations, seconds))
    try:
        search = engines.search(Matches(match, value=value), match, seed, settings)
        search.run(simulations, end)
    except Lost:
        search = Search(Matches(match, value=value), seed, settings)
        search.run(simulations, end)
    ask = search.asked(match)
    return [(node.visits, node.total) if node is not None else (0, 0.0) for node in ask.nodes]
