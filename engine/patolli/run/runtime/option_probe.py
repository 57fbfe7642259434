"""Try an answer on a copy: can what waits below the open question still be answered, and what does the answer do?

An anytime action that is taken at a question puts it off; what the action spends, that question may need.
"""

from __future__ import annotations

import marshal
from copy import copy
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, SupportsIndex

from patolli.kernel.faults import MatchOver, NoOption
from patolli.kernel.state import preserve_turns
from patolli.run.compiler.layout import FRAMES, OVER
from patolli.run.runtime.errors import MatchError

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

PROBES = 2000
"""How many answers are tried to find a way back to a question that waits."""


def leads_back(match: Match, index: int, lowest: int) -> bool:
    """Return whether after an option the question of the frame *lowest*, and those above it, can be answered."""
    said = len(match.program.events)
    try:
        with preserve_turns():
            return _has_way_back(match, index, lowest)
    finally:
        del match.program.events[said:]


def _has_way_back(match: Match, index: int, lowest: int) -> bool:
    """Return whether some answers after an option lead back to a question that waits, and which then has one, too.

    What has the fewest rules open is gone on with first, so that the way out of what asks again and again is found
    before the ways round. No state is gone on with twice.
    """
    question = match._state[FRAMES][lowest][0]
    open_: list[tuple[int, int, Match]] = []
    seen: set[bytes] = set()
    here, options, tried = match, range(index, index + 1), 0
    while tried <= PROBES:
        for option in options:
            tried += 1
            there = _after(here, option)
            if there is None:
                continue
            frames = there._state[FRAMES]
            if there.pending is None or len(frames) <= lowest + 1 or frames[lowest][0] != question:
                return True
            known = marshal.dumps(there._state)
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


# ---- what an answer itself brings about


def pick_alone(match: Match, index: int) -> None:
    """Take an option, and go on until a player has to decide, or until what goes on is no longer the player's part.

    That is so when a rule that was carried out for the player goes on for another player: the next one has the turn,
    and what comes then, as from a seat that the rules play, is not what the option has brought about. Where that is
    reached the match cannot be gone on with: it asks nothing.

    Raises:
        IndexError: There is no such option.
        MatchError: The content fails.
    """
    frames = match._state[FRAMES]
    seat = frames[-1][1]
    program = match.program
    plain = match.ruleset.plain(program)  # in which no block goes on with what another one does
    blocks = _Blocks(plain.blocks)
    blocks.begin([frame for frame in frames if frame[1] == seat], seat)
    match.program = copy(plain)
    match.program.blocks = blocks
    try:
        match.pick(index)
    finally:
        match.program = program
        if not match.narrating:
            plain.events.clear()
    if blocks.left:
        match._state[OVER] = 0


class _Blocks(list[Any]):
    """The blocks of a program; none is carried out any more when a turn has passed on."""

    def begin(self, frames: list[list[Any]], seat: int) -> None:
        """Watch the frames that now act for a seat."""
        self.frames, self.seat, self.left = frames, seat, False

    def __getitem__(self, number: SupportsIndex | slice) -> Any:
        if any(frame[1] != self.seat for frame in self.frames):
            self.left = True
            raise MatchOver
        return super().__getitem__(number)
