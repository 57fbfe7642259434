"""Sit at a terminal that is no terminal: lines are typed from a list, and what stands on the screen is kept."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.console import Console

import patolli
from patolli.play.terminal.session import Session


@dataclass(slots=True)
class Sat:
    """How it went: all that was printed, what was printed before each line was asked for, and the session."""

    text: str
    asked: list[str]
    session: Session


def sit(
    rules: patolli.Ruleset,
    typed: Iterable[str],
    seats: str | list[str] = "human greedy",
    seed: int = 1,
    match: patolli.Match | None = None,
    width: int = 80,
    height: int = 24,
    **more: Any,
) -> Sat:
    """Play until nothing more is typed.

    Args:
        rules: The ruleset.
        typed: The lines; behind the last one the input ends.
        seats: Who decides for each seat.
        seed: Of the match.
        match: One to go on with, instead of a new one.
        width: Of the screen.
        height: Of the screen.
        more: Attributes of the session.
    """
    seats = seats.split() if isinstance(seats, str) else seats
    out, asked, lines = io.StringIO(), list[str](), iter(typed)
    console = Console(file=out, width=width, height=height, highlight=False, markup=False, emoji=False)
    said = [0]

    def read(prompt: str) -> str:
        text = out.getvalue()
        asked.append(text[said[0] :] + prompt)
        said[0] = len(text)
        line = next(lines, None)
        if line is None:
            raise EOFError
        out.write(f"{prompt}{line}\n")
        return line

    session = Session(rules, match or rules.start(len(seats), seed), seats, console, read)
    for name, value in more.items():
        setattr(session, name, value)
    session.play()
    return Sat(out.getvalue(), asked, session)
