"""Who plays a match, and how it stands: scores, winners, and the other measures that a pack declares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from patolli.kernel.state import State
from patolli.language.diagnostics import given
from patolli.run.compiler.executable import Executable


def rank_seats(can: Sequence[bool], scores: Sequence[int], ties: Sequence[Sequence[int]]) -> list[int]:
    """Return the place of each seat: whether it can win, its score and what each tie-break counts for it."""
    keys = list(zip(can, scores, *ties, strict=True))
    best_first = sorted(keys, reverse=True)
    return [1 + best_first.index(key) for key in keys]


def ahead(can: Sequence[bool], scores: Sequence[int], ties: Sequence[Sequence[int]]) -> list[int]:
    """Return the seats that are ahead, among those that can win."""
    keys = {seat: key for seat, key in enumerate(zip(scores, *ties, strict=True)) if can[seat]}
    return [seat for seat, key in keys.items() if key == max(keys.values())]


def left_behind(ranks: Sequence[int]) -> list[float]:
    """Return of each rank the share of the others behind it, equals by half: 1 for the first, 0 for the last."""
    others = len(ranks) - 1
    return [(sum((other > one) + 0.5 * (other == one) for other in ranks) - 0.5) / others for one in ranks]


def leads(scores: Sequence[int]) -> list[int]:
    """Return how far each score is ahead of the best other one, or behind it; of one alone, the score."""
    return [score - max([*scores[:seat], *scores[seat + 1 :]], default=0) for seat, score in enumerate(scores)]


class Results(ABC):
    """The part of a match that is read and never changed by reading."""

    __slots__ = ()

    program: Executable
    pending: list[Any] | None

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.program.layout.seats

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.pending is None

    @abstractmethod
    def _evaluate_measure(self, function: Callable[[State, int], Any], seat: int) -> Any:
        """Work out a measure for a seat."""

    @property
    def scores(self) -> list[int]:
        """The score of each seat, so far or at the end."""
        score, seats = self.program.score, range(self.players)
        return [int(self._evaluate_measure(score, seat)) if score else 0 for seat in seats]

    def score(self, seat: int) -> int:
        """Return the score of one seat, so far or at the end. Hidden things count, so it is not for players.

        Raises:
            TypeError: The seat is no whole number.
            ValueError: There is no such seat.
        """
        self.seat(seat)
        score = self.program.score
        return int(self._evaluate_measure(score, seat)) if score else 0

    @property
    def ties(self) -> list[list[int]]:
        """The value of each tie-break for each seat."""
        return [[int(self._evaluate_measure(tie, seat)) for seat in range(self.players)] for tie in self.program.ties]

    @property
    def ranks(self) -> list[int]:
        """The place of each seat, from 1; equal seats share a place. Empty if the pack only declares who wins.

        By score and then by the tie-breaks; those that cannot win stand behind the others.
        """
        wins, among = self.program.wins, self.program.among
        if wins is not None:
            return []
        can = [among is None or bool(self._evaluate_measure(among, seat)) for seat in range(self.players)]
        return rank_seats(can, self.scores, self.ties)

    @property
    def winners(self) -> list[int]:
        """The seats that have won, or would win if the match ended now; this may be all, some, or none.

        Those for which the result says so by ``wins``; where it does not, those that are ahead by score and then by the
        tie-breaks, each larger is better, among those that can win.
        """
        wins, among = self.program.wins, self.program.among
        seats = range(self.players)
        if wins is not None:
            return [seat for seat in seats if self._evaluate_measure(wins, seat)]
        scores, ties = self.scores, self.ties
        return ahead([among is None or bool(self._evaluate_measure(among, seat)) for seat in seats], scores, ties)

    def value(self, name: str, player: int) -> int:
        """Return the value of a value function of the pack for a player; the score if the pack has no such function.

        Raises:
            TypeError: The seat is no whole number.
            ValueError: There is no such seat.
        """
        self.seat(player)
        function = self.program.values.get(name) or self.program.score
        return int(self._evaluate_measure(function, player)) if function else 0

    def broken(self) -> list[str]:
        """Return the names of the declared invariants that do not hold."""
        return [name for name, holds in self.program.invariants.items() if not self._evaluate_measure(holds, 0)]

    def seat(self, player: int) -> int:
        """Return the number of a seat that is one.

        Raises:
            TypeError: It is no whole number.
            ValueError: There is no such seat.
        """
        seat = player if type(player) is int else given.whole(player, "a seat")
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat}; seats are numbers from 0 to {self.players - 1}")
        return seat
