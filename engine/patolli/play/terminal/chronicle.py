"""The log of a match as the person in front of this screen may read it, and who made each choice.

A second match that writes the log makes the same choices, so that the played match stays fast.
"""

from __future__ import annotations

from collections.abc import Sequence

from patolli.run.compiler.layout import FRAMES, SEED
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.match_story import Line


class Chronicle:
    """All that was reported: ``lines`` grow with every choice.

    ``teller`` is the match that reports; ``deciders`` say who made each choice, from 1.

    Args:
        rules: The ruleset that is played.
        match: The match as it is now; it is followed from its beginning.
        reader: The seat of the only person who looks at the screen; None if several may look. One alone also reads
            what only that player may know.
    """

    def __init__(self, rules: Ruleset, match: Match, reader: int | None) -> None:
        self.deciders = [-1]
        self.reader = reader
        self.teller = rules.replay(
            match.players,
            match.state[SEED],
            match.choices,
            narrate=True,
            look=self._look,
            names=match.names,
            edits=match.edits,
        )
        self.lines: list[Line] = self.teller.telling(reader)

    def choose(self, index: int) -> None:
        """Make the choice that was made in the match."""
        self.teller.choose(index)
        self._look(self.teller)
        self.lines = self.teller.telling(self.reader)

    def read_as(self, reader: int | None) -> None:
        """Go on with what another person may read, or with what all may."""
        self.reader, self.lines = reader, self.teller.telling(reader)

    def list_learned(self, lines: Sequence[Line]) -> list[Line]:
        """Return those of some lines that only the reader learned, without what the reader did or drew."""
        public = {(line.at, line.words) for line in self.teller.telling(None)}
        own = ("answer", "move")
        return [
            line
            for line in lines
            if (line.at, line.words) not in public and not (line.seat == self.reader and line.kind in own)
        ]

    def decider(self, line: Line) -> int:
        """Return who gave the answer that led to a line; -1 for what came before the first one."""
        return self.deciders[line.at]

    def begins_turn(self, answer: int) -> bool:
        """Return whether an answer, counted from 1, is the first one below a heading.

        A heading is shown with the first thing below it: before the line of this answer itself, or with what came of
        the answer before, behind its line.
        """
        own = [line.kind for line in self.lines if line.at == answer]
        came = [line.kind for line in self.lines if line.at == answer - 1]
        if answer > 1 and came[:1] == ["heading"]:
            came = came[came.index("answer") :] if "answer" in came else []
        return own[:1] == ["heading"] or "heading" in came

    def _look(self, teller: Match) -> None:
        """Note who decides next: the one who gives the answer that comes now."""
        frames = teller.state[FRAMES]
        self.deciders.append(teller.decider if frames else -1)
