"""The panels that matter for a question: those that show its options."""

from __future__ import annotations

from collections.abc import Iterable

from patolli.check.analysis.panels import Panel
from patolli.language.program import types as ty
from patolli.play.scene.hints import Hints
from patolli.play.scene.seat_scene import Scene


def find_concerned(scene: Scene, hints: Hints, panels: Iterable[Panel]) -> set[str]:
    """Return the ids of the panels that show something that an option of the open question names."""
    named: dict[str, set[str]] = {}
    for option in hints.decision.options:
        for type_, value in hints.values(option):
            type_ = ty.strip(type_)
            if isinstance(type_, ty.Ref) and isinstance(value, int) and value >= 0:
                named.setdefault(type_.kind, set()).add(scene.names(type_.kind)[value])
    paid = hints.decision.question.kind in ("pay", "gain")
    return {panel.id for panel in panels if (paid and panel.shows == "goods") or _shows_any(scene, panel, named)}


def _shows_any(scene: Scene, panel: Panel, named: dict[str, set[str]]) -> bool:
    if panel.shows in ("row", "pieces") or (panel.shows == "ring" and panel.of in scene.model.places):
        return _is_visible_in(scene, panel.of, named)
    if panel.shows == "track":
        counted = {kind for name in panel.rows for kind in scene.counter(name).dims[1:]}
        return bool(counted & set(named))
    if panel.shows == "grid":
        kinds = scene.model.kinds
        return any(panel.of in (kind, kinds[kind].over, kinds[kind].lays) for kind in named)
    return panel.shows in ("ring", "columns", "list") and panel.of in named


def _is_visible_in(scene: Scene, place: str, named: dict[str, set[str]]) -> bool:
    """Return whether one of the pieces that are named lies in a place where the seat can see it."""
    declared = scene.place(place)
    wanted = named.get(declared.of, set())
    return bool(wanted) and any(piece in wanted for piece in _list_within(scene.view["places"][place]))


def _list_within(held: object) -> Iterable[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict):
        for part in held.values():
            yield from _list_within(part)
    elif isinstance(held, list):
        for part in held:
            yield from _list_within(part)
