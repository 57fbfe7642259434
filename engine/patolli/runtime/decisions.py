"""What a player is asked, and the answers that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import FRAMES

if TYPE_CHECKING:
    from patolli.runtime.match import Match


@dataclass(frozen=True, slots=True)
class Option:
    """One legal answer: its position among the options, its value, and its canonical text."""

    index: int
    value: Any
    label: str
    anytime: bool


class Decision:
    """A question to a player. Options are made when somebody reads them."""

    __slots__ = ("_match", "_options", "_raw", "player", "prompt", "question", "simultaneous")

    def __init__(self, match: Match) -> None:
        frame = match.state[FRAMES][-1]
        self.question = match.program.questions[frame[0]]
        self.player: int = frame[1]
        self.prompt = self.question.prompt
        self.simultaneous = match.secret
        self._match = match
        self._raw = list(match.pending or ())
        self._options: tuple[Option, ...] | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        """All legal answers, in a fixed order; anytime actions come last."""
        if self._options is None:
            regular, words, player = len(self._raw) - self._match.extra, self._match.labels, self.player
            own = [words.option(self.question, value, player) for value in self._raw[:regular]]
            own += [words.anytime(value, player) for value in self._raw[regular:]]
            self._options = tuple(Option(i, self._raw[i], label, i >= regular) for i, label in enumerate(own))
        return self._options

    def __repr__(self) -> str:
        return f"<Decision of player {self.player + 1}: {self.prompt or self.question.kind}, {len(self._raw)} options>"
