"""Recognize what was seen before and held: a test that looks at a whole row of slots need not be worked out again.

In:     a test, and the slots at which it looks.
Out:    a test with the same verdict.

A test follows from its slots alone; all of selective asking rests on that. Where somebody goes from side to side of a
board, the same few pictures of it come again and again, and to compare a row with those that are known takes a fraction
of the time that it takes to ask each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import itemgetter
from typing import Any

Test = Callable[[Any, list[int]], bool]
LEAST, RUNS, MOST = 40, 4, 500
"""At how many slots a test looks at least, in how many rows at most, and how many pictures are kept."""


def recognizing(test: Test, slots: Collection[int]) -> Test:
    """Return a test with the same verdict, which knows states in which it held; itself where that does not pay.

    What stands in the slots has to be fit for sets.
    """
    runs = _runs(slots)
    if len(slots) < LEAST or len(runs) > RUNS:
        return test
    longest = max(runs, key=lambda run: run[1] - run[0])
    row = slice(*longest)
    rest = [slot for first, end in runs if (first, end) != longest for slot in range(first, end)]
    key_of = itemgetter(*rest, *rest[:1]) if rest else _nothing  # of two slots and more it makes a tuple
    latest: dict[Any, list[Any]] = {}  # to compare with one row is less work than to find it among many
    known: set[Any] = set()

    def holds(state: Any, tally: list[int]) -> bool:
        key, seen = key_of(state), state[row]
        if latest.get(key) == seen:
            return True
        picture = (key, *seen)
        if picture not in known:
            if not test(state, tally):
                return False
            if len(known) < MOST:
                known.add(picture)
        if key in latest or len(latest) < MOST:
            latest[key] = seen
        return True

    return holds


def _nothing(state: Any) -> tuple[()]:
    return ()


def _runs(slots: Collection[int]) -> list[tuple[int, int]]:
    """Return rows of slots as first and end."""
    found: list[tuple[int, int]] = []
    for slot in sorted(slots):
        if found and found[-1][1] == slot:
            found[-1] = found[-1][0], slot + 1
        else:
            found.append((slot, slot + 1))
    return found
