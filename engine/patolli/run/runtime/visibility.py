"""Who sees what, for all seats at once: computed per program, asked about many states.

A set of seats is a number with a bit for each. Where a piece lies decides who sees it, and so do the pieces that its
place stands for; ``seat_visibility`` says the same of one thing and one seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from patolli.kernel.state import State
from patolli.language.program import effects as e
from patolli.language.program import types as ty
from patolli.language.program.model import LASTS, Attribute, Counter, Place
from patolli.language.program.node import Location
from patolli.language.program.summaries import Summaries
from patolli.run.compiler.layout import FRAMES, Layout
from patolli.run.runtime.seat_visibility import Index

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

Seats = int
"""A set of seats: a bit for each."""
Piece = int
"""A piece: the slot that holds where it lies."""


Holdings = tuple[tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]]
"""What a seat alone sees: slots of single things, and slots of places for pieces with the number of each's design."""
Bounds = tuple[int | None, int | None]
"""The least and the greatest value; None where there is none."""


@dataclass(frozen=True, slots=True)
class Number:
    """A slot of a counter or field that not everybody sees, or not always.

    Attributes:
        slot: Where it is.
        name: The first slot of the same counter or field.
        seats: Who sees it by what it declares.
        pieces: Who is to be seen, besides: pieces for which it counts.
        opener: The slot of the field that opens it to all; 0 where there is none.
        low: The least value, or None where it is not bounded.
        high: The greatest value, or None.
        listed: Whether it holds a list.
    """

    slot: int
    name: int
    seats: Seats
    pieces: tuple[Piece, ...]
    opener: int
    low: int | None
    high: int | None
    listed: bool = False


