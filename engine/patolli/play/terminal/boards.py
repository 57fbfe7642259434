"""Draw things as boxes or signs: around a ring, on a cross, in columns.

Each function takes a scene and a panel and returns something that rich can print, at most ``scene.width`` cells
wide where the content allows.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.panel import Panel as Box
from rich.table import Table
from rich.text import Text

from patolli.check.analysis.panels import Panel
from patolli.play.scene.rings import cross, edge, places_at, things_around, things_in_columns
from patolli.play.terminal.canvas import DIM, Canvas, ink
from patolli.play.terminal.flow import crowd, pad, wrap_text

BOX = 40
"""Cells of the widest box; wider ones would only hold blanks."""
COUNTED = 5
"""Of things around a ring that have numbers, every so many a free one shows its own, so that others can be found."""
SMALL = 12
"""Things around a ring that are drawn as boxes; more are drawn as single signs."""


# ---- rings


def ring(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw things around a circle, clockwise from the top left; or on a cross of four arms."""
    kind, names = things_around(scene, panel)
    if panel.shape == "cross" and len(names) % 8 == 4:
        return _draw_signs(scene, panel, kind, names, cross(len(names)))
    columns, rows = _loop(len(names))
    spots = edge(columns, rows)
    if len(names) > SMALL:
        return _draw_signs(scene, panel, kind, names, spots)
    return _draw_boxes(scene, panel, kind, dict(zip(spots, names, strict=False)), (columns, rows))


def _loop(number: int) -> tuple[int, int]:
    """Return columns and rows of the smallest frame with at least so many cells; wide rather than high."""
    half = (number + 5) // 2
    columns = (half + 1) // 2 if number <= SMALL else max(half // 2, half - 10)
    return columns, half - columns


def _draw_signs(
    scene: Canvas, panel: Panel, kind: str, names: list[str | None], spots: list[tuple[int, int]]
) -> RenderableType:
    """Draw one short sign for each thing: what lies on it, or its own sign."""
    marks = {spot: _draw_sign(scene, panel, kind, name) for spot, name in zip(spots, names, strict=False) if name}
    width = max(2, *(cell_len(mark.plain) + 1 for mark in marks.values()))
    high, wide = max(y for y, _ in spots) + 1, max(x for _, x in spots) + 1
    lines = []
    for y in range(high):
        lines.append(Text("").join(pad(marks.get((y, x), Text("")), width, "center") for x in range(wide)))
    return Group(*lines)


def _draw_sign(scene: Canvas, panel: Panel, kind: str, name: str) -> Text:
    for line in panel.rows:
        found = _describe_line(scene, kind, name, line)
        if found.plain.strip():
            return found
    number = name[len(name.rstrip("0123456789")) :]
    if number and int(number) % COUNTED == 0:
        return Text(number, DIM)
    return ink(scene.mark(kind, name)) if scene.symbol(kind, name) is not None else Text("·", DIM)


def _draw_boxes(
    scene: Canvas, panel: Panel, kind: str, names: dict[tuple[int, int], str | None], size: tuple[int, int]
) -> RenderableType:
    columns, rows = size
    width = min(scene.width // columns, BOX)
    inner = width - 4
    table = Table.grid(padding=0)
    for y in range(rows):
        shown = {x: _box_lines(scene, panel, kind, name, inner) for x in range(columns) if (name := names.get((y, x)))}
        height = max((len(lines) for lines in shown.values()), default=0)
        row: list[RenderableType] = []
        for x in range(columns):
            if x not in shown:
                row.append(Text(" " * width))
                continue
            title, lines = _split_title(_box_title(scene, panel, kind, names[y, x] or ""), shown[x], inner)
            lines += [Text("")] * (height - len(shown[x]))
            row.append(Box(Group(*lines), title=title, title_align="left", width=width, border_style=DIM))
        table.add_row(*row)
    return table


def _split_title(title: str, lines: list[Text], width: int) -> tuple[Text | None, list[Text]]:
    """Return what stands in the frame of a box and inside it: a title that is too long for the frame stands inside."""
    words = Text(title, "bold default")  # which the colour of the frame does not touch
    return (words, list(lines)) if cell_len(title) <= width else (None, [*wrap_text(words, width), *lines])


def columns(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw the pieces of a kind as boxes in columns, by a number that they have."""
    found = things_in_columns(scene, panel)
    spots = {(y, x): name for x, names in enumerate(found) for y, name in enumerate(names)}
    return _draw_boxes(scene, panel, panel.of, dict(spots), (len(found), max(map(len, found))))


def _box_title(scene: Canvas, panel: Panel, kind: str, name: str) -> str:
    """Return what stands above a box; in columns, which are narrow, the sign that others use to point there."""
    symbol = scene.symbol(kind, name)
    return symbol.sign if panel.shows == "columns" and symbol is not None and symbol.sign else scene.label(kind, name)


def _box_lines(scene: Canvas, panel: Panel, kind: str, name: str | None, width: int) -> list[Text]:
    shown = [_describe_line(scene, kind, name, line) for line in panel.rows] if name else []
    lines: list[Text] = []
    for text in shown:
        if text.plain.strip():
            lines.extend(wrap_text(text, width))
    return lines


def _describe_line(scene: Canvas, kind: str, name: str, line: str) -> Text:
    """Return what one line shows of a thing on a ring: pieces in a place, a counter, a fact or a field."""
    sign = scene.sign_of(line)
    before = Text.assemble(ink(sign), " ") if sign is not None else Text("")
    if line in scene.model.counters:
        return Text.assemble(before if before.plain else f"{scene.title(line)} ", str(scene.count(line, name)))
    if line not in scene.model.places:
        fact = ink(scene.fact(kind, name, line))
        return Text.assemble(before, fact) if fact.plain else fact
    place = scene.place(line)
    index = place.dims[0]
    places = [name] if index == kind else places_at(scene, index, kind, name)
    marks: list[Text] = []
    for one in places:
        found, hidden = scene.pieces(line, one)
        marks += [ink(scene.mark(place.of, piece)) for piece in found if piece is not None]
        marks += [Text(f"({hidden})", DIM)] if hidden else []
    return Text.assemble(before, crowd(marks)) if marks else Text("")
