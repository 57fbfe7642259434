"""Intervals of numbers, and what a list may hold: the one arithmetic of bounds.

An :class:`Interval` holds every number that an expression may give; an end that is None is open. Each operation returns
an interval that covers all results; tests hold each against random numbers. An end that a sum or a product moves beyond
the largest number of a match becomes open, so that no chain of declarations makes ends of millions of digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from patolli.kernel.values import LARGEST


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from ``low`` to ``high``, both included; None stands for no end. Empty when low is above high."""

    low: int | None = None
    high: int | None = None

    def __contains__(self, number: int) -> bool:
        return (self.low is None or self.low <= number) and (self.high is None or number <= self.high)

    @property
    def only(self) -> int | None:
        """The number, where there is only one."""
        return self.low if self.low == self.high else None

    @property
    def empty(self) -> bool:
        """Whether there is no number in it, as where something cannot be."""
        return self.low is not None and self.high is not None and self.low > self.high

    def within(self, other: Interval) -> bool:
        """Return whether all numbers lie in another interval."""
        low = other.low is None or (self.low is not None and self.low >= other.low)
        return low and (other.high is None or (self.high is not None and self.high <= other.high))

    def meet(self, other: Interval) -> Interval:
        """Return the numbers that are in both."""
        return Interval(_pick(max, self.low, other.low), _pick(min, self.high, other.high))

    def join(self, other: Interval) -> Interval:
        """Return the least interval around both."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        return Interval(low, None if self.high is None or other.high is None else max(self.high, other.high))

    def __add__(self, other: Interval) -> Interval:
        low = None if self.low is None or other.low is None else _limit_end(self.low + other.low)
        return Interval(low, None if self.high is None or other.high is None else _limit_end(self.high + other.high))

    def __neg__(self) -> Interval:
        return Interval(None if self.high is None else -self.high, None if self.low is None else -self.low)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        ends = [0 if a == 0 or b == 0 else a * b for a in self._ends() for b in other._ends()]
        return Interval(_limit_end(min(ends)), _limit_end(max(ends)))

    def _ends(self) -> tuple[float | int, float | int]:
        return (-_INFINITE if self.low is None else self.low, _INFINITE if self.high is None else self.high)

    def div(self, other: Interval) -> Interval:
        """Divide, rounding down; nothing is known where the divisor may be 0, or cannot be any number."""
        if other.empty:
            return Interval()
        if other.low is not None and other.low > 0:
            lows = [None if self.low is None else _floor(self.low, by) for by in (other.low, other.high)]
            highs = [None if self.high is None else _floor(self.high, by) for by in (other.low, other.high)]
            return Interval(_least(lows), _most(highs))
        if other.high is not None and other.high < 0:
            return (-self).div(-other)
        return Interval()

    def mod(self, other: Interval) -> Interval:
        """Return the rest of a division that rounds down: it has the sign of the divisor."""
        if other.low is not None and other.low > 0:
            high = None if other.high is None else other.high - 1
            if self.low is not None and self.low >= 0 and self.high is not None:
                high = self.high if high is None else min(high, self.high)
            return Interval(0, high)
        if other.high is not None and other.high < 0:
            return Interval(None if other.low is None else other.low + 1, 0)
        return Interval()

    def absolute(self) -> Interval:
        """Return the numbers without their signs."""
        return self.greatest(-self).greatest(exactly(0))

    def least(self, other: Interval) -> Interval:
        """Return what the smaller of two numbers may be."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        return Interval(low, _pick(min, self.high, other.high))

    def greatest(self, other: Interval) -> Interval:
        """Return what the larger of two numbers may be."""
        return -((-self).least(-other))


_INFINITE = float("inf")


def _limit_end(end: float | int) -> int | None:
    """Return an end of an interval; None where it is beyond the largest number of a match."""
    return int(end) if -LARGEST <= end <= LARGEST else None


def _floor(number: int, by: int | None) -> int:
    """Divide by a positive number; None stands for one without bound."""
    return (0 if number >= 0 else -1) if by is None else number // by


def _least(ends: list[int | None]) -> int | None:
    return None if None in ends else min(end for end in ends if end is not None)


def _most(ends: list[int | None]) -> int | None:
    return None if None in ends else max(end for end in ends if end is not None)


def _pick(which: object, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return left if right is None else right
    return max(left, right) if which is max else min(left, right)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a changing number is cut off: below, and above, which may be different from match to match."""

    low: int | None = None
    high: Interval | None = None

    def spare(self, value: Interval) -> bool:
        """Return whether a number is never cut off."""
        if self.high is None:
            return value.within(Interval(self.low, None))
        return self.high.low is not None and value.within(Interval(self.low, self.high.low))

    def cut(self, value: Interval) -> Interval:
        """Return what a number may be when it has been cut off."""
        value = value if self.low is None else value.greatest(exactly(self.low))
        return value if self.high is None else value.least(self.high)


ANY = Interval()
NATURAL = Interval(0, None)


def exactly(number: int) -> Interval:
    """Return the interval of one number."""
    return Interval(number, number)


@dataclass(frozen=True, slots=True)
class Range:
    """What an expression may give: a number, or a list of so many items; ``item`` is None if they are unknown."""

    number: Interval = ANY
    length: Interval = NATURAL
    item: Range | None = None

    def join(self, other: Range) -> Range:
        """Return what one or the other may be."""
        if 0 in (self.length.high, other.length.high):  # an empty list says nothing of its items
            item = other.item if self.length.high == 0 else self.item
        else:
            item = self.item.join(other.item) if self.item is not None and other.item is not None else None
        return Range(self.number.join(other.number), self.length.join(other.length), item)

    def meet(self, other: Range) -> Range:
        """Return what is both."""
        items = (self.item, other.item)
        both = items[0].meet(items[1]) if items[0] is not None and items[1] is not None else items[0] or items[1]
        return Range(self.number.meet(other.number), self.length.meet(other.length), both)


UNKNOWN = Range()


def join_ranges(ranges: Iterable[Range]) -> Range:
    """Return what any of some ranges may be; unknown where there is none."""
    found: Range | None = None
    for one in ranges:
        found = one if found is None else found.join(one)
    return UNKNOWN if found is None else found
