"""Try an answer on a copy: whether a question that waits below the open one can still be answered afterwards.

An anytime action that is taken at a question puts it off; what the action spends, that question may need.
"""

from __future__ import annotations

import marshal
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from patolli.compiler.layout import FRAMES
from patolli.kernel.faults import NoOption
from patolli.kernel.state import uncounted
from patolli.runtime.errors import MatchError

if TYPE_CHECKING:
    from patolli.runtime.match import Match

PROBES = 2000
"""How many answers are tried to find a way back to a question that waits."""


def leads_back(match: Match, index: int, lowest: int) -> bool:
    """Tell whether after an option the question of the frame *lowest*, and those above it, can be answered."""
    said, noted = len(match.program.events), len(match.program.written)
    try:
        with uncounted():
            return _found(match, index, lowest)
    finally:
        del match.program.events[said:], match.program.written[noted:]


def _found(match: Match, index: int, lowest: int) -> bool:
    """Tell whether some answers after an option lead back to a question that waits, and which then has one, too.

    What has the fewest rules open is gone on with first, so that the way out of what asks again and again is found
    before the ways round. No state is gone on with twice.
    """
    question = match.state[FRAMES][lowest][0]
    open_: list[tuple[int, int, Match]] = []
    seen: set[bytes] = set()
    here, options, tried = match, range(index, index + 1), 0
    while tried <= PROBES:
        for option in options:
            tried += 1
            there = _after(here, option)
            if there is None:
                continue
            frames = there.state[FRAMES]
            if there.pending is None or len(frames) <= lowest + 1 or frames[lowest][0] != question:
                return True
            known = marshal.dumps(there.state)
            if known not in seen:
                seen.add(known)
                heappush(open_, (len(frames), tried, there))
        if not open_:
            return False
        *_, here = heappop(open_)
        options = range(len(here.pending or ()))
    return False


def _after(match: Match, option: int) -> Match | None:
    """Return a copy of a match in which an option was taken; None where that leaves a question without an answer."""
    copy = match.clone()
    copy.probing, copy.narrating = True, False
    try:
        copy.pick(option)
    except MatchError as error:
        if isinstance(error.__cause__, NoOption):
            return None
        raise
    return copy
