"""Which rows of a sweep belong to the quick tests."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

ALL_ROWS = "PATOLLI_ALL_ROWS"
"""The variable with which ``tools/check --all`` asks for all rows of all sweeps."""


def few(rows: Iterable[Any], *quick: object, deep: int | None = None) -> list[Any]:
    """Mark all rows deep but the *quick* ones, which are rows themselves or their positions; a tuple has several values.

    Of a law that is tried on many rows only so many *deep* ones are tried, evenly spread, unless all rows are asked for.
    """
    marked = [
        pytest.param(*_values(row), id=_id(row), marks=() if at in quick or row in quick else pytest.mark.deep)
        for at, row in enumerate(rows)
    ]
    slow = [row for row in marked if row.marks]
    if deep is None or len(slow) <= deep or os.environ.get(ALL_ROWS):
        return marked
    kept = {id(slow[(2 * at + 1) * len(slow) // (2 * deep)]) for at in range(deep)}
    return [row for row in marked if not row.marks or id(row) in kept]


def _values(row: Any) -> Iterable[Any]:
    """Return the values of a row."""
    return row.values if isinstance(row, type(pytest.param())) else row if isinstance(row, tuple) else (row,)


def _id(row: Any) -> str | None:
    """Return the name of a row that has one."""
    return row.id if isinstance(row, type(pytest.param())) else None
