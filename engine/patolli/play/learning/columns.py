"""The numbers of a position as the declarations give them: counters, fields, and what lies where.

In:     a layout.
Out:    columns, each with a label and the seat to which it belongs, and terms that say what is added to which column.

A term looks a value up in the state and adds a weight to the column that the value leads to. What a number is adds
itself to one column; what is one of several things adds 1 to the column of that thing; a piece adds 1 where it lies,
and its numbers besides. Declarations with more than ``MOST`` labels are added up: over the instances of a kind, or over
the designs of the pieces in a place.

What is hidden is left out, or belongs to its owner alone. So a column that others may read says of a hidden place
how many pieces lie there, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

from patolli.language.program import types as ty
from patolli.language.program.model import Attribute, Counter, Kind, Place
from patolli.run.compiler.layout import Instance, Layout

MOST = 512
"""Labels that one declaration may have."""
NO_OWNER = -1
"""The owner of what belongs to no seat."""
NOWHERE = -1
"""The column of what counts for nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """What is counted for whom; of a *secret* one only its owner knows more than nothing."""

    label: str
    owner: int
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """What one value of the state adds.

    Attributes:
        slot: Where the value is; a piece says there in which slot it lies.
        table: The column by value, from *low* on; of a piece by the number of its place among those of its kind,
            where 0 is the box.
        low: The value of the first column.
        weight: The slot of the number that is added, or None for 1.
    """

    slot: int
    table: tuple[int, ...]
    low: int = 0
    weight: int | None = None


@dataclass(slots=True)
class Columns:
    """All columns of a layout, with what fills them; ``positions`` numbers the places of a kind, by slot."""

    layout: Layout
    columns: list[Column] = field(default_factory=list)
    numbers: list[Term] = field(default_factory=list)
    pieces: list[Term] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    _known: dict[Column, int] = field(default_factory=dict)

    def column(self, label: str, owner: int = NO_OWNER, secret: bool = False) -> int:
        """Return the number of a column; it is new where there is none with this label for this owner."""
        wanted = Column(label, owner, secret)
        if wanted not in self._known:
            self._known[wanted] = len(self.columns)
            self.columns.append(wanted)
        return self._known[wanted]


def columns_of(layout: Layout) -> Columns:
    """Go through all declarations."""
    found = Columns(layout)
    for counter in layout.model.counters.values():
        _counter(found, counter)
    for kind in layout.model.kinds.values():
        for attribute in kind.fields.values():
            if kind.name not in layout.model.hidden_kinds:
                _field(found, kind, attribute)
    found.positions = [0] * len(layout.initial)
    for name in layout.at:
        _pieces(found, layout.model.kinds[name])
    return found


def _counter(found: Columns, counter: Counter) -> None:
    layout = found.layout
    base, sizes = layout.counters[counter.name]
    if not _is_visible(counter.visible, counter.dims, layout):
        return
    for slot, owner, words in _slots(layout, counter.dims, base, sizes):
        label = f"{counter.name}{words}"
        found.numbers.append(Term(slot, (found.column(label, owner, counter.visible == "owner"),), weight=slot))


def _is_visible(visible: str, dims: tuple[str, ...], layout: Layout) -> bool:
    """Return whether a declaration counts: seen by all, or by each owner, and not of pieces that may be hidden."""
    return visible in ("all", "owner") and not layout.model.hidden_kinds & set(dims)


def _slots(layout: Layout, dims: tuple[str, ...], base: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, int, str]]:
    """Yield each slot with its seat and the rest of its index in words; indices with too many values are left out."""
    names = [_names(layout.instances[kind]) for kind in dims]
    owners = [[one.owner for one in layout.instances[kind]] for kind in dims]
    several = prod(len(set(one)) for one in names) <= MOST
    for offset, at in enumerate(product(*map(range, sizes))):
        found = [owner[n] for owner, n in zip(owners, at, strict=False) if owner[n] >= 0]
        words = [name[n] for kind, name, n in zip(dims, names, at, strict=False) if kind != "player"]
        yield base + offset, (found or [NO_OWNER])[0], f"[{', '.join(words)}]" if several and words else ""


