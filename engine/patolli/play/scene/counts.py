"""What is counted: markers on steps, amounts in tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from patolli.check.analysis.panels import Limit, Panel
from patolli.language.program import types as ty
from patolli.play.scene.seat_scene import Scene


class TrackLine(NamedTuple):
    """One line of a track.

    ``kind`` and ``thing`` say for what it counts, if for anything but players. Each marker is a step and the player
    that it stands for, or the counter, if all share it.
    """

    title: str
    kind: str
    thing: str
    markers: list[tuple[int, str]]


def last_step(scene: Scene, panel: Panel) -> int:
    """Return the last step of a track, or a later one on which a marker stands."""
    last = panel.to or max(scene.layout.limits[name] or 0 for name in panel.rows)
    return max([last, *(step for line in track_lines(scene, panel) for step, _ in line.markers)])


def limit_value(scene: Scene, limit: Limit) -> int:
    """Return the value of a counter at which the match ends, with the options of the match."""
    return limit.at if isinstance(limit.at, int) else scene.model.chosen.get(limit.at, 0)


def track_lines(scene: Scene, panel: Panel) -> Iterator[TrackLine]:
    """Yield the lines of a track: one for all counters of the table, and one for each thing for which others count."""
    shared = [(name, scene.count(name)) for name in panel.rows if not scene.counter(name).dims]
    if shared:
        yield TrackLine("", "", "", [(value, name) for name, value in shared if value is not None])
    for name in panel.rows:
        dims = scene.counter(name).dims
        if len(dims) == 1:
            yield TrackLine(scene.title(name) if len(panel.rows) > 1 else "", "", "", _markers_of(scene, name))
        for thing in scene.names(dims[1]) if len(dims) == 2 else ():
            yield TrackLine(scene.label(dims[1], thing), dims[1], thing, _markers_of(scene, name, thing))


def _markers_of(scene: Scene, name: str, *index: str) -> list[tuple[int, str]]:
    values = [(scene.count(name, player, *index), player) for player in scene.names("player")]
    return [(value, player) for value, player in values if value is not None]


class Beside(NamedTuple):
    """Pieces beside a step of a track, in the place of one thing."""

    kind: str
    thing: str
    step: int
    pieces: list[str]
    hidden: int


def pieces_beside(scene: Scene, panel: Panel, thing: str) -> Iterator[Beside]:
    """Yield the pieces beside the steps of one line."""
    if not panel.of:
        return
    kind = scene.place(panel.of).dims[0]
    for one in scene.names(kind):
        if _belongs(scene, kind, one, thing):
            found, hidden = scene.pieces(panel.of, one)
            pieces = [piece for piece in found if piece is not None]
            if pieces or hidden:
                yield Beside(kind, one, scene.number(kind, one, panel.step), pieces, hidden)


def _belongs(scene: Scene, index: str, one: str, thing: str) -> bool:
    """Return whether a thing with a step belongs to a line: its first reference names it, or there is none."""
    kind = scene.model.kinds[index]
    named = [fact for fact in kind.facts.values() if isinstance(ty.strip(fact.type), ty.Ref)]
    if not named:
        return True
    type_ = ty.strip(named[0].type)
    assert isinstance(type_, ty.Ref)
    number = scene.number(index, one, named[0].name)
    return (scene.names(type_.kind)[number] if number >= 0 else "") == thing


def dims_of(scene: Scene, row: str) -> tuple[str, ...]:
    """Return the kinds that a counter or place is for."""
    return scene.counter(row).dims if row in scene.model.counters else scene.place(row).dims


class TableRow(NamedTuple):
    """One row of a table: a counter or place, ``counted`` in its title, its further indices, and the title."""

    name: str
    others: tuple[str, ...]
    counted: str
    title: str


def table_rows(scene: Scene, panel: Panel) -> Iterator[TableRow]:
    """Yield the rows of a table. A single counter is not named in each of them."""
    for row in panel.rows:
        kinds = dims_of(scene, row)[1:]
        for rest in product(*(scene.names(kind) for kind in kinds)):
            things = ", ".join(scene.label(kind, one) for kind, one in zip(kinds, rest, strict=True))
            counted = "" if things and len(panel.rows) == 1 else scene.title(row)
            yield TableRow(row, rest, counted, f"{counted}: {things}" if things and counted else counted or things)


def amount_of(scene: Scene, row: str, *index: str) -> int | None:
    """Return the value of a counter, or the number of pieces in a place; None if it is hidden."""
    if row in scene.model.counters:
        value = scene.count(row, *index)
        return value if isinstance(value, int) else None
    found, hidden = scene.pieces(row, *index)
    return len([piece for piece in found if piece is not None]) + hidden
