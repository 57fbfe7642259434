"""Heat maps: how often pieces came to the parts of a board, and how often these were chosen.

In:     the facts of a run, and the panels with which its pack draws its boards.
Out:    for each board its parts, in rows and columns where they lie so, with means and intervals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from patolli.check.analysis.panels import panels_of
from patolli.language.program.model import Program
from patolli.measure.lab.frame import Table
from patolli.measure.lab.run_data import Run
from patolli.measure.lab.statistics import Numbers, round_digits
from patolli.measure.simulation.estimates import Z

CAME = "arrivals of pieces", "Number of pieces that arrived there per match, checked before each round."
CHOSEN = "choices", "How often it was chosen per match."
"""What a heat map shows: in its title, and how it is computed."""
SHAPES = ("grid", "ring", "columns", "list")
"""Panels that show the parts of a board."""


def boards(run: Run) -> list[dict[str, Any]]:
    """Return the heat maps of all boards on which something happened.

    Returns:
        ``title``, ``shows``, ``means``, ``most`` (the largest mean), and ``layers``: each a ``title`` and ``rows`` of
        cells with ``name``, ``value``, ``low`` and ``high``, or None where there is none.
    """
    model, kinds = run.content.model, dict[str, str]()
    for panel in panels_of(model):
        if panel.shows in SHAPES:
            for kind in _kinds(model, panel.of, panel.levels):
                kinds.setdefault(kind, panel.title)
    came = run.frame.table("came", ("place", "times"))
    chosen = run.frame.table("option", ("id", "chosen"))
    found = []
    for kind, title in kinds.items():
        names = run.content.members(kind)
        for (shows, means), values in (
            (CAME, _sums(run, came, "times", {name: _place_of(name) for name in came.names}, names)),
            (CHOSEN, _sums(run, chosen, "chosen", {name: name.rpartition(" ")[2] for name in chosen.names}, names)),
        ):
            if values is not None:
                found.append(
                    {"title": title, "shows": shows, "means": means, **_board_data(model, kind, names, values)}
                )
    return found


def _kinds(model: Program, of: str, levels: str) -> Iterator[str]:
    """Yield the kinds whose things are the parts of a panel: of a kind, or of the places that it shows."""
    if of in model.kinds:
        yield of
    elif of in model.places:
        yield model.places[of].of
    if levels in model.places:
        yield from (dim for dim in model.places[levels].dims if dim != "player")


def _place_of(name: str) -> str:
    """Return the last part of a board that the name of a place names."""
    return name.rpartition("/")[2].rpartition(",")[2]


def _sums(run: Run, table: Table, column: str, parts: dict[str, str], names: list[str]) -> Numbers | None:
    """Return by part the mean for a match, and half the width of its interval; None where nothing happened."""
    number = {name: at for at, name in enumerate(names)}
    codes = np.array([number.get(parts[name], -1) for name in table.names], dtype=np.int64)
    if not len(codes):
        return None
    part = codes[table[next(iter(table.columns))]]
    matches = len(run.frame)
    # What is no part of this board counts nothing, for the first of its parts.
    total, squares = table.sums(np.maximum(part, 0), np.where(part >= 0, table[column], 0), len(names), matches)
    means, squares = total / matches, squares / matches
    if not means.any():
        return None
    half = Z * np.sqrt(np.maximum(0.0, squares - means * means) / max(1, matches - 1))
    return np.asarray([means, half], dtype=float)


def _board_data(model: Program, kind: str, names: list[str], values: Numbers) -> dict[str, Any]:
    declared = model.kinds[kind]
    cells: list[dict[str, Any]] = [
        {
            "name": name,
            "value": round_digits(mean),
            "low": round_digits(max(0.0, mean - half)),
            "high": round_digits(mean + half),
        }
        for name, mean, half in zip(names, values[0].tolist(), values[1].tolist(), strict=True)
    ]
    most = max(cell["value"] for cell in cells)
    if not declared.grid or not {"row", "column"} <= declared.data.keys():
        return {"most": most, "layers": [{"title": "", "rows": [cells]}]}
    levels = declared.data.get("level", [0] * len(cells))
    layers = []
    for level in sorted({int(str(one)) for one in levels}):
        mine = [at for at, one in enumerate(levels) if int(str(one)) == level]
        at = {(int(str(declared.data["row"][n])), int(str(declared.data["column"][n]))): cells[n] for n in mine}
        rows, columns = sorted({row for row, _ in at}), sorted({column for _, column in at})
        title = f"level {level}" if len(set(levels)) > 1 else ""
        layers.append({"title": title, "rows": [[at.get((row, column)) for column in columns] for row in rows]})
    return {"most": most, "layers": layers}
