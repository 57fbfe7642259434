"""Look ahead: carry a rule out, and take it back."""

from __future__ import annotations

from typing import Any

from patolli.kernel.budget import BLOCK, tick
from patolli.kernel.faults import MatchOver
from patolli.kernel.state import State
from patolli.run.native.driver.tables import BLOCKS, ENDED, Frame
from patolli.run.native.intrinsics import call_block


def keep(s: State, touched: Any) -> Any:
    """Return what a rule may change; what it works on meanwhile are copies of the lists."""
    numbers = [s[first:last] for first, last in touched[0]]
    lists = [s[first:last] for first, last in touched[1]]
    for first, last in touched[1]:
        for slot in range(first, last):
            s[slot] = list(s[slot])
    return numbers, lists


def take_back(s: State, touched: Any, kept: Any) -> None:
    """Make a state what it was."""
    for (first, last), items in zip(touched[0], kept[0], strict=True):
        s[first:last] = items
    for (first, last), items in zip(touched[1], kept[1], strict=True):
        s[first:last] = items


def carried_through(s: State, frame: Any) -> None:
    """Carry out a rule on frames that asks no question."""
    outer = s[0]
    frames = [frame]
    s[0] = frames
    try:
        while frames:
            tick(BLOCK)
            f: Frame = frames[-1]
            if call_block(BLOCKS[f[0]], s, f) is ENDED:
                raise MatchOver
    except MatchOver:
        s[0] = outer
        raise MatchOver from None
    s[0] = outer
