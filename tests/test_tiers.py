"""Which rows of a sweep are tried."""

from __future__ import annotations

import pytest
from tiers import ALL_ROWS, few


def values(rows):
    return [(row.values[0], bool(row.marks)) for row in rows]


def test_all_rows_but_the_quick_ones_are_deep():
    assert values(few("abcd", 0, "c")) == [("a", False), ("b", True), ("c", False), ("d", True)]


@pytest.mark.parametrize(
    ("number", "left"), [(1, "a h"), (2, "a e k"), (5, "a c e h j l"), (20, "a b c d e f g h i j k l m")]
)
def test_some_deep_rows_evenly_spread(monkeypatch, number, left):
    monkeypatch.delenv(ALL_ROWS, raising=False)

    assert " ".join(row for row, _ in values(few("abcdefghijklm", 0, deep=number))) == left


def test_all_rows_are_tried_where_they_are_asked_for(monkeypatch):
    monkeypatch.setenv(ALL_ROWS, "1")

    assert len(few("abcdefghijklm", 0, deep=2)) == 13
