"""Tricks that were taken from the table: which pieces they had, whose these were, and what is written above them."""

from __future__ import annotations

from dataclasses import dataclass

from patolli.check.analysis.panels import Panel
from patolli.play.scene.listings import list_indices
from patolli.play.scene.seat_scene import Scene
from patolli.run.runtime.last_tricks import LastTrick
from patolli.run.runtime.seat_visibility import indices_of


@dataclass(frozen=True, slots=True)
class TakenTrick:
    """A trick that was taken from the table, for one seat.

    Attributes:
        title: What is written above it: the player who took it.
        taker: The seat of this player; -1 if there is none.
        at: The number of the choice that led to it, from 1.
        pieces: In the order in which they were laid, the names of what the place of each belongs to, and its own name.
    """

    title: str
    taker: int
    at: int
    pieces: tuple[tuple[tuple[str, ...], str], ...]


def list_taken_tricks(scene: Scene, panel: Panel) -> list[TakenTrick]:
    """Return what was taken last from the place of a panel, the newest last: all tricks that one choice finished."""
    found = scene.last_tricks.get(panel.of, ()) if panel.form == "trick" else ()
    place, (base, sizes) = scene.place(panel.of), scene.layout.places[panel.of]
    names = scene.names(place.of)
    tricks = []
    for trick in found:
        pieces = [
            (
                tuple(scene.names(kind)[number] for kind, number in indices_of(place.dims, sizes, slot - base)),
                names[one],
            )
            for slot, one in trick.pieces
        ]
        tricks.append(TakenTrick(_make_title(scene, trick, trick is found[-1]), trick.taker, trick.at, tuple(pieces)))
    return tricks


def has_taken_tricks_only(scene: Scene, panel: Panel) -> bool:
    """Return whether nothing lies in the place of a panel, and a trick was taken from it."""
    if panel.form != "trick" or panel.of not in scene.last_tricks:
        return False
    held = [scene.pieces(panel.of, *index) for index in list_indices(scene, scene.place(panel.of).dims, panel.who)]
    return not any(found or hidden for found, hidden in held)


def _make_title(scene: Scene, trick: LastTrick, newest: bool) -> str:
    title = "Last trick" if newest else "Earlier trick"
    if trick.taker < 0:
        return title
    return f"{title}, taken by {'you' if trick.taker == scene.seat else scene.match.names[trick.taker]}"
