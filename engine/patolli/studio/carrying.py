"""Make the choices of a table again: after the server was started anew, or with content that was edited.

With the same content an index says which option it was. With other content its label does, if the same seat is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patolli.runtime.edits import edited
from patolli.studio.acts import offered
from patolli.studio.past import Past

if TYPE_CHECKING:
    from patolli.runtime import Match, Ruleset
    from patolli.runtime.edits import Edit
    from patolli.studio.acts import Made, Setup


@dataclass(frozen=True, slots=True)
class Lost:
    """The first choice that is not offered any more: its number from 0, who made it, its label, and why not."""

    number: int
    seat: int
    label: str
    why: str


@dataclass(frozen=True, slots=True)
class Carried:
    """A match after the choices that could be made again, and how many of them these are."""

    match: Match
    past: Past
    kept: int
    lost: Lost | None
    differs: list[int]


def carried(
    rules: Ruleset, setup: Setup, line: Sequence[Made], names: Sequence[str], same: bool, edits: Sequence[Edit] = ()
) -> Carried:
    """Start the match of a table with some rules, and make its choices again as far as that goes.

    Args:
        rules: The content as it is now.
        setup: What the table plays.
        line: What was chosen.
        names: What the players are called.
        same: Whether the choices were made with this very content.
        edits: What was changed by hand on the way; one that cannot be made any more ends it as a choice does.

    Raises:
        ValueError: It cannot be played with so many players.
        MatchError: The content fails.
    """
    match = rules.start(setup.players, setup.seed, narrate=True, names=names)
    past, differs = Past(match), list[int]()
    for number, made in enumerate(line):
        match, why = _edited(match, past, edits)
        if why is not None:
            return Carried(match, past, number, why, differs)
        index = made.index if same and _there(match, made.index) else _found(match, made)
        if isinstance(index, str):
            return Carried(match, past, number, Lost(number, made.seat, made.label, index), differs)
        decision = match.decision
        if not same and decision is not None and offered(decision) != made.offered:
            differs.append(number)
        match.pick(index)
        past.note(match)
    match, why = _edited(match, past, edits)
    return Carried(match, past, len(line), why, differs)


def _edited(match: Match, past: Past, edits: Sequence[Edit]) -> tuple[Match, Lost | None]:
    """Return a match with what was changed by hand at this point, and the first of it that cannot be."""
    at = len(match.choices)
    for edit in edits:
        if edit.at == at:
            try:
                match = edited(match, edit)
            except ValueError as error:
                return match, Lost(at, -1, edit.words, str(error))
            past.edit(match)
    return match, None


def _there(match: Match, index: int) -> bool:
    return match.pending is not None and 0 <= index < len(match.pending)


def _found(match: Match, made: Made) -> int | str:
    """Return the index under which a choice is offered now; or why it is not."""
    decision = match.decision
    if decision is None:
        return "the match is already over at this point"
    if decision.player != made.seat:
        return f"{match.names[decision.player]} has to decide at this point"
    for index, label in enumerate(decision.labels):
        if label == made.label and decision.options[index].anytime == made.anytime:
            return index
    return "it is no longer available at this point"
