"""The tricks that were taken from the table last, found in the events of a match that narrates.

In:     the events after each choice, and the places that panels with ``form: trick`` show.
Out:    for each of these places the pieces that lay there until it was emptied last, and the player who got them.

Often one choice lays the last piece of a trick, and the rules take the whole trick at once. No state between choices
has that trick in it, so it is read from the events. Only a place that all players see is followed. Everything in a
finished trick is therefore known to all of them, and to spectators.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from patolli.check.analysis.panels import panels_of
from patolli.run.compiler.layout import Layout
from patolli.run.runtime.seat_visibility import indices_of

if TYPE_CHECKING:
    from patolli.run.runtime.labels import Labels
    from patolli.run.runtime.match import Match

Event = tuple[Any, ...]
BOX = 0
"""The slot of pieces that are out of the match."""


@dataclass(frozen=True, slots=True)
class LastTrick:
    """A trick that was taken from the table.

    Attributes:
        pieces: The pieces in the order in which they were laid: the slot in which each lay, and its number.
        taker: The seat of the player whose places got all pieces; -1 if there is no such player.
        at: The number of the choice that led to it, from 1; 0 before the first choice.
    """

    pieces: tuple[tuple[int, int], ...]
    taker: int
    at: int


@dataclass(slots=True)
class _Trick:
    """A trick on the table: the slot of each piece, and for the pieces that have left, who got them."""

    slots: dict[int, int] = field(default_factory=dict)
    takers: dict[int, int] = field(default_factory=dict)


class LastTricks:
    """What lies in the tricks of a match, and what lay in those that were taken last.

    Attributes:
        finished: For each place, the tricks that were taken after one choice, the newest last.
    """

    def __init__(self) -> None:
        self.finished: dict[str, tuple[LastTrick, ...]] = {}
        self._open: dict[str, _Trick] = {}

    def copy(self) -> LastTricks:
        """Return a copy that shares nothing that changes."""
        new = LastTricks()
        new.finished = dict(self.finished)
        new._open = {place: _Trick(dict(one.slots), dict(one.takers)) for place, one in self._open.items()}
        return new

    def take(self, labels: Labels, events: Sequence[Event], state: Sequence[Any], at: int) -> None:
        """Take in what happened after a choice, which has led to a state."""
        layout, places = labels.layout, labels.tricks
        if not places:
            return
        for piece, old, new in _list_moves(events):
            source, target = places.get(old), places.get(new)
            if source == target:  # also if it lies in neither
                continue
            if source is not None:
                self._leave(source, piece, old, _find_owner(layout, new), at)
            if target is not None:
                self._enter(target, piece, new)
        for place, trick in self._open.items():  # pieces may also be moved by hand
            base = layout.at[layout.model.places[place].of]
            moved = [one for one, slot in trick.slots.items() if one not in trick.takers and state[base + one] != slot]
            for piece in moved:
                del trick.slots[piece]

    def _enter(self, place: str, piece: int, slot: int) -> None:
        trick = self._open.setdefault(place, _Trick())
        for gone in trick.takers:
            trick.slots.pop(gone, None)
        trick.takers.clear()
        trick.slots[piece] = slot

    def _leave(self, place: str, piece: int, slot: int, taker: int, at: int) -> None:
        trick = self._open.setdefault(place, _Trick())
        trick.slots.setdefault(piece, slot)
        trick.takers[piece] = taker
        if len(trick.takers) < len(trick.slots):
            return
        takers = set(trick.takers.values())
        pieces = tuple((slot, one) for one, slot in trick.slots.items())
        new = LastTrick(pieces, takers.pop() if len(takers) == 1 else -1, at)
        before = self.finished.get(place, ())
        self.finished[place] = (*before, new) if before and before[-1].at == at else (new,)
        del self._open[place]


def find_last_tricks(match: Match) -> Mapping[str, tuple[LastTrick, ...]]:
    """Return the tricks that were taken last, by the place in which they lay; see :class:`LastTricks`.

    A match that does not narrate is played again for it, as for ``Match.telling``.
    """
    return dict(match._whole().tricks.finished) if match.labels.tricks else {}


def list_trick_slots(layout: Layout) -> dict[int, str]:
    """Return the slots of all places that are shown as tricks, each with its place, if all players see all of it."""
    model = layout.model
    names = {panel.of for panel in panels_of(model) if panel.form == "trick"}
    return {
        slot: place.name
        for place in model.places.values()
        if place.name in names and place.visible == "all" and model.hidden_kinds.isdisjoint(place.dims)
        for slot in layout.slots(*layout.places[place.name])
    }


def _list_moves(events: Sequence[Event]) -> Iterator[tuple[int, int, int]]:
    """Yield each piece that was moved, with its old and new slot."""
    for event in events:
        if event[0] == "move":
            _, _, _, piece, new, old = event
            yield piece, old, new
        elif event[0] == "moved":
            yield from event[3]


def _find_owner(layout: Layout, slot: int) -> int:
    """Return the seat of the player who has a place, if all players know whose it is; else -1."""
    if slot == BOX:
        return -1
    name = layout.holders[slot]
    place, (base, sizes) = layout.model.places[name], layout.places[name]
    if place.dims[:1] != ("player",) or not layout.model.hidden_kinds.isdisjoint(place.dims):
        return -1
    return indices_of(place.dims, sizes, slot - base)[0][1]
