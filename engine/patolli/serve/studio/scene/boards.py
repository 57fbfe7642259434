"""Boxes around a ring, on a cross, or in columns, each with a title and lines of content."""

from __future__ import annotations

from typing import Any

from patolli.check.analysis.panels import Panel, find_link_fact
from patolli.play.scene.rings import places_at, things_around, things_in_columns
from patolli.serve.studio.scene.sketch import Mark, Sketch, face_down, group_marks, id_of, marks_text


def ring(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return the boxes around a circle, clockwise."""
    kind, names = things_around(sketch.eye, panel)
    return {"shape": panel.shape, "boxes": [_box(sketch, panel, kind, name) if name else None for name in names]}


def columns(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return the pieces of a kind in columns, by one of their numbers."""
    found = things_in_columns(sketch.eye, panel)
    return {"columns": [[_box(sketch, panel, panel.of, name) for name in names] for names in found]}


def place_on_ring(sketch: Sketch, panel: Panel, drawn: dict[str, Any]) -> dict[str, Any]:
    """Return a panel with ``box``, the thing on whose board it is drawn; or with one for each of its items."""
    eye, outer = sketch.eye, sketch.panels.get(panel.on)
    if outer is None:
        kinds = [things_around(eye, one)[0] for one in sketch.panels.values() if one.shows == "ring"]
        things = ((kind, name) for kind in kinds for name in eye.names(kind))
        found = next((thing for thing in things if panel.on in (thing[1], _design(sketch, *thing))), None)
        return drawn | ({"box": id_of(*found)} if found is not None else {})
    kind, _ = things_around(eye, outer)
    fact = find_link_fact(eye.model.kinds[panel.of], kind) if panel.of != kind else ""
    for item in drawn["items"]:
        name = item["mark"]["id"].partition(":")[2]
        number = eye.number(panel.of, name, fact) if fact else eye.names(kind).index(name)
        item["box"] = id_of(kind, eye.names(kind)[number]) if number >= 0 else ""
    return drawn


def _design(sketch: Sketch, kind: str, name: str) -> str:
    design = sketch.eye.design(kind, name)
    return design.id if design is not None else ""


def _box(sketch: Sketch, panel: Panel, kind: str, name: str) -> dict[str, Any]:
    symbol, label = sketch.eye.symbol(kind, name), sketch.eye.label(kind, name)
    lines = [line for line in (_line(sketch, kind, name, row) for row in panel.rows) if line["marks"]]
    shown = "; ".join(f"{line['title']} {marks_text(line['marks'])}".strip() for line in lines)
    number = name[len(name.rstrip("0123456789")) :]
    box: dict[str, Any] = {
        "id": id_of(kind, name), "title": label, "lines": lines, "says": f"{label}: {shown}" if shown else label,
    }  # fmt: skip
    box |= {"icon": symbol.icon} if symbol is not None and symbol.icon else {}
    fee = _fee(sketch, kind, name, panel.fee) if panel.fee else {}
    box |= {"fee": fee} if fee else {}
    box |= {"colour": symbol.colour} if symbol is not None and symbol.colour else {}
    box |= {"sign": symbol.sign} if symbol is not None and symbol.sign and symbol.sign != "·" else {}
    return box | ({"number": int(number)} if number else {})


def _fee(sketch: Sketch, kind: str, name: str, function: str) -> Mark:
    """Return what an action on a thing costs now: the value of a function; empty if it is 0 or cannot be known."""
    match, declared = sketch.eye.match, sketch.eye.model.functions[function]
    seat = sketch.seat if sketch.seat >= 0 else match.decision.player if match.decision is not None else 0
    scope = {declared.me: seat, declared.parameters[0]: sketch.eye.numbers(kind)[name]}
    if sketch.hidden_reads.hides(declared.body, scope):
        return {}
    amount = match.program.function(function)(match.state, seat, scope[declared.parameters[0]])
    return {"amount": amount, "says": declared.text or function, **sketch.icon(function)} if amount > 0 else {}


def _line(sketch: Sketch, kind: str, name: str, row: str) -> dict[str, Any]:
    """Return one line of a box: pieces in a place, a counter, a fact, or a field."""
    eye = sketch.eye
    sign = sketch.sign(row)
    line: dict[str, Any] = {
        "of": row,
        "title": eye.title(row) if row in eye.model.counters and not sign else "",
        "sign": sign,
    }
    if row in eye.model.counters:
        return line | {"marks": [{"text": str(eye.count(row, name))}]}
    if row not in eye.model.places:
        return line | {"marks": sketch.draw_fact(kind, name, row)}
    index = eye.place(row).dims[0]
    marks: list[Mark] = []
    for one in [name] if index == kind else places_at(eye, index, kind, name):
        found, hidden = sketch.list_marks(row, one)
        marks += group_marks([mark for mark in found if mark is not None])
        marks += face_down(hidden)
    return line | {"marks": marks}
