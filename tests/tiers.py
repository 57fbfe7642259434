"""Which rows of a sweep belong to the quick tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few(rows: Iterable[Any], *quick: object) -> list[Any]:
    """Mark all rows deep but the *quick* ones, which are rows themselves or their positions; a tuple has several values."""
    return [
        pytest.param(*_values(row), id=_id(row), marks=() if at in quick or row in quick else pytest.mark.deep)
        for at, row in enumerate(rows)
    ]


def _values(row: Any) -> Iterable[Any]:
    """Return the values of a row."""
    return row.values if isinstance(row, type(pytest.param())) else row if isinstance(row, tuple) else (row,)


def _id(row: Any) -> str | None:
    """Return the name of a row that has one."""
    return row.id if isinstance(row, type(pytest.param())) else None
