"""What carries out a search: Python, or a module of WebAssembly, which finds the same in a fraction of the time.

A module has to be translated once on a machine, which takes 0.1 to 2 seconds. So a search begins in Python. As
soon as what is left of it would take longer than that, the program is translated, and the search begins again natively.
What was translated before, in this process or another one, is used at once.
"""

from __future__ import annotations

from math import inf
from time import perf_counter
from weakref import WeakKeyDictionary

from patolli.play.players.search.budgets import Budget
from patolli.play.players.search.matches import Fenced, Matches
from patolli.play.players.search.native import NativeSearch
from patolli.play.players.search.search import Search
from patolli.play.players.search.worth import Leads
from patolli.run.native.heap import Unsupported
from patolli.run.native.machines import SEARCHING, known_before, made_here, prepare_search, there
from patolli.run.native.searches import Lost, Searcher
from patolli.run.runtime import Match, Ruleset

ENGINES = ("auto", "python", "native")
PROBE = 0.02
"""Seconds of searching in Python that show how long a search will take."""
TRANSLATION = 0.4
"""Seconds in Python that are worth a translation: it takes a quarter of that for small games, three times that for
large ones."""
_spent: WeakKeyDictionary[Ruleset, dict[int, float]] = WeakKeyDictionary()
"""By ruleset and seats the seconds of searching in Python in this process."""


class Engines:
    """Makes the searches of one bot, by one engine or another."""

    def __init__(self, engine: str, budget: Budget) -> None:
        """Take the name of an engine, and what one decision may cost. Raises ValueError: unknown or not installed."""
        if engine not in ENGINES:
            raise ValueError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
        if engine == "native" and not there():
            raise ValueError("the native engine needs the package wasmtime: pip install 'patolli[native]'")
        self.engine, self._timed = engine, bool(budget.seconds)
        self._searcher: Searcher | None = None
        self._looked = False  # whether it was looked for what another process has translated
        self._possible = engine != "python" and there()

    def search(self, game: Matches, match: Match, seed: int) -> Search:
        """Return a new search, which has learned nothing. Raises Unsupported: it must be native, and cannot be."""
        if self.is_ready(game, match):
            try:
                if self._searcher is None:
                    self._searcher = Searcher(prepare_search(match.ruleset, match.players), match.players)
                return NativeSearch(game, seed, self._searcher)
            except Unsupported:
                self._possible = False
                if self.engine == "native":
                    raise
        return Search(game, seed)

    def may_translate(self, game: Matches, match: Match) -> bool:
        """Return whether a search of this match may be native."""
        if match.ruleset.visibility(match.program).deciders:  # natively, who is asked decides
            return False
        if match.program.layout.model.held_kinds:  # options differ by places, and natively by pieces
            return False
        return self._possible and game.given is None and not isinstance(game, Fenced)

    def is_ready(self, game: Matches, match: Match) -> bool:
        """Return whether a search of this match would be native at once."""
        if not self.may_translate(game, match):
            return False
        if self.engine == "native" or self._searcher is not None or made_here(match.ruleset, match.players, SEARCHING):
            return True
        looked, self._looked = self._looked, True
        return not looked and known_before(match.ruleset, match.players, SEARCHING)

    def changes(self, search: Search, game: Matches, match: Match) -> bool:
        """Return whether a search is not to be gone on with, as another engine makes more of the time."""
        if isinstance(search, NativeSearch):
            return search.full
        return self._timed and self.is_ready(game, match)

    def give_up(self) -> None:
        """Search in Python from now on."""
        self._possible, self._searcher = False, None

    def run(self, search: Search, match: Match, simulations: int, end: float = inf, decisions: int = 1) -> Search:
        """Run so many simulations, or until the clock shows *end*; return the search that did.

        That is another one if a native search has taken its place. With a number of simulations it finds the same, so
        only a search without any simulation before is replaced. The time of a translation is added to the *end*.

        Args:
            search: A search of the match.
            match: The match, whose question is open.
            simulations: How many at most.
            end: When to stop.
            decisions: For how many decisions such a search is expected to be gone on with.

        Raises:
            Lost: The module fails again and again.
        """
        game = search.game
        if isinstance(search, NativeSearch) or not self.may_translate(game, match):
            search.run(simulations, end)
            return search
        leads, new, began = game.worth.leads, not search.simulations, perf_counter()
        done = search.run(simulations, min(end, began + PROBE))
        now = perf_counter()
        if done < simulations and now < end and not search.is_decided:
            left = min((simulations - done) * (now - began) / done, end - now)
            if (new or self._timed) and self._repays(match, left * decisions):
                native = self._translate(search, match, leads)
                end += perf_counter() - now
                if native is not None:
                    native.run(simulations, end)
                    return native
            search.run(simulations - done, end)
        known = _spent.setdefault(match.ruleset, {})
        known[match.players] = known.get(match.players, 0.0) + perf_counter() - began
        return search

    def _repays(self, match: Match, seconds: float) -> bool:
        """Return whether so many more seconds in Python are worth a translation, with those that were spent."""
        return _spent.get(match.ruleset, {}).get(match.players, 0.0) + seconds > TRANSLATION

    def _translate(self, search: Search, match: Match, leads: Leads) -> Search | None:
        """Return a native search that begins where another one began; None if the program cannot be translated."""
        try:
            prepare_search(match.ruleset, match.players)
        except (Unsupported, OSError):
            self._possible = False
            return None
        worth = search.game.worth
        worth.leads = leads
        native = self.search(Matches(match, worth), match, search.seed)
        native.scoring = search.scoring
        return native


__all__ = ["ENGINES", "Engines", "Lost"]
