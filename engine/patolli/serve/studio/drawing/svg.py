"""Write a drawing as SVG, for pages.

Nothing in it needs a style sheet, so it may stand in a page that allows none inside. Every text is escaped, and has the
width for which the drawing was made, whatever typeface the reader has.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape

from patolli.serve.studio.drawing.fonts import FAMILY, POINT
from patolli.serve.studio.drawing.marks import Area, Box, Dot, Drawing, Image, Line, Mark, Stroke


def svg(drawing: Drawing, css: str = "drawing") -> str:
    """Return a drawing as one element; readers who hear a page get the same in words."""
    wide, high = _n(drawing.wide), _n(drawing.high)
    inside = "".join(map(_mark, drawing.marks))
    return (
        f'<svg class="{escape(css)}" viewBox="0 0 {wide} {high}" width="{wide}mm" '
        f'height="{high}mm" font-family="{FAMILY}, Verdana, sans-serif" aria-hidden="true">{inside}</svg>'
    )


def _mark(mark: Mark) -> str:
    match mark:
        case Box():
            size = f'width="{_n(mark.wide)}" height="{_n(mark.high)}"' + (
                f' rx="{_n(mark.round)}"' if mark.round else ""
            )
            return f'<rect x="{_n(mark.x)}" y="{_n(mark.y)}" {size} {_paint(mark)}/>'
        case Dot():
            return f'<circle cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.radius)}" {_paint(mark)}/>'
        case Area():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in mark.points)
            return f'<polygon points="{points}" {_paint(mark)}/>'
        case Stroke():
            ends = f'x1="{_n(mark.x)}" y1="{_n(mark.y)}" x2="{_n(mark.to_x)}" y2="{_n(mark.to_y)}"'
            return f'<line {ends} stroke="{mark.colour}" stroke-width="{_n(mark.thick)}"/>'
        case Image():
            place = f'x="{_n(mark.x)}" y="{_n(mark.y)}" width="{_n(mark.wide)}" height="{_n(mark.high)}"'
            return f'<image {place} href="data:{mark.type};base64,{b64encode(mark.data).decode("ascii")}"/>'
        case Line():
            return _text(mark)


def _text(line: Line) -> str:
    place = f'x="{_n(line.x)}" y="{_n(line.y)}" font-size="{_n(line.size * POINT)}" fill="{line.colour}"'
    place += ' font-weight="bold"' if line.bold else ""
    if len(line.text) > 1:  # one letter alone would be stretched where another typeface draws it
        place += f' textLength="{_n(line.wide)}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {place}>{escape(line.text)}</text>"


def _paint(mark: Box | Dot | Area) -> str:
    edge = f' stroke="{mark.edge}" stroke-width="{_n(mark.thick)}"' if mark.edge else ""
    return f'fill="{mark.fill or "none"}"{edge}'


def _n(number: float) -> str:
    """Write a length: hundredths of a millimeter are enough."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
