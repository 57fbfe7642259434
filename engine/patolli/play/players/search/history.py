"""Which answers did well, wherever they were given: a first guess for those that were not tried yet.

Source: Finnsson and Björnsson, Simulation-Based Approach to General Game Playing (MAST), 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

Record = list[float]
"""How often an answer was given, and the sum of what the seat that gave it got."""
_NONE: dict[Any, Record] = {}


class History:
    """What came of each answer to each question, over all simulations."""

    __slots__ = ("questions",)

    def __init__(self) -> None:
        self.questions: dict[int, dict[Any, Record]] = {}

    def note(self, key: int, answer: Any, payoff: float) -> None:
        """Note that an answer was given in a simulation, and what the seat got that gave it."""
        answers = self.questions.get(key)
        if answers is None:
            answers = self.questions[key] = {}
        record = answers.get(answer)
        if record is None:
            answers[answer] = [1, payoff]
        else:
            record[0] += 1
            record[1] += payoff

    def guess(self, key: int, options: Sequence[Any], draw: Any, among: int) -> int:
        """Return the index of an option: the one that did best of those that *draw*, a number below 1, names.

        One that was never given comes first. There are *among* of them, which may be the same.
        """
        number = len(options)
        one = int(draw() * number)
        answers = self.questions.get(key, _NONE)
        first = answers.get(options[one])
        for _ in range(among - 1):
            two = int(draw() * number)
            if first is None or one == two:
                continue
            second = answers.get(options[two])
            if second is None or second[1] * first[0] > first[1] * second[0]:
                one, first = two, second
        return one

    def best(self, key: int, options: Sequence[Any], among: Sequence[int], random: Random) -> int:
        """Return which *among* some indices did best; one that was never given comes first, equals at random."""
        answers = self.questions.get(key)
        start = int(random.random() * len(among))
        if answers is None:
            return among[start]
        found, most = among[start], -1.0
        for index in (*among[start:], *among[:start]):
            record = answers.get(options[index])
            if record is None:
                return index
            if (mean := record[1] / record[0]) > most:
                found, most = index, mean
        return found
