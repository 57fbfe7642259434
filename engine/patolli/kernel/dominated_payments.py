"""Leave out dominated payments: ways to pay that give something away for nothing.

A way is *dominated* when another one takes no more of any counter and has no side effect that it has not. The other one
takes less altogether, or as much with fewer side effects. So ways are tested in this order, each against those of lower
levels that are not dominated themselves: what dominates a dominated way also dominates what that one dominates.
"""

from __future__ import annotations

from collections.abc import Collection

from patolli.kernel.money import Way


def drop_dominated(found: list[Way], spent: Collection[int]) -> list[Way]:
    """Leave out what pays more, or uses up more, than another way does.

    A counter that a rule takes may stand for things that the player wants to be rid of: there, more is another way.

    Args:
        found: Different ways to pay the same.
        spent: Slots of counters that a rule takes.
    """
    ends = [_end(way) for way in found]
    levels = [(sum([way[at] for at in range(1, end, 2)]), len(way) - end) for way, end in zip(found, ends, strict=True)]
    if min(levels) == max(levels):
        return found
    kept: list[int] = []
    level, lower = min(levels), 0
    for at in sorted(range(len(found)), key=lambda at: levels[at]):
        if levels[at] != level:
            level, lower = levels[at], len(kept)
        if not _is_dominated(at, kept[:lower], found, ends, spent):
            kept.append(at)
    return [found[at] for at in sorted(kept)]


def _end(way: Way) -> int:
    """Return where the side effects of a way begin, which stand at its end."""
    end = len(way)
    while end > 0 and way[end - 2] < 0:
        end -= 2
    return end


def _is_dominated(at: int, others: list[int], found: list[Way], ends: list[int], spent: Collection[int]) -> bool:
    """Return whether one of some other ways takes no more, and uses up no more."""
    way, end = found[at], ends[at]
    for other in others:
        if _no_more(found[other], ends[other], way, end, spent) and _no_other_sides(
            found[other], ends[other], way, end
        ):
            return True
    return False


def _no_more(other: Way, other_end: int, way: Way, end: int, spent: Collection[int]) -> bool:
    """Return whether a way takes no more of any counter than another one, and as much of those that a rule takes."""
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
    """Return whether a way has no side effect that another one has not."""
    for at in range(other_end, len(other), 2):
        among = False
        for place in range(end, len(way), 2):
            if way[place] == other[at] and way[place + 1] == other[at + 1]:
                among = True
        if not among:
            return False
    return True
