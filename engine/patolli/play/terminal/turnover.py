"""Ask before a choice that ends the turn of a person, so that the turn can still be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from patolli.play.terminal.canvas import ink
from patolli.play.terminal.commands import obey
from patolli.play.terminal.prompt import BACK

if TYPE_CHECKING:
    from patolli.play.terminal.prompt import Question
    from patolli.play.terminal.session import Session


def ends_turn(question: Question, index: int) -> bool:
    """Return whether another player or no player decides after an option, as far as the player can know."""
    option = question.decision.options[index]
    worlds = question.hints.imagine_after(option)
    seat = question.decision.player
    return bool(worlds) and all(world.pending is None or world.decider != seat for world in worlds)


def confirm_turn_end(session: Session, question: Question, index: int) -> bool:
    """If an option ends the turn, ask the person; return whether to choose the option."""
    if not ends_turn(question, index):
        return True
    option = question.decision.options[index]
    shown = ink(question.hints.describe(option))
    while True:
        session.page([Text.assemble("  ", (option.words, "bold"), "  " if shown.plain else "", shown)])
        typed = session.ask("Enter ends your turn, 'undo' cancels the choice> ").strip()
        if not typed:
            return True
        if typed.lower() in (*BACK, "undo"):
            return False
        command = question.command(typed)
        if not command:
            session.warn("Enter ends your turn, 'undo' cancels the choice")
            continue
        before = len(session.match.choices)
        obey(session, command)
        if len(session.match.choices) != before:
            return False
