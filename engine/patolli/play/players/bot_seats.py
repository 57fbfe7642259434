"""Run bots from other packages: they get a :class:`Turn`, and their answers and exceptions are checked."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any, Protocol

import patolli
from patolli.language.diagnostics.fault import EngineFault
from patolli.play.players.turn import Turn
from patolli.run.runtime import Match
from patolli.run.runtime.errors import MatchError, Place, stack_lines

HERE = Path(patolli.__file__).parent


class Player(Protocol):
    """Decides for one seat with access to the whole match: the interface of the built-in bots.

    A fair player reads only a view of its seat, or a match from ``determinize``; ``tests/twins.py`` checks this for the
    built-in bots. It changes nothing except itself.
    """

    def decide(self, match: Match) -> int:
        """Return the index of the option to choose in the open decision of *match*."""


class BotError(MatchError):
    """A bot could not be created, raised an exception, or gave an invalid answer.

    ``bot`` is its name, and ``seat`` its seat (from 0). ``stack`` lists file, line and function of its code, outermost
    first, and ``reason`` says what went wrong. ``choices`` are the choices of the match before the bot was asked.
    """

    def __init__(self, bot: str, seat: int, reason: str, stack: list[Place], choices: tuple[int, ...] = ()) -> None:
        self.bot, self.seat, self.choices = bot, seat, choices
        super().__init__(reason, stack, "")

    def __reduce__(self) -> tuple[type[BotError], tuple[str, int, str, list[Place], tuple[int, ...]]]:
        """Allow the exception to be sent to another process."""
        return (type(self), (self.bot, self.seat, self.reason, self.stack, self.choices))

    def text(self) -> str:
        """Return the error with its stack and the lines of the bot's code."""
        lines = [f"the bot {self.bot!r} of player {self.seat + 1} failed:", *stack_lines(self.stack)]
        return "\n".join([*lines, f"error: {self.reason}"])


class Seated:
    """A bot from another package on a seat."""

    def __init__(self, bot: Any, name: str, seat: int = -1) -> None:
        """Wrap a *bot* with a *name*; without a *seat*, it plays each seat that it is asked for."""
        self._bot, self._name, self._seat = bot, name, seat

    def decide(self, match: Match) -> int:
        """Return the index of the option that the bot chooses. Raises BotError: an exception, or an invalid answer."""
        turn = Turn(match)
        try:
            answer = self._bot.choose(turn)
            decision = match.decision
            assert decision is not None
            return decision.index(answer)
        except (EngineFault, KeyboardInterrupt):
            raise
        except BaseException as error:  # also exceptions outside of Exception (CancelledError) are errors of the bot
            raise make_bot_error(self._name, turn.seat, error, tuple(match.choices)) from error
        finally:
            turn._close()


def make_bot_error(name: str, seat: int, error: BaseException, choices: tuple[int, ...] = ()) -> BotError:
    """Return the error for an exception of a bot; the stack contains its own code, and the code that it calls."""
    entries = traceback.extract_tb(error.__traceback__)
    stack = [
        (one.filename, one.lineno or 1, one.name) for one in entries if not Path(one.filename).is_relative_to(HERE)
    ]
    if isinstance(error, MatchError):
        reason = f"{type(error).__name__}: {error.reason}"
    else:
        reason = traceback.format_exception_only(error)[-1].strip()
    return BotError(name, seat, reason, stack, choices)
