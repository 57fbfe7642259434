"""Say to what of the declarations each slot of a state belongs.

In:     the layout of a program.
Out:    stretches of slots, each with the location by which nodes say that they read or write it.
"""

from __future__ import annotations

from collections.abc import Iterable

from patolli.language.program.node import Location
from patolli.run.compiler.layout import Layout


def list_locations(layout: Layout) -> Iterable[tuple[int, int, Location]]:
    """Yield first slot and end of everything that is declared, and what is read there."""
    for name, first in layout.at.items():
        yield first, first + layout.size(name), ("pieces", name)
    for (kind, field), first in layout.fields.items():
        yield first, first + layout.size(kind), ("field", kind, field)
    for name, (base, sizes) in layout.counters.items():
        slots = layout.slots(base, sizes)
        yield slots.start, slots.stop, ("counter", name)
    for name, (base, sizes) in layout.places.items():
        slots = layout.slots(base, sizes)
        yield slots.start, slots.stop, ("pieces", layout.model.places[name].of)
