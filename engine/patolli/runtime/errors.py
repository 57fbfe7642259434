"""Faults of content during a match, told with the rules that were running."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from patolli.compiler import support
from patolli.compiler.layout import FRAMES, SEED
from patolli.compiler.support import RuleFault
from patolli.diagnostics import Span
from patolli.diagnostics.fault import EngineFault

if TYPE_CHECKING:
    from patolli.runtime.match import Match

LIMIT = 10_000
"""Choices of bots after which a match is given up, for content that may go on for ever."""
SHOWN = 10
"""How many calls are shown from either end of a long stack."""


class MatchError(Exception):
    """A match could not go on.

    ``stack`` lists file, line and rule, outermost first; ``reason`` says what went wrong.
    """

    def __init__(self, reason: str, stack: list[tuple[str, int, str]]) -> None:
        self.reason = reason
        self.stack = stack
        super().__init__(self.text())

    def text(self) -> str:
        """Return the fault with its stack, the author's lines beside it."""
        lines = ["the rules could not go on:"]
        for position, (path, number, rule) in enumerate(self.stack):
            if SHOWN <= position < len(self.stack) - SHOWN:
                if position == SHOWN:
                    lines.append(f"  ... {len(self.stack) - 2 * SHOWN} more calls ...")
                continue
            lines.append(f"  {path}:{number}: in {rule}")
            source = linecache.getline(path, number).strip()
            if source:
                lines.append(f"    {source}")
        return "\n".join([*lines, f"{self.reason}"])


def endless(match: Match, choices: int) -> MatchError:
    """Return the fault of a match that was given up after so many choices, with the place where it is."""
    decision = match.decision
    asked = f"; the next question is {decision.prompt!r}" if decision is not None else ""
    return _rules_failed(match, RuleFault(f"no end after {choices:,} choices{asked}"))


ANYWHERE = {
    RecursionError: "rules or functions call each other without an end",
    OverflowError: "a number grew too large",
    MemoryError: "the rules asked for too much memory",
}
"""What rules can cause anywhere below themselves."""
IN_RULES = {
    IndexError: "an item beyond the end of a list was asked for",
    ZeroDivisionError: "a number was divided by 0",
    ValueError: "a piece was not where it should be",
}
"""What is of the rules when it was raised in them, or in what they call."""
CALLED = Path(support.__file__).parent


def fail(match: Match, error: Exception) -> NoReturn:
    """Say whose fault it is that a match cannot go on, while an exception is handled.

    Raises:
        MatchError: It is the fault of the rules.
        EngineFault: It is the fault of the program.
    """
    if isinstance(error, MatchError | EngineFault):
        raise error
    if _reason(error) is None:
        raise EngineFault.of(error, **facts_of(match)) from error
    raise _rules_failed(match, error) from error


def _rules_failed(match: Match, error: Exception) -> MatchError:
    """Turn what the rules did wrong into a fault with their stack in lines of YAML."""
    stack: list[tuple[str, int, str]] = []
    origins = match.program.space["ORIGINS"]
    for frame in match.state[FRAMES][:-1]:
        span = _place(match, frame[0])
        if span is not None:
            name = match.program.blocks[frame[0]].__name__
            stack.append((span.path, span.line, origins.get(name, "a rule")))
    for entry in traceback.extract_tb(error.__traceback__):
        if Path(entry.filename).suffix in (".yaml", ".yml"):
            stack.append((entry.filename, entry.lineno or 1, origins.get(entry.name, "a list")))
    return MatchError(_reason(error) or "", stack)


def _reason(error: Exception) -> str | None:
    """Say what rules did wrong; None for what rules cannot do."""
    if isinstance(error, RuleFault):
        return str(error) or type(error).__name__
    files = [Path(entry.filename) for entry in traceback.extract_tb(error.__traceback__)]
    if not any(file.suffix in (".yaml", ".yml") for file in files):
        return None
    if files[-1].suffix in (".yaml", ".yml") or files[-1].parent == CALLED:
        return {**ANYWHERE, **IN_RULES}.get(type(error))
    return ANYWHERE.get(type(error))


def facts_of(match: Match) -> dict[str, str]:
    """Tell all that makes a match what it is, for a report."""
    rules = match.ruleset
    return {
        "pack": ", ".join(f"{pack.id} {pack.version}" for pack in rules.packs),
        "options": ", ".join(f"{name}={value}" for name, value in rules.chosen.items()) or "none",
        "players": str(match.players - rules.model.automated),
        "seed": str(match.state[SEED]),
        "choices so far": " ".join(map(str, match.choices)) or "none",
    }


@contextmanager
def told_with(match: Callable[[], Match]) -> Iterator[None]:
    """Tell a fault of the program with the match in which it happened; what others have said goes by."""
    try:
        yield
    except (MatchError, OSError):
        raise
    except Exception as error:
        raise EngineFault.of(error, **facts_of(match())) from error


def _place(match: Match, block: int) -> Span | None:
    function = match.program.blocks[block]
    code = getattr(function, "__code__", None)
    return None if code is None else Span(code.co_filename, code.co_firstlineno, 1, code.co_firstlineno, 1)
