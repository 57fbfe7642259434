"""Fit a network to examples: the sum in one step, the hidden layer in many small ones.

The sum is a ridge regression of the logits of what is wanted. It is drawn to what scores say as they stand, which is a
fair guess before anything was learned, and only as far from it as the games ask for: how far is decided by the games
themselves, a fifth of which is left out at a time. The hidden layer follows by Adam, with decay of the weights, on the
cross entropy that the sum leaves; a fifth of the games is kept out, and the layer counts where it does better on them.

Source:
    A. E. Hoerl, R. W. Kennard, "Ridge regression", Technometrics 12 (1970) 55; D. P. Kingma, J. Ba, "Adam: a method for
    stochastic optimization", ICLR 2015; I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", ICLR 2019.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from patolli.learning.network import Array, Network, logistic, logit

FOLDS = 5
RIDGES = (30.0, 300.0, 1_000.0, 3_000.0, 10_000.0, 100_000.0)
"""How strongly the weights are drawn to what was known before, in examples."""
RATE, DECAY, BATCH, EPOCHS = 1e-3, 1e-2, 256, 2
LAYER = ("into", "bias", "out")


@dataclass(slots=True)
class Examples:
    """What is learned from: inputs of shape (m, n), what each is to be worth, and the number of its game."""

    inputs: NDArray[np.float32]
    wanted: Array
    games: NDArray[np.int64]


@dataclass(slots=True)
class Adam:
    """What the fitting of the hidden layer remembers: how many steps there were, and the moments of each weight."""

    steps: int = 0
    first: dict[str, Array] = field(default_factory=dict)
    second: dict[str, Array] = field(default_factory=dict)

    def step(self, network: Network, inputs: Array, wanted: Array) -> None:
        """Move the hidden layer a step closer to what is wanted."""
        self.steps += 1
        for name, slope in gradients(network, inputs, wanted).items():
            zero = np.zeros_like(slope)
            self.first[name] = 0.9 * self.first.get(name, zero) + 0.1 * slope
            self.second[name] = 0.999 * self.second.get(name, zero) + 0.001 * slope * slope
            mean = self.first[name] / (1 - 0.9**self.steps)
            size = np.sqrt(self.second[name] / (1 - 0.999**self.steps)) + 1e-8
            weights: Array = getattr(network, name)
            weights *= 1 - RATE * DECAY
            weights -= RATE * mean / size


def gradients(network: Network, inputs: Array, wanted: Array) -> dict[str, Array]:
    """Return the gradients of the mean cross entropy by each weight of the hidden layer."""
    layer = network.layer(inputs)
    error = (logistic(network.sums(inputs) + layer @ network.out) - wanted) / len(wanted)
    back = np.outer(error, network.out) * (1.0 - layer * layer)
    return {"into": inputs.T @ back, "bias": back.sum(axis=0), "out": layer.T @ error}


def cross_entropy(value: Array, wanted: Array) -> float:
    """Return the mean cross entropy, less what no value could avoid: 0 is perfect."""
    value, sure = np.clip(value, 1e-9, 1 - 1e-9), np.clip(wanted, 1e-9, 1 - 1e-9)
    return float(np.mean(sure * np.log(sure / value) + (1 - sure) * np.log((1 - sure) / (1 - value))))


def fit(network: Network, adam: Adam, examples: Examples, known: Array, seed: int) -> float:
    """Fit a network, and return the loss on games kept out; *known* are the weights of the sum before it learned."""
    _fit_sum(network, examples, known)
    train = examples.games % FOLDS != 0
    if train.all() or not train.any():
        return 0.0
    draw = np.random.Generator(np.random.PCG64(seed))
    chosen = np.flatnonzero(train)
    for _ in range(EPOCHS):
        order = draw.permutation(chosen)
        for first in range(0, len(order), BATCH):
            some = order[first : first + BATCH]
            adam.step(network, examples.inputs[some].astype(np.float64), examples.wanted[some])
    inputs, wanted = examples.inputs[~train].astype(np.float64), examples.wanted[~train]
    sums = network.sums(inputs)
    plain = cross_entropy(logistic(sums), wanted)
    deep = cross_entropy(logistic(sums + network.layer(inputs) @ network.out), wanted)
    network.trusted = deep < plain
    return min(plain, deep)


def _fit_sum(network: Network, examples: Examples, known: Array) -> None:
    """Fit the sum, drawn to its *known* weights as strongly as suits games that are left out."""
    inputs = np.concatenate([examples.inputs, np.ones((len(examples.inputs), 1), np.float32)], axis=1)
    left = (logit(examples.wanted) - examples.inputs @ known.astype(np.float32)).astype(np.float32)
    folds = examples.games % FOLDS
    squares, products = [], []
    for fold in range(FOLDS):
        rows = inputs[folds == fold]
        squares.append((rows.T @ rows).astype(np.float64))
        products.append((rows.T @ left[folds == fold]).astype(np.float64))
    ridge = _ridge(inputs, left, folds, squares, products)
    found = _solved(sum(squares[1:], squares[0]), sum(products[1:], products[0]), ridge)
    network.direct, network.shift = known + found[:-1], found[-1:]


def _ridge(
    inputs: NDArray[np.float32], left: NDArray[np.float32], folds: NDArray[np.int64], squares: list[Array],
    products: list[Array],
) -> float:  # fmt: skip
    """Return what does best on games that are left out."""
    total, product = sum(squares[1:], squares[0]), sum(products[1:], products[0])
    errors = []
    for ridge in RIDGES:
        error = 0.0
        for fold in range(FOLDS):
            weights = _solved(total - squares[fold], product - products[fold], ridge)
            away = inputs[folds == fold] @ weights.astype(np.float32) - left[folds == fold]
            error += float(away.astype(np.float64) @ away)
        errors.append(error)
    return RIDGES[int(np.argmin(errors))]


def _solved(squares: Array, products: Array, ridge: float) -> Array:
    """Solve the equations of a ridge regression; the last weight, which is added to all, is hardly drawn."""
    drawn = np.full(len(products), ridge)
    drawn[-1] = 1e-3
    return np.asarray(np.linalg.solve(squares + np.diag(drawn), products), dtype=np.float64)
