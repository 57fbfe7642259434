"""Options on a board: the cells that they cover, the cell that a person points to, and the board afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.text import Text

from patolli.check.analysis.panels import Panel
from patolli.language.program import types as ty
from patolli.play.scene.fields import Field, fields
from patolli.play.scene.hints import Hints
from patolli.play.terminal.canvas import Canvas
from patolli.play.terminal.flow import pad
from patolli.play.terminal.grids import Sign, signs
from patolli.play.terminal.screen import Screen
from patolli.run.runtime import Match, Option

FEW = 16
"""Options whose outcomes are compared; to look at more of them would take too long."""


@dataclass(slots=True)
class Targets:
    """The options of a decision that lie on one board.

    ``covered`` contains the names of the cells of each option by its index, ``at`` the options by the coordinate of
    their first cell. ``panel`` is the panel to draw, ``others`` are the options that lie on no board.
    """

    panel: Panel
    board: Field
    covered: dict[int, tuple[str, ...]]
    at: dict[str, list[Option]] = field(default_factory=dict)
    others: list[Option] = field(default_factory=list)
    compared: bool = False  # whether they name no cells, but differ in what becomes of the board
    pictures: dict[int, dict[str, Sign]] = field(default_factory=dict)  # if so: the board after each of them

    @property
    def anchors(self) -> frozenset[str]:
        """The names of the cells to which a person may point, or of those that may change."""
        every = self.covered.values()
        return self.board.find_cells(cell for cells in every for cell in (cells if self.compared else cells[:1]))

    def small(self, option: Option) -> list[Text]:
        """Return what becomes of those cells that may change, in lines; empty where options are not compared."""
        picture = self.pictures.get(option.index)
        if picture is None:
            return []
        seen = self.board.find_cells(cell for cells in self.covered.values() for cell in cells)
        spots = [(y, x) for y, row in enumerate(self.board.rows) for x, cell in enumerate(row) if cell.name in seen]
        down, columns = sorted({y for y, _ in spots}), sorted({x for _, x in spots})
        signs_ = [
            [picture[self.board.rows[y][x].name].text for x in range(columns[0], columns[-1] + 1)]
            for y in range(down[0], down[-1] + 1)
        ]
        wide = max(cell_len(sign.plain) for line in signs_ for sign in line)
        rows = [Text(" ").join(pad(sign, wide) for sign in line) for line in signs_]
        return rows[::-1] if self.panel.up else rows

    def options(self) -> list[Option]:
        """Return the options that lie on the board, by their coordinates."""
        return [option for options in self.at.values() for option in options]


def targets_of(screen: Screen, scene: Canvas, hints: Hints) -> Targets | None:
    """Return the options of a decision that lie on a board in a panel; None if there are fewer than two."""
    options = hints.decision.options
    covered = {option.index: cells for option in options if (cells := _covered_cells(scene, hints, option))}
    boards = [
        (panel, board)
        for panel in screen.panels.values()
        if panel.shows == "grid" and not panel.inside
        for board in fields(scene, panel).values()
    ]
    if len(covered) < 2:
        return _compare_outcomes(scene, hints, boards)
    for panel, board in boards:
        if all(cell in board.coordinates for cells in covered.values() for cell in cells):
            return _make_targets(panel, board, covered, options)
    return None


def _make_targets(
    panel: Panel, board: Field, covered: dict[int, tuple[str, ...]], options: Sequence[Option]
) -> Targets:
    targets = Targets(panel, board, covered)
    for option in options:
        if option.index in covered:
            targets.at.setdefault(board.coordinates[covered[option.index][0]], []).append(option)
        else:
            targets.others.append(option)
    return targets


def _compare_outcomes(scene: Canvas, hints: Hints, boards: list[tuple[Panel, Field]]) -> Targets | None:
    """Return all options where each changes several cells of one board, and not all in the same way.

    So the pieces for a place that was chosen before can be looked at there, and turned.
    """
    decision = hints.decision
    if decision.question.kind != "choose" or not 1 < len(decision.options) <= FEW:
        return None
    for panel, board in boards:
        before = signs(scene, board)
        covered: dict[int, tuple[str, ...]] = {}
        pictures = []
        for option in decision.options:
            outcome = _try_option(scene, board, hints, option)
            cells = _changed_cells(before, outcome[1]) if outcome is not None else ()
            if outcome is None or len(cells) < 2:
                break
            covered[option.index] = cells
            pictures.append(outcome[1])
        else:
            if any(picture != pictures[0] for picture in pictures):
                targets = _make_targets(panel, board, covered, decision.options)
                targets.compared = True
                targets.pictures = dict(zip(covered, pictures, strict=True))
                return targets
    return None


def _changed_cells(before: dict[str, Sign], after: dict[str, Sign]) -> tuple[str, ...]:
    """Return the cells that look different, but not where only the background does."""
    return tuple(
        name for name, sign in after.items() if sign.text != before[name].text and not (sign.bare and before[name].bare)
    )


def _try_option(scene: Canvas, board: Field, hints: Hints, option: Option) -> tuple[Match, dict[str, Sign]] | None:
    """Return a match after an option, and its board; None where the board depends on chance or on hidden pieces."""
    known = hints.after(option)
    guesses = [known] if known is not None else hints.imagine_after(option)
    pictures = [signs(Canvas(match, scene.seat), board) for match in guesses]
    if not pictures or any(picture != pictures[0] for picture in pictures):
        return None
    return guesses[0], pictures[0]


def _covered_cells(scene: Canvas, hints: Hints, option: Option) -> tuple[str, ...]:
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
    return tuple(names[cell] for cell in sorted(scene.match.program.fact(kind.name, "cells")[value]))


def preview(scene: Canvas, targets: Targets, hints: Hints, option: Option) -> Canvas | None:
    """Return the scene after an option, with its covered or changed cells marked; None for a single cell.

    If the board afterwards is random or depends on hidden pieces, return the current scene.
    """
    covered = targets.board.find_cells(targets.covered[option.index])
    outcome = _try_option(scene, targets.board, hints, option)
    if outcome is None:
        return Canvas(scene.match, scene.seat, covered)
    before = signs(scene, targets.board)
    changed = frozenset(_changed_cells(before, outcome[1]))
    # A cell that was pointed to on the way to a longer question has nothing on it yet.
    several = len(covered) > 1 or (changed and len(changed | covered) > 1)
    return Canvas(outcome[0], scene.seat, changed | covered) if several else None
