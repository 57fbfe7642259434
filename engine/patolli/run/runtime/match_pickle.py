"""What of a match goes into a pickle: all but the compiled program and what can be computed again.

The program is found again through the ruleset, which is pickled by what it was loaded from (``workspace.inspection``).
What the seats of a match know follows from its choices; only a match that was imagined takes it along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patolli.run.runtime.knowledge import restore_memory
from patolli.run.runtime.match_story import Story

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

WORKED_OUT = frozenset({"_asked", "_replayed", "_story", "labels", "memory", "probing", "program"})


def pack_match(match: Match) -> dict[str, Any]:
    """Return what is kept of a match."""
    kept = {name: getattr(match, name) for name in _slots(match)}
    kept["compiled"] = match.ruleset.get_program_key(match.program)
    if match._story is not None:
        kept["story"] = match._story.whole, match._story.threads, match._story.tricks
    if match.memory is not None and match.memory.imagined:
        kept["memory"] = match.memory.to_data(match)
    return kept


def unpack(match: Match, kept: dict[str, Any]) -> None:
    """Give a match all that was kept of it."""
    for name in _slots(match):
        setattr(match, name, kept[name])
    match.program = match.ruleset.program(*kept["compiled"])
    match.labels, match.probing = match.ruleset.labels(match.program), False
    match._asked = match._story = match._replayed = match.memory = None
    if "story" in kept:
        match._story = Story(match.labels, match.players)
        match._story.whole, match._story.threads, match._story.tricks = kept["story"]
    if "memory" in kept:
        match.memory = restore_memory(match, kept["memory"])


def _slots(match: Match) -> list[str]:
    """Return the names of what is kept as it is."""
    slots = [name for cls in type(match).__mro__ for name in getattr(cls, "__slots__", ())]
    return [name for name in slots if name not in WORKED_OUT]
