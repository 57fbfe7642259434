"""What training, tournaments and the lab share: intervals, points ahead, and games that are played in stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import NormalDist
from typing import TypeVar

Judgment = TypeVar("Judgment")

Z = NormalDist().inv_cdf(0.975)
"""How many standard errors an interval of 95 % goes to each side."""


def wilson(wins: float, games: int, z: float = Z) -> tuple[float, float]:
    """Return the interval of a share of *games*; 0 to 1 for none.

    Source:
        E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209.
    """
    if not games:
        return 0.0, 1.0
    p, square = wins / games, z * z
    middle = (p + square / (2 * games)) / (1 + square / games)
    half = z / (1 + square / games) * sqrt(max(0.0, p * (1 - p) / games + square / (4 * games * games)))
    return max(0.0, middle - half), min(1.0, middle + half)


def points_ahead(scores: Sequence[int], seat: int) -> float:
    """Return by how much the score of a seat is above the mean of the others."""
    return float(scores[seat] - (sum(scores) - scores[seat]) / max(1, len(scores) - 1))


def plan_looks(first: int, factor: float, most: int) -> list[int]:
    """Return after how many units to look at results: after the *first*, then *factor* times as many, up to *most*."""
    found, at = [], first
    while at < most:
        found.append(at)
        at = max(at + 1, round(at * factor))
    return [*found, most]


class Interrupted(Exception):
    """The user stopped a run that is played in stages; finished games are stored."""


def judge_in_stages(
    looks: Iterable[int],
    play: Callable[[int], object],
    judge: Callable[[int], Judgment],
    is_certain: Callable[[Judgment], bool],
) -> Judgment:
    """Play up to each number of *looks* and judge, until the judgment is certain; return the last judgment."""
    for look in looks:
        play(look)
        found = judge(look)
        if is_certain(found):
            break
    return found
