"""What happened in a match, line by line, as the people at this screen may know it.

A second match that narrates makes the same choices, so that the one that is played stays fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patolli.compiler.layout import FRAMES, SEED

if TYPE_CHECKING:
    from patolli.runtime import Match, Ruleset


@dataclass(frozen=True, slots=True)
class Told:
    """One line of what happened.

    Attributes:
        number: Of the answer by which it came about, from 1; 0 for the set-up.
        seat: Who gave that answer; -1 for the set-up.
        words: The sentence, or the heading.
        level: Of a heading, 1 for the outermost; 0 for a sentence.
        depth: Below how many headings it stands.
    """

    number: int
    seat: int
    words: str
    level: int = 0
    depth: int = 0


class Story:
    """All that was told so far; ``lines`` grow with every choice.

    Args:
        rules: The ruleset that is played.
        match: The match as it is now; it is followed from its beginning.
        people: The seats of those who look at the screen. One alone is told what only that one may know.
    """

    def __init__(self, rules: Ruleset, match: Match, people: list[int]) -> None:
        self.lines: list[Told] = []
        self._seat = people[0] if len(people) == 1 else None
        self._decider = -1
        self._said = 0
        self._teller = rules.replay(
            match.players, match.state[SEED], match.choices, narrate=True, look=self._take_in, names=match.names
        )

    def choose(self, index: int) -> None:
        """Go on with the choice that was made in the match."""
        self._teller.choose(index)
        self._take_in(self._teller)

    def begins_turn(self, number: int) -> bool:
        """Tell whether a heading stands before what came of an answer, counted from 1, and so something new begins."""
        return any(told.level for told in self.lines if told.number == number - 1)

    def _take_in(self, teller: Match) -> None:
        said = teller.log if self._seat is None else teller.told(self._seat)
        number = len(teller.choices)
        self.lines += [Told(number, self._decider, words) for words in said[self._said :]]
        self._said = len(said)
        frames = teller.state[FRAMES]
        self._decider = int(frames[-1][1]) if frames else -1
