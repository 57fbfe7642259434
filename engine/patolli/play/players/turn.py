"""A turn of a bot: a question to its seat, and everything that the seat may know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any, NoReturn

from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.decisions import Option
from patolli.run.runtime.reasons import Why


class Turn:
    """A question to a seat, and what its player may know. It can be read until a choice is made, and not changed.

    A turn cannot be copied or pickled, because a copy would outlive the turn.
    """

    __slots__ = ("_match", "_players", "_prompt", "_rules", "_seat", "_simultaneous", "_view")

    def __init__(self, match: Match) -> None:
        decision = match.decision
        assert decision is not None
        self._match: Match | None = match
        self._view: dict[str, Any] | None = None
        self._rules: Ruleset = match.ruleset
        self._seat: int = decision.player
        self._players: int = match.players
        self._prompt: str = decision.prompt
        self._simultaneous: bool = decision.simultaneous

    # The bot must not choose its seat: with another seat, it would see the secrets of other players.

    @property
    def rules(self) -> Ruleset:
        """The ruleset."""
        return self._rules

    @property
    def seat(self) -> int:
        """The seat that decides, from 0."""
        return self._seat

    @property
    def players(self) -> int:
        """The number of seats."""
        return self._players

    @property
    def prompt(self) -> str:
        """The question, in the words of the pack."""
        return self._prompt

    @property
    def simultaneous(self) -> bool:
        """Whether the other players learn the choice only after they have chosen, too."""
        return self._simultaneous

    @property
    def options(self) -> tuple[Option, ...]:
        """All legal options, in a fixed order; see :class:`Option`."""
        decision = self._open().decision
        assert decision is not None
        # Options of the match refer to it, and compute their words when they are read.
        return tuple([Option(o.index, o.value, o.label, o.anytime, o.words) for o in decision.options])

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the options, in the same order: the texts to type. They are faster to compute than options."""
        decision = self._open().decision
        assert decision is not None
        return decision.labels

    @property
    def view(self) -> dict[str, Any]:
        """What the seat sees, as returned by :meth:`Match.view`; it is the same object throughout the turn."""
        if self._view is None:
            self._view = self._open().view(self._seat)
        return self._view

    @property
    def told(self) -> tuple[str, ...]:
        """The log of the match so far, as this seat may read it, in sentences; empty if there is no log."""
        return tuple(self._open().told(self._seat))

    def why(self, text: str) -> Why:
        """Explain why something is offered or not; see :meth:`Match.why`."""
        return self._open().why(text)

    def imagine(self, seed: int) -> Match:
        """Return a match that is consistent with what the seat knows, to try things out; unknown parts are random.

        See :meth:`Match.determinize`. You can play on in it, copy it with ``clone``, and read its scores.

        Args:
            seed: The random seed; ``self.random.getrandbits(62)`` of a bot is a good one.

        Raises:
            ValueError: No such match was found.
        """
        return self._open().determinize(self._seat, seed)

    def _open(self) -> Match:
        if self._match is None:
            raise RuntimeError("this turn is over; keep what you need of it before you choose")
        return self._match

    def _close(self) -> None:
        """End the turn, so that it cannot be read later."""
        self._match = None

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse pickling and copying, which both start here."""
        raise TypeError(
            "a turn cannot be copied or pickled; keep what you need of it, or play on in turn.imagine(seed)"
        )

    def __repr__(self) -> str:
        return f"<Turn of seat {self.seat}: {self.prompt or 'what now?'}>"


class Bot(ABC):
    """Decides for one seat of one match.

    A bot of your own is a class below this one:

        class Hasty(patolli.Bot):
            def choose(self, turn: patolli.Turn) -> int:
                return 0

    A bot is made again for each seat of each match, from a seed, and asked whenever its seat has to decide. It gets a
    :class:`Turn`, which holds what a person at its place would know and nothing else. ``random`` is its source of
    chance: where it uses no other one, the same seed gives the same match, however many are played at once.
    """

    def __init__(self, seed: int) -> None:
        """Create a bot. If you override this method, take a *seed* and call ``super().__init__(seed)``."""
        self.random = Random(seed)

    @abstractmethod
    def choose(self, turn: Turn) -> Option | int | str:
        """Return a choice: one of ``turn.options``, its index, or its label."""
