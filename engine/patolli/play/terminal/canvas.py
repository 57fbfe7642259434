"""A scene with what a terminal needs to draw it: the width of panels, marked cells, and the styles of captions."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from patolli.play.scene.captions import COST, EFFECT, FAINT, STRONG, Caption
from patolli.play.scene.seat_scene import Scene
from patolli.play.terminal.flow import pad
from patolli.run.runtime import Match

DIM = "bright_black"
STYLES = {
    "": "", "black": "bright_black", "red": "bright_red", "green": "bright_green", "yellow": "bright_yellow",
    "blue": "bright_blue", "magenta": "bright_magenta", "cyan": "bright_cyan", "white": "bold",
    "orange": "dark_orange", "brown": "orange4", "grey": "grey58", "pink": "hot_pink",
}  # fmt: skip
"""Colors of symbols as they are called by the terminal."""
TONES = {"": "", STRONG: "bold", FAINT: DIM, COST: "yellow", EFFECT: "italic"}
WIDTH = 76
"""Cells inside the frame of the widest panel in a terminal of 80."""


class Canvas(Scene):
    """A scene that is drawn in a terminal.

    Attributes:
        marked: The names of the cells that stand out.
        width: How many cells a panel has inside its frame.
    """

    def __init__(self, match: Match, seat: int, marked: frozenset[str] = frozenset(), width: int = WIDTH) -> None:
        super().__init__(match, seat)
        self.marked = marked
        self.width = width


def ink(caption: Caption) -> Text:
    """Return a caption as a terminal prints it."""
    parts = [(part.text, " ".join(dict.fromkeys((TONES[part.tone], STYLES[part.color]))).strip())
             for part in caption.parts]  # fmt: skip
    return Text(*parts[0]) if len(parts) == 1 else Text.assemble(*parts)


def ink_rows(rows: Sequence[Sequence[Caption]]) -> list[Text]:
    """Return rows of signs as lines; the signs of a column are equally wide."""
    wide = max((cell_len(sign.plain) for row in rows for sign in row), default=0)
    return [Text(" ").join(pad(ink(sign), wide) for sign in row) for row in rows]
