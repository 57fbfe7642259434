"""Draws boards, for pages and printed sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import cos, pi, sin
from typing import Any

from patolli.play.scene.rings import cross, edge
from patolli.serve.studio.drawing.colours import PAPER, find_color
from patolli.serve.studio.drawing.fonts import POINT, broken, cut, width
from patolli.serve.studio.drawing.marks import INK, LINE, PALE, Area, Box, Dot, Drawing, Line, Stroke
from patolli.serve.studio.gallery.boards import Board

EDGE = 8.0
"""Space for letters and numbers beside the cells, in millimeters."""
LARGEST = 28.0
"""The side of the largest cell."""
Spot = Callable[[int, int], tuple[float, float]]
"""Returns the left and top position of the cell in a row and column."""
SHADES = ("#f4ede1", "#d9c7a8")
"""Colors of cells, light and dark."""
STEP = 12.0
"""The side of a step of a track."""


def board_drawing(board: Board, wide: float, high: float, titled: bool = True) -> Drawing:
    """Draw a board below its title, as large as possible. The drawing has no empty space below."""
    drawing = Drawing(wide, high)
    top = _title(drawing, board) if titled else 1.0
    draw = {"grid": _grid, "ring": _ring, "track": _track}[board.shows]
    drawing.high = min(high, draw(drawing, board.data, top) + 1)
    return drawing


def _title(drawing: Drawing, board: Board) -> float:
    """Write title and note; return the y position below."""
    drawing.marks.append(Line(0, 5, cut(board.title, drawing.wide, 13, True), 13, INK, True))
    top = 7.0
    for line in broken(board.note, drawing.wide, 7.5)[:3] if board.note else ():
        top += 3.5
        drawing.marks.append(Line(0, top, line, 7.5, PALE))
    return top + 3


# ---- grids


def _grid(drawing: Drawing, data: dict[str, Any], top: float) -> float:
    board = data["boards"][0]
    rows, columns = board["rows"], len(board["letters"])
    if data["pattern"] == "wedges":
        return _wedges(drawing, board, rows, columns, top)
    if data["hex"]:
        return _hexes(drawing, data, board, top)
    side = min((drawing.wide - EDGE) / columns, (drawing.high - top - EDGE) / rows, LARGEST)
    spot = _spots(data, rows, side, EDGE, top + EDGE * 0.6)
    pattern = data["pattern"]
    for cell in board["cells"]:
        x, y = spot(cell["row"], cell["column"])
        _square(drawing, cell, x, y, side, pattern)
    if pattern == "lines":
        _crossing(drawing, spot, rows, columns, side)
    for line in data["lines"]:
        _path(drawing, [spot(row, column) for row, column in line], side)
    for cell in board["cells"]:
        _signs(drawing, cell, *spot(cell["row"], cell["column"]), side, pattern)
    _borders(drawing, board["cells"], spot, side)
    _around(drawing, board["letters"], rows, spot, side)
    return float(top + EDGE * 0.6 + rows * side + 1)


def _wedges(drawing: Drawing, board: dict[str, Any], rows: int, columns: int, top: float) -> float:
    """Draw long wedges, in the first row from the top, in the last from the bottom."""
    wide = min(drawing.wide / columns, LARGEST)
    high = min(wide * 5, (drawing.high - top - 8) / rows)
    for cell in board["cells"]:
        x, y = cell["column"] * wide, top + 3 + cell["row"] * high
        base, peak = (y, y + high * 0.92) if cell["row"] < rows / 2 else (y + high, y + high * 0.08)
        shade = SHADES[(cell["row"] + cell["column"]) % 2]
        drawing.marks.append(Area(((x + 0.4, base), (x + wide - 0.4, base), (x + wide / 2, peak)), shade, INK, 0.25))
        name = str(cell.get("name", ""))
        drawing.write_centered(x + wide / 2, base - 0.8 if base < peak else base + 2.6, cut(name, wide, 6.5), 6.5, PALE)
    return top + 3 + rows * high + 3


def _spots(data: dict[str, Any], rows: int, side: float, left: float, top: float) -> Spot:
    """Return a function for the left and top position of a cell."""

    def spot(row: int, column: int) -> tuple[float, float]:
        down = rows - 1 - row if data["up"] else row
        return left + column * side, top + down * side

    return spot


def _square(drawing: Drawing, cell: dict[str, Any], x: float, y: float, side: float, pattern: str) -> None:
    if pattern in ("lines", "points"):
        return
    dark = pattern == "checkered" and (cell["row"] + cell["column"]) % 2 == 0
    drawing.marks.append(Box(x, y, side, side, SHADES[dark], LINE, 0.2))


def _crossing(drawing: Drawing, spot: Spot, rows: int, columns: int, side: float) -> None:
    """Draw the lines of a board whose pieces stand on crossings."""
    for row in range(rows):
        (x, y), (end, _) = spot(row, 0), spot(row, columns - 1)
        drawing.marks.append(Stroke(x + side / 2, y + side / 2, end + side / 2, y + side / 2, INK, 0.25))
    for column in range(columns):
        (x, y), (_, end) = spot(0, column), spot(rows - 1, column)
        drawing.marks.append(Stroke(x + side / 2, y + side / 2, x + side / 2, end + side / 2, INK, 0.25))


def _path(drawing: Drawing, spots: list[tuple[float, float]], side: float) -> None:
    for (x, y), (to_x, to_y) in pairwise(spots):
        drawing.marks.append(Stroke(x + side / 2, y + side / 2, to_x + side / 2, to_y + side / 2, INK, 0.4))


def _signs(drawing: Drawing, cell: dict[str, Any], x: float, y: float, side: float, pattern: str) -> None:
    """Write the content of a cell, and its name if it has one."""
    marks = [*cell.get("ground", ()), *cell.get("marks", ())]
    if marks and pattern == "points":
        drawing.marks.append(Dot(x + side / 2, y + side / 2, side * 0.12, INK, "", 0))
        return
    text = " ".join(str(mark.get("sign") or mark.get("text", "")) for mark in marks).strip()
    if text:
        size = min(side * 0.42 / POINT, 24)
        size *= min(1.0, side * 0.9 / max(0.1, width(text, size, True)))
        colour = find_color(str(marks[0].get("colour", "")), INK)
        colour = INK if colour in (PAPER, find_color("yellow")) else colour
        drawing.write_centered(x + side / 2, y + side / 2 + size * POINT * 0.36, text, size, colour, True)
    if cell.get("name"):
        size = min(6.0, side * 0.2 / POINT)
        drawing.write_centered(x + side / 2, y + side - 1, cut(cell["name"], side - 1, size), size, PALE)


def _borders(drawing: Drawing, cells: list[dict[str, Any]], spot: Spot, side: float) -> None:
    """Draw thick lines between the parts of a board."""
    parts = {(cell["row"], cell["column"]): cell["part"] for cell in cells if "part" in cell}
    for (row, column), part in parts.items():
        x, y = spot(row, column)
        other = spot(row + 1, column)[1]
        line = max(y, other)
        if parts.get((row, column + 1), part) != part:
            drawing.marks.append(Stroke(x + side, y, x + side, y + side, INK, 0.7))
        if parts.get((row + 1, column), part) != part:
            drawing.marks.append(Stroke(x, line, x + side, line, INK, 0.7))


def _around(drawing: Drawing, letters: list[str], rows: int, spot: Spot, side: float) -> None:
    """Write the letters of columns above the cells, and the numbers of rows before them."""
    size = min(8.0, side * 0.5 / POINT)
    top = min(spot(0, 0)[1], spot(rows - 1, 0)[1]) - 1.2
    for column, letter in enumerate(letters):
        drawing.write_centered(spot(0, column)[0] + side / 2, top, letter, size, PALE)
    for row in range(rows):
        x, y = spot(row, 0)
        drawing.write_right_aligned(x - 1.2, y + side / 2 + size * POINT * 0.36, str(row + 1), size, PALE)


def _hexes(drawing: Drawing, data: dict[str, Any], board: dict[str, Any], top: float) -> float:
    """Draw hexagons with a corner at the top. Each row is shifted by half a cell to the right."""
    rows, columns = board["rows"], len(board["letters"])
    side = min(
        (drawing.wide - EDGE) / (columns + (rows - 1) / 2),
        (drawing.high - top - EDGE) / ((rows - 1) * 0.866 + 1.155),
        LARGEST,
    )
    radius = side / 3**0.5
    top += EDGE * 0.6
    for cell in board["cells"]:
        down = rows - 1 - cell["row"] if data["up"] else cell["row"]
        x = EDGE + (cell["column"] + cell["row"] / 2 + 0.5) * side
        y = top + radius + down * side * 0.866
        corners = tuple((x + radius * sin(pi / 3 * n), y - radius * cos(pi / 3 * n)) for n in range(6))
        drawing.marks.append(Area(corners, SHADES[0], INK, 0.25))
        _signs(drawing, cell, x - side / 2, y - side / 2, side, "plain")
        if cell["column"] == 0:
            drawing.write_right_aligned(x - side / 2 - 1, y + 1, str(cell["row"] + 1), 7, PALE)
        if cell["row"] == 0:
            drawing.write_centered(
                x, y - radius - 0.8 if not data["up"] else y + radius + 3, board["letters"][cell["column"]], 7, PALE
            )
    return float(top + (rows - 1) * side * 0.866 + 2 * radius + (4 if data["up"] else 0))


# ---- circles


def _ring(drawing: Drawing, data: dict[str, Any], top: float) -> float:
    boxes = data["boxes"]
    spots, rows, columns = _circle(len(boxes), data["shape"])
    wide = min(drawing.wide / columns, 46.0)
    high = min((drawing.high - top - 1) / rows, wide)
    wide = min(wide, high * 1.6)
    for box, (row, column) in zip(boxes, spots, strict=False):
        x, y = column * wide, top + row * high
        drawing.marks.append(Box(x + 0.3, y + 0.3, wide - 0.6, high - 0.6, SHADES[0], INK, 0.25, 1))
        for line in _title_lines(box or {}, x, y, wide, high):
            drawing.marks.append(line)
    return top + rows * high


def _title_lines(box: dict[str, Any], x: float, y: float, wide: float, high: float) -> Iterator[Line]:
    """Yield the lines of the title of a box; of a small box, only its number."""
    text = str(box.get("number", "")) if wide < 14 else str(box.get("title", ""))
    size = min(9.0, high * 0.3 / POINT)
    while size > 4 and len(broken(text, wide - 2, size)) * size * 1.2 * POINT > high - 2:
        size -= 0.5
    for number, line in enumerate(broken(text, wide - 2, size)):
        base = y + 1 + (number + 0.9) * size * 1.2 * POINT
        if base < y + high - 0.5:
            yield Line(x + (wide - width(line, size)) / 2, base, line, size, INK)


def _circle(number: int, shape: str) -> tuple[list[tuple[int, int]], int, int]:
    """Return positions around a circle, clockwise from the top left, with the number of rows and columns."""
    if shape == "cross" and number % 8 == 4:
        spots = cross(number)
    else:
        half = (number + 5) // 2
        columns = (half + 1) // 2 if number <= 12 else max(2, half * 2 // 5)
        spots = edge(columns, max(2, half - columns))
    return spots, max(row for row, _ in spots) + 1, max(column for _, column in spots) + 1


# ---- tracks


def _track(drawing: Drawing, data: dict[str, Any], top: float) -> float:
    """Draw steps in rows, for each line of the track. Steps with something beside them are darker."""
    number, lines = data["last"] + 1, data["lines"]
    titles = sum(6 for line in lines if line["title"]) + 3 * len(lines) + 1
    side = STEP
    while (
        side > 2 and top + titles + len(lines) * -(-number // max(1, int(drawing.wide // side))) * side > drawing.high
    ):
        side *= 0.9
    across = max(1, int(drawing.wide // side))
    for line in data["lines"]:
        if line["title"]:
            drawing.marks.append(Line(0, top + 4, cut(line["title"], drawing.wide, 9, True), 9, INK, True))
            top += 6
        beside = {one["step"] for one in line["beside"]}
        for step in range(data["last"] + 1):
            x, y = step % across * side, top + step // across * side
            drawing.marks.append(Box(x + 0.4, y + 0.4, side - 0.8, side - 0.8, SHADES[step in beside], INK, 0.25, 1))
            drawing.write_centered(x + side / 2, y + side * 0.6, str(step), 9 * side / STEP)
        top += (data["last"] // across + 1) * side + 3
    return top
