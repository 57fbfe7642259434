"""Effects of pieces, and anytime actions: what the closures of ``compiler.entry_points`` do."""

from __future__ import annotations

from typing import Any

from patolli.kernel.state import State
from patolli.run.native.driver.tables import ACTIVE, BINDS, CANS, EFFECTS, FINDS, RUNS, SECRET, SEVERAL, UNSEEN


def begin(work: Any, s: State, me: int, argument: int, back: int, takes: int) -> None:
    """Carry out a rule, or push its frame."""
    if isinstance(work, tuple):
        if takes:
            s[0].append([work[0], me, back, argument, *work[1]])
        else:
            s[0].append([work[0], me, back, *work[1]])
    elif takes:
        work(s, me, argument)
    else:
        work(s, me)


def do_effect(s: State, me: int, effect: int, piece: int) -> None:
    """Carry out the effect of a piece."""
    if effect >= 0:
        begin(EFFECTS[effect], s, me, piece, 0, 1)


def push_effect(s: State, me: int, effect: int, piece: int) -> None:
    """Carry out the effect of a piece, or push its frame."""
    if effect >= 0:
        begin(EFFECTS[effect], s, me, piece, 0, 1)


def can_do(s: State, me: int, effect: int, piece: int) -> int:
    """Return whether an effect of a piece is possible."""
    if effect < 0 or CANS[effect] is None:
        return 1
    test = CANS[effect]
    return bool(test(s, me, piece))


def is_hidden(frames: Any) -> int:
    """Return whether what goes on stays secret until all have answered."""
    for frame in frames:
        if frame[0] in SECRET:
            return 1
    return 0


def goes_on(frames: Any, action: int, value: Any, binds: int) -> int:
    """Return whether an anytime action with this value is being carried out."""
    for frame in frames:
        if frame[2] == -1 - action and (not binds or frame[3] == value):
            return 1
    return 0


def inside_one(frames: Any) -> int:
    """Return whether an anytime action is being carried out."""
    for frame in frames:
        if frame[2] < 0:
            return 1
    return 0


def anytime(s: State, me: int) -> Any:
    """Return what a player may do beside the open question: pairs of an action and its value."""
    found: list[Any] = []
    if ACTIVE is not None:
        active = ACTIVE
        who = active(s, me)
        if SEVERAL:
            if me not in who:
                return found
        elif who != me:
            return found
    finds = UNSEEN if SECRET and is_hidden(s[0]) else FINDS
    for action, find in finds:
        values = find(s, me)
        for value in values:
            found.append((action, value))
    if found and inside_one(s[0]):
        return [one for one in found if not goes_on(s[0], one[0], one[1], BINDS[one[0]])]
    return found


def take(s: State, me: int, action: int, value: Any) -> None:
    """Take an anytime action."""
    begin(RUNS[action], s, me, value, -1 - action, BINDS[action])
