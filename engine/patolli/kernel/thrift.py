"""Leave out ways to pay that give something away for nothing.

A way is *wasteful* when another one takes no more of any counter and has no side effect that it has not. To compare all
with all would take seconds where there are hundreds; here the ways are numbered, and a set of them is one large whole
number with a bit for each, so that "takes no more of this counter" is looked up for all of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from patolli.kernel.money import Way

Split = tuple[dict[int, int], frozenset[tuple[int, int]]]
"""What a way takes, by slot, and its side effects."""


def thrifty(found: list[Way], spent: frozenset[int]) -> list[Way]:
    """Leave out what pays more, or uses up more, than another way does.

    A counter that a rule takes may stand for things that somebody wants to be rid of: there, more is another way.

    Args:
        found: Different ways to pay the same.
        spent: Slots of counters that a rule takes.
    """
    if len({_level(way) for way in found}) == 1:
        return found  # what is better takes less altogether, or has fewer side effects
    parts = [_split(way) for way in found]
    allowed = _by_sides([used for _, used in parts])
    tables = [
        (slot, _by_amount([paid.get(slot, 0) for paid, _ in parts], slot in spent))
        for slot in dict.fromkeys(slot for paid, _ in parts for slot in paid)
    ]
    kept = []
    for number, (way, (paid, used)) in enumerate(zip(found, parts, strict=True)):
        better = allowed[used] ^ (1 << number)
        for slot, table in tables:
            if not better:
                break
            better &= table[paid.get(slot, 0)]
        if not better:
            kept.append(way)
    return kept


def _level(way: Way) -> tuple[int, int]:
    """Return how much a way takes altogether, and how many side effects it has, which stand at its end."""
    if not way or way[-2] >= 0:
        return sum(way[1::2]), 0
    paid, used = _split(way)
    return sum(paid.values()), len(used)


def _split(way: Way) -> Split:
    pairs = list(zip(way[::2], way[1::2], strict=True))
    return {code: n for code, n in pairs if code >= 0}, frozenset(pair for pair in pairs if pair[0] < 0)


def _by_sides(used: Sequence[frozenset[tuple[int, int]]]) -> dict[frozenset[tuple[int, int]], int]:
    """Return for each set of side effects the ways that have none beside these."""
    having: dict[tuple[int, int], int] = {}
    for number, pairs in enumerate(used):
        for pair in pairs:
            having[pair] = having.get(pair, 0) | 1 << number
    found = {}
    for pairs in set(used):
        others = 0
        for pair, ways in having.items():
            if pair not in pairs:
                others |= ways
        found[pairs] = (1 << len(used)) - 1 & ~others
    return found


def _by_amount(amounts: Sequence[int], exactly: bool) -> dict[int, int]:
    """Return for each amount of a counter the ways that take no more of it, or *exactly* as much."""
    table: dict[int, int] = {}
    for number, amount in enumerate(amounts):
        table[amount] = table.get(amount, 0) | 1 << number
    less = 0
    for amount in () if exactly else sorted(table):
        less = table[amount] = table[amount] | less
    return table
