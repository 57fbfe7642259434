"""What a match was like after each of its choices: copies now and then, and the choices between them made again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from patolli.runtime.edits import with_edits
from patolli.runtime.undoing import standing

if TYPE_CHECKING:
    from patolli.runtime import Match
    from patolli.runtime.edits import Edit

EVERY = 12
"""Choices between two copies: as many as are made again, at most, to get anywhere."""


class Past:
    """The past of one match that is played on."""

    def __init__(self, start: Match) -> None:
        """Begin with a match as it is now."""
        self._marks = [len(start.choices)]
        self._copies = [start.clone()]
        self._stands: dict[tuple[int, bool], str] = {}
        self.edits: list[Edit] = list(start.edits)

    def note(self, match: Match) -> None:
        """Keep a copy of the match, if it is time for one."""
        made = len(match.choices)
        if made - self._marks[-1] >= EVERY:
            self._marks.append(made)
            self._copies.append(match.clone())

    def edit(self, match: Match) -> None:
        """Take in that a match was changed by hand."""
        self.edits = list(match.edits)

    def cut(self, number: int, edits: int | None = None) -> None:
        """Forget what came after so many choices, and after so many edits."""
        self.edits = [edit for edit in self.edits[:edits] if edit.at <= number]
        keep = max(1, bisect_right(self._marks, number))
        del self._marks[keep:], self._copies[keep:]
        self._stands = {key: words for key, words in self._stands.items() if key[0] < number}

    def at(self, number: int, choices: Sequence[int]) -> Match:
        """Return a copy of the match as it was after so many of its *choices*, and what was changed by hand then."""
        nearest = bisect_right(self._marks, number) - 1
        again = with_edits(self._copies[nearest].clone(), self.edits)
        for choice in choices[self._marks[nearest] : number]:
            again.pick(choice)
            again = with_edits(again, self.edits)
        return again

    def learn(self, number: int, words: str) -> None:
        """Note what stands in the way of who made a choice and would take it back, where it is seen without trying."""
        self._stands[number, True] = words

    def known(self, number: int, own: bool = True) -> str | None:
        """Return what :meth:`stands` has found for a choice; None where nobody has asked yet."""
        return self._stands.get((number, own))

    def stands(self, match: Match, number: int, own: bool = True) -> str:
        """Return what stands in the way of taking back a choice, were it the last one; nothing where it may be.

        Args:
            match: The match as it is now.
            number: Of the choice, from 0.
            own: Whether it is for those who made it; of a choice of a bot all are others.
        """
        if (number, own) not in self._stands:
            before = self.at(number, match.choices)
            after = before.clone()
            after.pick(match.choices[number])
            self._stands[number, own] = standing(before, after, match.choices[number], own)
        return self._stands[number, own]


def decider(match: Match) -> int:
    """Return who decides in a match that is not over."""
    return int(match.frame[1])
