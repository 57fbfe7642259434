"""Write drawings as the pages of a PDF, by reportlab (an extra).

The same drawings give the same bytes: no date is in the file, and its identifier follows from what it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Any

from patolli.serve.studio.drawing.fonts import FILES, POINT
from patolli.serve.studio.drawing.marks import Area, Box, Dot, Drawing, Image, Line, Mark, Stroke
from patolli.serve.studio.drawing.vectors import picture_of

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

NAMES = {False: "DejaVuSans", True: "DejaVuSans-Bold"}


class NoPrinter(Exception):
    """What writes PDF is not installed."""


def pdf(pages: Iterable[Drawing], title: str, author: str = "", subject: str = "") -> bytes:
    """Return a document with a page of its size for each drawing. Raises NoPrinter: extra ``print`` is missing."""
    canvas, buffer = _canvas()
    canvas.setTitle(title)
    canvas.setAuthor(author)
    canvas.setSubject(subject)
    canvas.setCreator("Patolli")
    for page in pages:
        canvas.setPageSize((page.wide / POINT, page.high / POINT))
        for mark in page.marks:
            _draw(canvas, mark, page.high)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _canvas() -> tuple[Canvas, BytesIO]:
    try:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as error:
        words = "no sheet can be made: reportlab is missing; pip install 'patolli[print]' brings it"
        raise NoPrinter(words) from error
    known: Any = pdfmetrics.getRegisteredFontNames()
    for bold, name in NAMES.items():
        if name not in known:
            pdfmetrics.registerFont(TTFont(name, str(FILES[bold])))
    buffer = BytesIO()
    return Canvas(buffer, invariant=1, pageCompression=1, initialFontName=NAMES[False]), buffer


def _draw(canvas: Canvas, mark: Mark, high: float) -> None:
    """Draw one mark; PDF counts from the bottom, in points."""
    match mark:
        case Box():
            size = (mark.x / POINT, (high - mark.y - mark.high) / POINT, mark.wide / POINT, mark.high / POINT)
            paint = _choose_paint(canvas, mark)
            if mark.round:
                canvas.roundRect(*size, mark.round / POINT, **paint)
            else:
                canvas.rect(*size, **paint)
        case Dot():
            paint = _choose_paint(canvas, mark)
            canvas.circle(mark.x / POINT, (high - mark.y) / POINT, mark.radius / POINT, **paint)
        case Area():
            path = canvas.beginPath()
            (x, y), *more = mark.points
            path.moveTo(x / POINT, (high - y) / POINT)
            for x, y in more:
                path.lineTo(x / POINT, (high - y) / POINT)
            path.close()
            paint = _choose_paint(canvas, mark)
            canvas.drawPath(path, **paint)
        case Stroke():
            canvas.setStrokeColor(mark.colour)
            canvas.setLineWidth(mark.thick / POINT)
            canvas.line(mark.x / POINT, (high - mark.y) / POINT, mark.to_x / POINT, (high - mark.to_y) / POINT)
        case Image(type="image/svg+xml"):
            _picture(canvas, mark, high)
        case Image():
            from reportlab.lib.utils import ImageReader

            size = (mark.x / POINT, (high - mark.y - mark.high) / POINT, mark.wide / POINT, mark.high / POINT)
            canvas.drawImage(ImageReader(BytesIO(mark.data)), *size, mask="auto", preserveAspectRatio=True)
        case Line():
            canvas.setFillColor(mark.colour)
            canvas.setFont(NAMES[mark.bold], mark.size)
            canvas.drawString(mark.x / POINT, (high - mark.y) / POINT, mark.text)


def _picture(canvas: Canvas, mark: Image, high: float) -> None:
    """Draw the shapes of an SVG, as large as fits, in the middle of its place."""
    picture = picture_of(mark.data)
    scale = min(mark.wide / picture.wide, mark.high / picture.high) / POINT
    left = (mark.x + mark.wide / 2) / POINT - (picture.x + picture.wide / 2) * scale
    top = (high - mark.y - mark.high / 2) / POINT + (picture.y + picture.high / 2) * scale
    for shape in picture.shapes:
        path = canvas.beginPath()
        draw: dict[str, Any] = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
        for kind, points in shape.steps:
            draw[kind](*(one for x, y in points for one in (left + x * scale, top - y * scale)))
        canvas.saveState()
        canvas.setFillAlpha(shape.clear[0])
        canvas.setStrokeAlpha(shape.clear[1])
        canvas.setLineCap(shape.ends[0])
        canvas.setLineJoin(shape.ends[1])
        if shape.fill:
            canvas.setFillColor(shape.fill)
        if shape.edge:
            canvas.setStrokeColor(shape.edge)
            canvas.setLineWidth(shape.thick * scale)
        canvas.drawPath(path, fill=int(bool(shape.fill)), stroke=int(bool(shape.edge)), fillMode=int(not shape.odd))
        canvas.restoreState()


def _choose_paint(canvas: Canvas, mark: Box | Dot | Area) -> dict[str, int]:
    """Choose the colours of an area; return what reportlab is to fill and to draw."""
    if mark.fill:
        canvas.setFillColor(mark.fill)
    if mark.edge:
        canvas.setStrokeColor(mark.edge)
        canvas.setLineWidth(mark.thick / POINT)
    return {"fill": int(bool(mark.fill)), "stroke": int(bool(mark.edge))}
