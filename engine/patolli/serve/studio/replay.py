"""Replays the choices of a table, after a restart of the server or with edited content.

With the same content, the index identifies an option. With other content, its label does, if the same seat decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.edits import Edit, apply_edit
from patolli.serve.studio.acts import Made, Setup, hash_options
from patolli.serve.studio.past import Past


@dataclass(frozen=True, slots=True)
class Lost:
    """The first choice that is not available any more: its number from 0, its seat, its label, and the reason."""

    number: int
    seat: int
    label: str
    why: str


@dataclass(frozen=True, slots=True)
class Carried:
    """A match after the choices that could be replayed, and their number."""

    match: Match
    past: Past
    kept: int
    lost: Lost | None
    differs: list[int]


def replay_choices(
    rules: Ruleset, setup: Setup, line: Sequence[Made], names: Sequence[str], same: bool, edits: Sequence[Edit] = ()
) -> Carried:
    """Start the match of a table with these rules, and replay its choices as far as possible.

    Args:
        rules: The current content.
        setup: The setup of the table.
        line: The choices.
        names: The names of the players.
        same: Whether the choices were made with the same content.
        edits: The edits of the state. An edit that is not possible any more ends the replay, like a choice.

    Raises:
        ValueError: The game does not allow this number of players.
        MatchError: The rules fail.
    """
    match = rules.start(setup.players, setup.seed, narrate=True, names=names)
    past, differs = Past(match), list[int]()
    for number, made in enumerate(line):
        match, why = _apply_edits(match, past, edits)
        if why is not None:
            return Carried(match, past, number, why, differs)
        index = made.index if same and _there(match, made.index) else _find_index(match, made)
        if isinstance(index, str):
            return Carried(match, past, number, Lost(number, made.seat, made.label, index), differs)
        decision = match.decision
        if not same and decision is not None and hash_options(decision) != made.offered:
            differs.append(number)
        match.pick(index)
        past.note(match)
    match, why = _apply_edits(match, past, edits)
    return Carried(match, past, len(line), why, differs)


def _apply_edits(match: Match, past: Past, edits: Sequence[Edit]) -> tuple[Match, Lost | None]:
    """Return a match with the edits at this point, and the first edit that is not possible."""
    at = len(match.choices)
    for edit in edits:
        if edit.at == at:
            try:
                match = apply_edit(match, edit)
            except ValueError as error:
                return match, Lost(at, -1, edit.words, str(error))
            past.edit(match)
    return match, None


def _there(match: Match, index: int) -> bool:
    return match.pending is not None and 0 <= index < len(match.pending)


def _find_index(match: Match, made: Made) -> int | str:
    """Return the current index of a choice, or the reason why it is not available."""
    decision = match.decision
    if decision is None:
        return "the match is already over at this point"
    if decision.player != made.seat:
        return f"{match.names[decision.player]} has to decide at this point"
    for index, label in enumerate(decision.labels):
        if label == made.label and decision.options[index].anytime == made.anytime:
            return index
    return "it is no longer available at this point"
