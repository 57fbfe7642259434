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

    __slots__ = ("_match", "_options", "_raw", "player", "prompt", "simultaneous", "site")

    def __init__(self, match: Match) -> None:
        frame = match.state[FRAMES][-1]
        self.site = match.program.sites[frame[0]]
        self.player: int = frame[1]
        self.prompt = self.site.prompt
        self.simultaneous = self.site.simultaneous
        self._match = match
        self._raw = list(match.pending or ())
        self._options: tuple[Option, ...] | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        """All legal answers, in a fixed order; anytime actions come last."""
        if self._options is None:
            labels = self._match.labels
            regular = len(self._raw) - self._match.extra
            self._options = tuple(
                Option(
                    i,
                    value,
                    labels.option(self.site, value, self.player) if i < regular else labels.anytime(value, self.player),
                    i >= regular,
                )
                for i, value in enumerate(self._raw)
            )  # fmt: skip
        return self._options

    def __repr__(self) -> str:
        return f"<Decision of player {self.player + 1}: {self.prompt or self.site.kind}, {len(self._raw)} options>"
