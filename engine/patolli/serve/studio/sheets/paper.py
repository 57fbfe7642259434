"""Lays out cards and boards on sheets of paper, as many as fit, with cut marks.

Lengths are in millimeters. Cards are edge to edge, so that one cut separates two of them. Cut marks are in the margins
only. Nothing is printed outside of the printable area.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from patolli.serve.studio.drawing.fonts import cut
from patolli.serve.studio.drawing.marks import INK, PALE, Drawing, Line, Stroke, shift_mark

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN = 6.0
"""The unprintable margin at each side."""
MARK = 4.0
"""The length of a cut mark, and the space for it around the cards."""
FOOT = 4.0
"""Space for the line at the foot of a sheet."""


@dataclass(frozen=True, slots=True)
class Paper:
    """The size of a sheet, and of the cards on it."""

    wide: float
    high: float
    card: tuple[float, float]

    @property
    def grid(self) -> tuple[int, int]:
        """The number of cards in a row and in a column; 0 if a card is larger than the paper."""
        wide, high = self.room
        return int((wide - 2 * MARK + 0.01) // self.card[0]), int((high - 2 * MARK + 0.01) // self.card[1])

    @property
    def room(self) -> tuple[float, float]:
        """The printable area above the foot."""
        return self.wide - 2 * MARGIN, self.high - 2 * MARGIN - FOOT


def card_sheets(paper: Paper, cards: Sequence[Drawing], foot: str) -> Iterator[Drawing]:
    """Yield the sheets of cards, in order."""
    across, down = paper.grid
    each = across * down
    for first in range(0, len(cards), each):
        yield _sheet(paper, cards[first : first + each], foot)


def _sheet(paper: Paper, cards: Sequence[Drawing], foot: str) -> Drawing:
    across, down = paper.grid
    wide, high = paper.card
    sheet = Drawing(paper.wide, paper.high)
    left = (paper.wide - across * wide) / 2
    top = (paper.high - FOOT - down * high) / 2
    rows = -(-len(cards) // across)
    columns = min(across, len(cards))
    for number, card in enumerate(cards):
        x, y = left + number % across * wide, top + number // across * high
        sheet.marks += [shift_mark(mark, x, y) for mark in card.marks]
    right, bottom = left + columns * wide, top + rows * high
    sheet.marks += _across(left, right, [top + n * high for n in range(rows + 1)])
    sheet.marks += _down(top, bottom, [left + n * wide for n in range(columns + 1)])
    _draw_footer(sheet, foot)
    return sheet


def _across(left: float, right: float, heights: Iterable[float]) -> Iterator[Stroke]:
    """Yield the marks at both ends of horizontal cuts."""
    for y in heights:
        yield Stroke(left - MARK, y, left - 0.6, y, INK, 0.15)
        yield Stroke(right + 0.6, y, right + MARK, y, INK, 0.15)


def _down(top: float, bottom: float, places: Iterable[float]) -> Iterator[Stroke]:
    """Yield the marks at both ends of vertical cuts."""
    for x in places:
        yield Stroke(x, top - MARK, x, top - 0.6, INK, 0.15)
        yield Stroke(x, bottom + 0.6, x, bottom + MARK, INK, 0.15)


def board_sheet(paper: Paper, board: Drawing, foot: str) -> Drawing:
    """Return a sheet with one board, centered horizontally."""
    sheet = Drawing(paper.wide, paper.high)
    x = (paper.wide - board.wide) / 2
    sheet.marks += [shift_mark(mark, x, MARGIN) for mark in board.marks]
    _draw_footer(sheet, foot)
    return sheet


def _draw_footer(sheet: Drawing, foot: str) -> None:
    room = sheet.wide - 2 * MARGIN
    sheet.marks.append(Line(MARGIN, sheet.high - MARGIN - 0.5, cut(foot, room, 6), 6, PALE))
