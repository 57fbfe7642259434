"""Straightforward Python versions of three games: what the interpreter is measured against.

Each is a small mutable class with ``legal()``, ``play(move)``, ``over`` and ``winner`` (a seat, or -1),
written as one writes it when speed matters a little: lists of ints, an incremental win test, no bitboards.
"""

from __future__ import annotations

from typing import Protocol


class Game(Protocol):
    """What the three games have in common."""

    over: bool
    winner: int

    def legal(self) -> list[int]:
        """Return the moves that are possible now, as numbers."""
        ...

    def play(self, move: int) -> None:
        """Carry out one of the legal moves."""
        ...
