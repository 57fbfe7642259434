"""What is listed: the indices of places, the headings of columns, the markers on pieces."""

from __future__ import annotations

from itertools import product

from patolli.play.scene.seat_scene import Scene

TITLE = 24
"""Letters of the longest text that is the heading of a column."""


def heading(scene: Scene, kind: str, what: str) -> str:
    """Return what a column is called: by a short text of what stands there, or by its id."""
    declared = scene.model.kinds[kind].fields.get(what) or scene.model.functions.get(what)
    if declared is None or what in scene.model.kinds[kind].facts:
        return scene.title(what)
    text = declared.text.partition(";")[0].rstrip(".")
    return text if 0 < len(text) <= TITLE else what.replace("_", " ").capitalize()


def count_markers(scene: Scene, counter: str, name: str) -> list[tuple[str, int]]:
    """Return how many markers each player has on a piece."""
    return [(player, scene.count(counter, player, name) or 0) for player in scene.names("player")]


def list_indices(scene: Scene, dims: tuple[str, ...], who: str) -> list[tuple[str, ...]]:
    """Return all indices of a place; of what every player has only one's own, unless that of all is wanted."""
    each = [scene.own if kind == "player" and who == "me" else scene.names(kind) for kind in dims]
    return list(product(*each))
