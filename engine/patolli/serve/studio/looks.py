"""Derive from declarations how panels follow from the numbers of a state, as tables that a page can look up.

In:     a match, and the panels that are to be shown without a server.
Out:    groups of slots, with what the panels show for each of their values; see :class:`Looks`.
Errors: none; a panel that cannot be derived is not among ``panels``.

Three kinds of panels can be derived:

- a grid, if its cells show only fields and facts of the cells, and none of these names a thing that changes itself;
- a table, if its rows are counters;
- goods, if they are counters or fields of the table.

A cell of a grid depends on the fields of this cell that its panel names, and on nothing else. So one scene is drawn for
each combination of values, with the same values in all cells, and each cell is read from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from patolli.check.analysis.panels import Panel
from patolli.language.program import types as ty
from patolli.language.program.model import TABLE, Attribute
from patolli.play.scene.declared import declared_of
from patolli.run.runtime import Match
from patolli.run.runtime.value_parser import texts_of
from patolli.serve.studio.scene.panels import draw_panels

Data = dict[str, Any]
Path = tuple[str | int, ...]
MOST = 64
"""Combinations of values that the fields of a cell may have, at most."""
OF_CELL = ("marks", "ground", "says")
"""The parts of a cell that depend on its fields."""
GONE = -1
"""Stands for a part that is not there."""


@dataclass(frozen=True, slots=True)
class Group:
    """Slots that change the same parts of a scene together.

    Attributes:
        slots: Their numbers.
        paths: The parts, each as keys and numbers from the list of panels on.
        looks: For the values of the slots, joined by commas, what each part is: numbers of ``pool``. If any number is
            possible there is one row, ``*``, with ``number`` or ``marks`` for each part.
    """

    slots: tuple[int, ...]
    paths: tuple[Path, ...]
    looks: Mapping[str, Sequence[int | str]]


class Looks:
    """The tables of a match.

    Attributes:
        panels: The ids of the panels that could be derived.
        groups: Groups of slots.
        pool: The values of parts.
        base: The panels as they are in this match; the parts in ``groups`` are put into them.
    """

    def __init__(self, match: Match, wanted: Sequence[Panel]) -> None:
        """Derive the tables of the *wanted* panels."""
        self.match, self.layout = match, match.program.layout
        self.declared = declared_of(match.labels)
        self.pool: list[Any] = []
        self.groups: list[Group] = []
        self._numbers: dict[str, int] = {}
        derived = {panel.id: found for panel in wanted if (found := self._derive(panel)) is not None}
        self.panels = list(derived)
        self.base = self._draw({})
        for number, make in enumerate(derived.values()):
            self.groups += make(number)

    def _derive(self, panel: Panel) -> Callable[[int], Iterator[Group]] | None:
        """Return what makes the groups of a panel, given its number; None if it cannot be derived."""
        model = self.layout.model
        fields_of_table = model.kinds[TABLE].fields if TABLE in model.kinds else {}
        match panel.shows:
            case "grid" if (fields := self._fields_of_cells(panel)) is not None:
                return lambda number: self._group_cells(number, panel.of, fields)
            case "table" if all(row in model.counters for row in panel.rows):
                return self._group_table
            case "goods" if all(
                row in model.counters or self._is_plain(fields_of_table.get(row)) for row in panel.rows
            ):
                return lambda number: self._group_goods(number, panel.rows)
        return None

    # -- grids

    def _fields_of_cells(self, panel: Panel) -> dict[str, list[int]] | None:
        """Return the fields of a cell that a grid shows, with their values; None if it shows anything else."""
        model = self.layout.model
        kind = model.kinds[panel.of]
        shown = dict.fromkeys([*(panel.rows or (panel.show,)), *(name for _, name in panel.behind)])
        stacked = panel.levels or panel.sides or any(other.over == panel.of for other in model.kinds.values())
        parted = panel.parts in kind.fields
        inset = any(other.inside == panel.id for other in self.declared.panels)
        named = not self.match.labels.vocabulary.is_fixed(panel.of)
        if stacked or inset or parted or named or kind.per_player or any(name in model.places for name in shown):
            return None
        fields = {name: self._values(kind.fields[name]) for name in shown if name in kind.fields}
        plain = all(self._is_plain(kind.fields[name]) for name in fields)
        known = {name: values for name, values in fields.items() if values is not None}
        return known if plain and len(known) == len(fields) and prod(map(len, known.values())) <= MOST else None

    def _is_plain(self, field: Attribute | None) -> bool:
        """Return whether a field may be shown: a thing that it names must always look the same."""
        inner = ty.strip(field.type) if field is not None else None
        if not isinstance(inner, ty.Ref):
            return inner in (ty.INT, ty.BOOL) or isinstance(inner, ty.Choice | ty.Design | ty.Group)
        fixed = self.match.labels.vocabulary.is_fixed(inner.kind)
        return inner.kind == "player" or (fixed and not self.layout.model.kinds[inner.kind].fields)

    def _group_cells(self, number: int, kind: str, fields: dict[str, list[int]]) -> Iterator[Group]:
        first = [self.layout.fields[kind, name] for name in fields]
        things = {f"{kind}:{name}": thing for name, thing in self.match.labels.pieces[kind].items()}
        drawn = {
            values: self._draw(
                {slot + one: v for slot, v in zip(first, values, strict=True) for one in things.values()}
            )
            for values in product(*fields.values())
        }
        for place, cell in enumerate(self.base[number]["boards"][0]["cells"]):
            at = number, "boards", 0, "cells", place
            rows = {
                ",".join(map(str, values)): [
                    self._pool_value(panels[number]["boards"][0]["cells"][place].get(part)) for part in OF_CELL
                ]
                for values, panels in drawn.items()
            }
            slots = tuple(slot + things[cell["id"]] for slot in first)
            yield Group(slots, tuple((*at, part) for part in OF_CELL), rows)

    # -- counters, and fields of the table

    def _group_table(self, number: int) -> Iterator[Group]:
        """Yield a group for each value of a table; its rows go through the further indices of a counter in order."""
        at: dict[str, int] = {}
        for place, row in enumerate(self.base[number]["rows"]):
            name = row["id"].partition(":")[2]
            base, sizes = self.layout.counters[name]
            rest = at[name] = at.get(name, -1) + 1
            for column in range(len(row["values"])):
                slot = base + column * prod(sizes[1:]) + rest
                yield Group((slot,), ((number, "rows", place, "values", column),), {"*": ["number"]})

    def _group_goods(self, number: int, rows: Sequence[str]) -> Iterator[Group]:
        for place, name in enumerate(rows):
            path: Path = (number, "items", place, "marks")
            if name in self.layout.counters:  # of what every player has, that of the first seat is shown
                yield Group((self.layout.counters[name][0],), (path,), {"*": ["marks"]})
                continue
            slot, field = self.layout.fields[TABLE, name], self.layout.model.kinds[TABLE].fields[name]
            values = self._values(field)
            if values is None:
                yield Group((slot,), (path,), {"*": ["marks"]})
                continue
            drawn = {str(value): self._draw({slot: value})[number]["items"][place]["marks"] for value in values}
            yield Group((slot,), (path,), {value: [self._pool_value(marks)] for value, marks in drawn.items()})

    # -- drawing

    def _draw(self, changed: dict[int, int]) -> list[Any]:
        """Return the panels as they are with other values in some slots."""
        other = self.match.clone()
        for slot, value in changed.items():
            other.state[slot] = value
        found: list[Any] = json.loads(json.dumps(draw_panels(other, 0, self.panels)))
        return found

    def _pool_value(self, value: Any) -> int:
        if value is None:
            return GONE
        number = self._numbers.setdefault(json.dumps(value, sort_keys=True), len(self.pool))
        if number == len(self.pool):
            self.pool.append(value)
        return number

    def _values(self, field: Attribute) -> list[int] | None:
        """Return the values that a field may have; None if they are not a short list."""
        texts = texts_of(self.layout, field.type)
        if texts is not None:
            return sorted(set(texts.values()))
        low, high = field.low, field.high
        if ty.strip(field.type) != ty.INT or low is None or high is None or high - low >= MOST:
            return None
        return list(range(low, high + 1))

    def to_data(self) -> Data:
        """Return the tables as a page gets them."""
        groups = [{"slots": one.slots, "paths": one.paths, "looks": one.looks} for one in self.groups]
        return {"pool": self.pool, "groups": groups}
