"""Compile what a seat sees of the table: one Python function per number of seats and seat.

In:     a layout, a seat, and the words for the values of fields.
Out:    a function of a state that returns counters, places and pieces by name, what is hidden left out; or one that
        says no more than which pieces are seen.

What depends on the declarations alone is computed here: names, slots, who owns what, which places are shut. Left to
the function is what depends on where the pieces lie: a player who cannot see a piece sees nothing that lies on it, or
is counted for it. It begins with every place as it is declared, and shuts those that stand for pieces which are not
seen; kinds that carry others come first. Where kinds lie on each other in a circle each piece is followed by itself.

The code is a comprehension per dimension, so it is as long as there are declarations, whatever number of pieces there
is. Names and numbers come in as constants; no text of an author is part of the code. ``runtime.seat_visibility`` says
the same of one thing, and ``tests/plain_views.py`` of all, to hold this against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import product
from math import prod
from typing import Any

from patolli.kernel.state import State
from patolli.language.program import types as ty
from patolli.language.program.model import Attribute, Counter, Kind, Place
from patolli.run.compiler.layout import Instance, Layout

Seen = Callable[[State], tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]
"""Returns counters, places and pieces by name."""
Glance = Callable[[State], tuple[list[bool], ...]]
"""Returns of each piece that may lie hidden, by kind, whether it is seen."""
Words = Callable[[ty.AnyType, int], str]
"""The words for a value of a type."""


def compile_view(layout: Layout, seat: int, words: Words) -> Seen:
    """Return the function that gives what *seat* sees; *words* names values that are neither numbers nor truth."""
    return _ViewCompiler(layout, seat, words).compile_view()


def compile_glance(layout: Layout, seat: int) -> Glance:
    """Return the function that gives which pieces *seat* sees, of each kind in ``sorted(model.hidden_kinds)``."""
    return _ViewCompiler(layout, seat, lambda type_, value: "").glance()


@dataclass(frozen=True, slots=True)
class HideableKind:
    """A kind of pieces that may lie hidden, as plain tables.

    Attributes:
        kind: Its name.
        tops: The slots of the piles that show only their top.
        standing: For each piece the slots of the places that stand for it.
    """

    kind: str
    tops: tuple[int, ...]
    standing: tuple[tuple[int, ...], ...]


def list_hideable(layout: Layout, seat: int) -> tuple[list[bool], list[HideableKind]] | None:
    """Return what :func:`compile_glance` is made of: which slots are open to a seat, and the kinds, carriers first.

    Returns:
        None where pieces may lie on each other in a circle.
    """
    compiler = _ViewCompiler(layout, seat, lambda type_, value: "")
    order, circular = compiler.order_kinds()
    places = [place for place in layout.model.places.values() if place.of in compiler.kinds]
    kinds = [
        HideableKind(kind, compiler.list_tops(kind, places), compiler.list_standing(kind, places)) for kind in order
    ]
    return None if circular else (compiler.list_open(places), kinds)


def is_open_to(visible: str, owner: int, seat: int) -> bool:
    """Return whether a seat sees what has an owner, or none (-1), by what is declared; of a pile its top at least."""
    if visible == "others":
        return owner >= 0 and seat >= 0 and owner != seat
    return visible in ("all", "top") or (visible == "owner" and owner == seat and owner >= 0)


def piece_name(instance: Instance) -> str:
    """Return the name of a piece in views: its id, with its owner where it has one."""
    owner = f"player_{instance.owner + 1}"
    return instance.id if instance.owner < 0 or instance.id == owner else f"{owner}.{instance.id}"


class _ViewCompiler:
    def __init__(self, layout: Layout, seat: int, words: Words) -> None:
        self.layout, self.model, self.seat, self.words = layout, layout.model, seat, words
        self.space: dict[str, Any] = {"shut": _shut, "follow": _follow}
        self.names = {
            kind: self.constant((*map(piece_name, instances), None)) for kind, instances in layout.instances.items()
        }  # the last one stands for none, which is -1
        self.kinds = {kind: f"seen{number}" for number, kind in enumerate(sorted(self.model.hidden_kinds))}

    def compile_view(self) -> Seen:
        counters = (f"{name!r}: {self._counter(one)}" for name, one in self.model.counters.items())
        places = (f"{name!r}: {self._place(one)}" for name, one in self.model.places.items())
        pieces = (f"{name!r}: {self._fields(one)}" for name, one in self.model.kinds.items() if one.fields)
        tables = (f"{{{', '.join(parts)}}}" for parts in (counters, places, pieces))
        lines = ["def look(s):", *self._pieces(), f"return {', '.join(tables)}"]
        exec(compile("\n    ".join(lines), "<what a seat sees>", "exec"), self.space)
        seen: Seen = self.space["look"]
        return seen

    def glance(self) -> Glance:
        """Return the part of it that says which pieces are seen."""
        found = "".join(f"{name}, " for name in self.kinds.values())
        lines = ["def glance(s):", *self._pieces(), f"return ({found})"]
        exec(compile("\n    ".join(lines), "<which pieces a seat sees>", "exec"), self.space)
        seen: Glance = self.space["glance"]
        return seen

    def constant(self, value: object) -> str:
        """Return the name under which the code finds a value."""
        name = f"c{len(self.space)}"
        self.space[name] = value
        return name

    # -- which pieces are seen

    def _pieces(self) -> list[str]:
        """Return what works out of each piece that may be hidden whether it is seen; what lies in the box is."""
        order, circular = self.order_kinds()
        places = [place for place in self.model.places.values() if place.of in self.kinds]
        lying = {k: f"s[{self.layout.at[k]}:{self.layout.at[k] + self.layout.size(k)}]" for k in order}
        tops = {k: self.list_tops(k, places) for k in order}
        open_ = self.constant(self.list_open(places))
        if circular:
            carriers = self.constant(self._carriers(places, order))
            shown = self.constant({slot for slots in tops.values() for slot in slots})
            found = ", ".join(self.kinds[kind] for kind in order)
            return [f"{found}, = follow(s, ({', '.join(lying.values())},), {carriers}, {open_}, {shown})"]
        lines = [f"open = {open_}.copy()"] if order else []
        for kind in order:
            seen, on = self.kinds[kind], self.list_standing(kind, places)
            lines.append(f"{seen} = [open[x] for x in {lying[kind]}]")
            if tops[kind]:
                lines += [f"for x in {self.constant(tops[kind])}:", f"    for n in s[x][:-1]: {seen}[n] = False"]
            if any(on):
                lines.append(f"shut(open, {seen}, {self.constant(on)})")
        return lines

    def list_tops(self, kind: str, places: list[Place]) -> tuple[int, ...]:
        """Return the slots of the piles of a kind that show only their top."""
        return tuple([x for p in places if p.of == kind and p.visible == "top" for x in self._slots(p)])

    def list_open(self, places: list[Place]) -> list[bool]:
        """Return by slot whether what lies there is seen, as far as that is declared."""
        found = [True] * len(self.layout.initial)
        for place in places:
            for slot, owner in zip(self._slots(place), self._owners(place), strict=True):
                found[slot] = is_open_to(place.visible, owner, self.seat)
        return found

    def order_kinds(self) -> tuple[list[str], bool]:
        """Return the kinds of pieces that may be hidden, carriers first, and whether that is a circle."""
        below: dict[str, set[str]] = {kind: set() for kind in self.kinds}
        for place in self.model.places.values():
            if place.of in below:
                below[place.of].update(kind for kind in place.dims if kind in below)
        try:
            return list(TopologicalSorter({kind: sorted(on) for kind, on in below.items()}).static_order()), False
        except CycleError:
            return list(below), True

    def _slots(self, place: Place) -> range:
        return self.layout.slots(*self.layout.places[place.name])

    def _indices(self, place: Place) -> list[tuple[int, ...]]:
        """Return the indices of every slot of a place; the number of a spot in a row is one of them."""
        return list(product(*map(range, self.layout.places[place.name][1])))

    def _owners(self, place: Place) -> list[int]:
        if not place.dims:
            return [-1] * len(self._slots(place))
        instances = self.layout.instances[place.dims[0]]
        return [instances[at[0]].owner for at in self._indices(place)]

    def list_standing(self, kind: str, places: list[Place]) -> tuple[tuple[int, ...], ...]:
        """Return for each piece of a kind the slots of places that stand for it."""
        found: list[list[int]] = [[] for _ in range(self.layout.size(kind))]
        for place in places:
            dims = [number for number, dim in enumerate(place.dims) if dim == kind]
            for slot, at in zip(self._slots(place), self._indices(place), strict=True):
                for number in dims:
                    found[at[number]].append(slot)
        return tuple(map(tuple, found))

    def _carriers(self, places: list[Place], order: list[str]) -> dict[int, tuple[tuple[int, int], ...]]:
        """Return by slot for which pieces that may be hidden it stands: the position of the kind, the number."""
        return {
            slot: tuple((order.index(dim), n) for dim, n in zip(place.dims, at, strict=False) if dim in self.kinds)
            for place in places
            for slot, at in zip(self._slots(place), self._indices(place), strict=True)
        }

    # -- counters and places

    def _counter(self, counter: Counter) -> str:
        base, sizes = self.layout.counters[counter.name]
        if counter.visible == "all":
            return self._table(counter.dims, sizes, base, lambda value: value, "")
        if counter.visible == "owner" and counter.dims:
            mine = self._mine(counter.dims[0])
            return self._table(counter.dims, sizes, base, lambda value: value, mine)
        return f"dict.fromkeys({self._keys(counter.dims[0])})" if counter.dims else "None"

    def _place(self, place: Place) -> str:
        base, sizes = self.layout.places[place.name]
        mine = self._mine(place.dims[0]) if place.visible == "owner" and place.dims else ""
        if place.visible == "others":
            instances = self.layout.instances[place.dims[0]]
            mine = self.constant(tuple(is_open_to(place.visible, one.owner, self.seat) for one in instances))

        def one(value: str) -> str:
            shown, closed = self._compile_contents(place, value)
            if mine:
                return f"({shown} if mine else {closed})"
            return shown if place.visible in ("all", "top") else closed

        def row(start: int | str) -> str:
            return f"[{one('x')} for x in s[{start}:{start} + {sizes[-1]}]]"

        return self._table(place.dims, sizes, base, one, "", mine, row if place.type == "row" else None)

    def _compile_contents(self, place: Place, value: str) -> tuple[str, str]:
        """Return what makes the names of what lies in a slot, and the number of hidden pieces instead."""
        names = self.names[place.of]
        if place.type in ("spot", "row"):
            return f"{names}[{value}]", f"{{'hidden': +({value} >= 0)}}"
        number = f"len({value})"
        if place.visible == "top":
            top = f"{names}[{value}[-1]] if {value} else None"
            return f"{{'hidden': {number} - 1 if {value} else 0, 'top': {top}}}", ""
        return f"[{names}[n] for n in {value}]", f"{{'hidden': {number}}}"

    def _flags(self, kind: str) -> str:
        """Return what says of each piece of a kind whether it is seen; nothing where all are."""
        return self.kinds.get(kind, "")

    def _mine(self, kind: str) -> str:
        return self.constant(tuple(one.owner == self.seat for one in self.layout.instances[kind]))

    def _keys(self, kind: str) -> str:
        return self.constant(tuple(map(piece_name, self.layout.instances[kind])))

    def _table(
        self, dims: Sequence[str], sizes: Sequence[int], start: int | str, one: Callable[[str], str], only: str,
        mine: str = "", row: Callable[[int | str], str] | None = None,
    ) -> str:  # fmt: skip
        """Return what makes a table of the values from *start* on, with a level for each dimension.

        Args:
            dims: The kinds that have a level.
            sizes: How many each has, and behind them the spots of a row.
            start: The first slot, a number or a name.
            one: Makes what is shown of the value of a slot.
            only: A constant that says for which of the first kind something is shown at all.
            mine: A constant that says for which of the first kind the seat sees more; the code calls it ``mine``.
            row: Makes what is shown of a row from its first slot on.
        """
        if not dims:
            return row(start) if row else one(f"s[{start}]")
        kind, size, width = dims[0], sizes[0], prod(sizes[1:])
        level = len(dims)
        key, conditions = f"k{level}", []
        targets, sources = [key], [self._keys(kind)]
        if len(dims) == 1 and row is None:
            inner, target, source = one("x"), "x", f"s[{start}:{start} + {size}]"
        else:
            target = f"b{level}"
            inner = self._table(dims[1:], sizes[1:], target, one, "", row=row)
            source = f"range({start}, {start} + {size * width}, {width})" if width else f"[{start}] * {size}"
        targets, sources = [*targets, target], [*sources, source]
        for flag, constant in (("mine", mine), ("own", only), (f"v{level}", self._flags(kind))):
            if constant:
                targets, sources = [*targets, flag], [*sources, constant]
                conditions += [flag] if flag != "mine" else []
        if inner == "x" and not conditions:
            return f"dict(zip({', '.join(sources)}))"
        value = f"{inner} if {' and '.join(conditions)} else None" if conditions else inner
        return f"{{{key}: {value} for {', '.join(targets)} in zip({', '.join(sources)})}}"

    # -- fields

    def _fields(self, kind: Kind) -> str:
        """Return what makes a table of the fields of a kind, of the pieces that are seen."""
        targets, sources, parts = ["k"], [self._keys(kind.name)], []
        always = True
        for number, field in enumerate(kind.fields.values()):
            value, base = f"x{number}", self.layout.fields[(kind.name, field.name)]
            targets, sources = [*targets, value], [*sources, self._slice(kind, base)]
            shown = self._compile_field_test(kind, field, number, targets, sources)
            always = always and shown == "True"
            parts.append((repr(field.name), self._value(field.type, value), shown))
        seen = self._flags(kind.name)
        if seen:
            targets, sources = [*targets, "v"], [*sources, seen]
        if always:
            row = f"{{{', '.join(f'{name}: {value}' for name, value, _ in parts)}}}"
        else:
            row = "{n: x for n, x, c in (" + "".join(f"({', '.join(part)}), " for part in parts) + ") if c}"
        only = " if v" if seen else ""
        return f"{{k: {row} for {', '.join(targets)} in zip({', '.join(sources)}){only}}}"

    def _slice(self, kind: Kind, base: int) -> str:
        return f"s[{base}:{base + self.layout.size(kind.name)}]"

    def _compile_field_test(
        self, kind: Kind, field: Attribute, number: int, targets: list[str], sources: list[str]
    ) -> str:
        """Return what says whether a field of a piece that is seen is shown; add what that looks at."""
        if field.visible == "all":
            return "True"
        conditions = []
        if field.visible == "owner":
            targets.append(f"own{number}")
            sources.append(self._mine(kind.name))
            conditions.append(f"own{number}")
        if field.unless:
            targets.append(f"opened{number}")
            sources.append(self._slice(kind, self.layout.fields[(kind.name, field.unless)]))
            conditions.append(f"opened{number}")
        return " or ".join(conditions) or "False"

    def _value(self, type_: ty.AnyType, value: str) -> str:
        """Return what makes the words of the value of a field."""
        if type_ == ty.INT:
            return value
        if type_ == ty.BOOL:
            return f"{value} != 0"
        inner = ty.strip(type_)
        if isinstance(inner, ty.Seq):
            return f"{self.constant(lambda items: self._list_words(inner, items))}({value})"
        if isinstance(inner, ty.Ref):
            words = (self.words(type_, number) for number in range(self.layout.size(inner.kind)))
            return f"{self.constant((*words, None))}[{value}]"
        say = self.constant(lambda number: self.words(type_, number))
        return f"({say}({value}) if {value} >= 0 else None)"

    def _list_words(self, type_: ty.Seq, items: tuple[Any, ...]) -> list[Any]:
        """Return the words of what is in a list, and in lists inside it; numbers and truth as they are."""
        of = ty.strip(type_.of)
        if isinstance(of, ty.Seq):
            return [self._list_words(of, item) for item in items]
        if of == ty.BOOL:
            return [bool(item) for item in items]
        return [item if of == ty.INT else self.words(of, item) if item >= 0 else None for item in items]


def _shut(open_: list[bool], seen: list[bool], standing: tuple[tuple[int, ...], ...]) -> None:
    """Shut all places that stand for pieces which are not seen."""
    for one, slots in zip(seen, standing, strict=True):
        if not one:
            for slot in slots:
                open_[slot] = False


def _follow(
    s: State, lying: Sequence[list[int]], carriers: dict[int, tuple[tuple[int, int], ...]], open_: list[bool],
    tops: set[int],
) -> list[list[bool]]:  # fmt: skip
    """Return for each piece, by kind, whether it is seen; pieces that lie on each other in a circle are not."""
    found: list[list[bool | None]] = [[None] * len(slots) for slots in lying]

    def is_seen(kind: int, number: int) -> bool:
        known = found[kind][number]
        if known is not None:
            return known
        slot = lying[kind][number]
        found[kind][number] = not slot
        here = not slot or (open_[slot] and (slot not in tops or s[slot][-1:] == [number]))
        found[kind][number] = here = here and all(is_seen(*carrier) for carrier in carriers.get(slot, ()))
        return here

    return [[is_seen(kind, number) for number in range(len(slots))] for kind, slots in enumerate(lying)]
