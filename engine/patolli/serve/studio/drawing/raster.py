"""Paint drawings as pictures of pixels, by Pillow, which the extra ``print`` brings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from patolli.serve.studio.drawing.fonts import FILES, POINT
from patolli.serve.studio.drawing.marks import Area, Box, Dot, Drawing, Image, Line, Mark, Stroke
from patolli.serve.studio.drawing.pdf import NoPrinter
from patolli.serve.studio.drawing.vectors import Step, picture_of

if TYPE_CHECKING:
    from PIL import Image as Pillow
    from PIL import ImageDraw
    from PIL.ImageFont import FreeTypeFont

FINER = 2
"""How many pixels are painted for one, in each direction, so that edges are smooth."""
CURVE = 16
"""Straight lines for one curve."""
Point = tuple[float, float]


def raster(drawing: Drawing, scale: float) -> Pillow.Image:
    """Return a drawing with so many pixels per millimeter. Raises NoPrinter: the extra ``print`` is missing."""
    try:
        from PIL import Image as Pillow
    except ImportError as error:
        words = "no picture can be made: Pillow is missing; pip install 'patolli[print]' brings it"
        raise NoPrinter(words) from error
    size = round(drawing.wide * scale), round(drawing.high * scale)
    picture = Pillow.new("RGB", (size[0] * FINER, size[1] * FINER), "#ffffff")
    painter = _Painter(picture, scale * FINER)
    for mark in drawing.marks:
        painter.paint(mark)
    return picture.reduce(FINER)


@cache
def _font(bold: bool, size: float) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(FILES[bold], size, layout_engine=ImageFont.Layout.BASIC)


class _Painter:
    """Paints marks on a picture with so many pixels per millimeter."""

    def __init__(self, picture: Pillow.Image, scale: float) -> None:
        from PIL import ImageDraw

        self.picture, self.scale = picture, scale
        self.draw: ImageDraw.ImageDraw = ImageDraw.Draw(picture)

    def paint(self, mark: Mark) -> None:
        """Paint one mark."""
        scale = self.scale
        match mark:
            case Box():
                box = (mark.x * scale, mark.y * scale, (mark.x + mark.wide) * scale, (mark.y + mark.high) * scale)
                self.draw.rounded_rectangle(
                    box, mark.round * scale, mark.fill or None, mark.edge or None, self._line(mark)
                )
            case Dot():
                middle = mark.x * scale, mark.y * scale
                self.draw.circle(middle, mark.radius * scale, mark.fill or None, mark.edge or None, self._line(mark))
            case Area():
                points = [(x * scale, y * scale) for x, y in mark.points]
                if mark.fill:
                    self.draw.polygon(points, mark.fill)
                if mark.edge:
                    self.draw.line([*points, points[0]], mark.edge, self._line(mark), joint="curve")
            case Stroke():
                ends = (mark.x * scale, mark.y * scale, mark.to_x * scale, mark.to_y * scale)
                self.draw.line(ends, mark.colour, self._line(mark))
            case Line():
                font = _font(mark.bold, mark.size * POINT * scale)
                self.draw.text((mark.x * scale, mark.y * scale), mark.text, mark.colour, font, anchor="ls")
            case Image(type="image/svg+xml"):
                self._paint_vectors(mark)
            case Image():
                self._paint_pixels(mark)

    def _line(self, mark: Box | Dot | Area | Stroke) -> int:
        return max(1, round(mark.thick * self.scale))

    def _paint_pixels(self, mark: Image) -> None:
        from PIL import Image as Pillow

        with Pillow.open(BytesIO(mark.data)) as file:
            image = file.convert("RGBA")
        factor = min(mark.wide * self.scale / image.width, mark.high * self.scale / image.height)
        image = image.resize((max(1, round(image.width * factor)), max(1, round(image.height * factor))))
        left = round((mark.x + mark.wide / 2) * self.scale - image.width / 2)
        top = round((mark.y + mark.high / 2) * self.scale - image.height / 2)
        self.picture.paste(image, (left, top), image)

    def _paint_vectors(self, mark: Image) -> None:
        """Paint the shapes of an SVG, as large as fits, in the middle of its place."""
        picture = picture_of(mark.data)
        factor = min(mark.wide / picture.wide, mark.high / picture.high) * self.scale
        corner = math.floor(mark.x * self.scale), math.floor(mark.y * self.scale)
        end = math.ceil((mark.x + mark.wide) * self.scale), math.ceil((mark.y + mark.high) * self.scale)
        left = (mark.x + mark.wide / 2) * self.scale - corner[0] - (picture.x + picture.wide / 2) * factor
        top = (mark.y + mark.high / 2) * self.scale - corner[1] - (picture.y + picture.high / 2) * factor
        place = self.picture.crop((*corner, *end))
        for shape in picture.shapes:
            parts = [[(left + x * factor, top + y * factor) for x, y in part] for part in flatten(shape.steps)]
            if shape.fill:
                _tint(place, _inside(parts, shape.odd, place.size), shape.fill, shape.clear[0])
            if shape.edge:
                thick = max(1, round(shape.thick * factor))
                _tint(place, _edge(parts, thick, place.size), shape.edge, shape.clear[1])
        self.picture.paste(place, corner)


def _inside(parts: Sequence[Sequence[Point]], odd: bool, size: tuple[int, int]) -> Pillow.Image:
    """Return where a shape is filled: a pixel counts for each part that has it inside."""
    from PIL import Image as Pillow
    from PIL import ImageChops, ImageDraw

    turns = Pillow.new("L", size, 128)
    for part in parts:
        one = Pillow.new("L", size)
        ImageDraw.Draw(one).polygon(part, 1)
        turns = ImageChops.add(turns, one) if odd or _is_clockwise(part) else ImageChops.subtract(turns, one)
    return turns.point([255 if (turn % 2 if odd else turn != 128) else 0 for turn in range(256)])


def _edge(parts: Sequence[Sequence[Point]], thick: int, size: tuple[int, int]) -> Pillow.Image:
    """Return where the lines of a shape are."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    edge = Pillow.new("L", size)
    for part in parts:
        ImageDraw.Draw(edge).line(part, 255, thick, joint="curve")
    return edge


def _tint(place: Pillow.Image, where: Pillow.Image, colour: str, clear: float) -> None:
    place.paste(colour, (0, 0, *place.size), where.point([round(one * clear) for one in range(256)]))


def flatten(steps: tuple[Step, ...]) -> list[list[Point]]:
    """Return the parts of an outline as straight lines; those of one point are left out."""
    parts: list[list[Point]] = []
    for kind, points in steps:
        if kind == "M":
            parts.append([points[0]])
        elif kind == "L":
            parts[-1].append(points[0])
        elif kind == "C":
            (a, b), (c, d), (e, f), (g, h) = parts[-1][-1], *points
            for n in range(1, CURVE + 1):
                t, u = n / CURVE, 1 - n / CURVE
                w = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
                parts[-1].append((w[0] * a + w[1] * c + w[2] * e + w[3] * g, w[0] * b + w[1] * d + w[2] * f + w[3] * h))
        else:
            parts[-1].append(parts[-1][0])
            parts.append([parts[-1][0]])  # the next part begins where this one did
    return [part for part in parts if len(part) > 1]


def _is_clockwise(part: Sequence[Point]) -> bool:
    return sum(a * d - b * c for (a, b), (c, d) in zip(part, [*part[1:], part[0]], strict=True)) > 0
