"""What a player is asked, and the answers that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import FRAMES

if TYPE_CHECKING:
    from patolli.runtime.match import Match


@dataclass(frozen=True, slots=True)
class Option:
    """One legal answer: its position among the options, its value, its text, and what it is called.

    ``label`` is stable: it is typed, written in scenarios, and compared. ``words`` are for people, and may change with
    the wording of a pack.
    """

    index: int
    value: Any
    label: str
    anytime: bool
    words: str = ""


class Decision:
    """A question to a player. Options are made when somebody reads them."""

    __slots__ = ("_labels", "_match", "_options", "_raw", "player", "prompt", "question", "simultaneous")

    def __init__(self, match: Match) -> None:
        frame = match.state[FRAMES][-1]
        self.question = match.program.questions[frame[0]]
        self.player: int = frame[1]
        self.prompt = self.question.prompt
        self.simultaneous = match.secret
        self._match = match
        self._raw = list(match.pending or ())
        self._labels: tuple[str, ...] | None = None
        self._options: tuple[Option, ...] | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all legal answers, in their order; without the words, which take longer to find."""
        if self._labels is None:
            regular, texts, player = len(self._raw) - self._match.extra, self._match.labels, self.player
            own = [texts.option(self.question, value, player) for value in self._raw[:regular]]
            self._labels = (*own, *(texts.anytime(value, player) for value in self._raw[regular:]))
        return self._labels

    @property
    def options(self) -> tuple[Option, ...]:
        """All legal answers, in a fixed order; anytime actions come last."""
        if self._options is None:
            regular, names = len(self._raw) - self._match.extra, self._match.naming(self.player).about(self.player)
            said = names.options(self.question, self._raw[:regular], self._raw[regular:])
            each = enumerate(zip(self._raw, self.labels, said, strict=True))
            self._options = tuple(Option(i, value, label, i >= regular, words) for i, (value, label, words) in each)
        return self._options

    def __repr__(self) -> str:
        return f"<Decision of player {self.player + 1}: {self.prompt or self.question.kind}, {len(self._raw)} options>"
