"""What the search asks of a game: a few questions about positions, and nothing about how they are stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

Position = TypeVar("Position")
Payoffs = Sequence[float]
"""A number from 0 to 1 for each seat; more is better for that seat."""


class Impossible(Exception):
    """A world turned out to be one that cannot be."""


class Asked(NamedTuple):
    """A question that is open in a position.

    Attributes:
        key: The question and its player, the same wherever it is the same question.
        seat: Who answers, from 0.
        options: The answers, each a value that can be hashed; equal values mean the same in all worlds.
    """

    key: int
    seat: int
    options: Sequence[Any]


class Game(ABC, Generic[Position]):
    """A game, as one seat knows it in one position of it.

    Attributes:
        seats: How many there are.
        seat: Who searches.
        certain: Whether nothing is hidden and nothing is left to chance, so that results can be proved.
        hides: Whether some seat sees what another does not; each then has a tree of its own.
        opposed: Whether what one of two seats wins, the other loses.
        alone: Whether one seat alone is ever asked.
    """

    seats: int
    seat: int
    certain: bool = True
    hides: bool = False
    opposed: bool = True
    alone: bool = False

    @abstractmethod
    def world(self, draw: Random) -> Position:
        """Return a position that might be the real one, as far as the seat knows; the caller may change it."""

    @abstractmethod
    def copy(self, position: Position) -> Position:
        """Return a copy that shares nothing."""

    @abstractmethod
    def open_question(self, position: Position) -> Asked | None:
        """Return the open question, or None at the end."""

    @abstractmethod
    def pick(self, position: Position, index: int) -> None:
        """Give the answer at an index of the options and go on; what chance brings is drawn."""

    def count_calls(self, seat: int) -> int:
        """Return how often a seat was called upon so far; only differences mean something.

        Where it differs before and after an answer, and the same seat is asked again, that is the seat's next turn.
        """
        return 0

    @abstractmethod
    def outcome(self, position: Position) -> Payoffs:
        """Return who has won at the end: 1 for a victory, 0 for a defeat, between them what is between them."""

    def payoff(self, position: Position, outcome: Payoffs) -> Payoffs:
        """Return what the seats are taught at the end: the outcome, and a little of by how much, if anything."""
        return outcome

    def value(self, position: Position) -> Payoffs | None:
        """Return what a position seems to be worth in the middle of a match; None if there is no estimate."""
        return None

    def score(self, position: Position) -> int:
        """Return the score of the seat that searches, in the middle of a match or at its end."""
        return 0

    def weigh_outcome(self, position: Position, outcome: Payoffs) -> Payoffs:
        """Return what an end is worth where answers are mixed: on average, and so evenly spaced; any numbers."""
        return self.payoff(position, outcome)

    def beginning(self, draw: Random) -> Position | None:
        """Return the game at its beginning, with all that chance decides drawn again; None if that is unknown."""
        return None

    def seat_view(self, position: Position, seat: int) -> Hashable:
        """Return what a seat sees of a position: of what all see, too."""
        return self.private(position, seat)

    def private(self, position: Position, seat: int) -> Hashable:
        """Return what a seat alone knows of a position."""
        return None

    def visible_choice(self, position: Position, index: int) -> Any:
        """Return what the other seats see of an answer: its value, or something that is the same for several."""
        asked = self.open_question(position)
        assert asked is not None
        return asked.options[index]

    def is_sealed(self, position: Position) -> bool:
        """Return whether others learn the answer to the open question only when all have answered."""
        return False
