"""Games that no other player has: each is written again from its rules, and both are compared decision by decision.

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
End = tuple[list[int], list[int]]
"""The scores, and the seats that have won."""
Rules = Generator[Question, str, End]
"""What it asks, what was answered, and how it ends."""
Shuffle = Callable[[list[str]], list[str]]
"""Puts cards into the order that they got in the match; the last is the top."""


class Order:
    """What chance has brought in a match: shuffled places, in the order in which that happened."""

    def __init__(self) -> None:
        self.found: list[tuple[str, list[int]]] = []
        self.names: dict[str, list[str]] = {}

    def shuffle(self, state: Any, slot: int, stream: str) -> None:
        """Shuffle as the engine does, and note what came out."""
        _shuffle(state, slot, stream)
        self.found.append((stream.removeprefix("shuffle."), [*state[slot]]))

    def __call__(self, cards: list[str]) -> list[str]:
        place, numbers = self.found.pop(0)
        order = [self.names[place][number] for number in numbers]
        assert sorted(order) == sorted(cards), "other cards were shuffled"
        return order


_shuffle = LIBRARY["shuffle"]


def compare(pack: str, rules: Callable[..., Rules], players: int, seed: int, eager: str, **options: int) -> int:
    """Play a random match in both, and return how many decisions were the same; fail at the first that is not.

    An answer that begins with *eager* is given whenever it can be: what chance alone would rarely come to.
    """
    order = Order()
    LIBRARY["shuffle"] = order.shuffle
    try:
        match = patolli.load(pack, options=options).start(players, seed)
    finally:
        LIBRARY["shuffle"] = _shuffle
    layout = match.program.layout
    order.names = {place.name: [one.id for one in layout.instances[place.of]] for place in layout.model.places.values()}
    return _played(match, rules(players, order, **options), Random(seed), eager)


def _played(match: patolli.Match, other: Rules, draw: Random, eager: str) -> int:
    decisions = 0
    asked, end = _on(other, None)
    while asked is not None:
        seat, labels, scores = asked
        answer = labels[0]
        if len(labels) > 1:  # no player is asked what has one answer
            decision = match.decision
            assert decision is not None, f"it is over here, and there {seat} is asked for one of {labels}"
            here, there = (decision.player, sorted(decision.labels)), (seat, sorted(labels))
            assert here == there, f"after {decisions} decisions it is {here} here and {there} there"
            assert match.scores == scores, f"after {decisions} decisions it is {match.scores} here and {scores} there"
            decisions += 1
            answer = draw.choice(sorted(label for label in labels if label.startswith(eager)) or sorted(labels))
            match.choose(answer)
        asked, end = _on(other, answer)
    assert match.over, f"it is over there, and goes on here: {match.decision}"
    assert (match.scores, match.winners) == end, f"it ends with {match.scores}, {match.winners} here, with {end} there"
    return decisions


def _on(other: Rules, answer: str | None) -> tuple[Question | None, End | None]:
    """Go on to the next question, or to the end."""
    try:
        return (next(other) if answer is None else other.send(answer)), None
    except StopIteration as over:
        return None, over.value
