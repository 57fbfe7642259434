"""Games that nobody else has: each is written once more from its rules, and both are compared decision by decision.

The second writing is a generator. It yields whose turn it is, what this player may answer, and how the scores stand;
what was answered comes back. It knows of the first one only what chance has brought: the order of shuffled cards.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from random import Random
from typing import Any

import patolli
from patolli.kernel.library import LIBRARY

Question = tuple[int, list[str], list[int]]
"""Who is asked (a seat), the labels of the answers, and the scores of all seats."""
Rules = Generator[Question, str, tuple[list[int], list[int]]]
"""What it asks, what was answered, and at the end the scores and the seats that have won."""
Shuffle = Callable[[list[str]], list[str]]
"""Puts cards into the order that they got in the match; the last is the top."""


class Order:
    """What chance has brought in a match: shuffled places, in the order in which that happened."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.names: list[str] = []
        self.found: list[list[int]] = []

    def shuffle(self, state: Any, slot: int, stream: str) -> None:
        """Shuffle as the engine does, and note what came out."""
        _shuffle(state, slot, stream)
        self.found.append([*state[slot]])

    def __call__(self, cards: list[str]) -> list[str]:
        order = [self.names[number] for number in self.found.pop(0)]
        assert sorted(order) == sorted(cards), "other cards were shuffled"
        return order


_shuffle = LIBRARY["shuffle"]


def compare(pack: str, kind: str, rules: Callable[[int, Shuffle], Rules], players: int, seed: int) -> int:
    """Play a random match in both, and return how many decisions were the same; fail at the first that is not."""
    order = Order(kind)
    LIBRARY["shuffle"] = order.shuffle
    try:
        loaded = patolli.load(pack)
        match = loaded.start(players, seed)
        order.names = [one.id for one in match.program.layout.instances[kind]]
        return _played(match, rules(players, order), Random(seed))
    finally:
        LIBRARY["shuffle"] = _shuffle


def _played(match: patolli.Match, other: Rules, draw: Random) -> int:
    decisions = 0
    answer: str | None = None
    while True:
        try:
            seat, labels, scores = next(other) if answer is None else other.send(answer)
        except StopIteration as end:
            assert match.over, f"it goes on here: {match.decision}"
            assert (match.scores, match.winners) == end.value
            return decisions
        if len(labels) == 1:  # nobody is asked what has one answer
            answer = labels[0]
            continue
        decision = match.decision
        assert decision is not None, f"it is over here, and there {seat} is asked for one of {labels}"
        assert (decision.player, sorted(decision.labels)) == (seat, sorted(labels))
        assert match.scores == scores
        decisions += 1
        answer = draw.choice(labels)
        match.choose(answer)
