"""Draw grids: cells with what lies on them, other grids set into them, lines between their parts, marked cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from patolli.check.analysis.panels import Panel
from patolli.kernel.geometry import hexagonal
from patolli.play.scene.fields import Cell, Field, fields, part_of_cell, stacks_over
from patolli.play.terminal.canvas import DIM, Canvas, ink
from patolli.play.terminal.flow import crowd, pad

LEFT = 3
"""Cells for the number of a row."""


def grid(scene: Canvas, panel: Panel) -> RenderableType:
    """Draw the cells of a grid, with letters for columns and numbers for rows."""
    boards = fields(scene, panel)
    drawn = {player: _board_lines(scene, panel, board) for player, board in boards.items()}
    if len(drawn) == 1:
        return Group(*next(iter(drawn.values())))
    return Group(*(line for line in _draw_side_by_side(scene, drawn)))


def _draw_side_by_side(scene: Canvas, drawn: dict[str, list[Text]]) -> Iterator[Text]:
    """Yield the boards of several players, side by side as far as there is room, each below whose it is."""
    boards = [[ink(scene.head(player)), *lines] for player, lines in drawn.items()]
    wide = max(cell_len(line.plain) for lines in boards for line in lines) + 3
    across = max(1, (scene.width + 3) // wide)
    for first in range(0, len(boards), across):
        row = boards[first : first + across]
        for n in range(max(map(len, row))):
            line = Text("").join(pad(lines[n] if n < len(lines) else Text(""), wide) for lines in row)
            line.rstrip()
            yield line


class Sign(NamedTuple):
    """What stands in a cell, and whether that is only the background: the last of several layers."""

    text: Text
    bare: bool


def signs(scene: Canvas, board: Field) -> dict[str, Sign]:
    """Return what stands in each cell of a board, by name."""
    cells = [cell for row in board.rows for cell in row]
    stacked = {panel.id: _stack_tops(scene, panel) for panel in {cell.panel.id: cell.panel for cell in cells}.values()}
    return {cell.name: _draw_cell(scene, cell, stacked[cell.panel.id].get(cell.name, (0, Text("")))) for cell in cells}


# ---- lines


def _board_lines(scene: Canvas, panel: Panel, board: Field) -> list[Text]:
    """Return the lines of one board."""
    cells = {name: sign.text for name, sign in signs(scene, board).items()}
    marked = scene.marked & set(cells)
    around = 2 if marked else 1
    divided = {x for row in board.rows for x in _find_borders(scene, row, row[1:])}
    width = max(1, *(cell_len(cell.plain) for cell in cells.values()))
    rows = (cell for row in board.rows for cell in row)
    width = max(
        [width, *(cell_len(scene.short(cell.panel.of, cell.name)) for cell in rows if _has_own_names(scene, cell))]
    )
    slant = 0
    if hexagonal(scene.model.kinds[panel.of].grid):
        width += (width + around) % 2
        slant = (width + around) // 2
    room = scene.width - LEFT - 2 * len(divided) - slant * (len(board.rows) - 1)
    across = max(1, room // (width + around))
    drawn: list[Text] = []
    for first in range(0, len(board.letters), across):
        columns = range(first, min(first + across, len(board.letters)))
        drawn += _slice_lines(scene, panel, board, cells, (columns, width, slant))
    return drawn


def _slice_lines(
    scene: Canvas, panel: Panel, board: Field, cells: dict[str, Text], size: tuple[range, int, int]
) -> list[Text]:
    """Return the lines of those columns of a board that stand side by side, each cell so wide.

    Each row lies so much further to the right than the one above it.
    """
    columns, width, slant = size
    marked = scene.marked & set(cells)
    around = 2 if marked else 1
    rows = [row[columns.start : columns.stop] for row in board.rows]
    divided = {x for row in rows for x in _find_borders(scene, row, row[1:])}

    def line(texts: list[Text], names: list[str], borders: set[int], divider: str) -> Text:
        parts: list[Text] = []
        for x, text in enumerate(texts):
            on = bool(names) and names[x] in marked
            cell = pad(text, width, "center")
            parts.append(_mark_cell(cell, on) if marked else Text.assemble(cell, " "))
            if x in divided:
                parts.append(Text((divider if x in borders else " ") + " " * (not marked), DIM))
        return Text("").join(parts)

    letters = [Text(letter, DIM) for letter in board.letters[columns.start : columns.stop]]
    head = Text.assemble(" " * LEFT, line(letters, [], set(), " "))
    drawn: list[Text] = []
    for number, row in enumerate(rows):
        names = [cell.name for cell in row]
        texts = [cells[name] for name in names]
        left = (" " * (slant * number) + f"{number + 1:>2} ", DIM)
        drawn.append(Text.assemble(left, line(texts, names, _find_borders(scene, row, row[1:]), "│")))
        if own := [Text(scene.short(cell.panel.of, cell.name), DIM) for cell in row if _has_own_names(scene, cell)]:
            drawn.append(Text.assemble(" " * (LEFT + slant * number), line(own, [], set(), " ")))
        below = rows[number + 1] if number + 1 < len(rows) else []
        under = _find_borders(scene, row, below) if not slant else set()  # a line that is straight would cut hexagons
        if under:
            level = _draw_level(under, len(row), width + around, divided, bool(marked))
            drawn.append(Text.assemble(" " * LEFT, level))
    drawn = [head, *drawn] if not panel.up else [*reversed(drawn), head]
    for text in drawn:
        text.rstrip()
    return drawn


def _has_own_names(scene: Canvas, cell: Cell) -> bool:
    """Return whether the packs call the cells of a grid by names of their own, not by letter and number."""
    kind = cell.panel.of
    return kind in scene.seat_names.vocabulary.wording.kinds and not scene.model.kinds[kind].per_player


def _mark_cell(cell: Text, on: bool) -> Text:
    return Text.assemble(("[", "bold green"), cell, ("]", "bold green")) if on else Text.assemble(" ", cell, " ")


def _find_borders(scene: Canvas, row: list[Cell], other: list[Cell]) -> set[int]:
    """Return the positions at which a cell of *row* and one of *other* lie in different parts of the board."""
    parts = [(part_of_cell(scene, one), part_of_cell(scene, two)) for one, two in zip(row, other, strict=False)]
    return {x for x, (one, two) in enumerate(parts) if -1 not in (one, two) and one != two}


def _draw_level(under: set[int], columns: int, box: int, divided: set[int], marked: bool) -> Text:
    """Return the line between two rows: drawn below the cells *under*, open elsewhere."""
    parts = []
    for x in range(columns):
        parts.append(("─" if x in under else " ") * box)
        if x in divided:
            sign = "┼" if {x, x + 1} & under else "│"
            parts.append(sign if marked else sign + ("─" if x + 1 in under else " "))
    return Text("".join(parts), DIM)


# ---- what stands in a cell


def _draw_cell(scene: Canvas, cell: Cell, top: tuple[int, Text]) -> Sign:
    panel = cell.panel
    layers = panel.rows or (panel.show,)
    marks = ((number, _draw_layer(scene, panel, cell.name, layer, top[1])) for number, layer in enumerate(layers, 1))
    number, mark = next(((n, mark) for n, mark in marks if mark.plain), (0, None))
    mark = _empty_sign(scene, panel) if mark is None else mark
    bare = 1 < len(layers) == number
    hidden = dict(panel.behind).get(layers[number - 1]) if number else None
    if hidden is not None:
        mark = Text.assemble(mark, ink(scene.fact(panel.of, cell.name, hidden)))
    if panel.levels and top[0]:
        mark = Text.assemble(mark, (str(top[0]), DIM))
    return Sign(mark, bare)


def _empty_sign(scene: Canvas, panel: Panel) -> Text:
    """Return the sign of a cell in which nothing lies; where a symbol has the same one, the legend explains it."""
    id_ = next((id_ for id_, symbol in scene.symbols.items() if symbol.sign == panel.empty and symbol.means), "")
    if id_:
        scene.sign_of(id_)
    return Text(panel.empty, DIM)


def _draw_layer(scene: Canvas, panel: Panel, name: str, layer: str, top: Text) -> Text:
    """Return what one layer shows in a cell: a field or fact, pieces in its place, or the top of a stack over it."""
    if layer not in scene.model.places:
        return ink(scene.fact(panel.of, name, layer))
    place = scene.place(layer)
    if place.dims[0] != panel.of:
        return top
    found, hidden = scene.pieces(layer, name)
    marks = [ink(scene.mark(place.of, piece)) for piece in found if piece is not None]
    return Text.assemble(crowd(marks, ""), "?" if hidden else "")


def _stack_tops(scene: Canvas, panel: Panel) -> dict[str, tuple[int, Text]]:
    """Return for each cell the highest level of a stack on which something lies, and the mark of what lies there."""
    found: dict[str, tuple[int, Text]] = {}
    cells = scene.names(panel.of)
    for layer, name, pieces in stacks_over(scene, panel):
        place = scene.place(layer)
        level = scene.number(place.dims[0], name, "level")
        for cell in scene.number(place.dims[0], name, "cells"):
            if level > found.get(cells[cell], (0, None))[0]:
                found[cells[cell]] = (level, ink(scene.mark(place.of, pieces[-1])))
    return found
