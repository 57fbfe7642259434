"""What a match was worth to each seat, from its result.

``rank``: from 1 for the first to -1 for the last, in equal steps; those of equal rank share the mean of their places.
Of two players the winner has 1 and the other -1, and both have 0 when they are equal. The sum is 0.

``win``: 1 for who has won, and -1 for who has not; all have the same where all win or lose together.

``margin``: how far the score is ahead of the best other one, or behind it.

Where a result names winners and no ranks (``wins:``), as where some win or lose together, ``rank`` is
``win``; of two who are against each other, though, both have 0 where both have won, or none. It is ``win`` where a
player sits alone, too. Seats that are played by rules have a rank like everybody, and no reward.
"""

from __future__ import annotations

from patolli.language.program.together import together
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.results import leads, left_behind

REWARDS = ("rank", "win", "margin")


def check(rules: Ruleset, kind: str) -> None:
    """See that a ruleset can give a kind of rewards. Raises ValueError: it is unknown, or the pack has no score."""
    if kind not in REWARDS:
        raise ValueError(f"unknown reward {kind!r}; use one of {', '.join(REWARDS)}")
    if kind == "margin" and rules.resolved_program.score is None:
        raise ValueError(f"{rules.title} has no score, so there is no margin; use 'rank' or 'win'")


def sums_to_zero(rules: Ruleset, players: int, kind: str) -> bool:
    """Return whether the rewards of all seats always add up to 0."""
    ranked = rules.resolved_program.wins is None or are_rivals(rules, players)
    return kind == "rank" and ranked and not rules.model.automated and players > 1


def are_rivals(rules: Ruleset, players: int) -> bool:
    """Return whether two play against each other for what names the winners alone."""
    program = rules.resolved_program
    return players == 2 and program.wins is not None and not rules.model.automated and not together(program)


def rewards(match: Match, kind: str) -> list[float]:
    """Return the reward of each seat, automated ones included, as if the match ended now."""
    if kind == "margin":
        return [float(lead) for lead in leads(match.scores)]
    ranks = match.ranks if kind == "rank" else []
    if len(ranks) < 2:
        winners = match.winners
        if kind == "rank" and are_rivals(match.ruleset, match.players):
            return [float((seat in winners) - (1 - seat in winners)) for seat in range(2)]
        return [1.0 if seat in winners else -1.0 for seat in range(match.players)]
    return [2 * share - 1 for share in left_behind(ranks)]
