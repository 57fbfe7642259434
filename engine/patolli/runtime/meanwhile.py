"""What may be done at any time, beside the open question; see ``probing`` for what it must leave possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import FRAMES
from patolli.runtime.probing import leads_back

if TYPE_CHECKING:
    from patolli.runtime.match import Match


def meanwhile(match: Match, frame: list[Any]) -> bool:
    """Add anytime actions to the open question, and take out what would leave a waiting question without an option.

    What an action asks can change what waits below it, so each option is followed until that is asked again.

    Returns:
        Whether there is still something to decide; what is left is taken otherwise.
    """
    questions, pending = match.program.questions, match.pending
    question, frames = questions[frame[0]], match.state[FRAMES]
    assert pending is not None
    assert match.program.anytime is not None
    waiting = (i for i, f in enumerate(frames[:-1]) if f[0] in questions and questions[f[0]].fragile)
    lowest = next(waiting, None)
    if lowest is not None:
        pending = [value for i, value in enumerate(pending) if leads_back(match, i, lowest)] or pending
    elif question.fragile:
        lowest = len(frames) - 1
    match.pending = pending
    more = match.program.anytime(match.state, frame[1]) if question.kind != "pay" else []
    if more:
        first = len(pending)
        match.extra = len(more)
        match.pending = [*pending, *more]
        if lowest is not None:
            more = [value for i, value in enumerate(more) if leads_back(match, first + i, lowest)]
            match.extra = len(more)
            match.pending = [*pending, *more]
    if len(match.pending) > 1:
        return True
    number = frame[0]
    frame[match.program.slots[number]], frame[0] = match.pending[0], match.program.thens[number]
    return False
