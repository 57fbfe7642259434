"""What an option does, told before it is taken: until the next question, and only what the player can know already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patolli.runtime.errors import MatchError
from patolli.runtime.probing import pick_alone

if TYPE_CHECKING:
    from patolli.runtime import Match, Option
    from patolli.terminal.hints import Hints


def consequences(hints: Hints, option: Option) -> list[str] | None:
    """Return what comes of an option, in sentences; None where that depends on chance, or on what cannot be seen.

    It is told in every world in which the player may be. What is told in all of them is what will happen.
    """
    if hints.after(option) is None:
        return None
    told = [_log_of_option(world, option, hints.scene.seat) for world in hints.worlds]
    return told[0] if told and all(one == told[0] for one in told) else None


def _log_of_option(world: Match, option: Option, seat: int) -> list[str] | None:
    """Return what a player would be told of an option in one world, without the answer itself."""
    copy = world.clone()
    copy.listen()
    try:
        pick_alone(copy, option.index)
    except MatchError:
        return None
    return [line.words for line in copy.telling(seat) if line.kind in ("change", "move", "said")]