def _names(instances: list[Instance]) -> list[str]:
    return ["" if one.id == f"player_{one.owner + 1}" else one.id for one in instances]


# ---- fields


def _field(found: Columns, kind: Kind, attribute: Attribute) -> None:
    layout, type_ = found.layout, attribute.type
    inner = ty.strip(type_)
    if isinstance(inner, ty.Seq) or attribute.visible not in ("all", "owner"):
        return
    instances = layout.instances[kind.name]
    base, secret = layout.fields[(kind.name, attribute.name)], attribute.visible == "owner"
    targets = layout.instances[inner.kind] if isinstance(inner, ty.Ref) else []
    designs = _designs(targets)
    each = len({one.id for one in instances}) * max(1, len(set(designs))) <= MOST
    for number, one in enumerate(instances):
        where = f"{kind.name}[{one.id}]" if each and len(instances) > 1 else kind.name
        label, slot = f"{where}.{attribute.name}", base + number
        if not isinstance(inner, ty.Ref):
            found.numbers.append(Term(slot, (found.column(label, one.owner, secret),), weight=slot))
            continue
        table = [NOWHERE]
        for target, design in zip(targets, designs, strict=True):
            owner = one.owner if one.owner >= 0 else target.owner
            table.append(found.column(f"{label}: {design}", owner, secret))
        found.numbers.append(Term(slot, tuple(table), -1))


def _designs(instances: list[Instance]) -> list[str]:
    """Return by instance what it shares with its copies, unless there are too many designs; players are all alike."""
    found = [
        "" if one.id == f"player_{one.owner + 1}" else one.design.id if one.design is not None else one.id
        for one in instances
    ]
    return found if len(set(found)) <= MOST else [""] * len(found)


# ---- pieces


def _pieces(found: Columns, kind: Kind) -> None:
    """Add terms for where each piece of a kind lies: by its design, and with each of its numbers."""
    layout = found.layout
    places = [place for place in layout.model.places.values() if place.of == kind.name]
    slots = [(place, *one) for place in places for one in _of_place(layout, place)]
    for position, (_, slot, _, _) in enumerate(slots, 1):
        found.positions[slot] = position
    designs = _designs(layout.instances[kind.name])
    each = len({words for *_, words in slots}) * len(set(designs)) <= MOST
    numbers = [
        one for one in kind.fields.values() if one.type in (ty.INT, ty.BOOL) and one.visible == "all"
    ]  # fmt: skip
    for number, piece in enumerate(layout.instances[kind.name]):
        at = layout.at[kind.name] + number
        for field_, reported in ((None, ""), *((one, f".{one.name}") for one in numbers)):
            words = f": {designs[number]}" if field_ is None and designs[number] else reported
            table = [NOWHERE, *(_lies(found, one, piece, words, each or field_ is not None) for one in slots)]
            weight = layout.fields[(kind.name, field_.name)] + number if field_ is not None else None
            found.pieces.append(Term(at, tuple(table), weight=weight))


def _of_place(layout: Layout, place: Place) -> Iterator[tuple[int, int, str]]:
    base, sizes = layout.places[place.name]
    if place.type == "row":  # which spot of a row it is seldom matters as much as that it lies there
        width = sizes[-1]
        for slot, owner, words in _slots(layout, place.dims, base, sizes[:-1]):
            for spot in range(width):
                yield base + (slot - base) * width + spot, owner, words
        return
    yield from _slots(layout, place.dims, base, sizes)


def _lies(found: Columns, one: tuple[Place, int, int, str], piece: Instance, words: str, each: bool) -> int:
    """Return the column of a piece that lies in a slot."""
    place, _, owner, index = one
    owner = owner if owner >= 0 else piece.owner
    if not _is_visible(place.visible, place.dims, found.layout):
        return NOWHERE if words.startswith(".") else found.column(place.name, owner)
    if place.visible == "owner":
        return found.column(f"{place.name}{index}{words}", owner, secret=True)
    return found.column(f"{place.name}{index if each else ''}{words}", owner)
