"""Panels that list: rows, the pieces in a place, and all pieces of a kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from patolli.check.analysis.panels import Panel, list_ends
from patolli.language.program import types as ty
from patolli.play.scene.listings import count_markers, heading, list_indices
from patolli.play.scene.tricks import list_taken_tricks
from patolli.serve.studio.scene.sketch import Mark, Sketch, face_down, marks_text


def row(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return the numbered positions of a row; an empty one has no mark."""
    return {"groups": [_spots(sketch, panel, index) for index in _indices(sketch, panel, "me")]}


def _indices(sketch: Sketch, panel: Panel, who: str) -> list[tuple[str, ...]]:
    return list_indices(sketch.eye, sketch.eye.place(panel.of).dims, who)


def _spots(sketch: Sketch, panel: Panel, index: tuple[str, ...]) -> Mark:
    found, hidden = sketch.eye.pieces(panel.of, *index)
    kind = sketch.eye.place(panel.of).of
    items = [_item(sketch, panel, kind, [one]) if one is not None else None for one in found]
    return {**_group(sketch, panel, index), "items": items, "hidden": hidden}


def pieces(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return the pieces in a place; equal ones are grouped with their number."""
    groups = []
    for index in _indices(sketch, panel, panel.who):
        found, hidden = sketch.eye.pieces(panel.of, *index)
        kind = sketch.eye.place(panel.of).of
        items = [_item(sketch, panel, kind, alike) for alike in _alike(sketch, panel, kind, found)]
        if items or hidden:
            groups.append({**_group(sketch, panel, index), "items": items, "hidden": hidden})
    return {"groups": groups}


def taken_tricks(sketch: Sketch, panel: Panel) -> list[Mark]:
    """Return the tricks that were taken last from the place of a panel, the newest last.

    The pieces of each are in groups as in the panel; the group whose piece was laid first comes first.
    """
    kind, found = sketch.eye.place(panel.of).of, []
    for trick in list_taken_tricks(sketch.eye, panel):
        groups: dict[tuple[str, ...], Mark] = {}
        for index, name in trick.pieces:
            group = groups.setdefault(index, {**_group(sketch, panel, index), "items": []})
            group["items"].append(_item(sketch, panel, kind, [name]))
        found.append({"title": trick.title, "taker": trick.taker, "at": trick.at, "groups": list(groups.values())})
    return found


def _alike(sketch: Sketch, panel: Panel, kind: str, found: list[str | None]) -> Iterator[list[str]]:
    """Yield groups of pieces with equal known data."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name in found:
        if name is not None:
            reported = tuple(marks_text(_fact(sketch, kind, name, fact)) for fact in panel.facts)
            key = (sketch.eye.label(kind, name), *sketch.eye.facts(kind, name), *reported)
            alike.setdefault(key, []).append(name)
    yield from alike.values()


def _group(sketch: Sketch, panel: Panel, index: tuple[str, ...]) -> Mark:
    """Return the heading of one of several places: its owner or its thing."""
    dims = sketch.eye.place(panel.of).dims
    own = panel.who == "me" and dims == ("player",) and sketch.eye.own == [sketch.eye.me]
    whose = [sketch.whose(kind, one) for kind, one in zip(dims, index, strict=True)]
    if own or not whose:
        return {"title": ""}
    owner = next((one["owner"] for one in whose if "owner" in one), None)
    return {"title": ", ".join(one["title"] for one in whose), **({"owner": owner} if owner is not None else {})}


def _item(sketch: Sketch, panel: Panel, kind: str, names: list[str]) -> Mark:
    """Return equal pieces as one item, with the facts of the panel."""
    mark, name = sketch.piece(kind, names[0]), names[0]
    facts = [_title_fact(sketch, kind, fact, _fact(sketch, kind, name, fact)) for fact in panel.facts]
    item: Mark = {"mark": mark, "title": sketch.eye.label(kind, name), "facts": [fact for fact in facts if fact]}
    if len(names) > 1:
        item |= {"ids": [f"{kind}:{one}" for one in names], "number": len(names)}
    return item | {"says": _words(item)}


def _words(item: Mark) -> str:
    several = f"{item['number']} times " if "number" in item else ""
    reported = [marks_text(fact["marks"]) for fact in item["facts"]]
    return ". ".join([f"{several}{item['title']}", *(words.rstrip(".") for words in reported if words)])


def _title_fact(sketch: Sketch, kind: str, fact: str, marks: list[Mark]) -> Mark:
    """Return a fact of a piece, with its title if it has one."""
    if not marks:
        return {}
    return {"title": heading(sketch.eye, kind, fact) if fact != "text" else "", "fact": fact, "marks": marks}


def _fact(sketch: Sketch, kind: str, name: str, fact: str) -> list[Mark]:
    """Return a fact or field, or the players with a marker on the piece."""
    if fact not in sketch.eye.model.counters:
        return sketch.draw_fact(kind, name, fact)
    return [sketch.piece("player", player) for player, number in count_markers(sketch.eye, fact, name) if number]


# ---- all of a kind


def members(sketch: Sketch, panel: Panel) -> dict[str, Any]:
    """Return all pieces of a kind, each with its known data and the pieces on it."""
    names = sketch.eye.names(panel.of)
    shown = [
        name
        for name in names
        if not panel.only or any(_draw_item(sketch, panel.of, name, x)["marks"] for x in panel.only)
    ]
    return {
        "items": [_member(sketch, panel, name) for name in shown],
        **({"headings": panel.columns} if panel.columns else {}),
        **(_map(sketch, panel, shown) if panel.paths else {}),
    }


def _map(sketch: Sketch, panel: Panel, shown: list[str]) -> Mark:
    """Return the lines between pieces, as numbers of items, and where the pieces stand (None: anywhere)."""
    names, at = sketch.eye.names(panel.of), {name: number for number, name in enumerate(shown)}
    lines: list[Mark] = []
    if panel.paths in sketch.eye.model.kinds:
        found = [(a, b, line) for a, b, line in _draw_lines(sketch, panel) if a in at and b in at]
        links = [[at[a], at[b], *line.pop("colours")] for a, b, line in found]
        lines = [line for _, _, line in found] if panel.line_facts else []
    else:
        ends = [(one, names[other]) for one in shown for other in sketch.eye.number(panel.of, one, panel.paths)]
        links = [[*line] for line in sorted({(min(at[a], at[b]), max(at[a], at[b])) for a, b in ends if b in at})]
    spots = dict(panel.spots)
    return {
        "links": links, **({"ways": lines} if lines else {}), "spots": [spots.get(name) for name in shown],
        **({"level": _draw_level(sketch, panel)} if panel.level else {}), **({"rim": panel.rim} if panel.rim else {}),
    }  # fmt: skip


def _draw_lines(sketch: Sketch, panel: Panel) -> Iterator[tuple[str, str, Mark]]:
    """Yield the ends of each piece that is a line, and how it looks, with the color of the player in a field of it."""
    eye, kind = sketch.eye, sketch.eye.model.kinds[panel.paths]
    names, ends = eye.names(panel.of), list_ends(kind, panel.of)
    holders = [field.name for field in kind.fields.values() if ty.strip(field.type) == ty.Ref("player")]
    for line in eye.names(kind.name):
        found = (eye.view["pieces"].get(kind.name, {}).get(line, {}).get(field) for field in holders)
        colours = [sketch.colour(eye.numbers("player")[holder]) for holder in found if holder]
        a, b = (names[eye.number(kind.name, line, end)] for end in ends)
        marks = [mark for fact in panel.line_facts for mark in sketch.draw_fact(kind.name, line, fact)]
        words = ". ".join([sketch.eye.label(kind.name, line), *filter(None, [marks_text(marks)])])
        yield a, b, {"id": f"{kind.name}:{line}", "says": words, "marks": marks, "colours": colours[:1]}


def _draw_level(sketch: Sketch, panel: Panel) -> Mark:
    """Return which fact fills the places of a map, its largest value, and its color."""
    kind = sketch.eye.model.kinds[panel.of]
    declared = kind.fields.get(panel.level) or kind.facts.get(panel.level)
    symbol = sketch.eye.symbols.get(panel.level)
    colour = symbol.colour if symbol is not None else ""
    return {"fact": panel.level, "most": (declared.high if declared is not None else None) or 0, "colour": colour}


def _member(sketch: Sketch, panel: Panel, name: str) -> Mark:
    short = "text" in panel.facts  # a label would repeat it
    title = sketch.eye.short(panel.of, name) if short else sketch.eye.label(panel.of, name)
    facts = [fact for fact in (_draw_item(sketch, panel.of, name, what) for what in panel.facts) if fact["marks"]]
    item: Mark = {"mark": sketch.piece(panel.of, name), "title": title, "facts": facts}
    reported = [f"{fact['title']} {marks_text(fact['marks'])}".strip() for fact in facts]
    return item | {"says": ". ".join([title, *(words.rstrip(".") for words in reported)])}


def _draw_item(sketch: Sketch, kind: str, name: str, what: str) -> Mark:
    """Return a fact or field of a piece, the pieces in its place, or its counter."""
    return {
        "title": _title(sketch, kind, what),
        "fact": what,
        "marks": _of(sketch, kind, name, what),
        **sketch.icon(what),
    }


def _lying(sketch: Sketch, place: str, *index: str) -> list[Mark]:
    marks, hidden = sketch.list_short_marks(place, *index)
    return [*marks, *face_down(hidden)]


def _is_same(item: Mark, mark: Mark, name: str) -> bool:
    """Return whether a mark shows a copy of an item, so that the number says enough."""
    looks = ("sign", "colour", "icon")
    return mark.get("entry") == name or ("sign" in mark and all(item.get(key) == mark.get(key) for key in looks))


def _title(sketch: Sketch, kind: str, what: str) -> str:
    if what in ("text", "shape"):
        return ""
    sign = sketch.eye.symbols.get(what)
    return sign.means if sign is not None and sign.means else heading(sketch.eye, kind, what)


def _of(sketch: Sketch, kind: str, name: str, what: str) -> list[Mark]:
    eye = sketch.eye
    if what in eye.model.places:
        if len(eye.place(what).dims) == 1:
            marks = _lying(sketch, what, name)
            same = all(_is_same(sketch.piece(kind, name), mark, name) for mark in marks)
            return [{"text": str(sum(mark.get("number", 1) for mark in marks))}] if marks and same else marks
        each = [(player, _lying(sketch, what, player, name)) for player in eye.names("player")]
        return [mark for player, marks in each if marks for mark in (sketch.piece("player", player), *marks)]
    if what not in eye.model.counters:
        return sketch.draw_fact(kind, name, what)
    if len(eye.counter(what).dims) == 1:
        value = eye.count(what, name)
        return [{"text": str(value)}] if value else []
    return [sketch.piece("player", player) for player, n in count_markers(sketch.eye, what, name) for _ in range(n)]
