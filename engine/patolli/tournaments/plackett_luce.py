"""How strong bots are, from the orders in which they finished: Plackett and Luce's model, with ties.

A bot of worth ``a`` comes first among some with a chance that is its share of their strengths; then the next one is
chosen among those that are left. Where several may come in together, what is chosen is a set ``T`` of them, with a
weight of ``d[size of T]`` times the geometric mean of their strengths, ``d[1] = 1``: the model of Davidson and Luce.
Only sizes that occurred have a weight. With two seats it is Davidson's model, and without ties that of Bradley and
Terry.

In logarithms the likelihood is that of an exponential family, so it has one summit, to which Newton's steps lead. Each
bot has half a win and half a loss against an imagined bot of worth 1 besides, without which a bot that never lost
would be infinitely strong.

How uncertain the strengths are is worked out from how much the units disagree (a sandwich, with units as groups):
games with one seed are no independent pieces of evidence, and a bootstrap over units, which comes to the same, would
fit everything a thousand times. With fewer than 30 units that is unreliable, and the variance is no less than the one
that follows from the model, as if all games were independent.

Source:
    D. Firth, I. Kosmidis, H. Turner, "Davidson-Luce model for multi-item choice with ties", arXiv:1909.07123 (2019);
    H. L. Turner, J. van Etten, D. Firth, I. Kosmidis, "Modelling rankings in R: the PlackettLuce package",
    Computational Statistics 35 (2020) 1027; K.-Y. Liang, S. L. Zeger, Biometrika 73 (1986) 13.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log, sqrt

Stage = tuple[tuple[int, ...], tuple[int, ...]]
"""Who was left, and who of them came in next, together: numbers of bots in order, a bot as often as it sat there."""
Vector = list[float]
Matrix = list[list[float]]
PSEUDO = 0.5
"""How many wins and losses each bot has against an imagined one."""
FEW = 30
"""Units below which the variance is no less than that of the model."""
STEPS, CLOSE = 100, 1e-10


def stages(groups: Sequence[Sequence[int]], whole: bool = True) -> list[Stage]:
    """Return what was decided one after another in a game.

    Args:
        groups: Who finished, best first; those in one group share a place.
        whole: Whether the groups are in order; else it is known who is in the first one, and no more.
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
    """What was found.

    Attributes:
        logs: The natural logarithm of the worth of each bot; 0 is in the middle.
        ties: The logarithm of the weight of ties, by how many share a place.
        units: How many units this rests on.
        covariance: Of ``logs``.
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
    """Return how strong *bots* are, from what was decided in each unit; without any unit all are alike."""
    counts = [Counter(unit) for unit in units if unit]
    total: Counter[Stage] = Counter()
    for one in counts:
        total.update(one)
    sizes = sorted({len(chosen) for _, chosen in total} - {1})
    model = _Model(bots, sizes, total)
    at = model.summit()
    inverse = _inverted(model.slopes(at)[1])
    middle = sum(at[:bots]) / bots
    meat = model.disagreement(at, counts)
    sandwich = _times(_times(inverse, meat), inverse)
    found = _centred(sandwich, bots)
    if len(counts) < FEW:
        plain = _centred(inverse, bots)
        found = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(found, _more(plain, found), strict=True)]
    ties = dict(zip(sizes, at[bots:], strict=True))
    return Strengths([one - middle for one in at[:bots]], ties, len(counts), found)


class _Model:
    """The likelihood of all stages, over the logarithms of strengths and then of the weights of ties."""

    def __init__(self, bots: int, sizes: list[int], total: Counter[Stage]) -> None:
        self.bots, self.total = bots, total
        self.length = bots + len(sizes)
        self.at = {size: bots + number for number, size in enumerate(sizes)}
        self._sets: dict[tuple[int, ...], list[list[tuple[int, float]]]] = {}

    def summit(self) -> Vector:
        """Return where the likelihood is greatest."""
        at = [0.0] * self.length
        height = self.height(at)
        for _ in range(STEPS):
            slope, bend = self.slopes(at)
            step = _solved(bend, slope)
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
        """Return the logarithm of the likelihood, with that of the imagined games."""
        found = sum(PSEUDO * (one - 2 * log(1 + exp(one))) for one in (max(-50.0, min(50.0, x)) for x in at))
        for (left, chosen), count in self.total.items():
            weights = [sum(at[n] * part for n, part in one) for one in self._subsets(left)]
            top = max(weights)
            whole = top + log(sum(exp(one - top) for one in weights))
            found += count * (sum(at[n] * part for n, part in self._parts(chosen)) - whole)
        return found

    def slopes(self, at: Vector) -> tuple[Vector, Matrix]:
        """Return the gradient, and the negative of the matrix of second derivatives."""
        slope = [0.0] * self.length
        bend = [[0.0] * self.length for _ in range(self.length)]
        for n, one in enumerate(at):
            chance = 1 / (1 + exp(-one))
            slope[n] += PSEUDO * (1 - 2 * chance)
            bend[n][n] += 2 * PSEUDO * chance * (1 - chance)
        by_left: Counter[tuple[int, ...]] = Counter()
        for (left, chosen), count in self.total.items():
            by_left[left] += count
            for n, part in self._parts(chosen):
                slope[n] += count * part
        for left, count in by_left.items():
            mean, square = self._moments(left, at)
            for n, one in mean.items():
                slope[n] -= count * one
                for m, other in mean.items():
                    bend[n][m] += count * (square.get((n, m), 0.0) - one * other)
        return slope, bend

    def disagreement(self, at: Vector, units: Sequence[Counter[Stage]]) -> Matrix:
        """Return the sum of the squares of the gradients of all units, and of the imagined games."""
        meat = [[0.0] * self.length for _ in range(self.length)]
        for n, one in enumerate(at):
            chance = 1 / (1 + exp(-one))
            meat[n][n] += PSEUDO * PSEUDO * ((1 - chance) ** 2 + chance**2)
        known = {left: self._moments(left, at)[0] for left, _ in self.total}
        more = len(units) / (len(units) - 1) if len(units) > 1 else 1.0
        for unit in units:
            slope = [0.0] * self.length
            for (left, chosen), count in unit.items():
                for n, part in self._parts(chosen):
                    slope[n] += count * part
                for n, part in known[left].items():
                    slope[n] -= count * part
            some = [n for n, one in enumerate(slope) if one]
            for n in some:
                for m in some:
                    meat[n][m] += more * slope[n] * slope[m]
        return meat

    def _moments(self, left: tuple[int, ...], at: Vector) -> tuple[dict[int, float], dict[tuple[int, int], float]]:
        """Return the mean of what is chosen among some, and of its square, by bot and by size of a tie."""
        sets = self._subsets(left)
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

    def _subsets(self, left: tuple[int, ...]) -> list[list[tuple[int, float]]]:
        """Return all that may come in next among some; a bot that sits there twice is there twice."""
        if left not in self._sets:
            sizes = [1, *(size for size in self.at if size <= len(left))]
            self._sets[left] = [self._parts(one) for size in sizes for one in combinations(left, size)]
        return self._sets[left]

    def _parts(self, chosen: tuple[int, ...]) -> list[tuple[int, float]]:
        size = len(chosen)
        parts = [(bot, count / size) for bot, count in Counter(chosen).items()]
        return [*parts, (self.at[size], 1.0)] if size > 1 else parts


def _centred(of: Matrix, bots: int) -> Matrix:
    """Return the covariance of strengths less their mean."""
    rows = [sum(of[n][:bots]) / bots for n in range(bots)]
    whole = sum(rows) / bots
    return [[of[n][m] - rows[n] - rows[m] + whole for m in range(bots)] for n in range(bots)]


def _more(plain: Matrix, found: Matrix) -> Matrix:
    """Return what has to be added to a covariance so that no variance of a difference is below that of another one.

    It is a multiple of the other one: the least that will do.
    """

    def spread(of: Matrix, n: int, m: int) -> float:
        return of[n][n] + of[m][m] - 2 * of[n][m]

    pairs = list(combinations(range(len(plain)), 2))
    lack = max([0.0, *(1 - spread(found, n, m) / spread(plain, n, m) for n, m in pairs if spread(plain, n, m) > 0)])
    return [[lack * one for one in row] for row in plain]


def _solved(matrix: Matrix, vector: Iterable[float]) -> Vector:
    """Solve a system of equations with a matrix that is positive definite."""
    rows = [[*row, one] for row, one in zip(matrix, vector, strict=True)]
    return [row[-1] for row in _reduced(rows)]


def _inverted(matrix: Matrix) -> Matrix:
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    return [row[size:] for row in _reduced(rows)]


def _reduced(rows: Matrix) -> Matrix:
    """Make the left part of some rows the unit matrix."""
    for n in range(len(rows)):
        best = max(range(n, len(rows)), key=lambda m: abs(rows[m][n]))
        rows[n], rows[best] = rows[best], rows[n]
        rows[n] = [one / rows[n][n] for one in rows[n]]
        for m, row in enumerate(rows):
            if m != n and row[n]:
                rows[m] = [one - row[n] * other for one, other in zip(row, rows[n], strict=True)]
    return rows


def _times(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one]
