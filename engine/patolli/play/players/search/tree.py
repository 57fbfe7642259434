"""What a search remembers: nodes for what has happened, and under them the questions that were asked then."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

Bounds = tuple[tuple[float, ...], tuple[float, ...]]
"""What each seat gets at least, and at most, whatever others do: outcomes, by seat."""
FEW = 12
"""How many different private holdings are distinguished at one question; later ones share what they learn."""

UNKNOWN = 1e9
"""What an answer is taken to bring before it is known: it is tried first."""


class Node:
    """What came of one answer, as one seat sees it.

    Attributes:
        visits: Simulations that went through it.
        total: The sum of what the seat that gave the answer got in them.
        mean: What it got on average, and far more than anybody gets before there is any visit.
        rare: One by the square root of the visits, 0 before there is any: how little is known, kept as it is asked
            more often than it changes.
        available: How often the answer could be given, as far as the question above has written it down.
        bounds: What is proved about the outcome; None for nothing.
        asks: What was asked next, by the key of the question and what its seat held.
        scores: The sum of the scores where simulations ended; only if the search adds them up, and of first answers.
    """

    __slots__ = ("asks", "available", "bounds", "holdings", "mean", "rare", "scores", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.mean = UNKNOWN
        self.rare = 0.0
        self.available = 0
        self.bounds: Bounds | None = None
        self.asks: dict[Hashable, Ask] = {}
        self.holdings = self.scores = 0

    def ask(self, key: int, held: Hashable) -> Ask:
        """Return the question with a key for a seat that holds something; a new one where it was not asked before."""
        found = self.asks.get(key if held is None else (key, held))
        if found is None:
            if held is not None and self.holdings >= FEW:
                found = self.asks.get(key)
            if found is None:
                found = Ask()
                if held is not None and self.holdings < FEW:
                    self.holdings += 1
                    self.asks[key, held] = found
                else:
                    self.asks[key] = found
        return found


class Ask:
    """A question to a seat that knows so much: the answers that were tried, and what came of them.

    ``options`` are the answers that could be given the last time, ``nodes`` what stands behind each, ``since`` for how
    many times in a row they were these: what is available is only written to the nodes when it changes.
    """

    __slots__ = ("changed", "children", "nodes", "options", "since", "untried", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.children: dict[Any, Node] = {}
        self.options: Sequence[Any] = ()
        self.nodes: list[Node | None] = []
        self.untried: list[int] = []
        self.since = 0
        self.changed = False

    def offer(self, options: Sequence[Any]) -> None:
        """Note which answers can be given now."""
        if options != self.options:
            if self.since:
                self.changed = True
                for node in self.nodes:
                    if node is not None:
                        node.available += self.since
                self.since = 0
            self.options = options
            self.nodes = [self.children.get(value) for value in options]
            self.untried = [index for index, node in enumerate(self.nodes) if node is None]
        self.since += 1

    def grow(self, index: int) -> Node:
        """Return a new node for the answer at an index, which was not tried before."""
        node = self.nodes[index] = self.children[self.options[index]] = Node()
        node.available = -self.since + 1
        self.untried.remove(index)
        return node


def prove_bounds(ask: Ask, seat: int, seats: int, opposed: bool) -> Bounds:
    """Return the consequence for a position from what is proved of all answers to its question.

    The seat that answers gets what its best answer gives. What any other gets lies between the least and the most of
    all answers; of two that are opposed it is the rest (Cazenave and Saffidine, Score Bounded MCTS, 2010).
    """
    lows, highs = [0.0] * seats, [1.0] * seats
    known = [node.bounds for node in ask.nodes if node is not None and node.bounds is not None]
    whole = len(known) == len(ask.nodes)
    if known:
        lows[seat] = max(low[seat] for low, _ in known)
        if whole:
            highs[seat] = max(high[seat] for _, high in known)
    if opposed and seats == 2:
        lows[1 - seat], highs[1 - seat] = 1 - highs[seat], 1 - lows[seat]
    elif whole:
        for other in range(seats):
            if other != seat:
                lows[other] = min(low[other] for low, _ in known)
                highs[other] = max(high[other] for _, high in known)
    return tuple(lows), tuple(highs)


def order(
    ask: Ask, seat: int, least: float | None = None, helped: Sequence[Sequence[tuple[int, float]]] = ()
) -> list[int]:
    """Return the indices of all answers, the best first: what was tried most often, then what brought most.

    An answer that is proved to win comes first, and one that is proved to lose last. Where the outcome is decided, with
    *least*, answers that are proved to give it come before all others. What helpers found of the same answers, visits
    and sums, is added.
    """

    def worth(index: int) -> tuple[bool, bool, int, float]:
        node = ask.nodes[index]
        visits = (node.visits if node is not None else 0) + sum(one[index][0] for one in helped)
        total = (node.total if node is not None else 0.0) + sum(one[index][1] for one in helped)
        low, high = (0.0, 1.0) if node is None or node.bounds is None else (bound[seat] for bound in node.bounds)
        return (low >= (1.0 if least is None else least), high > 0, visits, total / visits if visits else low)

    return sorted(range(len(ask.options)), key=worth, reverse=True)
