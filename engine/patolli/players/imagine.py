"""A match as one player may imagine it: what the player cannot see is drawn anew.

In:     a match and a seat.
Out:    a copy in which the future draws are others, and pieces of a kind that lie where the seat cannot look
        have changed places with each other.

So a bot that tries things out learns nothing that a person at its place would not know. Counters and fields
that only others see are left as they are.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from patolli.compiler.layout import SEED

if TYPE_CHECKING:
    from patolli.compiler.layout import Layout
    from patolli.runtime import Match


class Imagination:
    """Makes imagined copies for one seat of matches of one program."""

    def __init__(self, layout: Layout, seat: int) -> None:
        """Find the slots into which *seat* cannot look, by kind of piece."""
        self._layout = layout
        self._hidden = [(layout.at[kind], slots) for kind, slots in _hidden_slots(layout, seat).items()]

    @property
    def slots(self) -> list[int]:
        """The slots into which the seat cannot look."""
        return [slot for _, slots in self._hidden for slot in slots]

    def copy(self, match: Match, draw: Random) -> Match:
        """Return an imagined copy of *match*."""
        new = match.clone()
        state = new.state
        state[SEED] = draw.getrandbits(62)
        for at, slots in self._hidden:
            pieces = [piece for slot in slots for piece in state[slot]]
            draw.shuffle(pieces)
            start = 0
            for slot in slots:
                held = state[slot]
                held[:] = pieces[start : start + len(held)]
                start += len(held)
                for piece in held:
                    state[at + piece] = slot
        return new


def _hidden_slots(layout: Layout, seat: int) -> dict[str, list[int]]:
    """Return the slots of piles and areas that *seat* cannot look into, by kind."""
    found: dict[str, list[int]] = {}
    for place in layout.model.places.values():
        if place.type not in ("pile", "area") or place.visible not in ("none", "owner"):
            continue
        base, sizes = layout.places[place.name]
        each = max(1, len(layout.slots(base, sizes[1:])))
        owners = [instance.owner for instance in layout.instances[place.dims[0]]] if place.visible == "owner" else []
        slots = [slot for slot in layout.slots(base, sizes) if not owners or owners[(slot - base) // each] != seat]
        found.setdefault(place.of, []).extend(slots)
    return found
