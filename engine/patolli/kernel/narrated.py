"""Move several pieces at once, and return what a narrating program has to tell of it.

These stand in the places of the functions in ``pieces`` where a program narrates.
"""

from __future__ import annotations

from patolli.kernel import pieces
from patolli.kernel.state import State


def seen_draw(s: State, at: int, number: int, source: int, to: int) -> tuple[int, ...]:
    """Draw, and return the pieces that came, in their order."""
    before = len(s[to])
    pieces.draw(s, at, number, source, to)
    return tuple(s[to][before:])


def seen_refill(s: State, at: int, first: int, size: int, source: int) -> tuple[int, ...]:
    """Refill a row, and return the pieces that are new there, in the order of their spots."""
    before = s[first : first + size]
    pieces.refill(s, at, first, size, source)
    return tuple(piece for piece, old in zip(s[first : first + size], before, strict=True) if piece != old)


def seen_slide(s: State, at: int, first: int, size: int) -> bool:
    """Close the gaps of a row, and tell whether a piece moved."""
    before = s[first : first + size]
    pieces.slide(s, at, first, size)
    return bool(s[first : first + size] != before)


def seen_swap(s: State, at: int, first: int, second: int) -> tuple[int, int]:
    """Exchange two pieces, and return where the first and the second are now."""
    pieces.swap(s, at, first, second)
    return s[at + first], s[at + second]
