"""A value of features: a sum, and one hidden layer where that is found to help.

The value is ``logistic(x . a + d + tanh(x . W + b) . c)`` of features that are shifted by their means and divided by
their spreads. What most positions are about is in the sum, which is learned from few games; the layer is for what
counts only together. It counts when it made the value better in games that it was not fitted to, and not before.
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
WEIGHTS = ("direct", "shift", "into", "bias", "out")


@dataclass(slots=True)
class Network:
    """What is learned. ``used`` says which features it looks at; others did not change in the games it began with.

    Attributes:
        used: The numbers of the features, of shape (n,).
        mean: By feature that is used, of shape (n,).
        spread: By feature that is used, of shape (n,).
        direct: Weights of the sum, of shape (n,).
        shift: What is added to it, of shape (1,).
        into: Weights into the hidden layer, of shape (n, h).
        bias: Of the hidden layer, of shape (h,).
        out: Weights out of the hidden layer, of shape (h,).
        trusted: Whether the hidden layer counts.
    """

    used: NDArray[np.int64]
    mean: Array
    spread: Array
    direct: Array
    shift: Array
    into: Array
    bias: Array
    out: Array
    trusted: bool = False

    @classmethod
    def begun(cls, rows: Array, seed: int, hidden: int = HIDDEN) -> Network:
        """Return a network for features like those in *rows*, which values all of them at one half."""
        spread = rows.std(axis=0)
        used = np.flatnonzero(spread > 1e-9)
        draw = np.random.Generator(np.random.PCG64(seed))
        return cls(
            used,
            rows[:, used].mean(axis=0),
            np.maximum(spread[used], LEAST_SPREAD),
            np.zeros(len(used)),
            np.zeros(1),
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
        inputs = self.inputs(rows)
        logit = self.sums(inputs)
        return logistic(logit + self.layer(inputs) @ self.out if self.trusted else logit)

    def sums(self, inputs: Array) -> Array:
        """Return the sum for each row of :meth:`inputs`, as a logit."""
        found: Array = inputs @ self.direct + self.shift[0]
        return found

    def layer(self, inputs: Array) -> Array:
        """Return the hidden layer for each row of :meth:`inputs`, of shape (m, h)."""
        found: Array = np.tanh(inputs @ self.into + self.bias)
        return found


def logistic(logit: Array) -> Array:
    """Return the number from 0 to 1 of which something is the logit."""
    found: Array = 1.0 / (1.0 + np.exp(-np.clip(logit, -30.0, 30.0)))
    return found


def logit(value: Array) -> Array:
    """Return the logit of numbers from 0 to 1; those at the ends count as very near to them."""
    sure = np.clip(value, 0.02, 0.98)
    found: Array = np.log(sure / (1.0 - sure))
    return found
