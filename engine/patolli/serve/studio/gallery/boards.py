"""Empty boards of a game for printing: grids, circles and tracks from its panels.

A cell shows facts and values that follow from them, but nothing that changes during a match. The layout is that of the
scene of a match, so a board on paper looks like the one on the page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from patolli.check.analysis.panels import Panel, panels_of
from patolli.language.resolve.stateless import functions_of
from patolli.play.scene.defaults import default_panels
from patolli.serve.studio.gallery.cards import Cards
from patolli.serve.studio.scene import boards as rings
from patolli.serve.studio.scene import counted, grids
from patolli.serve.studio.scene.sketch import Sketch

SHOWN = ("grid", "ring", "track")
"""Kinds of panels that are boards."""
NOTHING = ("row",)
"""The marker for no layers: a fact that each cell has, and that is removed again."""


@dataclass(frozen=True, slots=True)
class Board:
    """One board: its kind of panel, the data to draw, and the number of copies."""

    id: str
    title: str
    note: str
    shows: str
    copies: int
    data: dict[str, Any]


def boards_of(cards: Cards) -> list[Board]:
    """Return the boards of a ruleset in panel order. A board that each player has comes once, with its number."""
    declared = panels_of(cards.model) or default_panels(cards.model)
    panels = {panel.id: _bare(cards, panel) for panel in declared}
    sketch = Sketch(cards.scene.match, 0, panels)
    found = []
    seen = set()
    for panel in panels.values():
        if panel.shows not in SHOWN or panel.inside or (panel.shows, panel.of, panel.rows) in seen:
            continue
        seen.add((panel.shows, panel.of, panel.rows))
        copies = cards.rules.players[1] if panel.shows == "grid" and cards.model.kinds[panel.of].per_player else 1
        found.append(Board(panel.id, panel.title, panel.note, panel.shows, copies, _data(sketch, panel)))
    return found


def _data(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    if panel.shows == "grid":
        data = grids.grid(sketch, panel)
        empty = {one.of for one in sketch.panels.values() if one.rows == NOTHING}
        for cell in (cell for board in data["boards"] for cell in board["cells"]):
            if cell["id"].partition(":")[0] in empty:
                cell["marks"] = []
        return data
    return rings.ring(sketch, panel) if panel.shows == "ring" else counted.track(sketch, panel)


def _bare(cards: Cards, panel: Panel) -> Panel:
    """Return a panel that shows only constant data of its cells."""
    if panel.shows == "ring":
        return replace(panel, rows=())
    if panel.shows != "grid":
        return panel
    kind = cards.model.kinds[panel.of]
    known = {*kind.facts, *functions_of(cards.rules.model, kind.name)}
    layers = tuple(layer for layer in (panel.rows or (panel.show,)) if layer in known)
    return replace(panel, rows=layers or NOTHING, show="", levels="", sides="", behind=(), who="me")
