"""Lines that fit the screen: padded, wrapped, in columns. Every part keeps its own style."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

NARROW = 8
"""Cells of a line below which nothing is set in."""
CROWD = 6
"""Equal signs in one spot that are drawn one by one; more are counted."""
_WORDS = re.compile(r"[^\W\d_]{3}")
"""Letters that are no sign any more."""
SIGN = 2
"""Cells of the longest sign that is drawn again and again; equal words are counted."""


@cache
def console() -> Console:
    """Return a console that only measures."""
    return Console(width=80)


def pad(text: Text, width: int, align: str = "left") -> Text:
    """Return *text* with blanks, *width* cells wide; what is longer stays as long as it is."""
    room = max(0, width - cell_len(text.plain))
    left = room if align == "right" else room // 2 if align == "center" else 0
    return Text.assemble(" " * left, text, " " * (room - left))


def crowd(marks: Sequence[Text], between: str = " ") -> Text:
    """Return what lies in one spot: signs one by one, equal words or many equal signs once with their number.

    Words are set apart by commas. So are signs that stand for nothing but a number, as they would read like one number.
    """
    counted = Counter(mark.plain for mark in marks)
    parts: list[Text] = []
    for mark in {mark.plain: mark for mark in marks}.values():
        number = counted[mark.plain]
        if number > CROWD or (number > 1 and cell_len(mark.plain) > SIGN):
            parts.append(Text.assemble(f"{number}x ", mark))
        else:
            parts += [mark] * number
    numbers = any(part.plain.isascii() and part.plain.isdigit() for part in parts)
    return Text(",").join(parts) if numbers else in_row(parts, between)


def in_row(parts: Sequence[Text], between: str = " ") -> Text:
    """Return signs one behind the other; words instead of signs are set apart by commas."""
    words = between == " " and any(_WORDS.search(part.plain) for part in parts)
    return Text(", " if words else between).join(parts)


def fold_text(head: Text, words: Text, width: int, indent: int = 0) -> list[Text]:
    """Return *head* with *words* behind it in lines of at most *width* cells.

    What goes on is set in below the words, by *indent* more cells. A head that leaves no room for them stands alone.
    """
    if "\n" in words.plain:
        rows = words.split("\n")
        lines = fold_text(head, rows[0], width, 2)
        blank = Text(" " * cell_len(head.plain))
        return lines + [line for row in rows[1:] for line in fold_text(blank, row, width, 2)]
    before = cell_len(head.plain)
    if before + cell_len(words.plain) <= width:
        return [Text.assemble(head, words)]
    if width < NARROW:
        return wrap_text(Text.assemble(head, words), max(1, width))
    room = width - before - indent
    if room < min(16, width // 2):
        lines = [*wrap_text(head, width), *fold_text(Text("    "), words, width)]
        return [line for line in lines if line.plain.strip()]
    first, *rest = wrap_text(words, width - before)
    if indent and rest:
        rest = wrap_text(Text(" ").join(rest), room)
    blank = Text(" " * (before + indent))
    return [Text.assemble(head, first), *(Text.assemble(blank, line) for line in rest)]


def wrap_text(text: Text, width: int) -> list[Text]:
    """Return *text* in lines of at most *width* cells, broken between words where that is possible."""
    lines = list(text.wrap(console(), max(1, width)))
    for line in lines:
        line.rstrip()
    return lines


def abreast(texts: Sequence[Text], width: int, gap: int = 2) -> list[Text]:
    """Return short texts in columns, read downwards, as many as *width* has room for."""
    column = max((cell_len(text.plain) for text in texts), default=0) + gap
    across = max(1, width // column)
    down = -(-len(texts) // across)
    rows = [Text("").join(pad(text, column) for text in texts[row::down]) for row in range(down)]
    for row in rows:
        row.rstrip()
    return rows
