"""In front of a low screen nothing scrolls away: between two lines that are typed stands what the screen holds."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import cycle
from random import Random

import pytest
from rich.cells import cell_len
from rich.console import Console
from tiers import few

import patolli
from patolli.play.terminal.page import Page, Seen
from patolli.play.terminal.screen import Screen
from patolli.play.terminal.session import Session

GAMES = [
    ("tic_tac_toe", (), "human greedy"),
    ("connect_four", (), "human greedy"),
    ("patolli", (), "human greedy"),
    ("city_of_gods", ("solo",), "human rules"),
    ("city_of_gods", ("obsidian", "mansion", "altars", "empire"), "human greedy"),
    ("founders", (), "human greedy"),
]
COMMANDS = ("?", "show", "rules", "why", "options", "?1", "log", "legend", "log all", "back", "xyzzy", "undo")
"""What is typed now and then instead of an option; not one of them may push away what it says."""
OFTEN = 9


class Sitting:
    """A player in front of a screen of some size, who takes options at random and sees what stands there."""

    def __init__(self, rules, seats, width, height, commands=(), seed=3, most=10_000):
        self.frames: list[str] = []
        self._out, self._said, self._draw = io.StringIO(), 0, Random(seed)
        self._commands: Iterator[str] = cycle(commands)
        self._often, self._typed, self._most = bool(commands), 0, most
        console = Console(file=self._out, width=width, height=height, highlight=False, markup=False, emoji=False)
        self.session = Session(rules, rules.start(len(seats) - rules.model.automated, seed), seats, console, self._read)
        self.session.in_front = True
        self.session.play()
        self.printed = self._out.getvalue()

    def _read(self, prompt: str) -> str:
        text = self._out.getvalue()
        frame, self._said = text[self._said :] + prompt, len(text)
        self.frames.append(frame)
        if len(self.frames) > self._most:
            raise EOFError
        if "Enter" in prompt:
            return ""
        self._typed += 1
        if self._often and self._typed % OFTEN == 0:
            return next(self._commands)
        if "Enter takes it" in frame:
            return ""
        options = self.session.match.decision.options
        return options[self._draw.randrange(len(options))].label


@pytest.mark.parametrize(
    ("pack", "modules", "seats"), few([pytest.param(*row, id="+".join((row[0], *row[1]))) for row in GAMES], 0)
)
def test_what_stands_there_finds_room_on_a_screen_of_24_lines(pack, modules, seats):
    sat = Sitting(patolli.load(pack, modules), seats.split(), 80, 24, COMMANDS)

    assert sat.session.match.over
    high = [frame for frame in sat.frames if frame.count("\n") + 1 > 24]
    assert not high, f"{len(high)} of {len(sat.frames)}, the first of {high[0].count(chr(10)) + 1} lines:\n{high[0]}"
    assert max(cell_len(line) for frame in sat.frames for line in frame.split("\n")) <= 80


@pytest.mark.parametrize("height", few([12, 18, 50], 0))
def test_height_of_the_screen_is_what_counts(height):
    sat = Sitting(patolli.load("patolli"), ["human", "greedy"], 80, height)

    assert max(frame.count("\n") + 1 for frame in sat.frames) <= height


@pytest.mark.deep
def test_question_stands_with_its_board_and_its_news():
    """The question, what happened since, and the board are on one screen, even one of 24 lines."""
    sat = Sitting(patolli.load("patolli"), ["human", "greedy"], 80, 24)
    asked = [frame for frame in sat.frames if frame.endswith("> ") and "Which counter?" in frame]

    told = [frame for frame in asked if "Player 2" in frame or "earlier" in frame]
    assert len(told) > 20
    assert all("─ The board ─" in frame for frame in told)
    assert all(re.search(r"\n  +(You|Player|\.\.\. )|^  (You|Player)", frame) for frame in asked)


@pytest.mark.deep
def test_first_screen_says_where_signs_are_explained():
    for pack in ("founders", "city_of_gods", "patolli"):
        frames = Sitting(patolli.load(pack), ["human", "greedy"], 80, 24, most=10).frames
        assert "'?' explains" in frames[0], pack
        assert sum("'?' explains the signs" in frame for frame in frames) <= 1


def test_what_has_changed_is_drawn_before_what_has_not():
    """A main board that looks as before does not stand where a panel that has changed could."""
    rules = patolli.load("city_of_gods", ["first_game"])
    match = rules.start(2, 1)
    screen = Screen(rules.model, Console(file=io.StringIO(), width=80, height=24))
    seen = Seen()
    Page(screen, match, 0, seen).lines(22)
    seen.panels["temples"] = "as it was"
    page = Page(screen, match, 0, seen)
    drawn = "\n".join(line.plain for line in page.lines(14, page.must))

    assert page.must == set()
    assert "─ Temples ─" in drawn
    assert "Changed" not in drawn
    assert "─ Action boards ─" not in drawn


@pytest.mark.deep
def test_end_of_the_input_where_a_text_waits_ends_the_match_there():
    """Nothing is drawn after it, and nothing is asked again."""
    sat = Sitting(patolli.load("city_of_gods", ["first_game"]), ["human", "greedy"], 80, 24, most=0)

    assert sat.frames[0].endswith("Enter continues> ")
    assert len(sat.frames) == 1
    assert sat.printed[len(sat.frames[0].removesuffix("Enter continues> ")) :].split("\n") == [
        "",
        "The match ends here.",
        "",
    ]
