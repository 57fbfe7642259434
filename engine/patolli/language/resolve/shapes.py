"""Grids and shapes as they are declared: names of cells, rows and columns, levels with half-cell offsets.

A plain grid has ``rows * columns`` cells, row by row; cell names are a letter for the column and a number for the row
counted from 1. A stack over a grid has levels 1..n; a place on level L covers a block of 2 x 2 cells, and level L + 1
lies half a block further in, so it has one row and one column less and rests on four places of the level below.
"""

from __future__ import annotations

from patolli.kernel.geometry import Cells
from patolli.language.resolve.model import Kind

Facts = dict[str, tuple[str, list[object]]]


def column_name(column: int) -> str:
    """Return ``a`` for 0, ``z`` for 25, ``aa`` for 26."""
    name = chr(97 + column % 26)
    return name if column < 26 else chr(96 + column // 26) + name


def cell_name(prefix: str, row: int, column: int) -> str:
    """Return the name of a cell: a letter for the column and a number for the row."""
    return f"{prefix}{column_name(column)}{row + 1}"


def grid_facts(grid: tuple[int, ...], prefix: str, base: Kind | None) -> tuple[list[str], Facts]:
    """Return names and ready-made facts of a grid, or of a stack over *base*."""
    rows, columns, levels = grid[:3]
    if base is not None and base.grid:
        return _stack(base, levels)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    names = [cell_name(prefix, r, c) for r, c in cells]
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


def parse_shape(rows: list[str]) -> Cells:
    """Return the cells of a drawing in which ``#`` stands for a cell, as row and column."""
    return tuple((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "#")
