"""Features: a position as a row of numbers, from the side of one seat.

A column without an owner is one feature. Of a column that there is for every seat there are the number of the
seat that looks, the mean of the others, and with more than two seats the greatest of theirs. So features are the same
from every side of the table. To what is declared come the score and who is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.play.learning.columns import NO_OWNER, NOWHERE, Columns, columns_of
from patolli.run.compiler.layout import Layout
from patolli.run.runtime import Match
from patolli.run.runtime.glances import get_all

Rows = NDArray[np.float64]
"""Positions by features, or by columns."""
SCORE, ASKED = "score", "to move"


class Features:
    """The features of all matches of one layout; ``names`` says what each of them is."""

    def __init__(self, layout: Layout) -> None:
        """Find out what there is, and where it stands."""
        found = columns_of(layout)
        self.seats = layout.seats
        self._own = [[found.column(name, seat) for seat in range(self.seats)] for name in (SCORE, ASKED)]
        self._terms(found)
        self._sides(found)

    def columns(self, matches: Sequence[Match]) -> Rows:
        """Return all columns of some positions, hidden ones too: one row for each, and a last column of zeros."""
        states = [match.state for match in matches]
        known = np.array([self._values(state) for state in states], dtype=np.float64)
        lying = self._positions[known[:, self._at].astype(np.int64)]
        values = np.concatenate([known, lying], axis=1)
        index = np.clip(values[:, self._sources].astype(np.int64) - self._lows, 0, self._tops) + self._offsets
        weights = values[:, self._weights]
        weights[:, self._plain] = 1.0
        rows = np.arange(len(states))[:, None] * self._width
        flat: NDArray[Any] = np.bincount(
            (self._table[index] + rows).ravel(), weights.ravel(), minlength=len(states) * self._width
        ).reshape(len(states), self._width)
        for row, match in enumerate(matches):
            for seat in range(self.seats):
                flat[row, self._own[0][seat]] = match.score(seat)
            if match.pending is not None:
                flat[row, self._own[1][match.decider]] = 1.0
        flat[:, -1] = 0.0
        return flat

    def extract_features(self, columns: Rows, seat: int) -> Rows:
        """Return the features of positions, given by their columns, from the side of a seat."""
        parts = [columns[:, self._common], columns[:, self._mine[seat]]]
        if self.seats > 1:
            others = columns[:, self._others[seat]]
            parts.append(others.mean(axis=2))
            if self.seats > 2:
                parts.append(others.max(axis=2))
        return np.concatenate(parts, axis=1)

    def of(self, matches: Sequence[Match], seat: int) -> Rows:
        """Return a row of features for each match, from the side of a seat."""
        return self.extract_features(self.columns(matches), seat)

    def _terms(self, found: Columns) -> None:
        """Put all terms into arrays, over which one step goes for all of them."""
        terms = [*found.numbers, *found.pieces]
        slots = sorted({t.slot for t in terms} | {t.weight for t in terms if t.weight is not None})
        at = {slot: number for number, slot in enumerate(slots)}
        pieces = sorted({term.slot for term in found.pieces})
        lying = {slot: len(slots) + number for number, slot in enumerate(pieces)}
        self.width = self._width = len(found.columns) + 1
        self._values: Any = get_all(slots)
        self._at = np.array([at[slot] for slot in pieces], dtype=np.int64)
        self._positions = np.array(found.positions, dtype=np.int64)
        sources = [*(at[t.slot] for t in found.numbers), *(lying[t.slot] for t in found.pieces)]
        self._sources = np.array(sources, dtype=np.int64)
        self._lows = np.array([t.low for t in terms], dtype=np.int64)
        self._tops = np.array([len(t.table) - 1 for t in terms], dtype=np.int64)
        self._offsets = np.cumsum([0, *(len(t.table) for t in terms)], dtype=np.int64)[:-1]
        table = [column for term in terms for column in term.table]
        self._table = np.array([self._width - 1 if c == NOWHERE else c for c in table], dtype=np.int64)
        self._weights = np.array([0 if t.weight is None else at[t.weight] for t in terms], dtype=np.int64)
        self._plain = np.array([t.weight is None for t in terms], dtype=bool)

    def _sides(self, found: Columns) -> None:
        """Work out for each seat which columns are its own, and which those of the others."""
        numbers = {(one.label, one.owner): n for n, one in enumerate(found.columns)}
        secret = {one.label for one in found.columns if one.secret}
        common = sorted((one.label, n) for n, one in enumerate(found.columns) if one.owner == NO_OWNER)
        labels = sorted({one.label for one in found.columns if one.owner != NO_OWNER})
        open_ = [label for label in labels if label not in secret]
        zero = self._width - 1
        self._common = np.array([n for _, n in common], dtype=np.int64)
        self._mine = np.array(
            [[numbers.get((label, seat), zero) for label in labels] for seat in range(self.seats)], dtype=np.int64
        )
        self._others = np.array(
            [
                [[numbers.get((label, s), zero) for s in range(self.seats) if s != seat] for label in open_]
                for seat in range(self.seats)
            ],
            dtype=np.int64,
        )
        names = [*(label for label, _ in common), *(f"{label}, mine" for label in labels)]
        names += [f"{label}, of others" for label in open_] if self.seats > 1 else []
        names += [f"{label}, most of others" for label in open_] if self.seats > 2 else []
        self.names: tuple[str, ...] = tuple(names)


@lru_cache(maxsize=16)
def _of_program(key: _ByIdentity) -> Features:
    return Features(key.layout)


class _ByIdentity:
    """A layout as a key: it is the same as itself alone."""

    __slots__ = ("layout",)

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def __hash__(self) -> int:
        return id(self.layout)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.layout is self.layout


def features_of(match: Match) -> Features:
    """Return the features of matches like this one."""
    return _of_program(_ByIdentity(match.program.layout))