class Visibility:
    """What is hidden in matches of one layout."""

    def __init__(self, layout: Layout, summaries: Summaries) -> None:
        """Go through all declarations; a number that no rule writes, as the *summaries* say, stays as it starts."""
        self.layout, self.model = layout, layout.model
        self.written = frozenset[Location]().union(*(rule.writes for rule in summaries.rules.values()))
        self.doubted = [  # the invariants that a world may break
            name
            for name, (always, _) in self.model.invariants.items()
            if not summaries.reads(always).isdisjoint(self.model.hidden_locations)
        ]
        self.everybody: Seats = (1 << layout.seats) - 1
        self.seats: dict[int, Seats] = {}  # by slot of a place who sees what lies there
        self.carriers: dict[int, tuple[Piece, ...]] = {}  # by slot the pieces that it stands for and that may be hidden
        self.place: dict[int, Place] = {}
        self.tops: set[int] = set()
        self.kinds = [kind for kind in self._in_order() if kind in layout.at]
        self.pieces = {kind: range(layout.at[kind], layout.at[kind] + layout.size(kind)) for kind in self.kinds}
        self.slots: dict[str, list[int]] = {kind: [] for kind in self.kinds}
        for place in self.model.places.values():
            if place.of in self.slots:
                self._place(place)
        self.numbers = [*self._counters(), *self._fields()]
        self.number_names = frozenset(number.name for number in self.numbers)
        self.lasting = self._list_lasting()
        base = layout.fields.get(("player", e.DECIDED_BY), 0)
        self.deciders = range(base, base + layout.seats if base else 0)  # the slots that say who decides for others
        self.reveals = any(e.Reveal in kinds for kinds in summaries.kinds.values())

    @property
    def hides(self) -> bool:
        """Whether there is anything that not everybody sees."""
        return bool(self.kinds or self.numbers)

    def holdings(self) -> tuple[Holdings | None, ...]:
        """Return for each seat what it alone sees; None for nothing."""
        return tuple([self._list_holdings(1 << seat) for seat in range(self.layout.seats)])

    def _list_holdings(self, seat: Seats) -> Holdings | None:
        if seat == self.everybody:
            return None
        slots = [slot for slot, seats in self.seats.items() if seats == seat]
        lists = frozenset(self.layout.lists)
        single = [slot for slot in slots if slot not in lists]
        single += [one.slot for one in self.numbers if one.seats == seat]
        lying = tuple([(slot, self._designs(self.place[slot].of)) for slot in slots if slot in lists])
        return (tuple(single), lying) if single or lying else None

    def _designs(self, kind: str) -> tuple[int, ...]:
        """Return for each piece of a kind the number of its design, or one of its own."""
        known: dict[str | int, int] = {}
        pieces = enumerate(self.layout.instances[kind])
        return tuple([known.setdefault(one.design.id if one.design else i, len(known)) for i, one in pieces])

    def list_active_rules(self, match: Match) -> set[str]:
        """Return the names of the rules that have begun and not ended."""
        program, numbers = match.program, [frame[0] for frame in match._state[FRAMES]]
        found = {program.questions[number].rule.rstrip("#") for number in numbers if number in program.questions}
        return found | {program.calls[number][2] for number in numbers if number in program.calls}

    def _list_lasting(self) -> dict[int, str]:
        """Return by the name of a number the rule at whose end it is set back."""
        bases = {name: base for name, (base, _) in self.layout.counters.items()}
        bases |= {f"{kind}.{field}": base for (kind, field), base in self.layout.fields.items()}
        triggers = ((rule.name, trigger.body) for rule in self.model.rules.values() for trigger in rule.after)
        return {
            bases[name]: rule
            for rule, body in triggers
            if body.endswith(LASTS) and (name := body.removesuffix(LASTS)) in bases
        }

    def is_ordered(self, slot: int) -> bool:
        """Return whether a place is a pile whose order a player sees."""
        return self.place[slot].type == "pile" and self.seats[slot] != 0

    def list_closed_slots(self, state: State, seat: int) -> list[int]:
        """Return the slots of places into which a seat cannot look, not even as one who decides for others."""
        looking = sum(1 << one for one in self.layout.list_viewing_seats(state, seat))
        return [slot for slot, seats in self.seats.items() if not seats & looking]

    def watchers(self, state: State) -> dict[Piece, Seats]:
        """Return who sees each piece that may be hidden."""
        found: dict[Piece, Seats] = {}
        for kind in self.kinds:
            for piece in self.pieces[kind]:
                if piece not in found:
                    self._watchers(state, piece, found)
        return found

    def update_watchers(self, state: State, before: dict[Piece, Seats], moved: Iterable[Piece]) -> dict[Piece, Seats]:
        """Return who sees each piece after some were moved, if no piece stands for a place and nothing else matters."""
        fresh: dict[Piece, Seats] = {}
        for piece in moved:
            self._watchers(state, piece, fresh)
        return before | fresh

    def number(self, state: State, number: Number, watchers: dict[Piece, Seats]) -> Seats:
        """Return who sees a number."""
        seats = number.seats
        if number.opener and state[number.opener]:
            seats = self.everybody
        for piece in number.pieces:
            seats &= watchers[piece]
        return self.share(state, seats)

    def share(self, state: State, seats: Seats) -> Seats:
        """Add the seats that decide for others which are among *seats*."""
        shared = seats
        if self.deciders:
            for seat in range(self.layout.seats):
                if seats >> seat & 1:
                    shared |= 1 << self.layout.find_decider(state, seat)
        return shared

    def _watchers(self, state: State, piece: Piece, found: dict[Piece, Seats]) -> Seats:
        if piece in found:
            return found[piece]
        found[piece] = 0  # a piece that lies on itself, by whatever way
        slot = state[piece]
        if not slot:
            seats = self.everybody
        elif slot in self.tops:
            held = state[slot]
            seats = self.everybody if held and held[-1] == piece - self.layout.at[self.place[slot].of] else 0
        else:
            seats = self.seats[slot]
        for carrier in self.carriers.get(slot, ()):
            seats &= self._watchers(state, carrier, found)
        found[piece] = seats = self.share(state, seats)
        return seats

    # -- declarations

    def _in_order(self) -> list[str]:
        """Return the kinds that may be hidden, those that carry others first."""
        on = {kind: {p.of for p in self.model.places.values() if kind in p.dims} for kind in self.model.hidden_kinds}
        order: list[str] = []

        def visit(kind: str, open_: tuple[str, ...]) -> None:
            if kind not in order and kind not in open_:
                for other in sorted(k for k in on if kind in on[k]):
                    visit(other, (*open_, kind))
                order.append(kind)

        for kind in sorted(self.model.hidden_kinds):
            visit(kind, ())
        return order

    def _place(self, place: Place) -> None:
        base, sizes = self.layout.places[place.name]
        for offset, indices in enumerate(self._indices(place.dims, sizes)):
            slot = base + offset
            self.place[slot] = place
            self.slots[place.of].append(slot)
            self.seats[slot] = self._find_declared_seats(place, indices)
            if carriers := self._carriers(indices):
                self.carriers[slot] = carriers
            if place.visible == "top":
                self.tops.add(slot)

    def _indices(self, dims: tuple[str, ...], sizes: tuple[int, ...]) -> list[tuple[Index, ...]]:
        return [tuple(zip(dims, at, strict=False)) for at in product(*map(range, sizes))]

    def _find_declared_seats(self, thing: Counter | Place, indices: tuple[Index, ...]) -> Seats:
        return self._find_viewers(thing.visible, self._owner(*indices[0]) if indices else -1)

    def _find_viewers(self, visible: str, owner: int) -> Seats:
        if visible == "owner":
            return 1 << owner if owner >= 0 else 0
        if visible == "others":
            return self.everybody & ~(1 << owner) if owner >= 0 else 0
        return self.everybody if visible == "all" else 0

    def _owner(self, kind: str, number: int) -> int:
        return self.layout.instances[kind][number].owner

    def _carriers(self, indices: tuple[Index, ...]) -> tuple[Piece, ...]:
        return tuple(self.layout.at[kind] + number for kind, number in indices if kind in self.pieces)

    def _counters(self) -> list[Number]:
        found = []
        for counter in self.model.counters.values():
            if ("counter", counter.name) not in self.model.hidden_locations:
                continue
            base, sizes = self.layout.counters[counter.name]
            high = self.layout.limits[counter.name]
            for offset, indices in enumerate(self._indices(counter.dims, sizes)):
                seats, pieces = self._find_declared_seats(counter, indices), self._carriers(indices)
                bounds = (None, None) if high is None else (counter.low, high)
                reached = self._find_bounds(("counter", counter.name), base + offset, bounds)
                found.append(Number(base + offset, base, seats, pieces, 0, *reached))
        return found

    def _fields(self) -> list[Number]:
        found = []
        for kind in self.model.kinds.values():
            for field in kind.fields.values():
                if ("field", kind.name, field.name) not in self.model.hidden_locations:
                    continue
                base, (low, high) = self.layout.fields[(kind.name, field.name)], self._range(field)
                opener = self.layout.fields[(kind.name, field.unless)] if field.unless else 0
                for number in range(self.layout.size(kind.name)):
                    seats = self._find_viewers(field.visible, self._owner(kind.name, number))
                    pieces, opens = self._carriers(((kind.name, number),)), opener + number if opener else 0
                    listed = isinstance(self.layout.initial[base + number], list | tuple)
                    found.append(Number(base + number, base, seats, pieces, opens, low, high, listed))
        return found

    def _find_bounds(self, location: Location, slot: int, bounds: Bounds) -> Bounds:
        """Return the bounds of a number, or where it starts if no rule writes it."""
        start = self.layout.initial[slot]
        return bounds if location in self.written or not isinstance(start, int) else (start, start)

    def _range(self, field: Attribute) -> tuple[int | None, int | None]:
        inner = ty.strip(field.type)
        if isinstance(inner, ty.Ref):
            return -1 if isinstance(field.type, ty.Maybe) else 0, self.layout.size(inner.kind) - 1
        if inner == ty.BOOL:
            return 0, 1
        return (field.low, field.high) if field.high is not None else (None, None)
