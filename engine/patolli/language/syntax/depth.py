"""How deep things may lie inside each other, and room on the stack for what is allowed.

The passes over trees are recursive. What is deeper than these bounds is refused with its place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

LEVELS = 120
"""Levels that the parse tree of an effect or expression may have."""
BRANCHES = 60
"""How many `elif` one `if` may have: each lies in the one before."""
CALLS = 100
"""Rules that may call each other in a row, and so functions."""
IMPLIED_CALLS = 100_000
"""How many calls may follow from what is declared beside the rules: each anytime action at each question, each effect
of a piece at each ``do``. The passes go through all of them."""
SET_OFF_CALLS = 10_000
"""How many calls gains and moves may set off: each is written out as effects behind its gain or move, and proved."""
TYPES = 8
"""How many lists a type may have inside each other."""
FRAMES = 10_000
"""Python's recursion limit for the passes over trees, and for calls in matches as deep as ``kernel.budget.DEEPEST``."""


_changing = Lock()
_before: list[int] = []
"""The limits when each of those began that need room now, in one thread or several."""


@contextmanager
def room() -> Iterator[None]:
    """Let passes go as deep as the bounds above allow; the last thread resets the limit, which the process has."""
    with _changing:
        _before.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_before[0], FRAMES))
    try:
        yield
    finally:
        with _changing:
            if len(_before) == 1:
                sys.setrecursionlimit(_before[0])
                _before.clear()
            else:
                _before.pop()


def keep_room() -> None:
    """Let all that follows in this process go so deep: matches of packs with functions that call themselves."""
    with _changing:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        _before[:] = [max(limit, FRAMES) for limit in _before]
