"""What may be done at any time, beside the open question; see ``probing`` for what it must leave possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patolli.run.compiler.layout import FRAMES
from patolli.run.runtime.option_probe import leads_back

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match


def meanwhile(match: Match, frame: list[Any]) -> bool:
    """Add anytime actions to the open question, and take out what would leave a waiting question without an option.

    What an action asks can change what waits below it, so each option is followed until that is asked again.

    Returns:
        Whether there is still something to decide; what is left is taken otherwise.
    """
    program, pending, frames = match.program, match.pending, match._state[FRAMES]
    number, fragile = frame[0], program.fragile
    assert pending is not None
    assert program.anytime is not None
    lowest, alone = None, True
    for waiting in frames:  # a loop, as this is asked at every question
        if waiting[0] in program.marked:
            alone = waiting is frame
            break
    if alone:
        if number in fragile:
            lowest = len(frames) - 1
    else:
        lowest = next((i for i, waiting in enumerate(frames) if waiting[0] in fragile), None)
    alone = alone and number not in program.secret
    if lowest is not None and lowest < len(frames) - 1:
        pending = [value for i, value in enumerate(pending) if leads_back(match, i, lowest)] or pending
        match.pending = pending
    more = program.anytime(match._state, frame[1], alone) if program.questions[number].kind != "pay" else []
    if more:
        first = len(pending)
        match.extra = len(more)
        match.pending = [*pending, *more]
        if lowest is not None:
            more = [value for i, value in enumerate(more) if leads_back(match, first + i, lowest)]
            match.extra = len(more)
            pending = match.pending = [*pending, *more]
        else:
            pending = match.pending
    if len(pending) > 1:
        return True
    if (narrate := program.report_forced) is not None:
        narrate(match._state, number, pending[0], frame[1])
    slot, then, _ = program.answers[number]
    frame[slot], frame[0] = pending[0], then
    return False
