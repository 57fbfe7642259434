"""Draws the card of a piece, for pages and printed sheets.

The caller sets the size of the card. The font shrinks until all texts fit. If even the smallest font is too large, the
generated sentences are dropped in favor of the author's text. Finally, lines are cut, and ``short`` is set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from patolli.language.sources.pictures import TYPES, read_picture
from patolli.serve.studio.drawing.colours import BANDS, COLOURS, PAPER, find_color, on
from patolli.serve.studio.drawing.fonts import POINT, broken, cut, width
from patolli.serve.studio.drawing.marks import INK, LINE, PALE, Box, Dot, Drawing, Image, Line, Stroke
from patolli.serve.studio.gallery.cards import Card, Face, Sign

WIDE, HIGH = 63.0, 88.0
"""A card of standard size, in millimeters."""
SMALLEST = 4.2
"""The smallest font size, in points, on cards of any size."""
SIZES = (13.0, 12.0, 11.0, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0)
"""Font sizes to try on a card of standard size."""
BIG = 24.0
"""Free millimeters that are needed to draw a large sign."""
RAISED = 0.32
"""The vertical position of a short text between head and foot of a card, from 0 to 1."""
SPACED = 1.3
"""The line height, in font sizes."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some text, with a pale label before it; ``small`` for less important text."""

    text: str
    label: str = ""
    small: bool = False
    bold: bool = False


def card_drawing(card: Card, face: Face | None = None, wide: float = WIDE, high: float = HIGH) -> Drawing:
    """Draw one card, with this face or its first one."""
    face = face or card.faces[0]
    return _Card(card, face, wide, high).draw_card()


