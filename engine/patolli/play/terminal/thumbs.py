"""Small pictures side by side: pieces that have one, and what becomes of a board."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from patolli.play.terminal.flow import pad, wrap_text

GAP = 2
"""Cells between two pictures."""
NARROW = 13
"""Cells of the widest words above a picture; longer ones go on in the next line."""


def thumb(tag: Text, head: Text, picture: Sequence[Text], shown: Sequence[Text], width: int = NARROW) -> list[Text]:
    """Return the lines of a picture: a tag and words folded to *width* cells, the picture, and what is said of it."""
    blank = Text(" " * cell_len(tag.plain))
    below = [line for text in shown for line in wrap_text(text, width) if line.plain]
    inside = [*(wrap_text(head, width) if head.plain else []), *picture, *below]
    return [Text.assemble(blank if number else tag, line) for number, line in enumerate(inside)]


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
