"""Write letters and numbers behind all objects. See the package."""

from __future__ import annotations

from patolli.run.native.intrinsics import load64, quotient, store8, store64
from patolli.run.native.memory import HEAP, TOP
from patolli.run.native.support.objects import reserve


def byte(value: int) -> int:
    """Append a byte to what is written behind all objects."""
    at = load64(HEAP)
    if at >= load64(TOP):
        reserve(at + 1)
    store8(at, value)
    store64(HEAP, at + 1)
    return 0


def digits(value: int) -> int:
    """Write a number."""
    if value < 0:
        byte(45)
        value = 0 - value
    if value > 9:
        digits(quotient(value, 10))
        value -= quotient(value, 10) * 10
    byte(48 + value)
    return 0
