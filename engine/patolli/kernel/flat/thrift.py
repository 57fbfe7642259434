"""The same as ``kernel.thrift``: leave out ways to pay that give something away for nothing.

Each way is compared with all others. That takes longer than sets of bits where there are hundreds, and is translated.
"""

from __future__ import annotations

from collections.abc import Collection

from patolli.kernel.library import flat
from patolli.kernel.money import Way


@flat("thrifty")
def flat_thrifty(found: list[Way], spent: Collection[int]) -> list[Way]:
    """See :func:`patolli.kernel.thrift.thrifty`."""
    ends = [_end(way) for way in found]
    totals = [sum([way[at] for at in range(1, end, 2)]) for way, end in zip(found, ends, strict=True)]
    if _level(found, ends, totals):
        return found
    return [found[at] for at in range(len(found)) if not _wasteful(at, found, ends, totals, spent)]


def _end(way: Way) -> int:
    """Return where the side effects of a way begin, which stand at its end."""
    end = len(way)
    while end > 0 and way[end - 2] < 0:
        end -= 2
    return end


def _level(found: list[Way], ends: list[int], totals: list[int]) -> bool:
    """Tell whether all ways take as much, and have as many side effects: what is better takes less altogether."""
    sides = [len(way) - end for way, end in zip(found, ends, strict=True)]
    return min(totals) == max(totals) and min(sides) == max(sides)


def _wasteful(at: int, found: list[Way], ends: list[int], totals: list[int], spent: Collection[int]) -> bool:
    """Tell whether another way takes no more, and uses up no more."""
    for other in range(len(found)):
        if (
            other != at
            and totals[other] <= totals[at]
            and len(found[other]) - ends[other] <= len(found[at]) - ends[at]
            and _no_more(found[other], ends[other], found[at], ends[at], spent)
            and _no_other_sides(found[other], ends[other], found[at], ends[at])
        ):
            return True
    return False


def _no_more(other: Way, other_end: int, way: Way, end: int, spent: Collection[int]) -> bool:
    """Tell whether a way takes no more of any counter than another one, and as much of those that a rule takes."""
    here = 0
    for at in range(0, end, 2):
        slot, amount, less = way[at], way[at + 1], 0
        if here < other_end and other[here] == slot:
            less = other[here + 1]
            here += 2
        if less > amount or (less < amount and slot in spent):
            return False
        if here < other_end and other[here] < slot:
            return False
    return here == other_end


def _no_other_sides(other: Way, other_end: int, way: Way, end: int) -> bool:
    for at in range(other_end, len(other), 2):
        among = False
        for place in range(end, len(way), 2):
            if way[place] == other[at] and way[place + 1] == other[at + 1]:
                among = True
        if not among:
            return False
    return True
