"""Options that lie on a board: which cells they take, where a person points to, and how the board looks afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patolli.analysis import types as ty
from patolli.terminal.grids import Field, fields, signs
from patolli.terminal.scene import Scene

if TYPE_CHECKING:
    from patolli.analysis.panels import Panel
    from patolli.runtime import Option
    from patolli.terminal.hints import Hints
    from patolli.terminal.screen import Screen


@dataclass(slots=True)
class Targets:
    """Those options of a decision that lie on one board.

    ``covered`` holds the names of the cells of each option by its index, ``at`` the options by the coordinate of the
    first of their cells; ``panel`` is the one to draw, ``others`` are the options that lie nowhere.
    """

    panel: Panel
    board: Field
    covered: dict[int, tuple[str, ...]]
    at: dict[str, list[Option]] = field(default_factory=dict)
    others: list[Option] = field(default_factory=list)

    @property
    def anchors(self) -> frozenset[str]:
        """The names of the cells to which a person may point."""
        return frozenset(cells[0] for cells in self.covered.values())

    def options(self) -> list[Option]:
        """Return the options that lie on the board, by their coordinates."""
        return [option for options in self.at.values() for option in options]


def targets_of(screen: Screen, scene: Scene, hints: Hints) -> Targets | None:
    """Return the options of a decision that lie on a board which a panel shows; None where fewer than two do."""
    options = hints.decision.options
    covered = {option.index: cells for option in options if (cells := _covered(scene, hints, option))}
    if len(covered) < 2:
        return None
    first = next(iter(covered.values()))[0]
    for panel in screen.panels.values():
        if panel.shows != "grid" or panel.inside:
            continue
        board = next((b for b in fields(scene, panel).values() if first in b.coordinates), None)
        if board is None or not all(cell in board.coordinates for cells in covered.values() for cell in cells):
            continue
        targets = Targets(panel, board, covered)
        for option in options:
            if option.index in covered:
                targets.at.setdefault(board.coordinates[covered[option.index][0]], []).append(option)
            else:
                targets.others.append(option)
        return targets
    return None


def _covered(scene: Scene, hints: Hints, option: Option) -> tuple[str, ...]:
    """Return the cells on which an option lies, the first in reading order first; none where it names no place."""
    values = [(ty.strip(type_), value) for type_, value in hints.values(option)]
    found = [
        (type_, value) for type_, value in values if isinstance(type_, ty.Ref) and scene.model.kinds[type_.kind].grid
    ]
    found += [
        (type_, value) for type_, value in values if isinstance(type_, ty.Ref) and scene.model.kinds[type_.kind].lays
    ]
    if option.anytime or len(values) != 1 or len(found) != 1 or not isinstance(found[0][1], int) or found[0][1] < 0:
        return ()
    type_, value = found[0]
    kind = scene.model.kinds[type_.kind]
    if not kind.over and not kind.lays:
        return (scene.names(kind.name)[value],)
    names = scene.names(kind.over or kind.lays)
    return tuple(names[cell] for cell in sorted(scene.match.program.space[f"F_{kind.name}_cells"][value]))


def preview(scene: Scene, targets: Targets, hints: Hints, option: Option) -> Scene | None:
    """Return the scene after an option, with the cells marked that it takes or changes; None for a single cell.

    Where the board afterwards depends on chance or on hidden pieces it is the scene as it is now.
    """
    covered = frozenset(targets.covered[option.index])
    before = signs(scene, targets.board)
    known = hints.after(option)
    scenes = [Scene(match, scene.seat) for match in ([known] if known is not None else hints.imagined(option))]
    boards = [signs(after, targets.board) for after in scenes]
    if not boards or any(board != boards[0] for board in boards):
        return Scene(scene.match, scene.seat, covered) if boards or len(covered) > 1 else None
    changed = frozenset(name for name, sign in boards[0].items() if sign != before[name])
    # A cell that was pointed to on the way to a longer question has nothing on it yet.
    scenes[0].marked = changed | covered
    return scenes[0] if len(covered) > 1 or len(changed) > 1 else None
