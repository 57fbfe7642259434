"""The strengths of bots, estimated from the orders in which they finished: the Plackett-Luce model with ties.

The probability that a bot comes first in a group is its share of the strengths in the group. The next bot is chosen in
the same way among the remaining ones. If several bots can tie, the choice is a set ``T`` of bots with the weight
``d[size of T]`` times the geometric mean of their strengths, where ``d[1] = 1``: the Davidson-Luce model. Only sizes
that occurred have a weight. With two seats it is Davidson's model, and without ties the Bradley-Terry model.

In logarithms, the likelihood belongs to an exponential family, so it has one maximum, and Newton's method finds it.
Each bot also gets half a win and half a loss against an imaginary bot of strength 1. Without these, a bot that never
lost would be infinitely strong.

The uncertainty of the strengths is estimated from the disagreement between units (a sandwich estimator with units as
clusters), because games with the same seed are not independent. A bootstrap over units would give the same result, but
it would fit the model a thousand times. With fewer than 30 units the estimate is unreliable. In that case, the variance
is at least the one of the model with independent games.

Source:
    D. Firth, I. Kosmidis, H. Turner, "Davidson-Luce model for multi-item choice with ties", arXiv:1909.07123 (2019);
    H. L. Turner, J. van Etten, D. Firth, I. Kosmidis, "Modeling rankings in R: the PlackettLuce package",
    Computational Statistics 35 (2020) 1027; K.-Y. Liang, S. L. Zeger, Biometrika 73 (1986) 13.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log, sqrt

Stage = tuple[tuple[int, ...], tuple[int, ...]]
"""The remaining bots, and those of them that came in next: numbers of bots in order, one entry per seat."""
Vector = list[float]
Matrix = list[list[float]]
PSEUDO = 0.5
"""The number of wins, and of losses, of each bot against the imaginary bot."""
FEW = 30
"""With fewer units than this, the variance is at least the one of the model."""
STEPS, CLOSE = 100, 1e-10


def stages(groups: Sequence[Sequence[int]], whole: bool = True) -> list[Stage]:
    """Return the stages of a game: who came in next among the remaining bots, in order.

    Args:
        groups: Who finished, best first; the members of a group share a place.
        whole: Whether the groups are in order; otherwise only the first group is known.
    """
    found = []
    left = sorted(bot for group in groups for bot in group)
    for group in groups if whole else groups[:1]:
        if len(left) > 1:
            found.append((tuple(left), tuple(sorted(group))))
        for bot in group:
            left.remove(bot)
    return found


@dataclass(frozen=True, slots=True)
class Strengths:
    """The estimated strengths.

    Attributes:
        logs: The natural logarithm of the strength of each bot; their mean is 0.
        ties: The logarithm of the weight of ties, by how many bots share a place.
        units: The number of units that the estimate is based on.
        covariance: The covariance of ``logs``.
    """

    logs: Vector
    ties: dict[int, float]
    units: int
    covariance: Matrix

    def error(self, one: int, other: int | None = None) -> float:
        """Return the standard error of a logarithm, or of the difference of two."""
        of = self.covariance
        if other is None:
            return sqrt(max(0.0, of[one][one]))
        return sqrt(max(0.0, of[one][one] + of[other][other] - 2 * of[one][other]))


def strengths(bots: int, units: Sequence[Sequence[Stage]]) -> Strengths:
    """Return the strengths of *bots*, estimated from the stages of each unit; without units, all are equal."""
    counts = [Counter(unit) for unit in units if unit]
    total: Counter[Stage] = Counter()
    for one in counts:
        total.update(one)
    sizes = sorted({len(chosen) for _, chosen in total} - {1})
    model = _Model(bots, sizes, total)
    at = model.summit()
    inverse = _invert_matrix(model.slopes(at)[1])
    middle = sum(at[:bots]) / bots
    meat = model.disagreement(at, counts)
    sandwich = _multiply(_multiply(inverse, meat), inverse)
    found = _center_covariance(sandwich, bots)
    if len(counts) < FEW:
        plain = _center_covariance(inverse, bots)
        found = [
            [a + b for a, b in zip(*rows, strict=True)]
            for rows in zip(found, _variance_correction(plain, found), strict=True)
        ]
    ties = dict(zip(sizes, at[bots:], strict=True))
    return Strengths([one - middle for one in at[:bots]], ties, len(counts), found)


class _Model:
    """The likelihood of all stages, as a function of the logarithms of the strengths and of the weights of ties."""

    def __init__(self, bots: int, sizes: list[int], total: Counter[Stage]) -> None:
        self.bots, self.total = bots, total
        self.length = bots + len(sizes)
        self.at = {size: bots + number for number, size in enumerate(sizes)}
        self._sets: dict[tuple[int, ...], list[list[tuple[int, float]]]] = {}

    def summit(self) -> Vector:
        """Return the maximum of the likelihood."""
        at = [0.0] * self.length
        height = self.height(at)
        for _ in range(STEPS):
            slope, bend = self.slopes(at)
            step = _solve_system(bend, slope)
            size = 1.0
            while size > 1e-8:
                there = [a + size * s for a, s in zip(at, step, strict=True)]
                new = self.height(there)
                if new >= height:
                    break
                size /= 2
            else:
                break
            at, gained, height = there, new - height, new
            if gained < CLOSE:
                break
        return at

    def height(self, at: Vector) -> float:
        """Return the logarithm of the likelihood, including the imaginary games."""
        found = sum(PSEUDO * (one - 2 * log(1 + exp(one))) for one in (max(-50.0, min(50.0, x)) for x in at))
        for (left, chosen), count in self.total.items():
            weights = [sum(at[n] * part for n, part in one) for one in self._list_subsets(left)]
            top = max(weights)
            whole = top + log(sum(exp(one - top) for one in weights))
            found += count * (sum(at[n] * part for n, part in self._split_ties(chosen)) - whole)
        return found

    def slopes(self, at: Vector) -> tuple[Vector, Matrix]:
        """Return the gradient, and the negated matrix of second derivatives."""
        slope = [0.0] * self.length
        bend = [[0.0] * self.length for _ in range(self.length)]
        for n, one in enumerate(at):
            chance = 1 / (1 + exp(-one))
            slope[n] += PSEUDO * (1 - 2 * chance)
            bend[n][n] += 2 * PSEUDO * chance * (1 - chance)
        by_left: Counter[tuple[int, ...]] = Counter()
        for (left, chosen), count in self.total.items():
            by_left[left] += count
            for n, part in self._split_ties(chosen):
                slope[n] += count * part
        for left, count in by_left.items():
            mean, square = self._compute_moments(left, at)
            for n, one in mean.items():
                slope[n] -= count * one
                for m, other in mean.items():
                    bend[n][m] += count * (square.get((n, m), 0.0) - one * other)
        return slope, bend

    def disagreement(self, at: Vector, units: Sequence[Counter[Stage]]) -> Matrix:
        """Return the sum of the squared gradients of all units, and of the imaginary games."""
        meat = [[0.0] * self.length for _ in range(self.length)]
        for n, one in enumerate(at):
            chance = 1 / (1 + exp(-one))
            meat[n][n] += PSEUDO * PSEUDO * ((1 - chance) ** 2 + chance**2)
        known = {left: self._compute_moments(left, at)[0] for left, _ in self.total}
        more = len(units) / (len(units) - 1) if len(units) > 1 else 1.0
        for unit in units:
            slope = [0.0] * self.length
            for (left, chosen), count in unit.items():
                for n, part in self._split_ties(chosen):
                    slope[n] += count * part
                for n, part in known[left].items():
                    slope[n] -= count * part
            some = [n for n, one in enumerate(slope) if one]
            for n in some:
                for m in some:
                    meat[n][m] += more * slope[n] * slope[m]
        return meat

    def _compute_moments(
        self, left: tuple[int, ...], at: Vector
    ) -> tuple[dict[int, float], dict[tuple[int, int], float]]:
        """Return the mean of the choice in a group, and of its square, by bot and by size of a tie."""
        sets = self._list_subsets(left)
        weights = [sum(at[n] * part for n, part in one) for one in sets]
        top = max(weights)
        chances = [exp(one - top) for one in weights]
        whole = sum(chances)
        mean: dict[int, float] = {}
        square: dict[tuple[int, int], float] = {}
        for one, weight in zip(sets, chances, strict=True):
            chance = weight / whole
            for n, part in one:
                mean[n] = mean.get(n, 0.0) + chance * part
                for m, other in one:
                    square[n, m] = square.get((n, m), 0.0) + chance * part * other
        return mean, square

    def _list_subsets(self, left: tuple[int, ...]) -> list[list[tuple[int, float]]]:
        """Return all sets that may come in next in a group; a bot on two seats occurs twice."""
        if left not in self._sets:
            sizes = [1, *(size for size in self.at if size <= len(left))]
            self._sets[left] = [self._split_ties(one) for size in sizes for one in combinations(left, size)]
        return self._sets[left]

    def _split_ties(self, chosen: tuple[int, ...]) -> list[tuple[int, float]]:
        size = len(chosen)
        parts = [(bot, count / size) for bot, count in Counter(chosen).items()]
        return [*parts, (self.at[size], 1.0)] if size > 1 else parts


def _center_covariance(of: Matrix, bots: int) -> Matrix:
    """Return the covariance of the strengths after their mean is subtracted."""
    rows = [sum(of[n][:bots]) / bots for n in range(bots)]
    whole = sum(rows) / bots
    return [[of[n][m] - rows[n] - rows[m] + whole for m in range(bots)] for n in range(bots)]


def _variance_correction(plain: Matrix, found: Matrix) -> Matrix:
    """Return the correction after which no variance of a difference is below the one of another covariance.

    The correction is a multiple of the other covariance: the smallest that is sufficient.
    """

    def spread(of: Matrix, n: int, m: int) -> float:
        return of[n][n] + of[m][m] - 2 * of[n][m]

    pairs = list(combinations(range(len(plain)), 2))
    lack = max([0.0, *(1 - spread(found, n, m) / spread(plain, n, m) for n, m in pairs if spread(plain, n, m) > 0)])
    return [[lack * one for one in row] for row in plain]


def _solve_system(matrix: Matrix, vector: Iterable[float]) -> Vector:
    """Solve a system of linear equations with a positive definite matrix."""
    rows = [[*row, one] for row, one in zip(matrix, vector, strict=True)]
    return [row[-1] for row in _reduce_rows(rows)]


def _invert_matrix(matrix: Matrix) -> Matrix:
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    return [row[size:] for row in _reduce_rows(rows)]


def _reduce_rows(rows: Matrix) -> Matrix:
    """Transform the left part of some rows to the identity matrix."""
    for n in range(len(rows)):
        best = max(range(n, len(rows)), key=lambda m: abs(rows[m][n]))
        rows[n], rows[best] = rows[best], rows[n]
        rows[n] = [one / rows[n][n] for one in rows[n]]
        for m, row in enumerate(rows):
            if m != n and row[n]:
                rows[m] = [one - row[n] * other for one, other in zip(row, rows[n], strict=True)]
    return rows


def _multiply(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one]
