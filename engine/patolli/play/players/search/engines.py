"""What carries out a search: Python, or a module of WebAssembly, which finds the same in a fraction of the time.

A module has to be translated once on a machine, which takes a second or two. So a search begins in Python, and who
searches for longer has it translated: beside the thinking, where a clock is looked at, and else at once. What was
translated before, in this process or another one, is used from the first decision on.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from patolli.play.players.search.budgets import Budget
from patolli.play.players.search.matches import Fenced, Matches
from patolli.play.players.search.native import NativeSearch
from patolli.play.players.search.search import Search
from patolli.play.players.search.settings import Settings
from patolli.run.native.heap import Unsupported
from patolli.run.native.machines import SEARCHING, known_before, made_here, prepare_search, there
from patolli.run.native.searches import Lost, Searcher

if TYPE_CHECKING:
    from patolli.run.runtime import Match, Ruleset

ENGINES = ("auto", "python", "native")
PATIENCE = 1.0
"""Seconds of searching in Python after which it is worth while to translate."""
_spent: WeakKeyDictionary[Ruleset, dict[int, float]] = WeakKeyDictionary()
"""By ruleset and seats how long was searched in Python; less than nothing when it was seen to."""


class Engines:
    """Makes the searches of one bot, by one engine or another."""

    def __init__(self, engine: str, budget: Budget) -> None:
        """Take the name of an engine, and what one decision may cost.

        Raises:
            ValueError: There is no such engine, or it is not installed.
        """
        if engine not in ENGINES:
            raise ValueError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
        if engine == "native" and not there():
            raise ValueError("the native engine needs the package wasmtime: pip install 'patolli[native]'")
        self.engine, self._timed, self._alone = engine, bool(budget.seconds), budget.processes == 1
        self._searcher: Searcher | None = None
        self._looked = False  # whether it was looked for what another process has translated
        self._possible = engine != "python" and there()

    def search(self, game: Matches, match: Match, seed: int, settings: Settings) -> Search[Match]:
        """Return a new search; what an earlier one of this bot has learned is gone.

        Raises:
            Unsupported: It has to be native, and something of the program cannot be translated.
        """
        if self.is_ready(game, match):
            try:
                if self._searcher is None:
                    self._searcher = Searcher(prepare_search(match.ruleset, match.players), match.players)
                return NativeSearch(game, seed, settings, self._searcher)
            except Unsupported:
                self._possible = False
                if self.engine == "native":
                    raise
        return Search(game, seed, settings)

    def is_ready(self, game: Matches, match: Match) -> bool:
        """Tell whether a search of this match would be native."""
        visibility = match.ruleset.visibility(match.program)
        if visibility.deciders:  # natively, who is asked decides
            return False
        if match.program.layout.model.held_kinds:  # options differ by places, and natively by pieces
            return False
        if not self._possible or game.given is not None or isinstance(game, Fenced):
            return False
        if self.engine == "native" or self._searcher is not None or made_here(match.ruleset, match.players, SEARCHING):
            return True
        looked, self._looked = self._looked, True
        return not looked and known_before(match.ruleset, match.players, SEARCHING)

    def changes(self, search: Search[Match], game: Matches, match: Match) -> bool:
        """Tell whether a search is not to be gone on with, as another engine makes more of the time."""
        if isinstance(search, NativeSearch):
            return search.full
        return self._timed and self.is_ready(game, match)

    def give_up(self) -> None:
        """Search in Python from now on."""
        self._possible, self._searcher = False, None

    def took(self, search: Search[Match], match: Match, began: float) -> None:
        """Note since when a search of a match was carried out; have it translated if that goes on."""
        if not self._possible or isinstance(search, NativeSearch):
            return
        known = _spent.setdefault(match.ruleset, {})
        spent = known[match.players] = known.get(match.players, 0.0) + perf_counter() - began
        if spent > PATIENCE and not known_before(match.ruleset, match.players, SEARCHING):
            known[match.players] = -1e9
            if self._timed and self._alone:
                Thread(target=_prepare, args=(match.ruleset, match.players)).start()
            else:
                _prepare(match.ruleset, match.players)


def _prepare(rules: Ruleset, seats: int) -> None:
    with suppress(Unsupported, OSError):
        prepare_search(rules, seats)


__all__ = ["ENGINES", "Engines", "Lost"]
