"""What was reported of a match: the log, the lines under headings, and listening from now on."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from patolli.kernel.faults import RuleFault
from patolli.run.runtime.errors import fail
from patolli.run.runtime.match_story import Line, Story
from patolli.run.runtime.results import Results

if TYPE_CHECKING:
    from patolli.run.runtime.edits import Edit
    from patolli.run.runtime.labels import Labels
    from patolli.run.runtime.ruleset import Ruleset


class MatchReports(Results):
    """The part of a match that narrates, and keeps what was reported."""

    __slots__ = ("_replayed", "_story", "labels", "narrating", "program")

    ruleset: Ruleset
    labels: Labels
    state: list[Any]
    names: tuple[str, ...]
    choices: list[int]
    edits: tuple[Edit, ...]
    narrating: bool
    _story: Story | None  # what was reported; None while that is nothing
    _replayed: tuple[tuple[int, int], Story] | None  # the same from the start, and after how many choices and edits

    @abstractmethod
    def _again(self) -> Story | None:
        """Return what is reported when the choices are made again; None where they lead elsewhere."""

    @property
    def log(self) -> list[str]:
        """What happened so far, in sentences that everyone may read; empty without ``narrate=True`` at the start."""
        return self._story.thread(None).said[:] if self._story is not None else []

    def told(self, player: int) -> list[str]:
        """Return the log as one player may read it, with that player's own secrets.

        Args:
            player: The seat, from 0.

        Raises:
            TypeError: The seat is no whole number.
            ValueError: There is no such seat.
        """
        self.seat(player)
        return self._story.thread(player).said[:] if self._story is not None else []

    def telling(self, seat: int | None = None) -> list[Line]:
        """Return what happened so far as lines under headings; see :class:`Line`.

        Of a match that does not narrate, or was read from a save, the choices are made again for it, which takes about
        as long as the match took to play; once for every number of choices.

        Args:
            seat: What the player on this seat, from 0, read; without it, what everyone read.

        Raises:
            TypeError: The seat is no whole number.
            ValueError: There is no such seat.
        """
        if seat is not None:
            self.seat(seat)
        return self._whole().thread(seat).lines[:]

    def _whole(self) -> Story:
        """Return what was reported from the start: what is known of it where the choices do not lead to this state."""
        story, made = self._story, (len(self.choices), len(self.edits))
        if story is not None and story.whole:
            return story
        if self._replayed is None or self._replayed[0] != made:
            self._replayed = made, self._again() or story or Story(self.labels, self.players)
        return self._replayed[1]

    def listen(self) -> None:
        """Narrate from now on; what happened before is not reported."""
        self.program = self.ruleset.program(self.players, narrate=True)
        self.labels, self.narrating = self.ruleset.labels(self.program), True
        self._story = Story(self.labels, self.players)
        self.program.events.clear()

    def remark(self, words: str) -> None:
        """Report something to everyone that no rule has reported, if the match narrates."""
        if self.narrating and self._story is not None:
            self._own_story().remark(words, len(self.choices))

    def _narrate(self) -> None:
        try:
            self._own_story().take(self.program.events, self.state, self.names, len(self.choices))
        except RuleFault as error:
            fail(self, error)  # type: ignore[arg-type]
        finally:
            self.program.events.clear()

    def _own_story(self) -> Story:
        """Return what was reported, as an object of this match alone."""
        if self._story is None:
            self._story = Story(self.labels, self.players)
        elif self._story.shared:
            self._story = self._story.copy()
        return self._story
