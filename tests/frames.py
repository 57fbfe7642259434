"""What stands on the screen when a person is asked: frames of a match, and pictures to compare them with."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import golden
from rich.console import Console

import patolli
from patolli.play.terminal.session import Session

GOLDEN = Path(__file__).parent / "terminal" / "golden"
SIZES = {80: 24, 140: 50}
"""Widths of screens, with their heights."""


def console(out: io.StringIO, width: int = 80, **more: object) -> Console:
    height = SIZES.get(width, 24)
    return Console(file=out, width=width, height=height, highlight=False, markup=False, emoji=False, **more)


def later(rules: patolli.Ruleset, players: int, choices: int, seed: int = 1) -> patolli.Match:
    """Return a match after choices at random, when the first seat has to decide."""
    match, draw = rules.start(players, seed), Random(seed)
    while match.pending is not None and (choices > 0 or match.decision.player != 0):
        match.pick(draw.randrange(len(match.pending)))
        choices -= 1
    return match


def looks(match: patolli.Match, width: int, number: int = 2, **more: object) -> list[str]:
    """Return what is printed before the first seat is asked, so many times; it takes the first option each time."""
    out, found = io.StringIO(), []

    def read(prompt: str) -> str:
        found.append(out.getvalue())
        out.seek(0)
        out.truncate()
        if len(found) == number:
            raise EOFError
        return match.decision.options[0].label

    seats = ["human", *["random"] * (match.players - 1)]
    session = Session(match.ruleset, match, seats, console(out, width, **more), read)
    session.in_front = True
    session.play()
    return found


def compare(name: str, text: str) -> None:
    """Compare a picture with its golden file."""
    golden.check(GOLDEN / name, text)
