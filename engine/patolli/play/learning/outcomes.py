"""How good an end is for each seat, as a number from 0 to 1 that can be learned.

Most of it is the margin: the score, less the best of the others, on a logistic curve whose width is that of the games
which were played first. By how much a game was won says more than that it was. A tenth is the place: the share of the
other seats that stand behind, equals by half, so that tie-breaks count, too. Where a pack says who wins and no more,
the place is all there is, and where all win or lose together it is 1 or 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt

from patolli.language.program.together import together
from patolli.run.runtime import Match
from patolli.run.runtime.results import leads, left_behind

PLACE = 0.1
"""How much of the worth is the place, where there is a margin, too."""
STEEP = 3.0
"""Of how many widths of the curve the standard deviation of margins is: a usual lead is worth 0.95."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What margins are measured with: a margin of *middle* is worth one half, and one *scale* more is worth 0.73."""

    middle: float = 0.0
    scale: float = 1.0

    def worth(self, margin: float) -> float:
        """Return what a margin is worth, from 0 to 1."""
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, (margin - self.middle) / self.scale))))


def margins(match: Match) -> list[float] | None:
    """Return by how much each seat is ahead of the best other, its score if there is none; nothing without ranks."""
    if match.program.wins is not None or match.program.score is None:
        return None
    scores = match.scores
    if len(scores) == 1 or together(match.ruleset.resolved_program):
        return [float(score) for score in scores]
    return [float(lead) for lead in leads(scores)]


def yardstick(matches: Sequence[Match]) -> Yardstick:
    """Return the yardstick for games like these, which are over."""
    found = [margin for match in matches for margin in margins(match) or ()]
    if not found:
        return Yardstick()
    mean = sum(found) / len(found)
    spread = sqrt(sum((margin - mean) ** 2 for margin in found) / len(found))
    alone = len(matches[0].scores) == 1 or together(matches[0].ruleset.resolved_program)
    return Yardstick(mean if alone else 0.0, max(spread / STEEP, 1e-3))


def outcomes(match: Match, measured: Yardstick) -> list[float]:
    """Return what the end of a match is worth to each seat."""
    places, margin = _places(match), margins(match)
    if margin is None:
        assert places is not None
        return places
    worth = [measured.worth(one) for one in margin]
    if places is None:
        return worth
    return [PLACE * place + (1.0 - PLACE) * one for place, one in zip(places, worth, strict=True)]


def _places(match: Match) -> list[float] | None:
    """Return the share of the others who stand behind each seat; nothing where there is no such thing."""
    alike = match.players == 1 or together(match.ruleset.resolved_program)
    if match.program.wins is not None:
        winners = set(match.winners)
        if alike:
            return [float(seat in winners) for seat in range(match.players)]
        ranks = [0 if seat in winners else 1 for seat in range(match.players)]
    elif alike:
        return None
    else:
        ranks = match.ranks
    return left_behind(ranks)
