"""Count places and pieces: where there are more places than pieces that could lie in them, one is empty.

In:     a choice among all instances of a kind, and a typed model.
Out:    whether its condition asks for nothing but an empty place, and one is empty in any case.
Errors: none.

This holds because every piece is in exactly one place or in the box, and pieces are never made.
"""

from __future__ import annotations

from patolli.analysis.model import Design, Kind, Model
from patolli.language import tree as t


def leaves_room(effect: t.Choose, model: Model) -> bool:
    """Recognise ``choose x in K where size(P(x)) == 0``, or ``P(x) == none``, with too few pieces to fill every P."""
    if len(effect.binders) != 1 or not isinstance(effect.where, t.Compare):
        return False
    binder, place = effect.binders[0], _asked_to_be_empty(effect.where)
    if place is None or not binder.source.note or binder.source.note[0] != "kind":
        return False
    declared, kind = model.places[place.note[1]], model.kinds[binder.source.note[1]]
    if declared.dims != (kind.name,) or place.arguments != [t.Name(binder.id, at=effect.at)]:
        return False
    low, high = (number + model.automated for number in model.players)
    fewest, most = instances(kind, low), instances(model.kinds[declared.of], high)
    return fewest is not None and most is not None and most < fewest


def _asked_to_be_empty(condition: t.Compare) -> t.Call | None:
    """Return the place in ``size(place) == 0`` or ``place == none``."""
    asked, (op, value) = condition.first, condition.rest[0]
    if op != "==" or len(condition.rest) > 1:
        return None
    if isinstance(value, t.Number) and value.value == 0 and isinstance(asked, t.Call) and asked.id == "size":
        asked = asked.arguments[0]
    elif not isinstance(value, t.Nobody):
        return None
    return asked if isinstance(asked, t.Call) and t.note_of(asked)[0] == "place" else None


def instances(kind: Kind, players: int) -> int | None:
    """Return how many instances a kind has with so many players; none where that is not plain to see."""
    if kind.lays or any(not isinstance(d.copies, t.Number | None) for d in kind.designs):
        return None
    shared = len(kind.members or []) * (players if kind.per_player else 1)
    return shared + sum(_copies(design) * (players if _for_everyone(kind, design) else 1) for design in kind.designs)


def _copies(design: Design) -> int:
    return design.copies.value if isinstance(design.copies, t.Number) else 1


def _for_everyone(kind: Kind, design: Design) -> bool:
    return kind.per_player and "owner" not in design.facts
