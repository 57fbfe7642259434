"""The plan of a grid: which cell of a board stands at which row and column, and what people call it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from patolli.check.analysis.panels import Panel
from patolli.play.scene.seat_scene import Scene


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it is drawn: the panel that says how, and its name in views."""

    panel: Panel
    name: str


@dataclass(slots=True)
class Field:
    """The cells of one board in rows, each with the coordinate that people type.

    ``below`` holds the cells that lie under another board which is set in: what stands there can still be meant.
    """

    letters: list[str]
    rows: list[list[Cell]]
    below: list[list[str]]
    coordinates: dict[str, str] = field(default_factory=dict)
    drawn: dict[str, str] = field(default_factory=dict)  # the cell that is seen at a coordinate

    def __post_init__(self) -> None:
        """Note the coordinate of every cell."""
        for number, (row, names) in enumerate(zip(self.rows, self.below, strict=True), 1):
            for letter, cell, name in zip(self.letters, row, names, strict=True):
                self.coordinates[cell.name] = self.coordinates[name] = f"{letter}{number}"
                self.drawn[f"{letter}{number}"] = cell.name

    def find_cells(self, names: Iterable[str]) -> frozenset[str]:
        """Return the cells that are drawn where *names* lie."""
        return frozenset(self.drawn[self.coordinates[name]] for name in names)


def fields(scene: Scene, panel: Panel) -> dict[str, Field]:
    """Return the boards of a panel: one, or one for each player by name."""
    kind = scene.model.kinds[panel.of]
    if not kind.per_player:
        return {"": _make_field(scene, panel, "")}
    players = scene.names("player") if panel.who == "all" else scene.own
    return {player: _make_field(scene, panel, player) for player in players}


def _make_field(scene: Scene, panel: Panel, player: str) -> Field:
    names = [n for n in scene.names(panel.of) if not player or n.startswith(f"{player}.")]
    rows, columns = scene.model.kinds[panel.of].grid[:2]
    plain = [name.rpartition(".")[2] for name in names]
    start = _common_prefix(plain)
    cells = [[Cell(panel, name) for name in names[r * columns : (r + 1) * columns]] for r in range(rows)]
    for inner in scene.insets(panel.id):
        other = _make_field(scene, inner, player)
        first = plain.index(inner.at)
        for r, line in enumerate(other.rows[: rows - first // columns]):
            here = cells[first // columns + r]
            left = first % columns
            here[left : left + len(line)] = line[: columns - left]
    below = [names[r * columns : (r + 1) * columns] for r in range(rows)]
    return Field([name[len(start) :].rstrip("0123456789") for name in plain[:columns]], cells, below)


def _common_prefix(names: list[str]) -> str:
    """Return the prefix of the names of cells, which ends with an underscore."""
    start = names[0].rpartition("_")[0] + "_" if "_" in names[0] else ""
    return start if all(name.startswith(start) for name in names) else ""


def part_of_cell(scene: Scene, cell: Cell) -> int:
    """Return the part of the board to which a cell belongs; -1 without parts."""
    if not cell.panel.parts:
        return -1
    number = scene.number(cell.panel.of, cell.name, cell.panel.parts)
    return int(number)


def stacks_over(scene: Scene, panel: Panel) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the positions over a grid on which pieces lie: the place, the position, and its pieces."""
    for place in dict.fromkeys((panel.levels, *(panel.rows or (panel.show,)))):
        kind = scene.place(place).dims[0] if place in scene.model.places else panel.of
        for name in scene.names(kind) if kind != panel.of else ():
            if pieces := [piece for piece in scene.pieces(place, name)[0] if piece is not None]:
                yield place, name, pieces
