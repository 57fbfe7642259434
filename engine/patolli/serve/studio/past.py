"""Past states of a match: copies at intervals, with a replay of the choices between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from patolli.run.runtime import Match
from patolli.run.runtime.edits import Edit, with_edits
from patolli.run.runtime.knowledge import get_memory
from patolli.run.runtime.undo_limits import standing

EVERY = 12
"""Choices between two copies, which is also the limit for a replay."""


class Past:
    """The past of a running match."""

    def __init__(self, start: Match) -> None:
        """Start with the current state of a match."""
        self._marks = [len(start.choices)]
        self._copies = [start.clone()]
        self._stands: dict[tuple[int, bool], str] = {}
        self.edits: list[Edit] = list(start.edits)

    def note(self, match: Match) -> None:
        """Store a copy of the match, if the last one is old enough."""
        made = len(match.choices)
        if made - self._marks[-1] >= EVERY:
            self._marks.append(made)
            self._copies.append(match.clone())

    def edit(self, match: Match) -> None:
        """Record the edits of a match."""
        self.edits = list(match.edits)

    def cut(self, number: int, edits: int | None = None) -> None:
        """Drop all states after this number of choices and of edits."""
        self.edits = [edit for edit in self.edits[:edits] if edit.at <= number]
        keep = max(1, bisect_right(self._marks, number))
        del self._marks[keep:], self._copies[keep:]
        self._stands = {key: words for key, words in self._stands.items() if key[0] < number}

    def at(self, number: int, choices: Sequence[int]) -> Match:
        """Return a copy of the match after this number of its *choices*, with the edits up to there."""
        nearest = bisect_right(self._marks, number) - 1
        again = with_edits(self._copies[nearest].clone(), self.edits)
        for choice in choices[self._marks[nearest] : number]:
            again.pick(choice)
            again = with_edits(again, self.edits)
        return again

    def learn(self, number: int, words: str) -> None:
        """Record a known reason why the player of a choice cannot undo it."""
        self._stands[number, True] = words

    def find_cached(self, number: int, own: bool = True) -> str | None:
        """Return the cached result of :meth:`stands` for a choice; None if there is none."""
        return self._stands.get((number, own))

    def check_further(self, match: Match, number: int, own: bool) -> None:
        """Do a part of the work of :meth:`stands`, so that other work can run in between; the last part is cached."""
        if not self._follow_knowledge(match, number):
            self.stands(match, number, own)

    def _follow_knowledge(self, match: Match, number: int) -> bool:
        """Let one more copy know what its seats know; return whether there was one that a check of a choice needs.

        Otherwise each check would follow the match from its start to find that out.
        """
        nearest = bisect_right(self._marks, number) - 1
        if not match.ruleset.visibility(match.program).hides:
            return False
        known = nearest
        while known >= 0 and self._copies[known].memory is None:
            known -= 1
        if known == nearest:
            return False
        copy = self._copies[known + 1]
        copy.memory = self._copies[known].memory if known >= 0 else None
        get_memory(copy)
        return True

    def stands(self, match: Match, number: int, own: bool = True) -> str:
        """Return the reason why a choice cannot be undone, as if it were the last one; empty if it can.

        Args:
            match: The current match.
            number: The number of the choice, from 0.
            own: Whether the player who made it asks. No player made the choice of a bot.
        """
        if (number, own) not in self._stands:
            before = self.at(number, match.choices)
            after = before.clone()
            after.pick(match.choices[number])
            self._stands[number, own] = standing(before, after, match.choices[number], own)
        return self._stands[number, own]


def next_seat(match: Match) -> int:
    """Return the acting seat, or -1 after the end."""
    return -1 if match.over else decider(match)


def decider(match: Match) -> int:
    """Return the acting seat of a match that is not over."""
    return match.decider
