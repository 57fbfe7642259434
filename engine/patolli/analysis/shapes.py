"""The geometry of grids: names of cells, rows and columns, levels with half-cell offsets.

A plain grid has ``rows * columns`` cells, row by row; cell names are a letter for the column and a number for the row
counted from 1. A stack over a grid has levels 1..n; a place on level L covers a block of 2 x 2 cells, and level L + 1
lies half a block further in, so it has one row and one column less and rests on four places of the level below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patolli.analysis.model import Kind

Facts = dict[str, tuple[str, list[object]]]


def column_name(column: int) -> str:
    """Return ``a`` for 0, ``z`` for 25, ``aa`` for 26."""
    name = chr(97 + column % 26)
    return name if column < 26 else chr(96 + column // 26) + name


def grid_facts(shape: dict[str, Any], base: Kind | None) -> tuple[list[str], Facts]:
    """Return names and ready-made facts of a grid, or of a stack over *base*."""
    if base is not None and base.grid:
        return _stack(base, int(shape.get("levels", 1)))
    rows, columns = int(shape.get("rows", 1)), int(shape.get("columns", 1))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    prefix = str(shape.get("prefix", ""))
    names = [f"{prefix}{column_name(c)}{r + 1}" for r, c in cells]
    return names, {"row": ("int", [r for r, _ in cells]), "column": ("int", [c for _, c in cells])}


def _stack(base: Kind, levels: int) -> tuple[list[str], Facts]:
    rows, columns = base.grid[0] // 2, base.grid[1] // 2
    spots = [
        (level, r, c)
        for level in range(1, levels + 1)
        for r in range(rows - level + 1)
        for c in range(columns - level + 1)
    ]
    index = {spot: i for i, spot in enumerate(spots)}
    width = base.grid[1]
    cells, supports = [], []
    for level, r, c in spots:
        top, left = 2 * r + level - 1, 2 * c + level - 1
        square = [(top, left), (top, left + 1), (top + 1, left + 1), (top + 1, left)]
        cells.append(tuple(y * width + x for y, x in square))
        below = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
        supports.append(tuple(index[(level - 1, y, x)] for y, x in below) if level > 1 else ())
    names = [f"l{level}_r{r}_c{c}" for level, r, c in spots]
    return names, {
        "level": ("int", [s[0] for s in spots]),
        "row": ("int", [s[1] for s in spots]),
        "column": ("int", [s[2] for s in spots]),
        "cells": ("cells", list(cells)),
        "supports": ("supports", list(supports)),
    }


def shift(grid: tuple[int, ...], cell: int, rows: int, columns: int) -> int:
    """Return the cell *rows* down and *columns* to the right, or -1 outside the grid."""
    size = grid[0] * grid[1]
    first = cell // size * size  # every player may have a grid of this kind
    row, column = (cell - first) // grid[1] + rows, (cell - first) % grid[1] + columns
    return first + row * grid[1] + column if 0 <= row < grid[0] and 0 <= column < grid[1] else -1


def adjacent(grid: tuple[int, ...], cell: int) -> tuple[int, ...]:
    """Return the up to four cells that share an edge, from the top clockwise."""
    near = (shift(grid, cell, *step) for step in ((-1, 0), (0, 1), (1, 0), (0, -1)))
    return tuple(c for c in near if c >= 0)


def around(grid: tuple[int, ...], cell: int) -> tuple[int, ...]:
    """Return the up to eight cells that share an edge or a corner, from the top clockwise."""
    steps = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
    return tuple(c for c in (shift(grid, cell, *step) for step in steps) if c >= 0)


def ray(grid: tuple[int, ...], cell: int, rows: int, columns: int) -> tuple[int, ...]:
    """Return the cells from the next one on in a direction, up to the edge."""
    found: list[int] = []
    here = shift(grid, cell, rows, columns)
    while here >= 0 and (rows or columns):
        found.append(here)
        here = shift(grid, here, rows, columns)
    return tuple(found)


def lines(grid: tuple[int, ...], cell: int, length: int) -> tuple[tuple[int, ...], ...]:
    """Return the straight lines of *length* cells that contain *cell*."""
    found = []
    if length > max(grid[:2]):
        return ()
    for rows, columns in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for back in range(length):
            line = [shift(grid, cell, (i - back) * rows, (i - back) * columns) for i in range(length)]
            if min(line) >= 0:
                found.append(tuple(line))
    return tuple(dict.fromkeys(found))


Cells = tuple[tuple[int, int], ...]


def parse_shape(rows: list[str]) -> Cells:
    """Return the cells of a drawing in which ``#`` stands for a cell, as row and column."""
    return tuple((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "#")


def turns(cells: Cells) -> list[Cells]:
    """Return the distinct turns of a shape, then those of its mirror image, each moved to the corner and sorted."""
    found: dict[Cells, None] = {}
    for mirrored in (cells, tuple((r, -c) for r, c in cells)):
        here = mirrored
        for _ in range(4):
            top, left = min(r for r, _ in here), min(c for _, c in here)
            found[tuple(sorted((r - top, c - left) for r, c in here))] = None
            here = tuple((c, -r) for r, c in here)
    return list(found)


def placements(grid: tuple[int, ...], cells: Cells) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return every way to lay a shape on a grid: the top left cell of its frame, the turn, and the cells it covers."""
    found = []
    for turn, shape in enumerate(turns(cells)):
        height, width = max(r for r, _ in shape) + 1, max(c for _, c in shape) + 1
        for row in range(grid[0] - height + 1):
            for column in range(grid[1] - width + 1):
                covered = tuple((row + r) * grid[1] + column + c for r, c in shape)
                found.append((row * grid[1] + column, turn, covered))
    return found


def border(grid: tuple[int, ...], cells: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cells that share an edge with some of *cells* and are none of them, in order of number."""
    return tuple(sorted({near for cell in cells for near in adjacent(grid, cell)} - set(cells)))