class _Card:
    def __init__(self, card: Card, face: Face, wide: float, high: float) -> None:
        self.card, self.face = card, face
        self.scale = max(0.45, min(wide / WIDE, high / HIGH, 1.6))
        self.edge = 2.5 * self.scale
        self.drawing = Drawing(wide, high)
        self.room = wide - 2 * self.edge
        self.big = False  # whether the sign is large, and not in the head

    def draw_card(self) -> Drawing:
        """Return the whole card."""
        drawing = self.drawing
        self.big = self._has_room_for_sign()
        drawing.marks.append(Box(0.1, 0.1, drawing.wide - 0.2, drawing.high - 0.2, PAPER, LINE, 0.2, 2.5 * self.scale))
        top = self._head()
        bottom = drawing.high - self._foot()
        text, left = self._fit_text(bottom - top)
        top = self._looks(top, bottom - top - left if text else bottom - top, bool(text))
        free = bottom - top - left if text and not self.big and not self._has_picture else 0.0
        self._body(text, top + free * RAISED, bottom)
        return drawing

    @property
    def _has_picture(self) -> bool:
        return bool(self.face.picture or self.face.art)

    def _has_room_for_sign(self) -> bool:
        if not self.face.sign.text or self._has_picture:
            return False
        room = self.drawing.high - 24 * self.scale
        lines, high = self._fit_text(room)
        self.drawing.short = False
        return not lines or room - high > BIG * self.scale

    # -- the head

    def _head(self) -> float:
        """Draw name, kind and owner; return the y position below."""
        drawing, scale, face = self.drawing, self.scale, self.face
        badge = self._badge_wide()
        size, lines = self._name(self.room - 3 * scale - badge)
        high = (len(lines) * size * SPACED * POINT) + 3 * scale
        edge, band = 1.5 * scale, BANDS[self.card.order % len(BANDS)]
        drawing.marks.append(Box(edge, edge, drawing.wide - 2 * edge, high, band, "", 0, 1.8 * scale))
        for number, line in enumerate(lines):
            y = edge + 1.5 * scale + (number + 0.82) * size * SPACED * POINT
            drawing.marks.append(Line(self.edge + 0.5 * scale, y, line, size, PAPER, True))
        if badge:
            self._badge(
                drawing.wide - self.edge - badge / 2, edge + high / 2, badge, min(high - 1.5 * scale, 7 * scale)
            )
        y = edge + high + 3.2 * scale
        small = 5.5 * scale
        drawing.marks.append(Line(self.edge, y, cut(self.card.noun, self.room * 0.6, small), small, PALE))
        if face.owner >= 0:
            self._owner(y, small)
        return y + 1.6 * scale

    def _name(self, room: float) -> tuple[float, list[str]]:
        for size in (10.0, 9.0, 8.0, 7.0, 6.0):
            lines = broken(self.face.name, room, size * self.scale, True)
            if len(lines) <= (1 if size > 8 else 2):
                return size * self.scale, lines
        size = 5.5 * self.scale
        lines = broken(self.face.name, room, size, True)
        if len(lines) > 3:
            self.drawing.short = True
            lines = [*lines[:2], cut(" ".join(lines[2:]), room, size, True)]
        return size, lines

    def _badge_wide(self) -> float:
        """Return the width of the sign in the head; 0 if there is none there."""
        text = "" if self.big or self._in_picture() else self.face.sign.text
        return max(7.0, 3 + width(text, 10, True)) * self.scale if text else 0

    def _in_picture(self) -> bool:
        """Return whether the picture already shows the sign."""
        signs = "".join(sign.text for row in self.face.picture for sign in row)
        return bool(signs) and signs == self.face.sign.text.replace(" ", "")

    def _badge(self, x: float, y: float, wide: float, high: float) -> None:
        """Draw the sign of a piece on its color."""
        sign = self.face.sign
        fill = find_color(sign.colour, "#eeeae4")
        size = min(high * 0.62 / POINT, 40)
        size *= min(1.0, (wide - 1.5 * self.scale) / max(0.1, width(sign.text, size, True)))
        box = Box(x - wide / 2, y - high / 2, wide, high, fill, INK, 0.2, min(wide, high) / 4)
        self.drawing.marks.append(box)
        self.drawing.write_centered(x, y + size * POINT * 0.36, sign.text, size, on(fill), True)

    def _owner(self, y: float, small: float) -> None:
        """Draw the owner: the color of the seat, and its number in words."""
        text = f"player {self.face.owner + 1}"
        fill = find_color(self.face.colour, COLOURS["grey"])
        radius = 1.9 * self.scale
        end = self.drawing.wide - self.edge
        self.drawing.write_right_aligned(end, y, text, small, INK, True)
        x = end - width(text, small, True) - 1.6 * radius
        self.drawing.marks.append(Dot(x, y - small * POINT * 0.36, radius, fill, INK, 0.2))

    def _foot(self) -> float:
        """Draw the name of the pack; return its height."""
        size = 4.5 * self.scale
        y = self.drawing.high - 2 * self.scale
        self.drawing.marks.append(Line(self.edge, y, cut(self.card.module, self.room, size), size, PALE))
        return 2 * self.scale + size * POINT + 0.8 * self.scale

    # -- picture

    def _looks(self, top: float, room: float, text: bool) -> float:
        """Draw the picture, or the sign if there is no text; return the y position below."""
        rows = self.face.picture
        middle = self.drawing.wide / 2
        room = min(room, self.drawing.high * 0.55) if text else room
        if self.face.art is not None and room > 4 * self.scale:
            return self._art(self.face.art, top, room - 2 * self.scale)
        if rows and room > 4 * self.scale:
            used = self._picture(rows, middle, top, room - 2 * self.scale, text)
            return top + used + 2 * self.scale
        if self.big:
            size = min(self.room * 0.6, room * 0.7, 34 * self.scale) if not text else min(room - 4, 26 * self.scale)
            self._badge(middle, top + (room if not text else size + 2 * self.scale) / 2, size, size)
            return top + size + 3 * self.scale
        if not text and self.face.owner >= 0:
            self._token(middle, top + room / 2, min(self.room, room) * 0.3)
        return top

    def _art(self, file: Path, top: float, room: float) -> float:
        """Draw the picture of the pack; return the y position below."""
        data, wrong = read_picture(file)
        if wrong:
            return top
        self.drawing.marks.append(Image(self.edge, top, self.room, room, data, TYPES[file.suffix]))
        return top + room + 2 * self.scale

    def _token(self, x: float, y: float, radius: float) -> None:
        """Draw a piece that has only an owner: the color and number of the seat."""
        fill, text = find_color(self.face.colour, COLOURS["grey"]), str(self.face.owner + 1)
        size = radius / POINT
        self.drawing.marks.append(Dot(x, y, radius, fill, INK, 0.3))
        self.drawing.write_centered(x, y + size * POINT * 0.36, text, size, on(fill), True)

    def _picture(self, rows: tuple[tuple[Sign, ...], ...], middle: float, top: float, room: float, text: bool) -> float:
        across = max(map(len, rows))
        side = min(room / len(rows), self.room / across, 24 * self.scale)
        high = side * len(rows)
        if not text:
            top += (room - high) / 2
        for down, row in enumerate(rows):
            for right, sign in enumerate(row):
                x, y = middle + (right - across / 2) * side, top + down * side
                self._cell(sign, x, y, side)
        return high

    def _cell(self, sign: Sign, x: float, y: float, side: float) -> None:
        """Draw a cell of a shape, or a sign of a picture."""
        if self.face.shape:
            if sign.text == "#":
                self.drawing.marks.append(
                    Box(x, y, side, side, find_color(self.face.sign.colour, "#d9cfc1"), INK, 0.25)
                )
            return
        self.drawing.marks.append(Box(x, y, side, side, "#f6f2ec", LINE, 0.2))
        size = side * 0.62 / POINT
        size *= min(1.0, side * 0.85 / max(0.1, width(sign.text, size, True)))
        at = x + side / 2
        colour = find_color(sign.colour, INK)
        self._sign(sign.text, at, y + side / 2 + size * POINT * 0.36, size, colour)

    def _sign(self, text: str, x: float, y: float, size: float, colour: str) -> None:
        self.drawing.write_centered(x, y, text, size, INK if colour in (PAPER, COLOURS["yellow"]) else colour, True)

    # -- text

    def _paragraphs(self, sentences: bool = True) -> list[Paragraph]:
        """Return the texts of the card: cost, facts, the author's text, and generated sentences."""
        card, found = self.card, list[Paragraph]()
        costs = [
            Paragraph(" ".join(said).rstrip("."), label, bold=True) for label, said in card.does if label == "Cost"
        ]
        bare = not (card.text or card.does or self.face.sign.text or self.face.picture)
        name = f" {self.face.name.lower()} "
        named = {fact.label for fact in self.face.facts if f" {fact.said.lower()} " in name}  # the name says it
        shown = [fact for fact in self.face.facts if fact.shown or (bare and fact.label not in named)]
        facts = [Paragraph(part, fact.label) for fact in shown for part in fact.said.split("\n")]
        found += [*costs, *facts]
        found += [Paragraph(card.text)] if card.text else []
        if sentences or not card.text:
            known = card.text.strip(". ").lower()
            effects = [(label, said) for label, said in card.does if label != "Cost" and _plain(said) != known]
            only = len(effects) == 1
            found += [
                Paragraph("\n".join(said), "" if only else label, small=bool(card.text)) for label, said in effects
            ]
        return found

    def _fit_text(self, room: float) -> tuple[list[tuple[Line, ...]], float]:
        """Return the lines of the text, from y position 0, and their height."""
        most = room - (min(room * 0.35, 24 * self.scale) if self._has_picture else 0)
        for sentences, sizes in ((True, SIZES[:-3]), (False, SIZES)):
            for size in sizes:
                full = max(SMALLEST, size * self.scale)
                lines = list(self._set(self._paragraphs(sentences), full))
                high = lines[-1][0].y + full * POINT * 0.4 if lines else 0.0
                if high <= most:
                    return lines, high
        self.drawing.short = True
        kept = [line for line in lines if line[0].y + full * POINT * 0.4 <= most]
        if kept:
            last = kept[-1][-1]
            text = cut(f"{last.text} …", self.room, last.size, last.bold).removesuffix("…").rstrip()
            kept[-1] = (*kept[-1][:-1], Line(last.x, last.y, f"{text}…", last.size, last.colour, last.bold))
        return kept, most

    def _set(self, paragraphs: list[Paragraph], full: float) -> Iterator[tuple[Line, ...]]:
        """Yield the lines of paragraphs. The first line of a paragraph may start with a label."""
        y = 0.0
        for number, paragraph in enumerate(paragraphs):
            size = full * (0.85 if paragraph.small else 1)
            y += size * POINT * (0.45 if number else 0)
            label = f"{paragraph.label}: " if paragraph.label else ""
            colour = PALE if paragraph.small else INK
            for first, text in enumerate(broken(label + paragraph.text, self.room, size, paragraph.bold)):
                y += size * SPACED * POINT
                if first == 0 and label and text.startswith(label.strip()):
                    behind = text[len(label.strip()) :].lstrip()
                    start = self.edge + width(label, size, paragraph.bold)
                    head = Line(self.edge, y, label.strip(), size, PALE, paragraph.bold)
                    yield (head, Line(start, y, behind, size, colour, paragraph.bold)) if behind else (head,)
                else:
                    yield (Line(self.edge, y, text, size, colour, paragraph.bold),)

    def _body(self, lines: list[tuple[Line, ...]], top: float, bottom: float) -> None:
        """Add the lines of the text to the card."""
        if self._has_picture and lines:
            self.drawing.marks.append(Stroke(self.edge, top, self.drawing.wide - self.edge, top))
        for line in (part for parts in lines for part in parts):
            self.drawing.marks.append(Line(line.x, line.y + top, line.text, line.size, line.colour, line.bold))


def _plain(said: tuple[str, ...]) -> str:
    """Return sentences in the form for comparison with the author's text, to avoid repetition."""
    return " ".join(said).strip(". ").lower()
