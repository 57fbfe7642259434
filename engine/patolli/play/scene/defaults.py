"""Panels for what a pack declares none for: its grids, its counters, its places, and its kinds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from patolli.check.analysis.panels import Panel
from patolli.check.analysis.symbols import symbols_of
from patolli.language.program import types as ty
from patolli.language.program.model import TABLE, Kind, Program
from patolli.language.resolve.model import Kind as ModelKind
from patolli.language.resolve.model import Model


def default_panels(model: Model | Program, declared: Iterable[Panel] = ()) -> list[Panel]:
    """Return panels for all that no *declared* panel shows; beside declared ones, they are drawn on request."""
    declared = list(declared)
    reported = {name for panel in declared for name in _used_names(panel)}
    if reported:
        reported |= {fact for symbol in symbols_of(model).values() for facts in symbol.show for fact in facts}
    panels = [*_grid_panels(model, reported), *_table_panels(model, reported), *_place_panels(model, reported)]
    shown = reported | {name for panel in panels for name in _used_names(panel)}
    panels += _kind_panels(model, shown)
    return [replace(panel, asked=True) for panel in panels] if reported else panels


def main_panels(panels: Iterable[Panel]) -> set[str]:
    """Return the ids of the main panels: of those that say so, or else the first one that is a board."""
    panels = list(panels)
    boards = [panel.id for panel in panels if panel.shows in ("grid", "ring", "columns") and not panel.inside]
    return {panel.id for panel in panels if panel.main} or set(boards[:1])


def _used_names(panel: Panel) -> tuple[str, ...]:
    behind = [name for pair in panel.behind for name in pair]
    return (panel.of, panel.show, panel.levels, panel.sides, *panel.rows, *panel.facts, *panel.only, *behind)


def _grid_panels(model: Model | Program, reported: set[str]) -> Iterable[Panel]:
    for kind in model.kinds.values():
        shown = [*kind.fields, *(p.name for p in model.places.values() if p.dims == (kind.name,))]
        if kind.grid and not kind.over and shown and kind.name not in reported:
            yield Panel(kind.name, "grid", _panel_title(kind.name), of=kind.name, rows=tuple(shown))


def _table_panels(model: Model | Program, reported: set[str]) -> Iterable[Panel]:
    more = "more about " if reported else ""
    counters = [c for c in model.counters.values() if c.name not in reported]
    held = [p.name for p in model.places.values() if p.dims == ("player",) and p.name not in reported]
    rows = (*(c.name for c in counters if c.dims == ("player",)), *held)
    if rows:
        yield Panel(
            "players" if "players" not in model.names else "seats", "table", f"{more}players".capitalize(), rows=rows
        )
    fields = model.kinds[TABLE].fields.values() if TABLE in model.kinds else ()
    shown = [field.name for field in fields if field.name not in reported and not _has_nested_lists(field.type)]
    common = (*(c.name for c in counters if not c.dims), *shown)
    if common:
        yield Panel("common", "goods", f"{more}the game".capitalize(), rows=common)
    for counter in counters:
        if len(counter.dims) > 1:
            yield Panel(counter.name, "table", _panel_title(counter.name), rows=(counter.name,))


def _place_panels(model: Model | Program, reported: set[str]) -> Iterable[Panel]:
    grids = {kind.name for kind in model.kinds.values() if kind.grid}
    for place in model.places.values():
        on_grid = len(place.dims) == 1 and place.dims[0] in grids
        if place.name in reported or place.visible == "none" or on_grid:
            continue
        shows = "row" if place.type == "row" else "pieces"
        who = "all" if place.visible == "others" else "me"  # a hand that only others see is for them to see
        yield Panel(place.name, shows, _panel_title(place.name), of=place.name, who=who)


def _kind_panels(model: Model | Program, reported: set[str]) -> Iterable[Panel]:
    """Yield lists of what is known of each piece of a kind, where that can change."""
    for kind in model.kinds.values():
        known = [name for name in _list_changing(model, kind) if name not in reported]
        if known and kind.name != TABLE and not (kind.grid and not kind.over):
            id_ = kind.name if kind.name not in (*reported, "player") else f"each_{kind.name}"
            yield Panel(id_, "list", _panel_title(kind.name), of=kind.name, facts=tuple(known))


def _list_changing(model: Model | Program, kind: Kind | ModelKind) -> list[str]:
    if kind.name == "player":  # what each player has of a counter is a table
        return [*kind.fields]
    counted = [counter.name for counter in model.counters.values() if counter.dims == (kind.name,)]
    return [*kind.fields, *counted]


def _has_nested_lists(type_: ty.AnyType) -> bool:
    """Return whether something holds lists in a list, so that a line could only count them."""
    return isinstance(type_, ty.Seq) and isinstance(type_.of, ty.Seq)


def _panel_title(id_: str) -> str:
    return id_.replace("_", " ").capitalize()
