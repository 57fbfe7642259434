"""Panels that count: tracks with markers, tables of players or things, and goods."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from patolli.language.program.model import TABLE
from patolli.play.terminal.tracks import belongs, dims_of
from patolli.serve.studio.scene.sketch import Mark, Sketch, id_of, said

if TYPE_CHECKING:
    from patolli.check.analysis.panels import Panel


# ---- tracks


def track(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return a track: markers on steps, with a line for each counter and each thing that it counts for."""
    lines = [_line(sketch, panel, *found) for found in _markers(sketch, panel)]
    last = panel.to or max(sketch.eye.layout.limits[name] or 0 for name in panel.rows)
    steps = [marker["step"] for line in lines for marker in line["markers"]]
    return {"last": max([last, *steps]), "lines": lines}


def _line(sketch: Sketch, panel: Panel, title: str, id_: str, thing: str, marks: list[tuple[int, Mark]]) -> Mark:
    markers = [{"step": step, "mark": mark, "says": f"{said([mark])} at {step}"} for step, mark in marks]
    line: Mark = {"title": title, "markers": markers, "beside": list(_beside(sketch, panel, thing))}
    return line | ({"id": id_} if id_ else {})


def _markers(sketch: Sketch, panel: Panel) -> Iterator[tuple[str, str, str, list[tuple[int, Mark]]]]:
    """Yield the title, the id, the counted thing, and the markers with their steps, for each line."""
    eye = sketch.eye
    table = [name for name in panel.rows if not eye.counter(name).dims]
    if table:
        yield "", "", "", [(eye.count(name), _of_table(sketch, name)) for name in table if eye.count(name) is not None]
    for name in panel.rows:
        dims = eye.counter(name).dims
        if len(dims) == 1:
            yield (eye.title(name) if len(panel.rows) > 1 else ""), "", "", _players(sketch, name)
        for thing in eye.names(dims[1]) if len(dims) == 2 else ():
            yield eye.label(dims[1], thing), id_of(dims[1], thing), thing, _players(sketch, name, thing)


def _of_table(sketch: Sketch, name: str) -> Mark:
    return next(iter(sketch.sign(name)), {"sign": name[0].upper(), "says": sketch.eye.title(name)})


def _players(sketch: Sketch, name: str, *index: str) -> list[tuple[int, Mark]]:
    values = [(player, sketch.eye.count(name, player, *index)) for player in sketch.eye.names("player")]
    return [(value, sketch.piece("player", player)) for player, value in values if value is not None]


def _beside(sketch: Sketch, panel: Panel, thing: str) -> Iterator[Mark]:
    """Yield the pieces beside the steps of one line."""
    if not panel.of:
        return
    index = sketch.eye.place(panel.of).dims[0]
    for one in sketch.eye.names(index):
        if belongs(sketch.eye, index, one, thing):
            found, hidden = sketch.held(panel.of, one)
            marks = [mark for mark in found if mark is not None]
            if marks or hidden:
                step = sketch.eye.number(index, one, panel.step)
                yield {"id": id_of(index, one), "step": step, "marks": marks, "hidden": hidden}


# ---- tables


def table(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return a table of the amounts of each player, or of each thing of another kind."""
    kind = dims_of(sketch.eye, panel.rows[0])[0]
    heads = [sketch.whose(kind, one) for one in sketch.eye.names(kind)]
    return {"heads": heads, "rows": list(_rows(sketch, panel, kind))}


def _rows(sketch: Sketch, panel: Panel, kind: str) -> Iterator[Mark]:
    eye = sketch.eye
    for row in panel.rows:
        kinds = dims_of(eye, row)[1:]
        for rest in product(*(eye.names(other) for other in kinds)):
            things = ", ".join(eye.label(other, one) for other, one in zip(kinds, rest, strict=True))
            alone = bool(things) and len(panel.rows) == 1
            title = things if alone else f"{eye.title(row)}: {things}" if things else eye.title(row)
            values = [_value(sketch, row, one, *rest) for one in eye.names(kind)]
            yield {"id": f"counter:{row}", "title": title, "values": values, **_coloured(sketch, row)}


def _coloured(sketch: Sketch, row: str) -> Mark:
    symbol = sketch.eye.symbols.get(row)
    return {"colour": symbol.colour} if symbol is not None and symbol.colour else {}


def _value(sketch: Sketch, row: str, *index: str) -> int | None:
    """Return an amount; None if it is hidden."""
    if row in sketch.eye.model.counters:
        value = sketch.eye.count(row, *index)
        return value if isinstance(value, int) else None
    found, hidden = sketch.eye.pieces(row, *index)
    return len([one for one in found if one is not None]) + hidden


# ---- goods


def goods(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return the counters of the viewing player and of the table."""
    return {"items": [item for row in panel.rows for item in _good(sketch, row)]}


def _good(sketch: Sketch, row: str) -> Iterator[Mark]:
    eye = sketch.eye
    head = {"id": f"counter:{row}", "title": eye.title(row), **_coloured(sketch, row)}
    if row not in eye.model.counters:
        fields = eye.view["pieces"][TABLE][TABLE]
        shown = sketch.told(TABLE, TABLE, row) if row in fields else [{"text": "?"}]
        no = [{"text": "no"}] if fields.get(row) is False else [{"text": "-"}]
        yield {**head, "marks": shown or no}
    elif not eye.counter(row).dims or sketch.me:
        value = eye.count(row, *((sketch.me,) if eye.counter(row).dims else ()))
        yield {**head, "marks": [{"text": "?" if value is None else str(value)}]}
