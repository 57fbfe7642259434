"""What a drawing is made of. Lengths are millimeters, from the left and from the top; sizes of type are points.

A drawing is plain data, and everything in it lies inside its width and height. Who draws measures text with
:mod:`~patolli.serve.studio.drawing.fonts`, so a client that shows a drawing never breaks a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from patolli.serve.studio.drawing.fonts import POINT, width

INK, PALE, LINE = "#1c1b1a", "#5f5a54", "#b9b2a8"
"""Colours of text, of text beside it, and of thin lines."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners; without a colour it is not filled, without an edge it has no line."""

    x: float
    y: float
    wide: float
    high: float
    fill: str = ""
    edge: str = ""
    thick: float = 0.2
    round: float = 0.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A circle around a point."""

    x: float
    y: float
    radius: float
    fill: str = ""
    edge: str = ""
    thick: float = 0.2


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon, closed."""

    points: tuple[tuple[float, float], ...]
    fill: str = ""
    edge: str = ""
    thick: float = 0.2


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x: float
    y: float
    to_x: float
    to_y: float
    colour: str = LINE
    thick: float = 0.2


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text on its base line; ``x`` is its left end."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    bold: bool = False

    @property
    def wide(self) -> float:
        """How much room it takes."""
        return width(self.text, self.size, self.bold)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that a pack brings, as large as fits into a rectangle; ``type`` is the media type of its bytes."""

    x: float
    y: float
    wide: float
    high: float
    data: bytes
    type: str


Mark = Box | Dot | Area | Stroke | Line | Image


@dataclass(slots=True)
class Drawing:
    """A sheet of marks; the later ones lie on top. ``short`` says that some text had no room and was cut."""

    wide: float
    high: float
    marks: list[Mark] = field(default_factory=list)
    short: bool = False

    def write_centered(
        self, middle: float, y: float, text: str, size: float, colour: str = INK, bold: bool = False
    ) -> None:
        """Write a line around a middle."""
        self.marks.append(Line(middle - width(text, size, bold) / 2, y, text, size, colour, bold))

    def write_right_aligned(
        self, end: float, y: float, text: str, size: float, colour: str = INK, bold: bool = False
    ) -> None:
        """Write a line that ends somewhere."""
        self.marks.append(Line(end - width(text, size, bold), y, text, size, colour, bold))

    def texts(self) -> Iterator[str]:
        """Yield the lines of text in order."""
        return (mark.text for mark in self.marks if isinstance(mark, Line))


def bounds(mark: Mark) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom end of a mark; of text with room for what rises and hangs."""
    match mark:
        case Box() | Image():
            return mark.x, mark.y, mark.x + mark.wide, mark.y + mark.high
        case Dot():
            return mark.x - mark.radius, mark.y - mark.radius, mark.x + mark.radius, mark.y + mark.radius
        case Area():
            across, down = [x for x, _ in mark.points], [y for _, y in mark.points]
            return min(across), min(down), max(across), max(down)
        case Stroke():
            return min(mark.x, mark.to_x), min(mark.y, mark.to_y), max(mark.x, mark.to_x), max(mark.y, mark.to_y)
        case Line():
            return mark.x, mark.y - mark.size * POINT * 0.8, mark.x + mark.wide, mark.y + mark.size * POINT * 0.25


def shift_mark(mark: Mark, x: float, y: float) -> Mark:
    """Return a mark that lies so much further right and down."""
    match mark:
        case Box():
            return Box(mark.x + x, mark.y + y, mark.wide, mark.high, mark.fill, mark.edge, mark.thick, mark.round)
        case Dot():
            return Dot(mark.x + x, mark.y + y, mark.radius, mark.fill, mark.edge, mark.thick)
        case Area():
            return Area(tuple((a + x, b + y) for a, b in mark.points), mark.fill, mark.edge, mark.thick)
        case Stroke():
            return Stroke(mark.x + x, mark.y + y, mark.to_x + x, mark.to_y + y, mark.colour, mark.thick)
        case Image():
            return Image(mark.x + x, mark.y + y, mark.wide, mark.high, mark.data, mark.type)
        case Line():
            return Line(mark.x + x, mark.y + y, mark.text, mark.size, mark.colour, mark.bold)
