"""Fit the sum of a network, and how its weights follow the course of a match, to all positions of some games.

Both are one ridge regression of the logits of what is wanted. It is drawn to what scores say as they stand, which is a
fair guess before anything was learned, and only as far from it as the games ask for: how far is decided by the games
themselves; a fifth is left out at a time. These also decide whether weights change on the way at all. How much
of a match is over comes from the features, by a regression of its own.

Source:
    A. E. Hoerl, R. W. Kennard, "Ridge regression", Technometrics 12 (1970) 55.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patolli.play.learning.network import LEAST_SPREAD, Array, Network, logit

FOLDS = 5
RIDGES = (30.0, 300.0, 1_000.0, 3_000.0, 10_000.0, 100_000.0)
"""How strongly the weights are drawn to what was known before, in positions."""
PACED = 100.0
"""How strongly the weights of the pace are drawn to nothing, in positions."""
CHUNK = 8_192
"""Positions that are gone through at a time."""
Float32Array = NDArray[np.float32]


@dataclass(slots=True)
class Taught:
    """What is learned from one game.

    Attributes:
        inputs: Positions as the network takes them, of shape (m, n).
        wanted: What each is to be worth, from 0 to 1.
        over: How much of the game was over then, from 0 to 1.
    """

    inputs: NDArray[np.float16]
    wanted: Array
    over: Array


def fit_sum(network: Network, games: list[Taught], known: Array) -> None:
    """Fit the sum of a network, drawn to its *known* weights as strongly as suits games that are left out."""
    n = len(known)
    plain = [np.zeros((n + 1, n + 1)) for _ in range(FOLDS)]
    paced = np.zeros(n + 1)
    for fold, rows, _, over in _chunks(games, known):
        plain[fold] += rows.T @ rows
        paced += rows.T @ over
    _pace(network, games, sum(plain[1:], plain[0]), paced)
    squares = [np.zeros((2 * n + 1, 2 * n + 1)) for _ in range(FOLDS)]
    products = [np.zeros(2 * n + 1) for _ in range(FOLDS)]
    away = [0.0] * FOLDS  # the sum of the squares of what is to be said
    for fold, rows, left, _ in _chunks(games, known):
        stage = network.stage(rows[:, :-1]).astype(np.float32)
        later = rows[:, :-1] * stage[:, None]
        squares[fold][: n + 1, n + 1 :] += rows.T @ later
        squares[fold][n + 1 :, n + 1 :] += later.T @ later
        products[fold] += np.concatenate([rows.T @ left, later.T @ left])
        away[fold] += float(left.astype(np.float64) @ left)
    for square, first in zip(squares, plain, strict=True):
        square[: n + 1, : n + 1] = first
        square[n + 1 :, : n + 1] = square[: n + 1, n + 1 :].T
    size, ridge = _best(squares, products, away, n)
    found = np.zeros(2 * n + 1)
    found[:size] = _solve_ridge(sum(squares[1:], squares[0]), sum(products[1:], products[0]), size, n, ridge)
    network.direct, network.shift, network.late = known + found[:n], found[n : n + 1], found[n + 1 :]


def _chunks(games: list[Taught], known: Array) -> Iterator[tuple[int, Float32Array, Float32Array, Float32Array]]:
    """Yield positions with a column of ones, targets and distances, by fold, whose number comes first."""
    for fold in range(FOLDS):
        own, first = games[fold::FOLDS], 0
        while first < len(own):
            last, size = first, 0
            while last < len(own) and (not size or size + len(own[last].wanted) <= CHUNK):
                size += len(own[last].wanted)
                last += 1
            some, first = own[first:last], last
            rows = np.ones((size, len(known) + 1), np.float32)
            rows[:, :-1] = np.concatenate([one.inputs for one in some])
            wanted = logit(np.concatenate([one.wanted for one in some])).astype(np.float32)
            left = wanted - rows[:, :-1] @ known.astype(np.float32)
            yield fold, rows, left, np.concatenate([one.over for one in some]).astype(np.float32)


def _pace(network: Network, games: list[Taught], squares: Array, paced: Array) -> None:
    """Let a network know how much of a match is over."""
    found = _solve_ridge(squares, paced, len(paced), len(paced) - 1, PACED)
    network.pace, network.tempo = found[:-1], np.array([found[-1], 0.0, 1.0])
    said = np.concatenate([network.stage(one.inputs.astype(np.float32)) for one in games])
    network.tempo[1:] = said.mean(), max(float(said.std()), LEAST_SPREAD)


def _best(squares: list[Array], products: list[Array], away: list[float], n: int) -> tuple[int, float]:
    """Return how many weights do best on games that are left out, and how strongly they are drawn."""
    total, product = sum(squares[1:], squares[0]), sum(products[1:], products[0])
    errors = {}
    for size in (n + 1, 2 * n + 1):
        for ridge in RIDGES:
            error = 0.0
            for square, one, own in zip(squares, products, away, strict=True):
                weights = _solve_ridge(total - square, product - one, size, n, ridge)
                error += own - 2 * float(weights @ one[:size]) + float(weights @ square[:size, :size] @ weights)
            errors[size, ridge] = error
    return min(errors, key=errors.__getitem__)


def _solve_ridge(squares: Array, products: Array, size: int, free: int, ridge: float) -> Array:
    """Solve the first equations of a ridge regression; the weight at *free*, which is added to all, is not drawn."""
    drawn = np.full(size, ridge)
    drawn[free] = 1e-3
    found = np.linalg.solve(squares[:size, :size] + np.diag(drawn), products[:size])
    return np.asarray(found, dtype=np.float64)
