"""What numbers of many matches say, and how surely: intervals, tests, and what holds of many tests at once.

Values are numpy arrays with one entry for each match. A match is the unit: what several seats of it do is not
independent, and errors are computed by match wherever several rows belong to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.measure.simulation.estimates import Z, wilson

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Known:
    """A number, and the interval in which it lies, as sure as 95 of 100; ``count`` matches say so."""

    value: float
    low: float
    high: float
    count: int

    @property
    def error(self) -> float:
        """The standard error that the interval stands for."""
        return (self.high - self.low) / (2 * Z)

    @classmethod
    def nothing(cls, count: int) -> Known:
        """Return a number about which *count* matches say nothing."""
        return cls(float("nan"), float("-inf"), float("inf"), count)

    def data(self) -> dict[str, float | int]:
        """Return it as plain data, to six digits."""
        return {
            "value": round_digits(self.value), "low": round_digits(self.low), "high": round_digits(self.high),
            "matches": self.count,
        }  # fmt: skip


def round_digits(value: float) -> float:
    """Return a number to six significant digits."""
    return float(f"{value:.6g}")


def mean(values: Numbers) -> Known:
    """Estimate a mean, by the central limit theorem; what is not a number is left out."""
    found = values[~np.isnan(values)]
    if len(found) < 2:
        value = float(found[0]) if len(found) else 0.0
        return Known(value, float("-inf"), float("inf"), len(found))
    half = Z * float(found.std(ddof=1)) / sqrt(len(found))
    value = float(found.mean())
    return Known(value, value - half, value + half, len(found))


def share(won: Numbers) -> Known:
    """Estimate a share of matches, from numbers between 0 and 1; see :func:`wilson`.

    Shared wins make the number of wins no whole one; the interval is a little too wide then.
    """
    found = won[~np.isnan(won)]
    low, high = wilson(float(found.sum()), len(found))
    return Known(float(found.mean()) if len(found) else 0.0, low, high, len(found))


BOTH = np.array([1.0, -1.0])
"""What is added to differences of shares: a pair of each kind, so that pairs which are all alike leave some doubt."""


def estimate_pairs(change: Numbers) -> tuple[Known, float]:
    """Estimate the difference of two shares by pairs, each from -1 to 1; return its distance from 0 as a normal number.

    The value is the mean, and the interval is that of the pairs with two more; so pairs that all differ alike, or not
    at all, have one, too.

    Source:
        The adjusted interval of D. G. Bonett and others, J. Educ. Behav. Stat. 37 (2012) 479.
    """
    all_ = np.append(BOTH, change)
    middle, error = float(all_.mean()), float(all_.std()) / sqrt(len(all_))
    value = float(change.mean()) if len(change) else 0.0
    return Known(value, max(-1.0, middle - Z * error), min(1.0, middle + Z * error), len(change)), middle / error


def two_sided_p(z: float) -> float:
    """Return how often a standard normal number is so far from 0."""
    return 2 * NormalDist().cdf(-abs(z))


def as_normal(t: float, freedom: int) -> float:
    """Return the standard normal number that is as rare as *t* is for Student's distribution.

    Source:
        D. L. Wallace, Ann. Math. Stat. 30 (1959) 1121, with the correction of G. W. Hill, CACM 13 (1970) 617; right
        to 0.02 for three degrees of freedom and more.
    """
    if freedom < 1:
        return 0.0
    z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log(1 + t * t / freedom))
    return z if t >= 0 else -z


def believed_of(chances: Sequence[float], rate: float = 0.05) -> list[bool]:
    """Return which tests to believe: at most a share *rate* of these is wrong, on average.

    Source:
        Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57 (1995) 289. It holds for tests that depend on each other
        positively, as those of options in the same matches mostly do.
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    last = max((rank for rank, at in enumerate(order, 1) if chances[at] <= rate * rank / len(order)), default=0)
    found = [False] * len(order)
    for at in order[:last]:
        found[at] = True
    return found


