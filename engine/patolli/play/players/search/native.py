"""The search of a match, carried out in a module of WebAssembly: the same simulations, in a fraction of the time.

What is learned stays there. A reader of the trees gets nodes that are made on demand; these show
what was known then.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import inf
from time import perf_counter

from patolli.play.players.search.matches import Matches
from patolli.play.players.search.search import Search
from patolli.play.players.search.tree import Ask, Node
from patolli.play.players.search.worth import VALUED
from patolli.run.native import memory
from patolli.run.native.searches import Job, Searcher

FIRST, LARGEST = 16, 1 << 14
"""Simulations that are run together while the duration of one is unknown, and at most."""
BATCH_SECONDS = 0.02
"""Seconds that those which are run together may take: so often a clock is looked at, and an interruption heard."""


class NativeSearch(Search):
    """A search whose simulations run natively; by number of simulations it finds what the search in Python finds."""

    def __init__(self, game: Matches, seed: int, searcher: Searcher) -> None:
        """Begin with empty trees, in a searcher that is used for nothing else meanwhile."""
        self._seen_roots: list[Node] = []
        self._searcher, self.full = searcher, False  # full: no more can be remembered
        super().__init__(game, seed)
        self._start(game)

    def _start(self, game: Matches) -> None:
        numbers = self._about(game) | {memory.TREES: len(self.roots), memory.TURNS: self._most}
        self._searcher.begin(numbers, self._exploration, self.random.getstate())
        self._leads(game)
        self._stale = True

    # -- asking for more

    def run(self, simulations: int, end: float = inf, clock: Callable[[], float] = perf_counter) -> int:
        """Run so many simulations, or until a clock shows the end; see :meth:`Search.run`."""
        game, done, now = self.game, 0, clock()
        self._searcher.write_numbers(memory.SCORING, self.scoring)
        batch = self._fitting(end - now) if self._searcher.each else FIRST
        while done < simulations and not self.is_decided and not self.full:
            number = min(batch, simulations - done)
            ran = self._searcher.run(game.real, self._jobs(game, number))
            self._stale = True
            done += ran
            self.simulations += ran
            self.full = not ran and not self.is_decided
            before, now = now, clock()
            if ran:
                self._searcher.each = max(now - before, 1e-6) / ran
                batch = min(4 * number, self._fitting(end - now))
            if now >= end:
                break
        game.worth.leads = {name: self._lead(at) for name, at in _LEADS.items()}
        return done

    def _jobs(self, game: Matches, number: int) -> list[Job] | int:
        if game.certain:
            return number
        return [game.draw_world(self.worlds) for _ in range(number)]

    def _fitting(self, left: float) -> int:
        """Return how many simulations are run together, where so many seconds are left."""
        return max(1, min(int(min(BATCH_SECONDS, max(left, 0.0)) / self._searcher.each), LARGEST))

    def go_on(self, game: Matches, roots: list[Node]) -> None:
        """Go on from another positionwith *roots* that stand for what is known, and with all that was learned."""
        for at, number in self._about(game).items():
            self._searcher.write_numbers(at, number)
        self._searcher.roots([getattr(root, "at", 0) for root in roots])
        self._leads(game)
        self.game, self._stale = game, True

    def _about(self, game: Matches) -> dict[int, int]:
        """Return what the search is about, by the addresses where that is said."""
        worth = game.worth
        return {
            memory.SEARCHER: game.seat, memory.PLAYERS: game.seats, memory.CERTAIN: game.certain,
            memory.TOGETHER: worth.together, memory.OPPOSED: worth.opposed,
            memory.SCORED: worth.scored,
        }  # fmt: skip

    def _leads(self, game: Matches) -> None:
        for name, at in _LEADS.items():
            number, mean, squares = game.worth.leads[name]
            self._searcher.write_numbers(at, number)
            self._searcher.write_numbers(at + 8, mean, squares, form="d")

    def _lead(self, at: int) -> tuple[int, float, float]:
        found: tuple[int, float, float] = self._searcher.read_numbers(at, "qdd")
        return found

    @property
    def roots(self) -> list[Node]:
        """Where the trees begin, as they are now."""
        if self._stale:
            at, searcher = self._searcher.get(memory.ROOTS), self._searcher
            places = range(at, at + 8 * len(self._seen_roots), 8)
            self._seen_roots = [KeptNode(searcher, searcher.get(place)) for place in places]
            self._stale = False
        return self._seen_roots

    @roots.setter
    def roots(self, roots: list[Node]) -> None:
        self._seen_roots, self._stale = roots, False


class KeptNode(Node):
    """A node as it is in the memory of a searcher; its questions are read on demand."""

    __slots__ = ("_asks", "_known", "at", "searcher")

    def __init__(self, searcher: Searcher, at: int) -> None:
        self._known: tuple[int, ...] = ()
        super().__init__()
        self.searcher, self.at = searcher, at
        _, self.visits, self.total, self.available, self.bounds, self._known, self.scores = searcher.node(at)

    @property
    def asks(self) -> dict[Hashable, Ask]:
        """What was asked next; see :class:`Node`."""
        known, self._known = self._known, ()
        for at in known:
            key, ask = _read_node(self.searcher, at)
            self._asks[key] = ask
        return self._asks

    @asks.setter
    def asks(self, asks: dict[Hashable, Ask]) -> None:
        self._asks = asks


def _read_node(searcher: Searcher, at: int) -> tuple[Hashable, Ask]:
    """Return a question with the nodes behind its answers, and its key."""
    known, ask = searcher.ask(at), Ask()
    ask.children = {value: KeptNode(searcher, node) for value, node in known.children.items()}
    ask.visits, ask.since, ask.changed = known.visits, known.since, known.changed
    ask.options = list(known.options)
    ask.nodes = [ask.children.get(value) for value in known.options]
    ask.untried = [index for index, node in enumerate(ask.nodes) if node is None]
    return (known.key if known.held is None else (known.key, known.held)), ask


_LEADS = {"score": memory.LEADS, VALUED: memory.VALUES}
