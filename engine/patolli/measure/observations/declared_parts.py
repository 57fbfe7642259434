"""List what a seat observes, from the declarations: one part for every counter, field, place and kind of piece.

In:     a compiled program.
Out:    the parts of an observation in their order, each with where its numbers come from, as a seat sees them.

Numbers come from an *extended state*: the slots of the state that hold numbers, how many pieces lie in every place for
several, and behind them what has to be computed (:class:`Extra`). What is seen is said by *conditions*: positions in
a list of truth values that must all be true. It begins with what always holds and what never does; behind them stands
of each piece that may be hidden whether it is seen, of each field that another one opens whether that is so, and of
each variable of a rule whether the player who is asked knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as part_of

import numpy as np
from numpy.typing import NDArray

from patolli.language.program import types as ty
from patolli.language.program.expressions import Variable
from patolli.language.program.model import TABLE, Attribute, Counter, Kind, Place
from patolli.measure.observations.fields import CHOICE, MOST, NUMBER
from patolli.measure.observations.questions import list_questions
from patolli.measure.observations.relative import label, seat_label, sources
from patolli.measure.observations.values import Values, inside
from patolli.run.compiler.executable import Executable
from patolli.run.compiler.layout import FIRST
from patolli.run.compiler.seat_view import is_open_to

Ints = NDArray[np.int64]
ALWAYS, NEVER = 0, 1


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the numbers of a part come from, for one seat.

    Attributes:
        source: Positions in the extended state.
        table: Of a choice the number for each value, from -1 on.
        conditions: Positions of what must hold for each number to be seen; none where all are seen by all.
    """

    source: Ints
    table: Sequence[int] = ()
    conditions: tuple[Ints, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an observation, and where it comes from by seat."""

    name: str
    shape: tuple[int, ...]
    kind: str
    low: int
    high: int
    rows: Callable[[int], Rows]
    labels: tuple[str, ...] = ()
    about: str = ""
    axes: tuple[str, ...] = ()
    hidden: bool = False


@dataclass(slots=True)
class Extra:
    """What stands in the extended state behind the numbers of the state, and where in it each begins.

    Attributes:
        segments: Stretches of slots that hold single numbers.
        lists: Slots of fields that hold lists, with where what is in them is counted, how many things there may be,
            and where their length stands; counted are only pieces and members.
        piles: By kind, slots of piles whose order may be seen, and where the positions of its pieces stand.
        turn: Where it stands who decides; behind it the seat and the open question.
        variables: Where each variable that is known at some question stands, and the position of its condition.
        size: How long it is in all.
        conditions: How many there are before those of variables.
        openers: Positions of the fields that open others, in the order of their conditions.
    """

    segments: list[tuple[int, int]] = part_of(default_factory=list)
    lists: list[tuple[int, int, int, int]] = part_of(default_factory=list)
    piles: list[tuple[tuple[int, ...], int]] = part_of(default_factory=list)
    turn: int = 0
    variables: dict[tuple[str, str, ty.AnyType], tuple[int, int]] = part_of(default_factory=dict)
    size: int = 0
    conditions: int = 2
    openers: list[int] = part_of(default_factory=list)


@dataclass(frozen=True, slots=True)
class Asking:
    """The questions of one program, by the number of the block that asks.

    Attributes:
        program: The program.
        index: Which of the questions as they are written it is.
        variables: Those that are known there: the slot in the frame, where it stands, the position of its condition.
    """

    program: Executable
    index: dict[int, int]
    variables: dict[int, list[tuple[Variable, int, int, int]]]


class Declared:
    """The parts of an observation of one program.

    Attributes:
        position: By slot of the state, its position in the extended state.
        pieces: By kind, the position of the condition of its first piece.
    """

    def __init__(self, program: Executable) -> None:
        self.program, self.layout, self.model = program, program.layout, program.layout.model
        self.extra, self.asked, self.values = Extra(), list_questions(program), Values(program.layout)
        self._asking: dict[int, Asking] = {}
        self.position: dict[int, int] = {}  # in the extended state, by slot
        self.pieces: dict[str, int] = {}  # where the conditions of a kind of pieces begin
        self._turned: dict[tuple[str, int], Ints] = {}
        self._numbers()
        self._conditions()
        self.parts = [
            *self._turn(), *self._variables(), *map(self._counter, self.model.counters.values()),
            *(part for kind in self.model.kinds.values() for part in self._fields(kind)),
            *(part for place in self.model.places.values() for part in self._place(place)),
            *(part for kind in self.model.kinds.values() if kind.placed for part in self._lying(kind)),
        ]  # fmt: skip

    # -- the extended state, and what must hold

    def _numbers(self) -> None:
        """Say where each slot stands in the extended state; lists in slots come behind."""
        layout, extra = self.layout, self.extra
        lists = {
            slot
            for kind in self.model.kinds.values() for field in kind.fields.values() if ty.is_list(field.type)
            for slot in self._slots_of(kind.name, field.name)
        }  # fmt: skip
        end = layout.lists[0] if layout.lists else len(layout.initial)
        begin = FIRST
        for slot in [*sorted(lists), end]:
            if slot > begin:
                extra.segments.append((begin, slot))
            begin = slot + 1
        for start, stop in extra.segments:
            for slot in range(start, stop):
                self.position[slot] = extra.size
                extra.size += 1
        for slot in layout.lists:  # how many pieces lie there
            self.position[slot] = extra.size
            extra.size += 1

    def _conditions(self) -> None:
        extra = self.extra
        for kind in sorted(self.model.hidden_kinds):
            self.pieces[kind] = extra.conditions
            extra.conditions += self.layout.size(kind)

    def _reserve(self, number: int) -> int:
        """Return where so many more numbers stand in the extended state."""
        start = self.extra.size
        self.extra.size += number
        return start

    # -- instances as a seat sees them

    def _from(self, kind: str, seat: int) -> Ints:
        """Return which instance of a kind has which number for a seat."""
        key = (kind, seat)
        if key not in self._turned:
            self._turned[key] = np.array(sources(self.layout, kind, seat), dtype=np.int64)
        return self._turned[key]

    def _grid(self, dims: Sequence[str], seat: int, spots: int = 0) -> tuple[Ints, ...]:
        """Return the index in each dimension of every slot, as a seat sees their order; *spots* of a row at last."""
        axes = [self._from(kind, seat) for kind in dims]
        if spots:
            axes.append(np.arange(spots, dtype=np.int64))
        if not axes:
            return ()
        return tuple(axis.reshape(-1) for axis in np.meshgrid(*axes, indexing="ij"))

    def _offsets(self, sizes: Sequence[int], grid: tuple[Ints, ...]) -> Ints:
        if not grid:
            return np.zeros(1, dtype=np.int64)
        found = np.zeros_like(grid[0])
        for size, index in zip(sizes, grid, strict=True):
            found = found * size + index
        return found

    def _at(self, slots: Ints) -> Ints:
        return np.array([self.position[int(slot)] for slot in slots], dtype=np.int64)

    def _on(self, dims: Sequence[str], grid: tuple[Ints, ...]) -> list[Ints]:
        """Return the conditions that the pieces are seen for which something stands."""
        return [self.pieces[kind] + index for kind, index in zip(dims, grid, strict=False) if kind in self.pieces]

    def _open(self, visible: str, dims: Sequence[str], grid: tuple[Ints, ...], seat: int) -> list[Ints]:
        """Return the condition that a counter or place is open, as it declares."""
        if visible in ("all", "top"):
            return []
        size = len(grid[0]) if grid else 1
        if visible in ("owner", "others") and dims:
            instances = self.layout.instances[dims[0]]
            seen = np.array([is_open_to(visible, one.owner, seat) for one in instances])
            return [np.where(seen[grid[0]], ALWAYS, NEVER)]
        return [np.full(size, NEVER, dtype=np.int64)]

    # -- parts

    def _turn(self) -> Iterator[Part]:
        start = self.extra.turn = self._reserve(3)
        seats = self.layout.seats
        names = tuple(map(seat_label, range(seats)))
        numbers = tuple(f"player_{seat + 1}" for seat in range(seats))
        questions = tuple(one.name for one in self.asked.names)

        def turn(seat: int) -> Rows:
            return Rows(np.array([start]), [0, *(1 + (one - seat) % seats for one in range(seats))])

        yield Part("turn", (), CHOICE, 0, seats, turn, names, "who decides; 0 when the match is over")
        yield Part("seat", (), CHOICE, 0, seats, lambda _: Rows(np.array([start + 1]), range(seats + 1)), numbers,
                   "the seat that observes")  # fmt: skip
        yield Part(
            "question", (), CHOICE, 0, len(questions),
            lambda _: Rows(np.array([start + 2]), range(len(questions) + 1)), questions,
            "what the seat is asked; 0 when it is not asked",
        )  # fmt: skip

    def _variables(self) -> Iterator[Part]:
        """Yield what is chosen so far, and for what: the variables of the rule that asks, as far as they are known."""
        made = self.extra.variables
        for number, known in self.asked.variables.items():
            rule = self.program.questions[number].rule
            for variable, _ in known:
                key = (rule, variable.name, variable.type)
                if key not in made:
                    size = self.values.many(variable.type) if ty.is_list(variable.type) else 1
                    made[key] = self._reserve(size), len(made)
        taken: set[str] = set()
        for (rule, name, type_), (start, condition) in made.items():
            called = f"chosen.{rule.rstrip('#')}.{name}"
            while called in taken:
                called += "'"
            taken.add(called)
            yield self._variable(called, type_, start, -1 - condition)

    def asking(self, program: Executable) -> Asking:
        """Return what its questions are in a program of the same ruleset, such as one that narrates."""
        known = self._asking.get(id(program))
        if known is None:
            found = self.asked if program is self.program else list_questions(program)
            variables = {
                number: [
                    (variable, slot, *self.extra.variables[key])
                    for variable, slot in those
                    if (key := (program.questions[number].rule, variable.name, variable.type)) in self.extra.variables
                ]
                for number, those in found.variables.items()
            }
            known = self._asking[id(program)] = Asking(program, found.index, variables)
        return known

    def _variable(self, name: str, type_: ty.AnyType, start: int, condition: int) -> Part:
        inner = ty.strip(type_)
        if isinstance(inner, ty.Seq):
            of = inside(inner)
            assert isinstance(of, ty.Ref)
            kind = of.kind

            def several(seat: int) -> Rows:
                source = start + self._from(kind, seat)
                return Rows(source, (), (np.full(len(source), condition, dtype=np.int64),))

            return Part(name, (self.layout.size(kind),), NUMBER, 0, MOST, several, (), "how often each was chosen",
                        (kind,), True)  # fmt: skip
        what, low, high, labels = self.values.what(type_, None)

        def one(seat: int) -> Rows:
            return Rows(np.array([start]), self.values.table(type_, seat), (np.array([condition]),))

        return Part(name, (), what, low, high, one, labels, "", (), True)

    def _counter(self, counter: Counter) -> Part:
        base, sizes = self.layout.counters[counter.name]
        high = self.layout.limits[counter.name]

        def rows(seat: int) -> Rows:
            grid = self._grid(counter.dims, seat)
            where = [*self._open(counter.visible, counter.dims, grid, seat), *self._on(counter.dims, grid)]
            return Rows(self._at(base + self._offsets(sizes, grid)), (), tuple(where))

        hidden = counter.visible != "all" or bool(self.model.hidden_kinds & set(counter.dims))
        return Part(f"counter.{counter.name}", sizes, NUMBER, counter.low, MOST if high is None else high, rows, (),
                    counter.text, counter.dims, hidden)  # fmt: skip

    def _fields(self, kind: Kind) -> Iterator[Part]:
        for field in kind.fields.values():
            if ty.is_list(field.type):
                yield from self._list(kind, field)
            else:
                yield self._field(kind, field)

    def _slots_of(self, kind: str, field: str) -> range:
        base = self.layout.fields[(kind, field)]
        return range(base, base + self.layout.size(kind))

    def _field(self, kind: Kind, field: Attribute) -> Part:
        base = self.layout.fields[(kind.name, field.name)]
        what, low, high, labels = self.values.what(field.type, field)
        opened = self._open_condition(kind, field)

        def rows(seat: int) -> Rows:
            numbers = self._from(kind.name, seat)
            return Rows(self._at(base + numbers), self.values.table(field.type, seat), opened(seat))

        size = self.layout.size(kind.name)
        hidden = field.visible != "all" or kind.name in self.model.hidden_kinds
        return Part(f"{_home(kind)}.{field.name}", (size,), what, low, high, rows, labels, field.text, (kind.name,),
                    hidden)  # fmt: skip

    def _open_condition(self, kind: Kind, field: Attribute) -> Callable[[int], tuple[Ints, ...]]:
        """Return what says by seat what must hold for a field of each piece to be seen."""
        opener = -1
        if field.visible != "all" and field.unless:
            opener = self.extra.conditions
            slots = self._slots_of(kind.name, field.unless)
            self.extra.openers += [self.position[slot] for slot in slots]
            self.extra.conditions += len(slots)

        def conditions(seat: int) -> tuple[Ints, ...]:
            numbers = self._from(kind.name, seat)
            found = self._on((kind.name,), (numbers,))
            if field.visible != "all":
                shut = opener + numbers if opener >= 0 else np.full(len(numbers), NEVER, dtype=np.int64)
                instances = self.layout.instances[kind.name]
                mine = np.array([field.visible == "owner" and instances[n].owner == seat for n in numbers], dtype=bool)
                found.append(np.where(mine, ALWAYS, shut))
            return tuple(found)

        return conditions

    def _list(self, kind: Kind, field: Attribute) -> Iterator[Part]:
        """Yield how long the lists in a field are, and how often each piece or member stands in them."""
        size, many = self.layout.size(kind.name), self.values.many(field.type)
        opened = self._open_condition(kind, field)
        long, counted = self._reserve(size), self._reserve(size * many)
        for number, slot in enumerate(self._slots_of(kind.name, field.name)):
            self.extra.lists.append((slot, counted + number * many, many, long + number))
        hidden = field.visible != "all" or kind.name in self.model.hidden_kinds
        yield Part(
            f"{_home(kind)}.{field.name}.size", (size,), NUMBER, 0, MOST,
            lambda seat: Rows(long + self._from(kind.name, seat), (), opened(seat)), (), "how long the list is",
            (kind.name,), hidden,
        )  # fmt: skip
        if not many:
            return
        of = inside(field.type)
        assert isinstance(of, ty.Ref)

        def rows(seat: int) -> Rows:
            grid = self._grid((kind.name, of.kind), seat)
            where = tuple(np.repeat(one, many) for one in opened(seat))
            return Rows(counted + self._offsets((size, many), grid), (), (*where, *self._on(("", of.kind), grid)))

        hidden = hidden or of.kind in self.model.hidden_kinds
        yield Part(f"{_home(kind)}.{field.name}", (size, many), NUMBER, 0, MOST, rows, (), "count of each",
                   (kind.name, of.kind), hidden)  # fmt: skip

    def _place(self, place: Place) -> Iterator[Part]:
        base, sizes = self.layout.places[place.name]
        spots = sizes[-1] if place.type == "row" else 0
        axes = (*place.dims, *(("spot",) if spots else ()))
        single = place.type in ("spot", "row")

        def locate_cells(seat: int) -> tuple[tuple[Ints, ...], list[Ints]]:
            grid = self._grid(place.dims, seat, spots)
            return grid, self._on(place.dims, grid)

        def list_rows(seat: int) -> Rows:
            grid, on = locate_cells(seat)
            where = (*self._open(place.visible, place.dims, grid, seat), *on)
            return Rows(self._at(base + self._offsets(sizes, grid)), self.values.table(ty.Ref(place.of), seat), where)

        def number(seat: int) -> Rows:
            grid, on = locate_cells(seat)
            source = self._at(base + self._offsets(sizes, grid))
            return Rows(source, [0, *[1] * self.layout.size(place.of)] if single else (), tuple(on))

        buried = bool(self.model.hidden_kinds & set(place.dims))
        size = self.layout.size(place.of)
        if single:
            labels = tuple(label(self.layout, place.of, n) for n in range(size))
            hidden = buried or place.visible not in ("all", "top")
            yield Part(f"place.{place.name}", sizes, CHOICE, 0, size, list_rows, labels,
                       place.text or f"the piece there ({place.of})", axes, hidden)  # fmt: skip
            if place.visible in ("all", "top"):
                return
        about = f"pieces there ({place.of})"
        yield Part(f"place.{place.name}.size", sizes, CHOICE if single else NUMBER, 0, 1 if single else size, number,
                   ("taken",) if single else (), about, axes, buried)  # fmt: skip

    def _lying(self, kind: Kind) -> Iterator[Part]:
        """Yield where the pieces of a kind lie, and at which position of a pile."""
        places = [place for place in self.model.places.values() if place.of == kind.name]
        base, size = self.layout.at[kind.name], self.layout.size(kind.name)
        if not size:
            return

        def lies(seat: int) -> Rows:
            numbers = self._from(kind.name, seat)
            table = [0, 1] + [0] * (len(self.layout.initial) - 1)
            for position, slot in enumerate(slot for place in places for slot in self._in_order(place, seat)):
                table[slot + 1] = 2 + position
            return Rows(self._at(base + numbers), table, tuple(self._on((kind.name,), (numbers,))))

        labels = ("box", *(name for place in places for name in self.values.places(place)))
        hidden = kind.name in self.model.hidden_kinds
        yield Part(f"at.{kind.name}", (size,), CHOICE, 0, len(labels), lies, labels, "position of each piece",
                   (kind.name,), hidden)  # fmt: skip
        piles = [place for place in places if place.type == "pile" and place.visible != "none"]
        if not piles:
            return
        start = self._reserve(size)
        slots = tuple(slot for one in piles for slot in self.layout.slots(*self.layout.places[one.name]))
        self.extra.piles.append((slots, start))

        def position(seat: int) -> Rows:
            numbers = self._from(kind.name, seat)
            return Rows(start + numbers, (), tuple(self._on((kind.name,), (numbers,))))

        yield Part(f"order.{kind.name}", (size,), NUMBER, 0, size, position, (),
                   "where in its pile, from 1 on top; 0 in none", (kind.name,), hidden)  # fmt: skip

    def _in_order(self, place: Place, seat: int) -> list[int]:
        """Return the slots of a place in the order in which a seat sees them."""
        base, sizes = self.layout.places[place.name]
        grid = self._grid(place.dims, seat, sizes[-1] if place.type == "row" else 0)
        found: list[int] = (base + self._offsets(sizes, grid)).tolist()
        return found


def _home(kind: Kind) -> str:
    return kind.name if kind.name == TABLE else f"of.{kind.name}"
