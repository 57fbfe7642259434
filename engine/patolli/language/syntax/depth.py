"""How deep things may lie inside each other, and room on the stack for what is allowed.

The passes over trees are recursive. What is deeper than these bounds is refused with its place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

LEVELS = 120
"""Levels that the parse tree of an effect or expression may have."""
BRANCHES = 60
"""How many `elif` one `if` may have: each lies in the one before."""
CALLS = 100
"""Rules that may call each other in a row, and so functions."""
TYPES = 8
"""How many lists a type may have inside each other."""
_FRAMES = 5_000


@contextmanager
def room() -> Iterator[None]:
    """Let the passes go as deep as the bounds above make them go."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
