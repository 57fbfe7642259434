"""Builds a scene: the panels and their content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from patolli.check.analysis.panels import Panel
from patolli.check.analysis.symbols import Symbol
from patolli.play.scene.declared import declared_of, panel_title
from patolli.play.scene.fields import fields
from patolli.play.scene.sign_meanings import meaning
from patolli.run.runtime import Match
from patolli.run.runtime.last_tricks import LastTrick
from patolli.serve.studio.scene import boards, counted, grids, lists
from patolli.serve.studio.scene.aims import Aims
from patolli.serve.studio.scene.boards import place_on_ring
from patolli.serve.studio.scene.sketch import Mark, Sketch

DRAW: dict[str, Callable[[Sketch, Panel], dict[str, Any]]] = {
    "grid": grids.grid,
    "ring": boards.ring,
    "columns": boards.columns,
    "track": counted.track,
    "table": counted.table,
    "row": lists.row,
    "goods": counted.goods,
    "pieces": lists.pieces,
    "list": lists.members,
}
"""The functions for all kinds of panels."""


def scene_of(
    match: Match, seat: int, last_tricks: Mapping[str, Sequence[LastTrick]] = MappingProxyType({})
) -> dict[str, Any]:
    """Return the scene of a match for a seat, as JSON data.

    Args:
        match: The match, which is not changed.
        seat: The seat, from 0; -1 for spectators.
        last_tricks: The tricks that were taken last, by place; see ``find_last_tricks``.

    Returns:
        ``players`` (the marks of the seats), ``panels`` in the order of declaration, ``signs`` with their meanings,
        ``nouns``, the words whose amounts may be drawn with an icon, and ``taken``: for each panel with ``form: trick``
        the tricks that were taken last, ``[{title, taker, at, groups}, ..]``, the newest last. It may be absent.

    Raises:
        ValueError: There is no such seat.
    """
    if seat >= 0:
        match.seat(seat)
    declared = declared_of(match.labels)
    sketch = Sketch(match, seat, declared.all_panels)
    sketch.eye.last_tricks = last_tricks
    if any(panel.sides for panel in sketch.panels.values()):
        sketch.named = _list_named(match, seat)
    shown = [panel for panel in declared.all_panels.values() if not panel.inside]
    found = [_panel(sketch, panel, panel.id in declared.mains) for panel in shown]
    _point(sketch, match, seat, {panel["id"]: panel for panel in found})
    players = [sketch.piece("player", f"player_{one + 1}") for one in range(match.players)]
    tricks = {panel.id: lists.taken_tricks(sketch, panel) for panel in shown if panel.of in last_tricks}
    return {
        "seat": seat, "players": players, "panels": found, "signs": _signs(sketch), "nouns": _list_nouns(sketch),
        **({"taken": tricks} if tricks else {}),
    }  # fmt: skip


def draw_panels(match: Match, seat: int, ids: Iterable[str]) -> list[dict[str, Any]]:
    """Return some panels of a match as a seat sees them, without the spots to which the open question points."""
    declared = declared_of(match.labels)
    sketch = Sketch(match, seat, declared.all_panels)
    return [_panel(sketch, declared.all_panels[id_], id_ in declared.mains) for id_ in ids]


def _panel(sketch: Sketch, panel: Panel, main: bool) -> dict[str, Any]:
    head = {"id": panel.id, "title": panel_title(panel, sketch.seat), "shows": panel.shows, "of": panel.of}
    form = panel.form if panel.form != "list" else ""
    more = {"note": panel.note, "main": main, "asked": panel.asked, "form": form}
    drawn = {**head, **{key: value for key, value in more.items() if value}, **DRAW[panel.shows](sketch, panel)}
    return place_on_ring(sketch, panel, drawn) if panel.on else drawn


def _point(sketch: Sketch, match: Match, seat: int, panels: dict[str, dict[str, Any]]) -> None:
    """Add the empty stack positions that the open decision of this seat names."""
    decision = match.decision
    if decision is None or decision.player != seat:
        return
    wanted = Aims(match, seat).spots()
    for panel in sketch.panels.values() if wanted else ():
        if panel.id in panels and panel.shows == "grid":
            plans = fields(sketch.eye, panel).values()
            for board, field in zip(panels[panel.id]["boards"], plans, strict=True):
                board["spots"] = grids.spots(sketch, panel, field, wanted)


def _list_named(match: Match, seat: int) -> set[str]:
    """Return the ids of the places that the open decision of this seat names; empty without one."""
    decision = match.decision
    if decision is None or decision.player != seat:
        return set()
    aims = Aims(match, seat)
    return {id_ for option in decision.options for id_ in aims.places(option)}


def _list_nouns(sketch: Sketch) -> list[Mark]:
    """Return the words for one and for several of what has an icon and is counted; a word for two of them is left out.

    Texts may say ``points`` for ``victory points``, so the last of several words counts, too.
    """
    names = sketch.eye.seat_names
    found: dict[str, list[Symbol]] = {}
    for id_, symbol in sketch.eye.symbols.items():
        if symbol.icon and id_ in sketch.eye.model.counters:
            words = [names.amount(id_, number) for number in (1, 2)]
            for word in {*words, *(word.rpartition(" ")[2] for word in words)}:
                found.setdefault(word, []).append(symbol)
    return [
        {"icon": symbol.icon, "colour": symbol.colour, "words": [word]}
        for word, (symbol, *others) in sorted(found.items())
        if word and all((one.icon, one.colour) == (symbol.icon, symbol.colour) for one in others)
    ]


def _signs(sketch: Sketch) -> list[Mark]:
    """Return the meanings of the signs in the scene."""
    found: dict[tuple[str, str], Mark] = {}
    for id_, (text, kind, _) in sketch.eye.used.items():
        words = meaning(sketch.eye, id_)
        if kind == "player" or not words or words.lower() == text.plain.lower():
            continue
        said = {"sign": text.plain, "colour": text.color, "means": words}
        mark = found.setdefault((text.plain, said["colour"]), said)
        if words not in mark["means"].split(", "):
            mark["means"] += f", {words}"
    return list(found.values())
