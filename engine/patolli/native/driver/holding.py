"""Hold a match against its invariants, asking only what looks at something that was written: ``runtime.invariants``.

Tests have numbers; those that are to be asked are put down one behind the other, each once. Which slots were written
stands where ``note`` has put it. How many fields hold each value is kept up in tallies.
"""

from __future__ import annotations

from patolli.kernel.faults import RuleFault
from patolli.kernel.state import State
from patolli.native.driver.tables import (
    COUNTED,
    COUNTS,
    FIRST,
    GIVEN,
    NARROW,
    NOTES,
    READERS,
    ROOM,
    SEEN,
    STAMPS,
    TALLIED,
    TALLIES,
    TESTS,
    WAITING,
    WIDE,
)
from patolli.native.intrinsics import call_block, load64, store64
from patolli.native.memory import NOTED, STAMP
from patolli.native.support.chance import renew


def hold_all(s: State) -> None:
    """Count everything anew and ask all tests; where one fails, Python tells what is wrong.

    Raises:
        RuleFault: A test fails.
    """
    store64(NOTED, 0)
    for entry in COUNTS:
        store64(TALLIES + 8 * entry, 0)
    for slot, firsts in COUNTED:
        value: int = s[slot]
        store64(SEEN + 8 * slot, value)
        for first in firsts:
            at = TALLIES + 8 * (first + value)
            store64(at, load64(at) + 1)
    for test in FIRST:
        renew()
        if not call_block(TESTS[test], s, GIVEN[test]):
            raise RuleFault("an invariant", "")


def hold(s: State) -> None:
    """Ask the tests that look at something which was written since the last time; see :func:`hold_all`."""
    noted: int = load64(NOTED)
    if noted > ROOM:
        hold_all(s)
        return
    store64(NOTED, 0)
    stamp: int = load64(STAMP) + 2
    store64(STAMP, stamp)
    end: int = WAITING
    for at in range(NOTES, NOTES + noted, 8):
        slot: int = load64(at)
        for test in READERS[slot]:
            if load64(STAMPS + 8 * test) < stamp:
                end = put_down(test, stamp, end)
        firsts = TALLIED[slot]
        if firsts:
            old: int = load64(SEEN + 8 * slot)
            new: int = s[slot]
            if new != old:
                store64(SEEN + 8 * slot, new)
                for first in firsts:
                    entry: int = first + old
                    store64(TALLIES + 8 * entry, load64(TALLIES + 8 * entry) - 1)
                    end = asked(entry, stamp, end)
                    entry = first + new
                    store64(TALLIES + 8 * entry, load64(TALLIES + 8 * entry) + 1)
                    end = asked(entry, stamp, end)
    for at in range(WAITING, end, 8):
        waiting: int = load64(at)
        if load64(STAMPS + 8 * waiting) == stamp:
            renew()
            if not call_block(TESTS[waiting], s, GIVEN[waiting]):
                raise RuleFault("an invariant", "")


def asked(entry: int, stamp: int, end: int) -> int:
    """Put down the tests that look at an entry of a tally; return the new end."""
    for test in READERS[entry]:
        if load64(STAMPS + 8 * test) < stamp:
            end = put_down(test, stamp, end)
    return end


def put_down(test: int, stamp: int, end: int) -> int:
    """Put down a test; return the new end.

    Each has a stamp: that of this choice where it is to be asked, one more where another one stands for it.
    """
    store64(STAMPS + 8 * test, stamp)
    store64(end, test)
    if test >= NARROW:
        for one in WIDE[test - NARROW]:
            store64(STAMPS + 8 * one, stamp + 1)
    return end + 8
