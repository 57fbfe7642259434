"""Fit a network to games: the sum in one step (``sums``), then the hidden layer in many small ones.

The layer is fitted by Adam, with decay of the weights, to the cross entropy that the sum leaves; a fifth of the games
is kept out, and the layer counts where it does better on them.

Source:
    D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR 2015; I. Loshchilov, F. Hutter, "Decoupled
    weight decay regularization", ICLR 2019.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from patolli.measure.training.sums import FOLDS, Taught, fit_sum
from patolli.play.learning.network import Array, Network, drawing, logistic

RATE, DECAY, BATCH, EPOCHS = 1e-3, 1e-2, 256, 2
LAYER = ("into", "bias", "out")
POSITIONS = 40
"""Positions of one game that the layer is fitted to, at most: it takes many small steps, and they hang together."""


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


def fit(network: Network, adam: Adam, games: list[Taught], known: Array, seed: int) -> float:
    """Fit a network, and return the loss on games kept out; *known* are the weights of the sum before it learned."""
    fit_sum(network, games, known)
    if len(games) < FOLDS:
        return 0.0
    draw = drawing(seed)
    some = [_some(one, draw) for one in games]
    inputs, wanted = _together([one for number, one in enumerate(some) if number % FOLDS])
    for _ in range(EPOCHS):
        order = draw.permutation(len(wanted))
        for first in range(0, len(order), BATCH):
            rows = order[first : first + BATCH]
            adam.step(network, inputs[rows].astype(np.float64), wanted[rows])
    inputs, wanted = _together(some[::FOLDS])
    inputs = inputs.astype(np.float64)
    sums = network.sums(inputs)
    plain = cross_entropy(logistic(sums), wanted)
    deep = cross_entropy(logistic(sums + network.layer(inputs) @ network.out), wanted)
    network.trusted = deep < plain
    return min(plain, deep)


def _some(game: Taught, draw: np.random.Generator) -> Taught:
    """Return some positions of a game."""
    rows = np.sort(draw.permutation(len(game.wanted))[:POSITIONS])
    return Taught(game.inputs[rows], game.wanted[rows], game.over[rows])


def _together(games: list[Taught]) -> tuple[Any, Array]:
    """Return the positions of some games, and what they are to be worth."""
    return np.concatenate([one.inputs for one in games]), np.concatenate([one.wanted for one in games])