def adjust_p_values(chances: Sequence[float]) -> list[float]:
    """Return for each test the lowest rate at which :func:`believed_of` believes it."""
    order = sorted(range(len(chances)), key=chances.__getitem__, reverse=True)
    found, least = [1.0] * len(order), 1.0
    for place, at in enumerate(order):
        least = min(least, chances[at] * len(order) / (len(order) - place))
        found[at] = least
    return found


@dataclass(frozen=True, slots=True)
class Effect:
    """What differs between rows that have something and others of the same stratum; ``rows`` with and without it.

    ``reach`` is how many uses lie between rows with many and rows with few that had the same chances: two standard
    deviations. For something that half of the rows use once, it is 1.
    """

    value: float
    error: float
    rows: tuple[int, int]
    reach: float = inf

    @property
    def chance(self) -> float:
        """How often so much would be found at random without any effect."""
        return two_sided_p(as_normal(self.value / self.error, self.freedom)) if self.error > 0 else 1.0

    @property
    def freedom(self) -> int:
        """Degrees of freedom: as many as there are rows of the fewer sort, without one."""
        return min(self.rows) - 1

    def interval(self, z: float = Z) -> tuple[float, float]:
        """Return the interval of 95 %."""
        return self.value - z * self.error, self.value + z * self.error


LEAST = 30
"""Rows with and without something that are needed to say what it is worth."""


def effects(
    thing: Indices, uses: Numbers, ys: Sequence[Numbers], stratum: Indices, match: Indices, offers: Numbers
) -> list[dict[int, Effect]]:
    """Estimate for many things by how much each of *ys* differs per use, between rows of the same stratum.

    This is least squares within strata: *ys* by the uses, adjusted for the number of offers, because a row with more
    offers has more uses and often differs in *ys* for the same reason (a longer match). If each row has one use or
    none and strata have the same number of offers, it is the difference of means with and without the thing. Rows of
    one match are not independent: the errors add up by match.

    Args:
        thing: By row, which thing it is about; rows of different things have nothing to do with each other.
        uses: By row, how often it was used.
        ys: By row, what is compared: one or several numbers.
        stratum: By row, from 0: seat, time and so on, alike for all things.
        match: By row, from 0.
        offers: By row, how often it was offered.

    Returns:
        For each of *ys* the effects, for things if at least :data:`LEAST` rows have more uses than the mean of
        their stratum, and as many fewer.

    Source:
        Errors by group: K.-Y. Liang, S. L. Zeger, Biometrika 73 (1986) 13; what a row itself has drawn the mean
        towards it is put back as in HC3 of J. G. MacKinnon, H. White, J. Econom. 29 (1985) 305.
    """
    if not len(thing):
        return [{} for _ in ys]
    cell = thing * (int(stratum.max()) + 1) + stratum
    t = uses.astype(float)
    size = np.bincount(cell)
    varies = np.zeros(len(size), dtype=bool)
    first = np.zeros(len(size))
    first[cell] = t
    varies[cell[t != first[cell]]] = True  # a cell where all are alike says nothing
    kept = varies[cell]
    thing, cell, t, match, offered = thing[kept], cell[kept], t[kept], match[kept], offers[kept].astype(float)
    if not len(thing):
        return [{} for _ in ys]
    many = np.maximum(size, 1)

    def center(values: Numbers) -> Numbers:
        return np.asarray(values - (np.bincount(cell, values, len(size)) / many)[cell])

    chance = center(offered)
    squares_of = np.bincount(cell, chance * chance, len(size))
    spread_of = np.where(squares_of > 1e-9, squares_of, np.inf)

    def adjust(values: Numbers) -> Numbers:
        slope = np.bincount(cell, chance * values, len(size)) / spread_of
        return np.asarray(center(values) - slope[cell] * chance)

    above = center(t)
    apart = adjust(t)
    things = int(thing.max()) + 1
    weight = np.bincount(thing, apart * apart, things)
    own = 1 / many[cell] + chance * chance / spread_of[cell] + apart * apart / np.maximum(weight[thing], 1e-12)
    matches = int(match.max()) + 1
    pair = thing * matches + match  # so many pairs have room: what is dense needs no sorting
    groups = (np.bincount(pair, minlength=things * matches) > 0).reshape(things, matches).sum(axis=1)
    having, lacking = (np.bincount(thing, one, things) for one in (above > 1e-9, above < -1e-9))
    reach = 2 * np.sqrt(weight / np.maximum(1, np.bincount(thing)))
    known = np.flatnonzero((having >= LEAST) & (lacking >= LEAST) & (weight > 1e-9))
    found: list[dict[int, Effect]] = []
    for whole in ys:
        level = adjust(whole[kept])
        value = np.divide(np.bincount(thing, apart * level, things), weight, out=np.zeros(things), where=weight > 0)
        score = apart * (level - value[thing] * apart) / np.maximum(1 - own, 0.1)
        squares = (np.bincount(pair, score, things * matches) ** 2).reshape(things, matches)
        variance = squares.sum(axis=1) / np.maximum(weight, 1e-12) ** 2
        variance *= groups / np.maximum(groups - 1, 1)
        found.append({
            int(one): Effect(
                float(value[one]), sqrt(float(variance[one])), (int(having[one]), int(lacking[one])), float(reach[one])
            )
            for one in known
        })  # fmt: skip
    return found


