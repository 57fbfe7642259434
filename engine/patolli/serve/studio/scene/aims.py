"""The places that the options of the open decision name, as ids of a scene."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from patolli.language.program import types as ty
from patolli.language.program.model import Kind
from patolli.play.scene.declared import declared_of
from patolli.play.scene.hints import Hints, values_of
from patolli.play.scene.seat_scene import Scene
from patolli.run.runtime import Match, Option
from patolli.run.runtime.views import piece_name
from patolli.serve.studio.scene.sketch import id_of


def named_by(match: Match, seat: int, option: Option) -> list[str]:
    """Return the ids of the places that an option of the open decision names, in order.

    A thing on several cells has the ids of all covered cells, and so has a column of a board. An option without places
    that can be drawn has no ids.

    Raises:
        ValueError: This seat has no open decision.
    """
    return Aims(match, seat).places(option)


class Aims:
    """The options of the open decision of one seat."""

    def __init__(self, match: Match, seat: int) -> None:
        """Read the open decision. Raises ValueError: this seat has no open decision."""
        decision = match.decision
        if decision is None or decision.player != seat:
            raise ValueError(f"no question is open to seat {seat}")
        self.match, self.decision = match, decision
        self._model = match.program.layout.model

    @cached_property
    def hints(self) -> Hints:
        """The previews of the options."""
        return Hints(Scene(self.match, self.decision.player), self.decision)

    def places(self, option: Option) -> list[str]:
        """Return the ids of the places that an option names."""
        named = values_of(self._model, self.decision, option)
        return list(dict.fromkeys(id_ for type_, value in named for id_ in self.ids(ty.strip(type_), value)))

    def twins(self, option: Option) -> dict[str, str]:
        """Return the pieces that mean the same as a place that an option names, by their ids.

        If an option names a design, and moves a piece of it that its player has, the piece means the design.
        """
        found: dict[str, str] = {}
        for type_, value in values_of(self._model, self.decision, option):
            kind = self._pieces_by_kind.get(_kind(type_))
            for id_ in self.ids(ty.strip(type_), value) if kind else ():
                found |= dict.fromkeys(self._list_moved(option, str(kind), id_.partition(":")[2]), id_)
        return found

    @cached_property
    def _pieces_by_kind(self) -> dict[str, str]:
        """For the kinds of designs: the kind of their pieces, if the player has such pieces in a place."""
        own = {place.of for place in self._model.places.values() if place.dims[:1] == ("player",)}
        return {f"{kind.name}_design": kind.name for kind in self._model.kinds.values() if kind.name in own}

    def _list_moved(self, option: Option, kind: str, design: str) -> list[str]:
        """Return the pieces of a design that an option moves in all worlds that the player imagines.

        There are none if a piece moves that is not in a place of the player: then the option means that one.
        """
        scene = self.hints.scene
        own = [place.name for place in self._model.places.values() if place.of == kind and place.dims == ("player",)]
        seen = set(_names([scene.view["places"][place][player] for place in own for player in scene.own]))
        numbers = self.match.labels.pieces[kind]
        alike = [name for name in numbers if (one := scene.design(kind, name)) is not None and one.id == design]
        if not seen.intersection(alike):
            return []
        slot, worlds = self.match.program.layout.at[kind], self.hints.worlds
        moved = [
            {name for name in alike if before.state[slot + numbers[name]] != after.state[slot + numbers[name]]}
            for before, after in zip(worlds, self.hints.imagine_after(option), strict=False)
        ]
        return [id_of(kind, name) for name in alike if moved and all(name in one <= seen for one in moved)]

    def spots(self) -> dict[str, list[str]]:
        """Return the stack positions over a grid that options name, by kind."""
        found: dict[str, dict[str, None]] = {}
        for option in self.decision.options:
            for type_, value in values_of(self._model, self.decision, option):
                kind = _kind(type_)
                if kind in self._model.kinds and self._model.kinds[kind].over and value >= 0:
                    found.setdefault(kind, {})[self._name(kind, value)] = None
        return {kind: list(names) for kind, names in found.items()}

    def ids(self, type_: ty.AnyType, value: Any) -> list[str]:
        """Return the ids of one value of an option; of a record, first those of what is in it."""
        if isinstance(type_, ty.Group):
            return [f"counter:{self.match.labels.value(type_, value, -1)}"]
        kind = _kind(type_)
        if not kind or not isinstance(value, int) or value < 0:
            return []
        declared = self._model.kinds.get(kind)
        if declared is None or declared.over:
            return [id_of(kind, self._name(kind, value))]
        if declared.is_record:
            parts = [
                (ty.strip(one.type), self.match.program.fact(kind, name)[value]) for name, one in declared.facts.items()
            ]
            return [*(id_ for part in parts for id_ in self.ids(*part)), id_of(kind, self._name(kind, value))]
        grid, fact = (declared.lays, "cells") if declared.lays else self._cells(declared)
        if not grid:
            return [id_of(kind, self._name(kind, value))]
        cells = self.match.program.fact(kind, fact)[value]
        return [id_of(grid, self._name(grid, cell)) for cell in sorted(cells)]

    def _cells(self, kind: Kind) -> tuple[str, str]:
        """Return the grid and the fact of a kind without its own panel, but with cells, such as a column of a board."""
        grids = {grid.name for grid in self._model.kinds.values() if grid.grid and not grid.over}
        listed = [
            (inner.kind, fact.name) for fact in kind.facts.values() if (inner := _item_type(fact.type)) is not None
        ]
        found = [(grid, fact) for grid, fact in listed if grid in grids]
        return found[0] if len(found) == 1 and kind.name not in self._visible_kinds else ("", "")

    @cached_property
    def _visible_kinds(self) -> set[str]:
        """The kinds whose pieces are in panels that are always drawn, or in places."""
        places = self._model.places
        panels = {
            places[panel.of].of if panel.of in places else panel.of
            for panel in declared_of(self.match.labels).panels
            if not panel.asked
        }
        return panels | {place.of for place in places.values()}

    def _name(self, kind: str, number: int) -> str:
        return piece_name(self.match.program.layout.instances[kind][number])


def _names(held: Any) -> Iterator[str]:
    """Yield the names in the view of some places."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, list):
        for one in held:
            yield from _names(one)
    elif isinstance(held, dict) and isinstance(held.get("top"), str):
        yield held["top"]


def _item_type(type_: ty.AnyType) -> ty.Ref | None:
    """Return the item type of a list of named things; None for other types."""
    type_ = ty.strip(type_)
    inner = ty.strip(type_.of) if isinstance(type_, ty.Seq) else None
    return inner if isinstance(inner, ty.Ref) else None


def _kind(type_: ty.AnyType) -> str:
    type_ = ty.strip(type_)
    return type_.kind if isinstance(type_, ty.Ref) else ""
