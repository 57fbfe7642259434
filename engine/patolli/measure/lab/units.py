"""How numbers and their differences are written: shares in per cent, what lies between two shares in percentage points.

From 50 % to 57 % are 7 percentage points, and 14 % more: only the first says what is meant without a word more.
"""

from __future__ import annotations

from math import isinf

POINTS, SHORT = "percentage points", "pp"
"""The unit of differences of shares, in sentences and in tables."""


def many(number: int, one: str = "match", more: str = "matches") -> str:
    """Return how many there are of something."""
    return f"{number:,} {one if number == 1 else more}"


def number(value: float, share: bool) -> str:
    """Return a mean, or a share."""
    return f"{100 * value:,.2f} %" if share else f"{value:,.2f}"


def between(low: float, high: float, share: bool) -> str:
    """Return the ends of the interval of a difference, without its unit."""
    if isinf(low) or isinf(high):
        return "too few matches for an interval"
    scale = 100 if share else 1
    return f"{scale * low:+,.2f} to {scale * high:+,.2f}"


def unit(share: bool, short: bool = False) -> str:
    """Return what stands behind a difference: nothing for numbers that are no shares."""
    return f" {SHORT if short else POINTS}" if share else ""
