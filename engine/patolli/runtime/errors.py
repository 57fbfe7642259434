"""Faults of content during a match, told with the rules that were running."""

from __future__ import annotations

import linecache
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from patolli.compiler.layout import FRAMES
from patolli.diagnostics import Span
from patolli.kernel.faults import RuleFault

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
    return describe(match, RuleFault(f"no end after {choices:,} choices{asked}"))


def describe(match: Match, error: Exception) -> MatchError:
    """Turn an exception of generated code into a fault with the rule stack in lines of YAML."""
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
    words = {
        IndexError: "an item beyond the end of a list was asked for",
        ZeroDivisionError: "a number was divided by 0",
        RecursionError: "rules or functions call each other without an end",
        ValueError: "a piece was not where it should be",
        OverflowError: "a number grew too large",
        MemoryError: "the rules asked for too much memory",
    }
    return MatchError(words.get(type(error), str(error) or type(error).__name__), stack)


def _place(match: Match, block: int) -> Span | None:
    function = match.program.blocks[block]
    code = getattr(function, "__code__", None)
    return None if code is None else Span(code.co_filename, code.co_firstlineno, 1, code.co_firstlineno, 1)
