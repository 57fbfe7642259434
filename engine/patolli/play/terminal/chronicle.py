"""The log of a match as the people at this screen may read it, and who made each choice.

A second match that writes the log makes the same choices, so that the played match stays fast.
"""

from __future__ import annotations

from patolli.run.compiler.layout import FRAMES, SEED
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.match_story import Line


class Chronicle:
    """All that was reported: ``lines`` grow with every choice.

    ``teller`` is the match that reports; ``deciders`` say who gave each answer, from 1.

    Args:
        rules: The ruleset that is played.
        match: The match as it is now; it is followed from its beginning.
        people: The seats of those who look at the screen. One alone reads what only that one may know.
    """

    def __init__(self, rules: Ruleset, match: Match, people: list[int]) -> None:
        self.deciders = [-1]
        self._seat = people[0] if len(people) == 1 else None
        self.teller = rules.replay(
            match.players,
            match.state[SEED],
            match.choices,
            narrate=True,
            look=self._look,
            names=match.names,
            edits=match.edits,
        )
        self.lines: list[Line] = self.teller.telling(self._seat)

    def choose(self, index: int) -> None:
        """Make the choice that was made in the match."""
        self.teller.choose(index)
        self._look(self.teller)
        self.lines = self.teller.telling(self._seat)

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
