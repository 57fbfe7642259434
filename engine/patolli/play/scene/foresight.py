"""Predict what an option does, up to the next question, using only what the player can know."""

from __future__ import annotations

from patolli.play.scene.hints import Hints
from patolli.run.runtime import Match, Option
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.option_probe import pick_alone


def consequences(hints: Hints, option: Option) -> list[str] | None:
    """Return the effects of an option, in sentences; None if they are random or depend on hidden things.

    The option is tried in every world that the player considers possible. Only what happens in all of them is certain.
    """
    if hints.after(option) is None:
        return None
    shown = [_log_of_option(world, option, hints.scene.seat) for world in hints.worlds]
    return shown[0] if shown and all(one == shown[0] for one in shown) else None


def _log_of_option(world: Match, option: Option, seat: int) -> list[str] | None:
    """Return what a player would read about an option in one world, without the answer itself."""
    copy = world.clone()
    copy.listen()
    try:
        pick_alone(copy, option.index)
    except MatchError:
        return None
    return [line.words for line in copy.telling(seat) if line.kind in ("change", "move", "said")]
