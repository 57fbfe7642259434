"""Let bots of others decide: they get a :class:`Turn`, and what they answer, or raise, is looked at."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from patolli import diagnostics
from patolli.diagnostics.fault import EngineFault
from patolli.players.turn import Turn
from patolli.runtime.errors import MatchError, Place, stack_lines

if TYPE_CHECKING:
    from patolli.runtime import Match

HERE = Path(diagnostics.__file__ or "").parents[1]


class Player(Protocol):
    """Decides for one seat with the whole match at hand: how the program's own bots are asked.

    One that is fair looks at a view of its seat, or at a match that ``determinize`` draws; ``tests/twins.py`` sees to
    it for those that belong to the program. It changes nothing but itself.
    """

    def decide(self, match: Match) -> int:
        """Return the index of the option to take in the open question of *match*."""


class BotError(MatchError):
    """A bot could not be made, raised something, or gave an answer that is none.

    ``bot`` is what it is called, ``seat`` where it sits (from 0), ``stack`` lists file, line and function of its code,
    outermost first, and ``reason`` says what went wrong. ``choices`` are those of the match before it was asked.
    """

    def __init__(self, bot: str, seat: int, reason: str, stack: list[Place], choices: tuple[int, ...] = ()) -> None:
        self.bot, self.seat, self.choices = bot, seat, choices
        super().__init__(reason, stack, "")

    def __reduce__(self) -> tuple[type[BotError], tuple[str, int, str, list[Place], tuple[int, ...]]]:
        """Let the exception travel between processes."""
        return (type(self), (self.bot, self.seat, self.reason, self.stack, self.choices))

    def text(self) -> str:
        """Return the fault with its stack, the lines of the bot beside it."""
        lines = [f"the bot {self.bot!r} of player {self.seat + 1} could not go on:", *stack_lines(self.stack)]
        return "\n".join([*lines, f"error: {self.reason}"])


class Seated:
    """A bot of somebody else on a seat."""

    def __init__(self, bot: Any, name: str, seat: int = -1) -> None:
        """Seat a *bot* that is called by a *name*; without a *seat* it sits on each that it is asked for."""
        self._bot, self._name, self._seat = bot, name, seat

    def decide(self, match: Match) -> int:
        """Return the index of the option that the bot takes.

        Raises:
            BotError: It raised something, or its answer is none.
        """
        turn = Turn(match)
        try:
            answer = self._bot.choose(turn)
            decision = match.decision
            assert decision is not None
            return decision.index(answer)
        except (EngineFault, KeyboardInterrupt):
            raise
        except BaseException as error:  # what is no Exception (CancelledError) is a fault of the bot, too
            raise failed(self._name, turn.seat, error, tuple(match.choices)) from error
        finally:
            turn._close()


def failed(name: str, seat: int, error: BaseException, choices: tuple[int, ...] = ()) -> BotError:
    """Return what is told of an exception of a bot: the stack is that of its own code, and of what it calls."""
    entries = traceback.extract_tb(error.__traceback__)
    stack = [
        (one.filename, one.lineno or 1, one.name) for one in entries if not Path(one.filename).is_relative_to(HERE)
    ]
    if isinstance(error, MatchError):
        reason = f"{type(error).__name__}: {error.reason}"
    else:
        reason = traceback.format_exception_only(error)[-1].strip()
    return BotError(name, seat, reason, stack, choices)
