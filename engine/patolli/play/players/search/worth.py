"""What the end of a match is worth to each seat, and what a match in its middle seems to be worth."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from patolli.language.program.together import together
from patolli.run.runtime import Match
from patolli.run.runtime.results import leads, left_behind

MARGIN = 0.25
"""How much of a payoff measures how far a seat is ahead; the rest says whether it has won."""
PLACE = 0.1
"""How much of what is counted in a mixture says whether a seat has won; the rest is by how much."""
VALUED = "greedy"
"""The value function of a pack that says what a position seems to be worth."""


Leads = dict[str, tuple[int, float, float]]
"""By score and by value how many leads were seen, their mean, and their squares."""


class Worth:
    """Turns results into payoffs from 0 to 1.

    A result that ranks gives each seat the share of the others that it left behind, equals count half. One that says
    who wins gives 1 to those and 0 to others; where all or none have won the match is drawn, unless the pack says the
    same of everybody: these win and lose together. A player alone has only the score.

    How far a seat is ahead (behind the best of the others, if it is) is measured by how far seats usually were.
    """

    def __init__(self, match: Match) -> None:
        """Look at how the pack says who wins."""
        program, model = match.program, match.ruleset.resolved_program
        self.seats = match.players
        self.scored = program.score is not None
        self.valued = VALUED in program.values
        self.together = model.wins is not None and (self.seats == 1 or together(model))
        self.opposed = self.seats == 2 and not self.together
        self._leads: dict[str, _Spread] = {"score": _Spread(), VALUED: _Spread()}

    @property
    def leads(self) -> Leads:
        """How far seats were ahead so far, by score and by value: how many were seen, their mean, and squares."""
        return {name: (one.number, one.mean, one.squares) for name, one in self._leads.items()}

    @leads.setter
    def leads(self, leads: Leads) -> None:
        for name, numbers in leads.items():
            one = self._leads[name]
            one.number, one.mean, one.squares = numbers

    def outcome(self, match: Match) -> Sequence[float]:
        """Return what each seat gets at the end."""
        if match.program.wins is not None:
            winners = match.winners
            if not self.together and len(winners) in (0, self.seats):
                return [0.5] * self.seats
            return [float(seat in winners) for seat in range(self.seats)]
        if self.seats == 1:
            return [0.5]
        ranks = match.ranks
        if self.seats == 2:  # most often, and sooner
            one, two = ranks
            return (0.5, 0.5) if one == two else (1.0, 0.0) if one < two else (0.0, 1.0)
        return left_behind(ranks)

    def payoff(self, match: Match, outcome: Sequence[float]) -> Sequence[float]:
        """Return what each seat is taught at the end."""
        if not self.scored or self.together:
            return outcome
        ahead = self._ahead(match, "score")
        share = 1.0 if self.seats == 1 else MARGIN
        return [(1 - share) * won + share * lead for won, lead in zip(outcome, ahead, strict=True)]

    def weigh_outcome(self, match: Match, outcome: Sequence[float]) -> Sequence[float]:
        """Return what an end is worth where answers are mixed: mostly by how much a seat is ahead.

        A mixture is weighed by what it brings on average, and being ahead twice as far is worth twice as much: so a
        bid that is risked counts for what it is. It is no share, and may lie outside of 0 and 1.
        """
        if not self.scored or self.together or self.seats == 1:
            return outcome
        scores = match.scores
        lead, spread = leads(scores), self._leads["score"]
        spread.place(max(lead), even=True)
        wide = 2 * sqrt(spread.squares / spread.number) or 1.0
        return [PLACE * won + (1 - PLACE) * ahead / wide for won, ahead in zip(outcome, lead, strict=True)]

    def value(self, match: Match) -> Sequence[float] | None:
        """Return what each seat seems to get, by the values of the pack; None where it has none."""
        return self._ahead(match, VALUED) if self.valued else None

    def _ahead(self, match: Match, name: str) -> list[float]:
        values = [match.value(name, seat) for seat in range(self.seats)]
        spread = self._leads[name]
        if self.seats == 1:
            return [spread.place(values[0])]
        if self.seats == 2:
            lead = spread.place(values[0] - values[1], even=True)
            return [lead, 1 - lead]
        first, second = sorted(values, reverse=True)[:2]
        return [spread.place(value - (first if value != first else second), even=True) for value in values]


class _Spread:
    """How far numbers lie apart, of those that were seen so far."""

    __slots__ = ("mean", "number", "squares")

    def __init__(self) -> None:
        self.number, self.mean, self.squares = 0, 0.0, 0.0

    def place(self, value: float, even: bool = False) -> float:
        """Return where a number lies among them, between 0 and 1; zero, or the mean, lies in the middle."""
        self.number += 1
        if even:
            self.squares += value * value
            away, wide = value, sqrt(self.squares / self.number)
        else:
            before = value - self.mean
            self.mean += before / self.number
            self.squares += before * (value - self.mean)
            away, wide = value - self.mean, sqrt(self.squares / self.number)
        if not wide:
            return 0.5
        return 0.5 + 0.5 * away / (abs(away) + wide)
