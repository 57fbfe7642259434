"""A value of features: a sum whose weights follow the course of a match, and one hidden layer.

The value is ``logistic(x . a + t (x . l) + d + tanh(x . W + b) . c)`` of features that are shifted by their means and
divided by their spreads. What most positions are about is in the sum, which is learned from few games. How far the
match is, *t*, is what the features say of it: things that bring something later are worth more at the beginning. The
layer is for what counts only together. The weights follow the match, and the layer counts, where that made the value
better in games that it was not fitted to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
HIDDEN = 32
"""Units of the hidden layer."""
LEAST_SPREAD = 0.1
"""The least spread by which a feature is divided: what is seldom there would count for too much else."""
FARTHEST = 6.0
"""Spreads from the mean beyond which a feature counts no more."""
WEIGHTS = ("direct", "late", "shift", "pace", "tempo", "into", "bias", "out")
TEMPO = (0.5, 0.5, 1.0)
"""Where nothing is known of how far a match is: always in the middle."""


@dataclass(slots=True)
class Network:
    """What is learned. ``used`` says which features it looks at; others did not change in the games it began with.

    Attributes:
        used: The numbers of the features, of shape (n,).
        mean: By feature that is used, of shape (n,).
        spread: By feature that is used, of shape (n,).
        direct: Weights of the sum in the middle of a match, of shape (n,).
        late: How much greater they are a spread later, of shape (n,).
        shift: What is added to the sum, of shape (1,).
        pace: Weights of the sum that says how much of a match is over, from 0 to 1, of shape (n,).
        tempo: What is added to that, and the mean and the spread of what it says, of shape (3,).
        into: Weights into the hidden layer, of shape (n, h).
        bias: Of the hidden layer, of shape (h,).
        out: Weights out of the hidden layer, of shape (h,).
        trusted: Whether the hidden layer counts.
    """

    used: NDArray[np.int64]
    mean: Array
    spread: Array
    direct: Array
    late: Array
    shift: Array
    pace: Array
    tempo: Array
    into: Array
    bias: Array
    out: Array
    trusted: bool = False

    @classmethod
    def initialize(cls, rows: Array, seed: int, hidden: int = HIDDEN) -> Network:
        """Return a network for features like those in *rows*, which values all of them at one half."""
        spread = rows.std(axis=0)
        used = np.flatnonzero(spread > 1e-9)
        draw = drawing(seed)
        return cls(
            used,
            rows[:, used].mean(axis=0),
            np.maximum(spread[used], LEAST_SPREAD),
            np.zeros(len(used)),
            np.zeros(len(used)),
            np.zeros(1),
            np.zeros(len(used)),
            np.array(TEMPO),
            draw.standard_normal((len(used), hidden)) / np.sqrt(max(1, len(used))),
            np.zeros(hidden),
            np.zeros(hidden),
        )

    def inputs(self, rows: NDArray[np.floating]) -> Array:
        """Return the features as the network takes them; *rows* are of shape (m, all features)."""
        scaled = (rows[:, self.used] - self.mean) / self.spread
        return np.asarray(np.clip(scaled, -FARTHEST, FARTHEST, out=scaled), dtype=np.float64)

    def values(self, rows: NDArray[np.floating]) -> Array:
        """Return the value of each row, from 0 to 1."""
        return self.evaluate_inputs(self.inputs(rows))

    def evaluate_inputs(self, inputs: Array) -> Array:
        """Return the value of each row of :meth:`inputs`, from 0 to 1."""
        logit = self.sums(inputs)
        return logistic(logit + self.layer(inputs) @ self.out if self.trusted else logit)

    def sums(self, inputs: Array) -> Array:
        """Return the sum for each row of :meth:`inputs`, as a logit."""
        found: Array = inputs @ self.direct + self.stage(inputs) * (inputs @ self.late) + self.shift[0]
        return found

    def stage(self, inputs: NDArray[np.floating]) -> Array:
        """Return how far the match is in each row of :meth:`inputs`, in spreads from the middle."""
        over = np.clip(inputs @ self.pace + self.tempo[0], 0.0, 1.0)
        return np.asarray((over - self.tempo[1]) / self.tempo[2], dtype=np.float64)

    def layer(self, inputs: Array) -> Array:
        """Return the hidden layer for each row of :meth:`inputs`, of shape (m, h)."""
        found: Array = np.tanh(inputs @ self.into + self.bias)
        return found


def drawing(seed: int) -> np.random.Generator:
    """Return what draws from a seed; NumPy knows no negative ones, so these have a series of their own."""
    own = (1,) if seed < 0 else ()
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(abs(seed), spawn_key=own)))


def logistic(logit: Array) -> Array:
    """Return the number from 0 to 1 that has a logit."""
    found: Array = 1.0 / (1.0 + np.exp(-np.clip(logit, -30.0, 30.0)))
    return found


def logit(value: Array) -> Array:
    """Return the logit of numbers from 0 to 1; those at the ends count as very near to them."""
    sure = np.clip(value, 0.02, 0.98)
    found: Array = np.log(sure / (1.0 - sure))
    return found
