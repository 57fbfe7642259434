"""What a program is held against, and how that is laid out in memory.

Slots are noted in a row of fixed length, from its beginning again when it is full: who reads it sees by how many there
are that something is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

NOTES = 256
"""How many slots are noted at most: 2, 4, 8 and so on. If there are more, all tests are asked."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a program is held against.

    Attributes:
        tests: The names of functions, each with the number that it is asked with.
        readers: By slot, or entry of a tally, the numbers of the tests that may look at it.
        tallies: By slot, the entries that count 0 in the tallies in which its value counts.
        wide: By test that stands for several others, which ones.
        slots: The number behind the last slot, which is the first entry of a tally.
        end: The number behind the last entry.
    """

    tests: Sequence[tuple[str, int]]
    readers: Mapping[int, tuple[int, ...]]
    tallies: Mapping[int, tuple[int, ...]]
    wide: Mapping[int, frozenset[int]]
    slots: int
    end: int


def laid_out(holding: Holding, scratch: Callable[[int], int], block: Callable[[str], int]) -> dict[str, Any]:
    """Return what the names in capitals of ``driver.holding`` stand for.

    Args:
        holding: What is held.
        scratch: Gives the address of so many bytes.
        block: Gives the place of a function in the table of functions.
    """
    counted = sorted(holding.tallies.items())
    first = counted[0][0] if counted else 0
    covered = frozenset().union(*holding.wide.values())
    seen = scratch(8 * (counted[-1][0] + 1 - first)) if counted else 0
    return {
        "NOTES": scratch(8 * NOTES),
        "ROOM": 8 * NOTES,
        "SEEN": seen - 8 * first,
        "TALLIES": scratch(8 * (holding.end - holding.slots)) - 8 * holding.slots,
        "COUNTS": range(holding.slots, holding.end),
        "STAMPS": scratch(8 * len(holding.tests)),
        "WAITING": scratch(8 * len(holding.tests)),
        "COUNTED": tuple(counted),
        "TALLIED": tuple([holding.tallies.get(slot, ()) for slot in range(holding.slots)]),
        "READERS": tuple([holding.readers.get(slot, ()) for slot in range(holding.end)]),
        "FIRST": tuple([number for number in range(len(holding.tests)) if number not in covered]),
        "NARROW": len(holding.tests) - len(holding.wide),
        "WIDE": tuple([tuple(sorted(holding.wide[number])) for number in sorted(holding.wide)]),
        "TESTS": tuple([block(name) for name, _ in holding.tests]),
        "GIVEN": tuple([number for _, number in holding.tests]),
    }
