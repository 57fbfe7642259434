"""Write what happened: the news since the player last looked, and the log in chapters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from rich.text import Text

from patolli.check.prose.words import address_player, capital
from patolli.play.scene.seat_scene import Scene
from patolli.play.terminal.canvas import DIM, ink
from patolli.play.terminal.chronicle import Chronicle
from patolli.play.terminal.flow import fold_text
from patolli.play.terminal.short_log import shorten_lines
from patolli.run.runtime import Match
from patolli.run.runtime.match_story import Line

INDENT = "  "
SHORTEST = 4
"""Most lines that are shown of what a player did; if there are more, the oldest are left out."""


class Writer:
    """Writes lines of a story, with the names of the players in their colours, or for one of them as "you"."""

    def __init__(self, match: Match, you: int = -1) -> None:
        """Look at a match; how its players are called and coloured does not change. *you* is the seat of who reads."""
        self.names, self.you, scene = match.names, you, Scene(match, 0)
        self._styles = [ink(scene.mark("player", f"player_{seat + 1}")).style for seat in range(match.players)]

    def name(self, seat: int) -> Text:
        """Return the name of a player as a heading, in colour."""
        return Text(capital(self.player_name(seat)), self._styles[seat])

    def player_name(self, seat: int) -> str:
        """Return what a player is called in a sentence."""
        return "you" if seat == self.you else self.names[seat]

    def words(self, said: str) -> str:
        """Return a sentence in the second person if it is about the reader."""
        return address_player(said, self.names[self.you]) if self.you >= 0 else said

    def line(self, line: Line, depth: int | None = None, below: int = -1) -> Text:
        """Return a line as it is printed, *depth* steps further in, or as deep as it is below headings.

        An answer that stands *below* the name of its player does not say it again.
        """
        heading = line.kind == "heading"
        steps = depth if depth is not None else line.level + (not heading)
        words = line.words
        if below >= 0 and line.kind == "answer":
            words = words.removeprefix(f"{capital(self.names[below])}: ")
        text = Text(INDENT * steps + self.words(words), "bold" if heading else "")
        for seat, style in enumerate(self._styles):
            name = r"your?" if seat == self.you else re.escape(self.names[seat])
            text.highlight_regex(rf"(?i)\b{name}\b", style)
        return text


def news(
    lines: Sequence[Line], chronicle: Chronicle, writer: Writer, seat: int, room: int | None, width: int
) -> list[Text]:
    """Return what happened since a player looked last: a block for everybody who decided in the meantime.

    Args:
        lines: What is reported.
        chronicle: Knows who decided.
        writer: Writes them.
        seat: Who reads; what that player's own choice has brought needs no name above it.
        room: How many lines there may be; None for as many as it takes. What only the reader learned comes before the
            rest where not all finds room.
        width: How long each may be.
    """
    every, lines = lines, shorten_lines(lines, writer.names)
    headed = any(line.kind == "heading" for line in chronicle.lines)
    parts = _split_news(lines, chronicle, seat, headed)
    outermost = 0 if seat < 0 else min(map(_line_step, lines), default=0)
    blocks: list[list[Text]] = []
    for most in range(max([SHORTEST, *(len(reported) for _, reported in parts)]), SHORTEST - 1, -1):
        blocks = [_format_block(who, reported, writer, most, width, outermost) for who, reported in parts]
        if room is None or sum(map(len, blocks)) <= room:
            return [line for block in blocks for line in block]
    learned = chronicle.list_learned(every)
    if learned and room is not None:
        head = [row for line in learned for row in fold_text(Text(INDENT), writer.line(line, 0), width, 2)]
        rest = [line for line in every if line not in learned]
        return [*head, *news(rest, chronicle, writer, seat, max(0, room - len(head)), width)]
    left = list(blocks)
    while len(left) > 1 and room is not None and sum(map(len, left)) >= room:
        del left[0]
    found = [
        *([_format_more("earlier")] if len(left) < len(blocks) else []),
        *(line for block in left for line in block),
    ]
    if room is None or len(found) <= room:
        return found
    return _shorten_news(lines, writer, room, width)


def _shorten_news(lines: Sequence[Line], writer: Writer, room: int, width: int) -> list[Text]:
    """Return the last of what happened in so few lines that headings find no room: each line says who did it."""
    reported = [line for line in lines if line.kind != "heading"]
    found = [row for line in reported for row in fold_text(Text(INDENT), writer.line(line, 0), width, 2)]
    return (
        found if len(found) <= room else [_format_more("earlier"), *found[len(found) - room + 1 :]] if room > 0 else []
    )


def _line_step(line: Line) -> int:
    return line.level - (line.kind == "heading")


def _split_news(lines: Sequence[Line], chronicle: Chronicle, seat: int, headed: bool) -> list[tuple[int, list[Line]]]:
    """Return the lines in parts, each with the player whose name stands above it; -1 where none does.

    In a story with headings (*headed*) no name is put above anything: it would stand between them.
    """
    parts: list[tuple[int, list[Line]]] = []
    for who, reported in groupby(lines, chronicle.decider):
        parts.append((-1 if headed or who == seat else who, []))
        for line in reported:
            if line.kind == "heading" and (not parts[-1][1] or line.level <= parts[-1][1][0].level):
                parts.append((-1, []))
            parts[-1][1].append(line)
    return [(who, reported) for who, reported in parts if reported]


def _format_block(who: int, lines: list[Line], writer: Writer, most: int, width: int, outermost: int) -> list[Text]:
    """Return a part of the news, at most so many lines of it, and how many more there are.

    Lines stand as far in as they do below the *outermost* of all the news.
    """
    named = who >= 0 and len(lines) > 1
    found = [Text.assemble(INDENT, writer.name(who), ":")] if named else []
    shown = lines if len(lines) <= most else lines[: most - 1]
    for line in shown:
        depth = 1 + named + _line_step(line) - outermost
        found += fold_text(Text(INDENT * depth), writer.line(line, 0, who if named else -1), width, 2)
    if len(shown) < len(lines):
        found.append(_format_more(f"{len(lines) - len(shown)} more", 1 + named))
    return found


def _format_more(what: str, depth: int = 1) -> Text:
    return Text(f"{INDENT * depth}... {what}: 'log'", DIM)


# ---- the log


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the log: what it is called, and its lines."""

    title: str
    lines: list[Line]


def chapters(lines: Sequence[Line], height: int) -> list[Chapter]:
    """Return the log in chapters, one for each outermost heading; or in pages of a *height* where there are none."""
    starts = [at for at, line in enumerate(lines) if _is_outermost(line)]
    if len(starts) > 1:
        marks = [*([0] if starts[0] else []), *starts, len(lines)]
        return [
            Chapter(lines[start].words if _is_outermost(lines[start]) else "The beginning", list(lines[start:end]))
            for start, end in pairwise(marks)
        ]
    pages = range(0, max(1, len(lines)), height)
    return [Chapter(f"page {at // height + 1}", list(lines[at : at + height])) for at in pages]


def _is_outermost(line: Line) -> bool:
    return line.kind == "heading" and line.level == 1


def above(lines: Sequence[Line], at: int) -> list[Line]:
    """Return the headings below which a line stands, the outermost first."""
    found: list[Line] = []
    level = lines[at].level + (lines[at].kind != "heading")
    for line in reversed(lines[:at]):
        if line.kind == "heading" and line.level < level:
            found.append(line)
            level = line.level
    return found[::-1]