def spread(values: Sequence[float], errors: Sequence[float]) -> tuple[float, float]:
    """Return the mean of several effects, and the variance between them that is more than their errors.

    Source:
        R. DerSimonian, N. Laird, Control. Clin. Trials 7 (1986) 177.
    """
    weights = [1 / (one * one) for one in errors]
    total = sum(weights)
    middle = sum(w * v for w, v in zip(weights, values, strict=True)) / total
    q = sum(w * (v - middle) ** 2 for w, v in zip(weights, values, strict=True))
    scale = total - sum(w * w for w in weights) / total
    tau = max(0.0, (q - (len(values) - 1)) / scale) if scale > 0 else 0.0
    weights = [1 / (one * one + tau) for one in errors]
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights), tau


FELLOWS = 4
"""Others of its kind that a thing is held against at least."""


def outlier(value: float, error: float, others: Sequence[tuple[float, float]]) -> float:
    """Return how far a thing is from what others of its kind let expect, as a standard normal number.

    The others have a spread of their own, which may be real; a thing stands out when even that does not explain it.

    Args:
        value: What the thing is worth.
        error: The standard error of that.
        others: Both for the others, :data:`FELLOWS` at least; for fewer nothing stands out.
    """
    if len(others) < FELLOWS or error <= 0:
        return 0.0
    values, errors = [one for one, _ in others], [max(one, 1e-9) for _, one in others]
    middle, tau = spread(values, errors)
    of_mean = 1 / sum(1 / (one * one + tau) for one in errors)
    return as_normal((value - middle) / sqrt(error * error + tau + of_mean), len(others) - 1)


