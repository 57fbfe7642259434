"""Decide when the order of bots is certain, although the games are checked again and again.

The games are checked after 10 units, then each time the number of units has grown by about a third, up to the last
unit. The order counts as certain when each bot differs from the next one by more than can be random. The probability of
one false result, over all checks and all pairs of bots, is at most ``ERROR``. It is divided evenly among checks and
pairs (Bonferroni correction). Checks overlap in their games, so the true probability is lower.
"""

from __future__ import annotations

from itertools import pairwise
from math import exp, pi, sqrt, tan
from statistics import NormalDist

from patolli.measure.simulation.estimates import plan_looks
from patolli.measure.tournaments.plackett_luce import Strengths

ERROR = 0.05
FIRST, MORE = 10, 1.4


def looks(units: int) -> list[int]:
    """Return the numbers of units after which the games are checked, for at most *units* units."""
    return plan_looks(FIRST, MORE, units)


def order_of(found: Strengths) -> list[int]:
    """Return the bots, the strongest first; equal bots in the order in which they were named."""
    return sorted(range(len(found.logs)), key=lambda bot: (-found.logs[bot], bot))


def find_unsettled(found: Strengths, units: int) -> list[tuple[int, int]]:
    """Return the neighbors in the order that cannot be distinguished yet, for at most *units* units."""
    order = order_of(found)
    pairs = len(order) * (len(order) - 1) // 2
    if found.units < 2:
        return list(pairwise(order))
    wide = quantile(1 - ERROR / (2 * pairs * len(looks(units))), found.units - 1)
    return [
        (one, other)
        for one, other in pairwise(order)
        if found.logs[one] - found.logs[other] <= wide * found.error(one, other)
    ]


def quantile(chance: float, freedom: int) -> float:
    """Return the quantile of Student's t-distribution for a probability *chance* above one half.

    Source:
        G. W. Hill, "Algorithm 396: Student's t-quantiles", Communications of the ACM 13 (1970) 619.
    """
    two = 2 * (1 - chance)
    if freedom == 1:
        return 1 / tan(two * pi / 2)
    if freedom == 2:
        return sqrt(2 / (two * (2 - two)) - 2)
    a = 1 / (freedom - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * freedom
    y = (d * two) ** (2 / freedom)
    if y > 0.05 + a:
        x = -NormalDist().inv_cdf(1 - chance)
        x, y = -x, x * x
        if freedom < 5:
            c += 0.3 * (freedom - 4.5) * (x + 0.6)
        c = (((0.05 * d * -x - 5) * -x - 7) * -x - 2) * -x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * -x
        y = exp(a * y * y) - 1
    else:
        y = (
            (1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3) + 0.5 / (freedom + 4)) * y
            - 1
        ) * (freedom + 1) / (freedom + 2) + 1 / y
    return sqrt(freedom * y)
