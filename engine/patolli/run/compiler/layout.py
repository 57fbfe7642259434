"""Lay out the state of a match: which slot of one flat list holds what.

In:     a resolved program and a number of seats.
Out:    a :class:`Layout`: the instances of every kind, the slot of every counter, field and place, and the state
        before the first rule runs.
Errors: P0410 the declared number of pieces differs from the pieces, P0411 a number that is not constant.

Slot 0 holds the frames, slot 1 the seed, slot 2 whether the match is over (0 or 1), slot 3 the number of draws made
so far, by stream. A place for many pieces is a list in its slot; a spot holds one piece or -1. The slot ``at`` of a
piece holds the slot of its place, or 0 for the box. The lists stand together at the end, which makes copying fast.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from patolli.kernel.geometry import placements
from patolli.language.diagnostics import Problem, Span
from patolli.language.program import types as ty
from patolli.language.program.effects import DECIDED_BY, PlaceAt
from patolli.language.program.expressions import Expr, ListOf, Local, NoValue
from patolli.language.program.expressions import Instance as Named
from patolli.language.program.model import Attribute, Counter, Design, Kind, Place, Program, Value
from patolli.run.compiler.components import check_components
from patolli.run.compiler.constants import Constants

COPIES, ROW, PIECES, SLOTS = 10_000, 10_000, 100_000, 1_000_000
"""The most copies of one piece, spots of one row, pieces of all kinds, and numbers and places of a match."""
RECORDS = 100_000
"""The most values that all records may have."""
FRAMES, SEED, OVER, DRAWS, FIRST = 0, 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Instance:
    """One piece or member: its id, its design, which copy it is, and the seat that owns it (-1: none)."""

    id: str
    design: Design | None
    copy: int
    owner: int


@dataclass(slots=True)
class Layout:
    """Slots and instances for one number of seats. ``holders`` says to which place a slot belongs."""

    model: Program
    seats: int
    constants: Constants
    instances: dict[str, list[Instance]] = field(default_factory=dict)
    index: dict[tuple[str, str], int] = field(default_factory=dict)
    counters: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    limits: dict[str, int | None] = field(default_factory=dict)
    fields: dict[tuple[str, str], int] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)
    places: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    holders: dict[int, str] = field(default_factory=dict)
    lists: list[int] = field(default_factory=list)
    initial: list[Any] = field(default_factory=list)
    ways: dict[str, list[tuple[int, int, int, tuple[int, ...]]]] = field(default_factory=dict)
    records: dict[str, list[range]] = field(default_factory=dict)  # of each field the values, as numbers
    problems: list[Problem] = field(default_factory=list)

    def size(self, kind: str) -> int:
        """Return the number of instances of a kind."""
        return len(self.instances[kind])

    def slots(self, base: int, sizes: tuple[int, ...]) -> range:
        """Return all slots of a counter or place."""
        number = 1
        for size in sizes:
            number *= size
        return range(base, base + number)

    def list_numbers(self) -> list[range]:
        """Return all slots of each counter and each field."""
        found = [self.slots(*where) for where in self.counters.values()]
        return found + [range(base, base + self.size(kind)) for (kind, _), base in self.fields.items()]

    def find_decider(self, state: list[Any], seat: int) -> int:
        """Return who decides for a seat: another one in ``as p by q``."""
        base = self.fields.get(("player", DECIDED_BY), 0)
        return int(state[base + seat]) if base and state[base + seat] >= 0 else seat

    def list_viewing_seats(self, state: list[Any], seat: int) -> tuple[int, ...]:
        """Return the seats whose hidden things a seat sees: itself first, then those for which it decides.

        A spectator, whose number is below 0 as that of no player, decides for no one.
        """
        base = self.fields.get(("player", DECIDED_BY), 0) if seat >= 0 else 0
        others = [one for one in range(self.seats) if state[base + one] == seat != one] if base else []
        return (seat, *others)

    def fresh(self) -> list[Any]:
        """Return a state at the beginning, which shares nothing with any other."""
        state: list[Any] = self.initial[:]
        for slot in self.lists:
            state[slot] = state[slot][:]
        return state

    def copy_state(self, state: list[Any]) -> list[Any]:
        """Return a copy of a state that shares nothing with it; the lists stand together at its end."""
        lists = self.lists
        new = [*state[: lists[0]], *map(list.copy, state[lists[0] :])] if lists else state[:]
        frames = state[FRAMES]
        new[FRAMES] = [frames[0][:]] if len(frames) == 1 else list(map(list.copy, frames))
        new[DRAWS] = state[DRAWS].copy()
        return new


def lay_out(model: Program, seats: int) -> Layout:
    """Return the layout of a program for *seats* players."""
    layout = Layout(model, seats, Constants(model, seats))
    layout.initial = [[], 0, 0, {}]
    for kind in model.kinds.values():
        layout.instances[kind.name] = _instances(layout, kind)
        for i, instance in enumerate(layout.instances[kind.name]):
            layout.index.setdefault((kind.name, instance.id), i)
            if instance.owner >= 0 and kind.name != "player":
                layout.index[(kind.name, f"player_{instance.owner + 1}.{instance.id}")] = i
    for counter in model.counters.values():
        _counter(layout, counter)
    for kind in model.kinds.values():
        for attribute in kind.fields.values():
            value = _start(layout, attribute)
            layout.fields[(kind.name, attribute.name)] = len(layout.initial)
            if _fits(layout, (layout.size(kind.name),), attribute.span):
                layout.initial.extend([value] * layout.size(kind.name))
        if kind.placed:
            layout.at[kind.name] = len(layout.initial)
            layout.initial.extend([0] * layout.size(kind.name))
    lists = [place for place in model.places.values() if place.type not in ("spot", "row")]
    for place in (*(p for p in model.places.values() if p not in lists), *lists):
        _place(layout, place)
    if not layout.problems:
        _start_places(layout)
    check_components(layout)
    for constant in model.constants.values():
        _rows(layout, constant.value)
    for design in model.designs.values():
        for fact in design.facts.values():
            _rows(layout, fact)
    layout.problems.extend(layout.constants.problems)
    return layout


def _start(layout: Layout, attribute: Attribute) -> Any:
    """Return what a field begins with: its default, else none, an empty list, or the least number."""
    default, type_ = attribute.default, attribute.type
    if isinstance(type_, ty.Seq):
        return _items(layout, default) if default is not None else ()
    if default is not None:
        return layout.constants.of_copy(0, layout).number(default)
    return -1 if isinstance(type_, ty.Maybe) else attribute.low or 0


def _items(layout: Layout, expr: Expr) -> Any:
    """Return a list that is written, and lists inside it; what is none of a match is left out."""
    if isinstance(expr, ListOf):
        there = [i for i in expr.items if not isinstance(i, Named) or (i.kind, i.id) in layout.index]
        return tuple(_items(layout, item) for item in there)
    if isinstance(expr.type, ty.Seq) or isinstance(expr, NoValue):
        return ()
    return layout.constants.of_copy(0, layout).number(expr)


def _instances(layout: Layout, kind: Kind) -> list[Instance]:
    if kind.name == "player":
        return [Instance(f"player_{n + 1}", None, 1, n) for n in range(layout.seats)]
    if kind.is_record:
        return _list_records(layout, kind)
    if kind.members is not None:
        names = _placement_names(layout, kind) if kind.lays else kind.members
        owners = range(layout.seats) if kind.per_player else (-1,)
        return [Instance(name, None, 1, owner) for owner in owners for name in names]
    found: list[Instance] = []
    for design in kind.designs:
        number = 1
        if design.copies is not None:
            number = _evaluate_count(layout, design.copies, COPIES)
        owners = range(layout.seats) if kind.per_player and "owner" not in design.facts else (-1,)
        single = design.copies is None and owners == (-1,)
        if sum(map(len, layout.instances.values())) + len(found) + number * len(owners) > PIECES:
            _too_many(layout, f"there are more than {PIECES:,} pieces, with these", design.span)
            break
        for owner in owners:
            for copy in range(1, number + 1):
                found.append(Instance(design.id if single else f"{design.id}_{copy}", design, copy, owner))
    return found


def _list_records(layout: Layout, kind: Kind) -> list[Instance]:
    """List all values of a record, the last field fastest; each is called by what its fields hold: ``2/0``."""
    values: list[range] = []
    called: list[list[str]] = []
    for fact in kind.facts.values():
        inner = ty.strip(fact.type)
        there = layout.instances[inner.kind] if isinstance(inner, ty.Ref) else []
        low, high = (fact.low or 0, fact.high or 0) if inner == ty.INT else (0, len(there) - 1)
        if inner == ty.BOOL:
            high = 1
        values.append(range(low - isinstance(fact.type, ty.Maybe), high + 1))
    number = prod(map(len, values))
    if number + sum(prod(map(len, one)) for one in layout.records.values()) > RECORDS:
        _too_many(layout, f"all records have more than {RECORDS:,} values, with these", kind.span)
        values = [range(0) for _ in values]
    layout.records[kind.name] = values
    for fact, numbers in zip(kind.facts.values(), values, strict=True):
        called.append([call_value(layout, fact.type, one) for one in numbers])
    return [Instance("/".join(one), None, 1, -1) for one in product(*called)]


def call_value(layout: Layout, type_: ty.AnyType, value: int) -> str:
    """Return what a value of a field of a record is called in the ids of records."""
    inner = ty.strip(type_)
    if not isinstance(inner, ty.Ref):
        return str(value) if inner == ty.INT else str(bool(value)).lower()
    if value < 0:
        return "none"
    one = layout.instances[inner.kind][value]
    return one.id if one.owner < 0 or inner.kind == "player" else f"player_{one.owner + 1}.{one.id}"


def _evaluate_count(layout: Layout, expr: Expr, most: int) -> int:
    """Return a constant number of things, 0 with a problem where it makes no sense."""
    number = layout.constants.number(expr)
    if 0 <= number <= most:
        return number
    words = f"must be {'at least 0' if number < 0 else f'at most {most:,}'}, found {number:,}"
    layout.problems.append(Problem("P0054", f"this number {words}", expr.span))
    return 0


def _fits(layout: Layout, sizes: tuple[int, ...], span: Span) -> bool:
    """Return whether there is room for one more counter, place or field; report it where there is none."""
    if len(layout.initial) + prod(sizes) <= SLOTS:
        return True
    _too_many(layout, f"the match would have more than {SLOTS:,} numbers and places, with these", span)
    return False


def _too_many(layout: Layout, message: str, span: Span) -> None:
    layout.problems.append(Problem("P0054", message, span, "make the numbers smaller"))


def _placement_names(layout: Layout, kind: Kind) -> list[str]:
    """Return the names of all ways to lay a shape on one grid, and keep the ways themselves."""
    grid = layout.model.kinds[kind.lays]
    names: list[str] = []
    ways: list[tuple[int, int, int, tuple[int, ...]]] = []
    assert grid.members is not None
    for number, (shape, cells) in enumerate(layout.model.shapes.items()):
        for corner, turn, covered in placements(grid.grid, cells):
            names.append(f"{shape}_{grid.members[corner]}_{turn}")
            ways.append((number, turn, corner, covered))
    layout.ways[kind.name] = ways
    return names


def _counter(layout: Layout, counter: Counter) -> None:
    sizes = tuple(layout.size(kind) for kind in counter.dims)
    base = len(layout.initial)
    start = layout.constants.number(counter.start) if counter.start is not None else max(0, counter.low)
    layout.counters[counter.name] = (base, sizes)
    layout.limits[counter.name] = layout.constants.number(counter.high) if counter.high is not None else None
    if _fits(layout, sizes, counter.span):
        layout.initial.extend([start] * len(layout.slots(base, sizes)))


def _place(layout: Layout, place: Place) -> None:
    sizes = tuple(layout.size(kind) for kind in place.dims)
    if place.type == "row":
        sizes = (*sizes, _evaluate_count(layout, place.size, ROW) if place.size is not None else 1)
    base = len(layout.initial)
    layout.places[place.name] = (base, sizes)
    if not _fits(layout, sizes, place.span):
        return
    for slot in layout.slots(base, sizes):
        layout.holders[slot] = place.name
        if place.type in ("spot", "row"):
            layout.initial.append(-1)
        else:
            layout.initial.append([])
            layout.lists.append(slot)


def _start_places(layout: Layout) -> None:
    """Put every piece where its document says that it starts."""
    crowd: dict[Span, list[Instance]] = {}  # pieces for which there was no room, by the place that was said
    for kind, instances in layout.instances.items():
        if kind not in layout.at:
            continue
        for i, instance in enumerate(instances):
            where = instance.design.place if instance.design else None
            slot = _slot(layout, where, instance) if where is not None else None
            if slot is None:
                continue
            value = layout.initial[slot]
            if isinstance(value, list):
                value.append(i)
            elif value == -1:
                layout.initial[slot] = i
            else:
                assert where is not None
                crowd.setdefault(where.span, []).append(instance)
                continue
            layout.initial[layout.at[kind] + i] = slot
    help_ = "a spot has room for one piece; a pile or an area has room for more"
    for span, (first, *others) in crowd.items():
        message, place = f"{first.id!r} starts on a spot that is taken", span
        if others:
            message = f"{first.id!r} and {len(others)} more start on spots that are taken"
        elif first.design is not None:
            place = first.design.span
        layout.problems.append(Problem("P0412", message, place, help_))


def _slot(layout: Layout, where: PlaceAt, instance: Instance) -> int | None:
    if not where.place:
        return None
    base, sizes = layout.places[where.place]
    assert instance.design is not None
    constants = layout.constants.of_copy(instance.copy, layout)
    offset = 0
    for index, size in zip(where.indices, sizes, strict=False):
        mine = isinstance(index, Local) and index.variable is instance.design.owner
        number = max(0, instance.owner) if mine else constants.number(index)
        if number < 0:  # a match without the one to whom the place belongs
            return None
        offset = offset * size + number
    return base + offset


def _rows(layout: Layout, value: Value) -> None:
    """Look up the tables in a value, so that a missing row is found."""
    value = layout.constants.table(value)
    for item in value if isinstance(value, list) else ():
        _rows(layout, item)
