"""Previews of options. They are computed on request, because they may need sampled worlds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from patolli.play.scene.declared import declared_of
from patolli.play.scene.foresight import consequences
from patolli.play.scene.hints import Hints
from patolli.play.scene.seat_scene import Scene
from patolli.play.scene.several import Several
from patolli.run.compiler.layout import DRAWS
from patolli.run.runtime import Match, Option
from patolli.serve.studio.ahead import ahead_of
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.scene import scene_of
from patolli.serve.studio.scene.aims import Aims
from patolli.serve.studio.scene.panels import draw_panels
from patolli.serve.studio.scene.sketch import Mark
from patolli.serve.studio.table import Table

MOST = 12
"""For so many options :func:`previews` shows the effects; with more, a client asks for one at a time."""


def previews(table: Table, who: int) -> dict[str, Any]:
    """Return known effects of the first options of the open decision, by index. Raises Refused: not its turn."""
    match = ahead_of(table, who) or table.match
    decision = match.decision
    if decision is None or table.eye(who) != decision.player:
        raise Refused(409, "it is not your turn")
    scene = Scene(match, decision.player)
    hints = Hints(scene, decision)
    options = decision.options[:MOST] if decision.question.kind != "several" else ()
    outcomes = Outcomes(hints)
    shown = {one.index: {**_list_effects(hints, one), "lies": outcomes.of(one)} for one in options}
    return {"revision": table.revision, "options": shown}


def _list_effects(hints: Hints, option: Option) -> dict[str, Any]:
    """Return what an option changes, losses first, and what it asks next; ``random`` if that cannot be known."""
    changes = hints.list_changes(option)
    if changes is None:
        return {"changes": [], "asks": "", "random": True}
    changes.sort(key=lambda change: change[1] > 0)
    shown = [{"words": words, "amount": amount, **_icon_of(hints.scene, id_)} for id_, amount, words in changes]
    return {"changes": shown, "asks": hints.asks_next(option), "random": False}


def _icon_of(scene: Scene, id_: str) -> dict[str, str]:
    symbol = scene.symbols.get(id_)
    if symbol is None or not symbol.icon:
        return {}
    return {"icon": symbol.icon, "colour": symbol.colour}


class Outcomes:
    """What will lie on the boards after an option: the marks of the cells, sides and stack positions that it names."""

    def __init__(self, hints: Hints) -> None:
        """Look at the boards of the open decision."""
        self._hints, self._seat = hints, hints.scene.seat
        self._aims = Aims(hints.match, self._seat)
        panels = declared_of(hints.match.labels).all_panels.values()
        self._grids = [one.id for one in panels if one.shows == "grid" and not one.inside and not one.asked]
        self._now = self._draw(hints.match)
        self._stacked = {kind.name for kind in hints.match.program.layout.model.kinds.values() if kind.over}

    def of(self, option: Option) -> dict[str, list[Mark]]:
        """Return what is new, and certain: the same in all worlds that the player imagines.

        Where something is random or hidden, worlds may agree by accident. Then only a piece that the player sees now is
        certain.
        """
        named = self._aims.places(option)
        drawn = any(id_ in self._now or id_.partition(":")[0] in self._stacked for id_ in named)
        worlds = self._hints.imagine_after(option) if drawn else []
        if not worlds:
            return {}
        first, *others = [self._draw(world) for world in worlds]
        new = {id_: first.get(id_) for id_ in named if first.get(id_) != self._now.get(id_)}
        found = {id_: marks for id_, marks in new.items() if marks and all(one.get(id_) == marks for one in others)}
        if not others and worlds[0].state[DRAWS] == self._hints.match.state[DRAWS]:
            return found
        return {id_: marks for id_, marks in found.items() if all(self._is_seen(mark) for mark in marks)}

    def _is_seen(self, mark: Mark) -> bool:
        return "piece" in mark and f'"{mark["id"]}"' in self._scene

    @cached_property
    def _scene(self) -> str:
        return json.dumps(scene_of(self._hints.match, self._seat)["panels"])

    def _draw(self, match: Match) -> dict[str, list[Mark]]:
        boards = [board for panel in draw_panels(match, self._seat, self._grids) for board in panel["boards"]]
        cells = {cell["id"]: cell.get("marks", []) for board in boards for cell in board["cells"]}
        cells |= {side["id"]: side["marks"] for board in boards for side in board.get("sides", ())}
        return cells | {tile["id"]: [tile["mark"]] for board in boards for tile in board["raised"]}


def preview(table: Table, who: int, index: int, chosen: Sequence[str] = ()) -> dict[str, Any]:
    """Return the known effects of an option: a short line, and sentences.

    If several things are chosen together, *chosen* has the labels of those selected before, and *index* continues over
    the options that are offered only after others. Only the last option of such a choice has a preview.

    Raises:
        Refused: It is not the turn of this client, or there is no such option.
    """
    match = ahead_of(table, who) or table.match
    decision = match.decision
    if decision is None or table.eye(who) != decision.player:
        raise Refused(409, "it is not your turn")
    options = decision.options
    several = Several(match, chosen) if decision.question.kind == "several" else None
    options = options if several is None else several.every
    if not 0 <= index < len(options):
        raise Refused(404, f"there is no option {index}")
    option = options[index]
    if several is not None and (chosen or index >= len(decision.options)):
        behind = several.behind(option)
        if behind is None:
            return {"revision": table.revision, "index": index, "tells": "", "comes": [], "lies": {}}
        match, option = behind
        assert match.decision is not None
        decision = match.decision
    hints = Hints(Scene(match, decision.player), decision)
    return {
        "revision": table.revision, "index": index, "tells": hints.describe(option, signs=False).plain,
        "comes": consequences(hints, option), "lies": Outcomes(hints).of(option),
    }  # fmt: skip
