"""Grids: cells with their pieces, levels over them, and lines between them.

A board of a grid has ``owner``, ``title``, ``letters``, ``cells``, ``raised``, ``sides`` and ``spots``.
The ``cells`` are in reading order, each with its row and column from 0; ``up`` says whether row 0 is at the bottom.
``raised`` has the things that cover several cells, the lowest first. ``sides`` has the sides of cells on which
something lies, or which the open decision names: each with the cell's row and column, and its ``side`` from 0,
clockwise from the top. ``spots`` has empty stack positions that the open decision names.
"""

from __future__ import annotations

from typing import Any

from patolli.check.analysis.panels import Panel, find_side_facts
from patolli.kernel.geometry import hexagonal
from patolli.play.scene.fields import Cell, Field, fields, part_of_cell, stacks_over
from patolli.serve.studio.scene.sketch import Mark, Sketch, face_down, id_of, marks_text


def grid(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return the boards of a grid."""
    kind = sketch.eye.model.kinds[panel.of]
    boards = {player: field for player, field in fields(sketch.eye, panel).items() if not kind.per_player or player}
    every = [_board(sketch, panel, player, field) for player, field in boards.items()]
    art = {"art": f"panels/{panel.id}"} if panel.art else {}
    return {
        **art, "up": panel.up, "hex": hexagonal(kind.grid), "pattern": panel.pattern, "boards": every,
        "lines": _lines(sketch, panel),
    }  # fmt: skip


def _lines(sketch: Sketch, panel: Panel) -> list[list[list[int]]]:
    """Return the lines between cells, each as rows and columns."""
    if not panel.paths:
        return []
    constant = sketch.eye.match.program.constant(panel.paths)
    return [[_spot(sketch, panel.of, cell) for cell in line] for line in constant]


def _spot(sketch: Sketch, kind: str, cell: int) -> list[int]:
    name = sketch.eye.names(kind)[cell]
    return [sketch.eye.number(kind, name, "row"), sketch.eye.number(kind, name, "column")]


def _board(sketch: Sketch, panel: Panel, player: str, field: Field) -> dict[str, Any]:
    spots = {cell.name: (y, x) for y, row in enumerate(field.rows) for x, cell in enumerate(row)}
    below = {name: (y, x) for y, names in enumerate(field.below) for x, name in enumerate(names)}
    cells = [
        _cell(sketch, field, cell, other, (y, x))
        for y, (row, names) in enumerate(zip(field.rows, field.below, strict=True))
        for x, (cell, other) in enumerate(zip(row, names, strict=True))
    ]
    shown = {cell.panel.id: cell.panel for row in field.rows for cell in row}
    at = {**below, **spots}
    raised = [one for panel_ in shown.values() for one in _list_raised(sketch, panel_, at)]
    whose = sketch.whose("player", player) if player else {}
    return {
        **whose, "letters": field.letters, "rows": len(field.rows), "cells": cells,
        "raised": sorted(raised, key=lambda one: (one["level"], one["id"])),
        **({"sides": _list_sides(sketch, field)} if any(one.sides for one in shown.values()) else {}),
    }  # fmt: skip


def _cell(sketch: Sketch, field: Field, cell: Cell, below: str, at: tuple[int, int]) -> dict[str, Any]:
    kind = cell.panel.of
    layers = _layers(sketch, cell)
    called = sketch.eye.seat_names.vocabulary.wording.kinds
    own = sketch.eye.short(kind, cell.name) if kind in called and "." not in cell.name else ""
    coordinate = field.coordinates[cell.name]
    words = marks_text([mark for bare, found in layers for mark in found if not bare])
    found: dict[str, Any] = {
        "id": id_of(kind, cell.name), "row": at[0], "column": at[1],
        "says": f"{own or coordinate}: {words}" if words else own or coordinate,
    }  # fmt: skip
    ground = [mark for bare, part in layers for mark in part if bare]
    more = {
        "marks": [mark for bare, part in layers for mark in part if not bare], "name": own, "ground": ground,
        "inner": cell.panel.inside, "part": part_of_cell(sketch.eye, cell),
        "below": id_of(field_kind, below) if (field_kind := _kind_below(sketch, cell)) else "",
    }  # fmt: skip
    if ground and not words:
        found["says"] += f", {marks_text(ground)}"
    return found | {key: value for key, value in more.items() if value not in ("", [], -1)}


def _kind_below(sketch: Sketch, cell: Cell) -> str:
    """Return the kind of the cell below a cell of an inset; empty without one."""
    outer = sketch.panels.get(cell.panel.inside)
    return outer.of if outer is not None else ""


def _layers(sketch: Sketch, cell: Cell) -> list[tuple[bool, list[Mark]]]:
    """Return the marks of a cell by layer, and whether each is background: the first with content, and the last."""
    panel = cell.panel
    names = panel.rows or (panel.show,)
    behind = dict(panel.behind)
    found: list[tuple[bool, list[Mark]]] = []
    for number, layer in enumerate(names, 1):
        bare = 1 < len(names) == number
        if found and not bare:
            continue
        marks = _layer(sketch, panel, cell.name, layer)
        if marks and layer in behind:
            tags = sketch.draw_fact(panel.of, cell.name, behind[layer])
            marks = [*marks[:-1], _tag_mark(marks[-1], tags)] if tags else marks
        found += [(bare, marks)] if marks else []
    return found


def _tag_mark(mark: Mark, tags: list[Mark]) -> Mark:
    """Return a mark with a tag: a small picture of the first one, if both have an icon, or else signs."""
    if mark.get("icon") and tags[0].get("icon"):
        return {**mark, "badge": tags[0], "says": f"{marks_text([mark])}, {marks_text(tags)}"}
    sign = "".join(str(tag.get("sign") or tag.get("text", "")) for tag in tags)
    return {**mark, "tag": sign, "says": f"{marks_text([mark])}, {marks_text(tags)}"}


def _layer(sketch: Sketch, panel: Panel, name: str, layer: str) -> list[Mark]:
    if layer not in sketch.eye.model.places:
        return sketch.draw_fact(panel.of, name, layer)
    if sketch.eye.place(layer).dims[0] != panel.of:
        return []  # things over several cells are drawn separately
    found, hidden = sketch.list_marks(layer, name)
    marks = [mark for mark in found if mark is not None]
    return [*marks, *face_down(hidden)]


def _list_raised(sketch: Sketch, panel: Panel, at: dict[str, tuple[int, int]]) -> list[dict[str, Any]]:
    """Return the things in levels over a grid."""
    found = []
    for layer, name, pieces in stacks_over(sketch.eye, panel):
        place = sketch.eye.place(layer)
        kind, marks = place.dims[0], [sketch.piece(place.of, piece) for piece in pieces]
        if cells := _list_covered(sketch, panel.of, kind, name, at):
            one = {"id": id_of(kind, name), "level": sketch.eye.number(kind, name, "level"), "cells": cells}
            found.append({**one, "mark": marks[-1], "says": f"{sketch.says(kind, name)}: {marks_text(marks)}"})
    return found


def _list_covered(sketch: Sketch, grid_: str, kind: str, name: str, at: dict[str, tuple[int, int]]) -> list[list[int]]:
    """Return rows and columns of the cells below a stack position."""
    names = sketch.eye.names(grid_)
    cells = [names[cell] for cell in sketch.eye.number(kind, name, "cells")]
    return [list(at[cell]) for cell in cells if cell in at]


def _list_sides(sketch: Sketch, field: Field) -> list[dict[str, Any]]:
    """Return the sides of cells on which something lies, or which the open decision names."""
    found = []
    spots = {cell.name: (cell.panel, (y, x)) for y, row in enumerate(field.rows) for x, cell in enumerate(row)}
    for panel in {panel.id: panel for panel, _ in spots.values() if panel.sides}.values():
        kind = sketch.eye.place(panel.sides).dims[0]
        facts = find_side_facts(sketch.eye.model, kind, panel.of)
        if facts is None:
            continue
        cells, ways = (sketch.eye.match.program.fact(kind, fact) for fact in facts)
        order = sorted(set(ways))
        for number, name in enumerate(sketch.eye.names(kind)):
            shown, hidden = sketch.list_marks(panel.sides, name)
            marks = [*(mark for mark in shown if mark is not None), *face_down(hidden)]
            id_, cell = id_of(kind, name), sketch.eye.names(panel.of)[cells[number]]
            if cell in spots and (marks or id_ in sketch.named):
                words = ": ".join(part for part in (sketch.says(kind, name), marks_text(marks)) if part)
                row, column = spots[cell][1]
                where = {"row": row, "column": column, "side": order.index(ways[number])}
                found.append({"id": id_, **where, "marks": marks, "says": words})
    return found


def spots(sketch: Sketch, panel: Panel, field: Field, wanted: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Return the *wanted* stack positions over a grid (names by kind), with the cells below them."""
    at = {cell.name: (y, x) for y, row in enumerate(field.rows) for x, cell in enumerate(row)}
    shown = {cell.panel.of for row in field.rows for cell in row}
    found = []
    for kind, names in wanted.items():
        over = sketch.eye.model.kinds[kind].over
        for name in names if over in shown else ():
            if cells := _list_covered(sketch, over, kind, name, at):
                level = sketch.eye.number(kind, name, "level")
                found.append({"id": id_of(kind, name), "level": level, "cells": cells, "says": sketch.says(kind, name)})
    return sorted(found, key=lambda spot: (spot["level"], spot["id"]))
