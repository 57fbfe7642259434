"""The geometry of grids: cells by direction, lines, and the ways to lay a shape.

A grid is given as its numbers of rows, columns and levels, and 1 behind them where its cells are hexagons; cells count
row by row, one player's grid after another's. Of hexagons each row lies half a cell further to the right than the one
above it: beside a cell are those left and right of it, the one above and the one right of that, the one below and the
one left of that. A direction is so many rows and columns, as it is for squares.
"""

from __future__ import annotations

from functools import lru_cache

from patolli.kernel.budget import tick
from patolli.kernel.library import library

EDGES = ((-1, 0), (0, 1), (1, 0), (0, -1))
AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
HEXAGON = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
AXES = ((0, 1), (1, 0), (1, 1), (1, -1))
HEXAGON_AXES = ((0, 1), (1, 0), (1, -1))
"""Steps to what lies beside a cell, from the top clockwise, and the ways that lines go."""
Cells = tuple[tuple[int, int], ...]


def hexagonal(grid: tuple[int, ...]) -> bool:
    """Return whether the cells of a grid are hexagons."""
    return grid[3:] == (1,)


@library(4)
def cell_at(grid: tuple[int, ...], row: int, column: int) -> int:
    """Return the cell in a row and column, or -1."""
    return row * grid[1] + column if 0 <= row < grid[0] and 0 <= column < grid[1] else -1


@library(3)
def moved_on(cell: int, offset: int) -> int:
    """Return the same cell of another player's grid; none stays none."""
    return cell + offset if cell >= 0 else -1


def shift(grid: tuple[int, ...], cell: int, rows: int, columns: int) -> int:
    """Return the cell *rows* down and *columns* to the right, or -1 outside the grid."""
    size = grid[0] * grid[1]
    first = cell // size * size  # every player may have a grid of this kind
    row, column = (cell - first) // grid[1] + rows, (cell - first) % grid[1] + columns
    return first + row * grid[1] + column if 0 <= row < grid[0] and 0 <= column < grid[1] else -1


@lru_cache(10_000)
def adjacent(grid: tuple[int, ...], cell: int) -> tuple[int, ...]:
    """Return the up to four cells that share an edge, of hexagons six, from the top clockwise."""
    near = (shift(grid, cell, *step) for step in (HEXAGON if hexagonal(grid) else EDGES))
    return tuple(c for c in near if c >= 0)


def around(grid: tuple[int, ...], cell: int) -> tuple[int, ...]:
    """Return the up to eight cells that share an edge or a corner, from the top clockwise; of hexagons six."""
    steps = HEXAGON if hexagonal(grid) else AROUND
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
    for rows, columns in HEXAGON_AXES if hexagonal(grid) else AXES:
        for back in range(length):
            line = [shift(grid, cell, (i - back) * rows, (i - back) * columns) for i in range(length)]
            if min(line) >= 0:
                found.append(tuple(line))
    return tuple(dict.fromkeys(found))


def drawn_ray(grid: tuple[int, ...], cell: int, rows: int, columns: int) -> tuple[int, ...]:
    """Return a ray, while a match runs."""
    tick(max(grid[:2]) * 20 + 20)
    return ray(grid, cell, rows, columns)


def drawn_lines(grid: tuple[int, ...], cell: int, length: int) -> tuple[tuple[int, ...], ...]:
    """Return lines, while a match runs; each begins in up to as many cells as it is long."""
    long = max(0, min(length, max(grid[:2])))
    tick(long * long * 80 + 80)
    return lines(grid, cell, length)


def turns(cells: Cells, hexagons: bool = False) -> list[Cells]:
    """Return the distinct turns of a shape, then those of its mirror image, each moved to the corner and sorted."""
    found: dict[Cells, None] = {}
    for mirrored in (cells, tuple((c, r) if hexagons else (r, -c) for r, c in cells)):
        here = mirrored
        for _ in range(6 if hexagons else 4):
            top, left = min(r for r, _ in here), min(c for _, c in here)
            found[tuple(sorted((r - top, c - left) for r, c in here))] = None
            here = tuple((r + c, -r) if hexagons else (c, -r) for r, c in here)
    return list(found)


def placements(grid: tuple[int, ...], cells: Cells) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return every way to lay a shape on a grid: the top left cell of its frame, the turn, and the cells it covers."""
    found = []
    for turn, shape in enumerate(turns(cells, hexagonal(grid))):
        height, width = max(r for r, _ in shape) + 1, max(c for _, c in shape) + 1
        for row in range(grid[0] - height + 1):
            for column in range(grid[1] - width + 1):
                covered = tuple((row + r) * grid[1] + column + c for r, c in shape)
                found.append((row * grid[1] + column, turn, covered))
    return found