def sequence(values: Numbers, scale: float, risk: float = 0.05, reach: float | None = None) -> tuple[Numbers, Numbers]:
    """Return after each match the interval of a mean that holds at all times at once.

    A reader who looks after each match, and stops when 0 is outside, is wrong in at most a share *risk* of the runs.

    The interval rests on the spread of the values, which the first matches can miss: if a change matters in 1 match of
    50 only, many matches agree before the first one differs. Two rules guard against that:

    * The variance counts as if the values had a little more spread than was seen: ``reach ** 2 / n`` is added.
    * If it is not known beforehand how far apart two values can be, an interval has no end before :data:`SEEN` matches,
      and before :data:`CARRIERS` of them carry the spread. If k of n values are 1 and the others 0, k carry it; if one
      value is far from all others, that one carries it alone.

    The interval after a match always contains the mean of the values up to that match.

    Args:
        values: One for each match, in the order in which they are looked at.
        scale: After how many matches the interval is to be narrowest; fixed beforehand.
        risk: How often the mean may be outside of one of the intervals.
        reach: How far apart two values can be at most, such as 2 for differences of shares; None if unknown.

    Source:
        The asymptotic confidence sequence of I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, Ann.
        Statist. 52 (2024) 2613 (theorem 2.2), a mixture as in H. Robbins, Ann. Math. Stat. 41 (1970) 1397. It allows
        any start; these starts are confirmed by simulation in the tests.
    """
    n = np.arange(1, len(values) + 1, dtype=float)
    apart = values - values[:1]  # so that equal values have no spread at all, whatever rounding does
    means = np.cumsum(apart) / n
    variance, carriers = _spread(apart, means, n)
    if reach is None:
        seen = np.maximum.accumulate(apart) - np.minimum.accumulate(apart)
        open_ = (n < SEEN) | (carriers < CARRIERS)
    else:
        seen, open_ = np.full(len(values), reach), n < BURN
    variance = variance + seen * seen / n
    rho = _rho(scale, risk)
    half = np.sqrt(variance * 2 * (n * rho + 1) / (n * n * rho) * np.log(np.sqrt(n * rho + 1) / risk))
    half[open_] = float("inf")
    means = means + values[:1]
    return means - half, means + half


def plan_pairs(spread: float, half: float, scale: float, risk: float = 0.05) -> int | None:
    """Return after how many matches the interval of :func:`sequence` is about as narrow as *half* to each side.

    *spread* is the standard deviation of the values. None if it takes more than :data:`MOST`.
    """
    rho, n = _rho(scale, risk), BURN
    while n <= MOST and _half(spread * spread, float(n), rho, risk) > half:
        n = n * 21 // 20
    return n if n <= MOST else None


def _half(variance: float, n: float, rho: float, risk: float) -> float:
    return sqrt(variance * 2 * (n * rho + 1) / (n * n * rho) * log(sqrt(n * rho + 1) / risk))


MOST = 10_000_000
"""Matches that are planned at most."""
BURN = 50
"""The least matches for a variance: with fewer, an interval has no end."""
SEEN = 150
"""The same where values have no known reach: what happens in 2 of 100 matches was seen by then, in 95 of 100 runs."""
CARRIERS = 30
"""Matches that have to carry the spread of values without a known reach."""


def _spread(values: Numbers, means: Numbers, n: Numbers) -> tuple[Numbers, Numbers]:
    """Return after each match the variance of the values, and how many values carry it.

    The number of carriers is that of equal deviations with the same second and fourth moment, the participation ratio.
    """
    second, third, fourth = (np.cumsum(values**order) / n for order in (2, 3, 4))
    variance = np.maximum(0.0, second - means * means)
    moment = fourth - 4 * means * third + 6 * means**2 * second - 3 * means**4
    small = 1e-12 * fourth
    return variance, np.divide(n * variance * variance, moment, out=np.zeros(len(n)), where=moment > small)


def _rho(scale: float, risk: float) -> float:
    """Return the parameter (squared) for which the interval is narrowest about *scale* matches; section B.2 there."""
    return (-2 * log(risk) + log(-2 * log(risk) + 1)) / max(scale, 1.0)


def correlation(one: Numbers, other: Numbers) -> float:
    """Return Pearson's correlation of pairs; 0 where one of both is always the same."""
    if len(one) < 2 or not one.std() or not other.std():
        return 1.0 if len(one) and bool((one == other).all()) else 0.0
    return float(np.corrcoef(one, other)[0, 1])


def rare(chance: float) -> str:
    """Write how rare something is at random, for people."""
    if chance >= 0.001:
        return f"{chance:.3f}"
    return "below 1 in 1,000" if chance > 1e-6 else "below 1 in a million"


def never(offered: Any) -> float:
    """Return the share that is at most chosen of what was offered so often and never chosen, as sure as 95 of 100.

    Source:
        The rule of three: J. A. Hanley, A. Lippman-Hand, JAMA 249 (1983) 1743.
    """
    return 1 - exp(log(0.05) / max(1, int(offered)))
