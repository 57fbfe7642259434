"""Find what declarations say of numbers: counters, how many pieces and cells there are, facts and constants.

In:     the name of something that is declared.
Out:    an :class:`Interval` or :class:`Range` that covers every match: any number of seats, any value of an option.

What a table, a fact or a constant holds is taken from what is written there, not from the bounds that it declares.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Iterator
from itertools import pairwise, product

from patolli.check.proofs.intervals import NATURAL, UNKNOWN, Interval, Range, exactly, join_ranges
from patolli.kernel import geometry, regions
from patolli.language.program import expressions as x
from patolli.language.program.model import Attribute, Counter, Design, Items, Kind, Program, Table, Value
from patolli.language.program.types import Maybe, Ref, Seq, strip


class Declared:
    """Answers for one program. What a written expression may give is asked of *of*."""

    def __init__(self, program: Program, of: Callable[[x.Expr], Range]) -> None:
        self.program, self._of = program, of
        low, high = program.players
        self.seats = Interval(low + program.automated, high + program.automated)
        self._facts: dict[tuple[str, str], Range] = {}
        self._constants: dict[str, Range] = {}
        self._counters: dict[str, Interval] = {}
        self._sizes: dict[str, Interval] = {}

    def forget_facts(self) -> None:
        """Look all facts up again, since more is known of variables."""
        self._facts.clear()

    def number(self, expr: x.Expr) -> Interval:
        """Return what a number in a declaration may be."""
        return self._of(expr).number

    def counter(self, name: str) -> Interval:
        """Return the bounds of a counter, and what it begins with."""
        if name not in self._counters:
            counter = self.program.counters[name]
            high = self.number(counter.high).high if counter.high is not None else None
            self._counters[name] = Interval(counter.low, high).join(self.start(counter))
        return self._counters[name]

    def start(self, counter: Counter) -> Interval:
        """Return what a counter begins with."""
        return self.number(counter.start) if counter.start is not None else exactly(max(0, counter.low))

    def top(self, name: str) -> Interval | None:
        """Return what the declared maximum of a counter may be; None where there is none."""
        declared = self.program.counters[name].high
        return self.number(declared) if declared is not None else None

    def starts_inside(self, name: str) -> bool:
        """Return whether a counter begins at its maximum or below, and therefore is never above."""
        top, begins = self.top(name), self.start(self.program.counters[name]).high
        return top is None or (begins is not None and top.low is not None and begins <= top.low)

    def instances(self, kind: str) -> Interval:
        """Return how many instances a kind has."""
        if kind not in self._sizes:
            self._sizes[kind] = NATURAL  # while it is looked up
            self._sizes[kind] = self._instances(self.program.kinds[kind])
        return self._sizes[kind]

    def _instances(self, kind: Kind) -> Interval:
        if kind.name == "player":
            return self.seats
        everyones = self.seats if kind.per_player else exactly(1)
        if kind.lays:
            shapes = self.program.shapes.values()
            ways = [
                sum(len(geometry.placements(grid, s)) for s in shapes) for grid in self.program.kinds[kind.lays].grids
            ]
            return Interval(min(ways), max(ways)) * everyones
        if kind.is_record:
            return self._count_records(kind)
        if kind.members is not None:
            return _cells(kind) * everyones
        total = exactly(0)
        for design in kind.designs:
            copies = self.number(design.copies).meet(NATURAL) if design.copies is not None else exactly(1)
            total += copies if "owner" in design.facts else copies * everyones
        return total

    def _count_records(self, kind: Kind) -> Interval:
        total = exactly(1)
        for fact in kind.facts.values():
            inner, found = strip(fact.type), exactly(2)
            if isinstance(inner, Ref):
                found = self.instances(inner.kind)
            elif fact.low is not None and fact.high is not None:
                found = exactly(fact.high - fact.low + 1)
            total *= found + exactly(int(isinstance(fact.type, Maybe)))
        return total

    def row(self, place: str) -> Interval:
        """Return how many spots a row has."""
        size = self.program.places[place].size
        return self.number(size).meet(NATURAL) if size is not None else exactly(1)

    def fact(self, kind: str, fact: str) -> Range:
        """Return what a fact holds, whatever the instance."""
        if (kind, fact) not in self._facts:
            self._facts[(kind, fact)] = UNKNOWN  # while it is looked up
            self._facts[(kind, fact)] = join_ranges(self._fact_values(self.program.kinds[kind], fact))
        return self._facts[(kind, fact)]

    def _fact_values(self, kind: Kind, fact: str) -> Iterator[Range]:
        attribute = kind.facts[fact]
        if fact in kind.data and len(kind.sizes) > 1:
            yield Range(Interval(0, max(size[fact == "column"] for size in kind.sizes) - 1))
        elif fact in kind.data:
            yield from map(_ready, kind.data[fact])
        elif fact in kind.lines:
            ends = [end for line in kind.lines[fact] for pair in pairwise(line) for end in pair]
            often = Counts(end.id for end in ends if isinstance(end, x.Instance))
            yield Range(length=Interval(0, max(often.values(), default=0)))
        elif fact in kind.maps:
            yield from (self._of(value) for value in kind.maps[fact][1].values())
        elif kind.lays and fact in ("cells", "border"):
            for grid, cells in product(self.program.kinds[kind.lays].grids, self.program.shapes.values()):
                ways = geometry.placements(grid, cells)
                yield from (_list_of(len(c if fact == "cells" else regions.border(grid, c))) for *_, c in ways)
        elif kind.is_record:
            yield Range(Interval(attribute.low, attribute.high))
        elif kind.lays and fact == "turn":
            yield Range(Interval(0, 11))
        else:
            yield from (self.get_fact_range(design, fact, attribute) for design in kind.designs)

    def get_fact_range(self, design: Design, fact: str, attribute: Attribute) -> Range:
        """Return what a fact of one design holds."""
        if fact in design.facts:
            return self.value(design.facts[fact])
        if attribute.default is not None:
            return self._of(attribute.default)
        return Range(length=exactly(0)) if isinstance(attribute.type, Seq) else UNKNOWN

    def constant(self, name: str) -> Range:
        """Return what a constant holds."""
        if name not in self._constants:
            self._constants[name] = UNKNOWN  # while it is looked up
            self._constants[name] = self.value(self.program.constants[name].value)
        return self._constants[name]

    def value(self, value: Value) -> Range:
        """Return what a fact or constant holds that is written so."""
        match value:
            case Table():
                return join_ranges(map(self.value, value.rows.values()))
            case Items():
                return Range(length=exactly(len(value)), item=join_ranges(map(self.value, value)) if value else None)
            case x.Expr():
                return self._of(value)
        return UNKNOWN

    def count_owned_instances(self, kind: str) -> Interval:
        """Return how many instances of a kind each player has."""
        found = self.program.kinds[kind]
        if any("owner" in design.facts for design in found.designs):
            return Interval(0, self.instances(kind).high)
        if found.members is not None and not found.lays:
            return _cells(found)
        total = exactly(0)
        for design in found.designs:
            total += self.number(design.copies).meet(NATURAL) if design.copies is not None else exactly(1)
        return total if not found.lays else Interval(0, None)


def _cells(kind: Kind) -> Interval:
    """Return how many members a kind has, with any options."""
    numbers = [rows * columns for rows, columns in kind.sizes] or [len(kind.members or ())]
    return Interval(min(numbers), max(numbers))


def _list_of(number: int) -> Range:
    return Range(length=exactly(number))


def _ready(value: object) -> Range:
    """Return what a ready-made fact of a grid holds."""
    if isinstance(value, int):
        return Range(exactly(value))
    return Range(length=exactly(len(value))) if isinstance(value, tuple | list) else UNKNOWN
