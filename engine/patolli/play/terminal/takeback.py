"""Undo at a terminal: to the player's last choice, or to the start of the player's turn.

Later choices of bots are undone, too, and made again. Choices of other people, revealed information and random results
cannot be undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from patolli.check.prose.words import join_words
from patolli.play.terminal import files
from patolli.run.runtime.undo_limits import Past

if TYPE_CHECKING:
    from patolli.play.terminal.session import Session


def undo(session: Session, rest: str) -> None:
    """Undo the last choice of the acting player, or with ``turn`` the whole turn; report what was undone or why not."""
    if rest not in ("", "turn"):
        session.warn("'undo' undoes your last choice, 'undo turn' your turn")
        return
    past, seat = Past(session.match), session.seat
    first, why = _find_first(session, past, seat, whole=rest == "turn")
    if first is None:
        session.warn(f"cannot undo: {why}")
        return
    words = _describe_undone(session, past, first, seat)
    session.match.go_back(past.before(first))
    session.adopt(session.match)
    session.say(words)
    if rest and why:
        session.say(f"cannot undo more: {why}")
    files.keep(session)


def _find_first(session: Session, past: Past, seat: int, whole: bool) -> tuple[int | None, str]:
    """Return the first choice that can be undone, and why earlier ones cannot; None if nothing can be undone."""
    first: int | None = None
    for number in reversed(range(len(past))):
        who = past.seat(number)
        if who != seat and first is not None:
            return first, ""  # the turn begins here
        if who != seat and who in session.people:
            return None, f"{session.writer.names[who]} has decided since"
        if stands := past.stands(number, who == seat):
            return first, stands if who == seat else f"{session.writer.names[who]} has decided since"
        if who == seat:
            first = number
            if not whole or session.chronicle.begins_turn(number + 1):
                return first, ""
    return first, "" if first is not None else "you have not decided anything yet"


def _describe_undone(session: Session, past: Past, first: int, seat: int) -> str:
    """Describe what is undone: the words of a choice, and whose other choices."""
    made = session.match.choices
    decision = past.before(first).decision
    assert decision is not None
    own = [number for number in range(first, len(made)) if past.seat(number) == seat]
    others = sorted({past.seat(number) for number in range(first, len(made))} - {seat})
    words = decision.options[made[first]].words
    what = words if len(own) == 1 else f"{len(own)} choices, starting with {words!r}"
    what += f", and what {join_words([session.writer.player_name(who) for who in others])} did since" if others else ""
    return f"undone: {what}"
