"""What stands around a ring or in columns, and where."""

from __future__ import annotations

from patolli.check.analysis.panels import Panel, find_link_fact
from patolli.play.scene.seat_scene import Scene


def things_around(scene: Scene, panel: Panel) -> tuple[str, list[str | None]]:
    """Return the kind of the things around a ring, and their names in order; None for an empty spot."""
    if panel.of in scene.model.places:
        return scene.place(panel.of).of, scene.pieces(panel.of)[0]
    return panel.of, list(scene.names(panel.of))


def things_in_columns(scene: Scene, panel: Panel) -> list[list[str]]:
    """Return the pieces of a kind in columns, by a number that they have."""
    at: dict[int, list[str]] = {}
    for name in scene.names(panel.of):
        at.setdefault(scene.number(panel.of, name, panel.by), []).append(name)
    return [at[number] for number in sorted(at)]


def places_at(scene: Scene, index: str, kind: str, name: str) -> list[str]:
    """Return the things of the kind *index* whose fact names the thing on the ring."""
    fact = find_link_fact(scene.model.kinds[index], kind)
    number = scene.names(kind).index(name)
    return [one for one in scene.names(index) if scene.number(index, one, fact) == number]


def edge(columns: int, rows: int) -> list[tuple[int, int]]:
    """Return the cells of a frame as (row, column), clockwise from the top left."""
    top = [(0, x) for x in range(columns)]
    right = [(y, columns - 1) for y in range(1, rows - 1)]
    bottom = [(rows - 1, x) for x in reversed(range(columns))] if rows > 1 else []
    left = [(y, 0) for y in reversed(range(1, rows - 1))] if columns > 1 else []
    return [*top, *right, *bottom, *left]


def cross(number: int) -> list[tuple[int, int]]:
    """Return the cells of a cross of four arms, two wide, clockwise; each arm begins in the center."""
    arm = (number // 4 - 1) // 2
    one = [(arm - n, arm) for n in range(arm + 1)] + [(n, arm + 1) for n in range(arm)]
    cells = []
    for _ in range(4):
        cells += one
        one = [(column, 2 * arm + 1 - row) for row, column in one]  # a quarter turn clockwise
    return cells
