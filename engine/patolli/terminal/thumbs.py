"""Small pictures side by side: pieces that have one, and what becomes of a board."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from patolli.terminal.flow import pad, wrapped

GAP = 2
"""Cells between two pictures."""
NARROW = 13
"""Cells of the widest words above a picture; longer ones go on in the next line."""


def thumb(tag: Text, head: Text, lines: Sequence[Text]) -> list[Text]:
    """Return the lines of one picture: a tag, words, and below the words what is seen and told."""
    blank = Text(" " * cell_len(tag.plain))
    inside = [*wrapped(head, NARROW), *(line for told in lines for line in _short(told))]
    return [Text.assemble(blank if number else tag, line) for number, line in enumerate(inside)]


def _short(line: Text) -> list[Text]:
    return [line] if cell_len(line.plain) <= NARROW else wrapped(line, NARROW)


def beside(thumbs: Sequence[list[Text]], width: int) -> list[Text]:
    """Return pictures side by side, in as many rows as it takes."""
    column = max((cell_len(line.plain) for lines in thumbs for line in lines), default=0) + GAP
    across = max(1, (width + GAP) // column)
    across = -(-len(thumbs) // -(-len(thumbs) // across))  # rows of the same length look better than a full first one
    rows: list[Text] = []
    for first in range(0, len(thumbs), across):
        here = thumbs[first : first + across]
        for number in range(max(map(len, here))):
            row = Text("").join(pad(lines[number] if number < len(lines) else Text(""), column) for lines in here)
            row.rstrip()
            rows.append(row)
    return rows
