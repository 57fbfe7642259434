"""Marks: the data to draw one thing for a seat: its sign, color, owner and words.

A **mark** represents a thing::

    {"id": "token:token_3", "sign": "●", "colour": "red", "owner": 0, "says": "token of player 1"}

``owner`` is the seat whose color and shape it has. It may have ``art`` (a picture of its pack, see ``studio.art``), an
``icon`` (a shape of the page), a ``card`` (marks for ``rank`` and ``suit``), a ``picture`` (rows of marks), ``cells``
(rows of a drawing, with ``#`` for covered cells), a ``tile`` (its four ``sides``, each with its ``look``) and a ``tag``
after its sign. ``piece`` says that it is a movable thing, not a member of a list, which may be in several places.
``entry`` is its id in the pack. Words are ``{"text": ".."}``, with ``hidden`` for a number of pieces that are face
down. Empty values are left out.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from patolli.check.analysis.panels import Panel
from patolli.check.analysis.symbols import Symbol
from patolli.language.program import types as ty
from patolli.play.scene.captions import Caption
from patolli.play.scene.seat_scene import SEATS, SHAPE, Scene
from patolli.run.runtime import Match
from patolli.run.runtime.hidden_reads import HiddenReads
from patolli.run.runtime.situations import Situations

Mark = dict[str, Any]
PLAYER = ty.Ref("player")
SIDES = ("north", "east", "south", "west")


def id_of(kind: str, name: str) -> str:
    """Return the id of a thing in a scene."""
    return f"{kind}:{name}"


class Sketch:
    """Draws things for one seat at one moment.

    Attributes:
        eye: The view of the seat on the match, with texts of things.
        panels: The panels by id.
        named: The ids of places that the open decision names, if a grid has pieces at the sides of its cells.
    """

    def __init__(self, match: Match, seat: int, panels: dict[str, Panel]) -> None:
        """Create the view of a seat; -1 is the public view."""
        self.eye = Scene(match, seat)
        self.seat = seat
        self.panels = panels
        self.named: set[str] = set()
        self._pieces: dict[tuple[str, str], Mark] = {}

    @property
    def me(self) -> str:
        """The id of the seat; empty for spectators."""
        return self.eye.me if self.seat >= 0 else ""

    @cached_property
    def hidden_reads(self) -> HiddenReads:
        """What the seat cannot see of the state."""
        match = self.eye.match
        state = match.program.layout.copy_state(match.state)
        return Situations(match.program, match.labels, state, self.seat).hidden_reads

    # -- pieces

    def piece(self, kind: str, name: str) -> Mark:
        """Return the mark of a piece, member or player. It is shared; do not change it."""
        if (kind, name) not in self._pieces:
            self._pieces[kind, name] = self._piece(kind, name)
        return self._pieces[kind, name]

    def _piece(self, kind: str, name: str) -> Mark:
        symbol, text = self.eye.symbol(kind, name), self.eye.mark(kind, name)
        mark: Mark = {"id": id_of(kind, name), "says": self.says(kind, name)}
        mark |= {"art": f"symbols/{art}"} if (art := self.eye.art(kind, name)) else {}
        if kind == "player":
            seat = int(name.rpartition("_")[2]) - 1
            return {
                **mark,
                "owner": seat,
                **self._icon_mark(name),
                **self._sign_mark(symbol.sign if symbol else "", self.colour(seat)),
            }
        owner = self._owner(kind, name)
        sign = text.plain
        if symbol is not None and symbol.show:
            shown, sign = self._symbol_parts(kind, name, symbol)
            owner = shown if shown is not None else owner
            single = len(symbol.show) == len(symbol.show[0]) == 1
            alone = self.draw_fact(kind, name, symbol.show[0][0])[:1] if single else []
            mark |= {"icon": alone[0]["icon"]} if alone and "icon" in alone[0] and "owner" not in alone[0] else {}
        colour = (symbol.colour if symbol else "") or (text.color if owner is None else self.colour(owner))
        mark |= {"owner": owner} if owner is not None else {}
        design = self.eye.design(kind, name)
        mark |= {"entry": design.id} if design is not None else {}
        if symbol is None or not (symbol.sign or symbol.show):
            mark["named"] = True  # the sign is no more than its name
        if kind in self.eye.layout.at or any(place.of == kind for place in self.eye.model.places.values()):
            mark["piece"] = True  # it can move, and there is but one of it
        mark |= self._icon_mark(self.eye.declared.symbol_id(kind, name)) | self._card_mark(kind, name, symbol)
        return {**mark, **self._sign_mark(sign, colour), **self._draw_piece(kind, name, symbol)}

    def says(self, kind: str, name: str) -> str:
        """Return the words for a thing."""
        if kind == "player":
            seat = int(name.rpartition("_")[2]) - 1
            return self.eye.match.names[seat] if seat < self.eye.match.players else name
        return self.eye.short(kind, name)

    def colour(self, seat: int) -> str:
        """Return the color of a seat."""
        symbol = self.eye.symbols.get(f"player_{seat + 1}")
        return (symbol.colour if symbol is not None else "") or SEATS[seat % len(SEATS)]

    def _icon_mark(self, id_: str) -> Mark:
        """Return the icon of a symbol."""
        symbol = self.eye.symbols.get(id_)
        return {"icon": symbol.icon} if symbol is not None and symbol.icon else {}

    def icon(self, id_: str) -> Mark:
        """Return the icon of a counter, place, fact or field with its color; empty without one."""
        symbol = self.eye.symbols.get(id_)
        return {**self._icon_mark(id_), "colour": symbol.colour} if symbol is not None and symbol.icon else {}

    def _card_mark(self, kind: str, name: str, symbol: Symbol | None) -> Mark:
        """Return rank and suit of a piece that looks like a playing card."""
        corners = {key: self.draw_fact(kind, name, fact) for key, fact in symbol.card} if symbol is not None else {}
        return {"card": {key: marks[0] for key, marks in corners.items() if marks}} if corners else {}

    @staticmethod
    def _sign_mark(sign: str, colour: str) -> Mark:
        return {**({"sign": sign} if sign else {}), **({"colour": colour} if colour else {})}

    def _owner(self, kind: str, name: str) -> int | None:
        """Return the owner of a piece by declaration."""
        instances = self.eye.layout.instances[kind]
        names = self.eye.numbers(kind)
        owner = instances[names[name]].owner if name in names else -1
        return owner if owner >= 0 else None

    def _symbol_parts(self, kind: str, name: str, symbol: Symbol) -> tuple[int | None, str]:
        """Return the owner that the symbol of a piece shows, and its sign without that of the owner."""
        owner, sign = None, symbol.sign
        for facts in symbol.show:
            for fact in facts:
                text = self.eye.fact(kind, name, fact)
                if not text.plain:
                    continue
                found = self._player(kind, name, fact)
                owner, sign = (found, sign) if found is not None else (owner, sign + text.plain)
                break
        return owner, sign

    def _player(self, kind: str, name: str, fact: str) -> int | None:
        """Return the seat that a fact or field of a piece names; None if it names no player."""
        type_, value = self._value(kind, name, fact)
        if type_ != PLAYER or value is None:
            return None
        return int(str(value).rpartition("_")[2]) - 1

    def _draw_piece(self, kind: str, name: str, symbol: Symbol | None) -> Mark:
        """Return the picture or the shape of a piece, if it has one."""
        if symbol is not None and symbol.sides and (sides := self._draw_sides(kind, name, symbol)):
            ground = next((self.eye.symbols.get(key) for key, look in symbol.draw if look == "field"), None)
            tile: Mark = {"sides": sides, "ground": ground.colour if ground is not None else ""}
            apart = bool(symbol.node and self._value(kind, name, symbol.node)[1])
            return {"tile": tile | ({"node": True} if apart else {})}
        if symbol is not None and symbol.picture:
            type_, raw = self.eye.items(kind, name, symbol.picture)
            parts = [self._raw(type_, item) for item in raw]
            blank: Mark = {"text": ""}
            return {"picture": [[parts[n] if n < len(parts) else blank for n in row] for row in symbol.rows]}
        facts = self.eye.model.kinds[kind].facts.values() if kind in self.eye.model.kinds else ()
        shapes = [fact.name for fact in facts if ty.strip(fact.type) == SHAPE]
        found = [number for fact in shapes if (number := self.eye.number(kind, name, fact)) >= 0]
        return {"cells": self.eye.drawing(self.eye.names("shape")[found[0]]).split(" / ")} if found else {}

    def _draw_sides(self, kind: str, name: str, symbol: Symbol) -> list[Mark]:
        """Return the sides of a tile, clockwise from the top, with how each looks; empty if they are not known."""
        looks = list(symbol.draw)
        for fact in symbol.sides:
            marks = self.draw_fact(kind, name, fact)
            values = [mark.get("id", "").partition(":")[2] for mark in marks]
            if len(values) == len(SIDES) and all(any(value == key for key, _ in looks) for value in values):
                order = [next(n for n, (key, _) in enumerate(looks) if key == value) for value in values]
                return [
                    {"order": n, "look": looks[n][1], "colour": mark.get("colour", ""), "says": mark["says"]}
                    for n, mark in zip(order, marks, strict=True)
                ]
        return []

    # -- facts

    def draw_fact(self, kind: str, name: str, fact: str) -> list[Mark]:
        """Return a fact, field or function of a piece as marks; empty if it is hidden or none."""
        if fact == "text" or self._is_sign(kind, fact):
            return self.text(self.eye.fact(kind, name, fact))
        type_, value = self._value(kind, name, fact)
        off = value is False and fact not in self.eye.model.kinds[kind].facts
        if value is None or off or (value == -1 and type_ != ty.INT):
            return []  # so it is in most cells of a board with most of what may be there
        if isinstance(type_, ty.Ref):
            return [self.piece(type_.kind, value)]
        if isinstance(value, str) and value in self.eye.model.counters and (drawn := self.sign(value)):
            return drawn
        if isinstance(type_, ty.Seq) and isinstance(value, (list, tuple)) and isinstance(ty.strip(type_.of), ty.Ref):
            inner = ty.strip(type_.of)
            assert isinstance(inner, ty.Ref)
            return [
                self.piece(inner.kind, self._name_value(inner, one)) for one in value if one is not None and one != -1
            ]
        return self.text(self.eye.fact(kind, name, fact))

    def text(self, text: Caption) -> list[Mark]:
        """Return a caption as a mark."""
        plain = text.plain.strip()
        if not plain:
            return []
        colour = text.color
        return [{"text": plain, **({"colour": colour} if colour else {})}]

    def sign(self, id_: str) -> list[Mark]:
        """Return the declared sign of a counter, place, fact or field."""
        text = self.eye.sign_of(id_)
        symbol = self.eye.symbols.get(id_)
        if text is None and (symbol is None or not symbol.icon):
            return []
        drawn = (text.plain, text.color) if text is not None else ("", symbol.colour if symbol is not None else "")
        return [{"says": self.eye.title(id_), **self._icon_mark(id_), **self._sign_mark(*drawn)}]

    def _is_sign(self, kind: str, fact: str) -> bool:
        declared = self.eye.model.kinds[kind]
        return fact == "sign" and fact not in declared.facts and fact not in declared.fields

    def _value(self, kind: str, name: str, fact: str) -> tuple[ty.AnyType, Any]:
        """Return the type and value of a fact, field or function, with names of pieces; None without a value."""
        declared = self.eye.model.kinds[kind]
        if fact in declared.fields:
            type_ = ty.strip(declared.fields[fact].type)
            return type_, self.eye.view["pieces"].get(kind, {}).get(name, {}).get(fact)
        found, raw = self.eye.constant(kind, name, fact)
        type_ = ty.strip(found)
        if isinstance(type_, ty.Ref):
            return type_, (self.eye.names(type_.kind)[raw] if raw >= 0 else None)
        return type_, raw

    def _name_value(self, type_: ty.Ref, value: Any) -> str:
        return value if isinstance(value, str) else self.eye.names(type_.kind)[value]

    def _raw(self, type_: ty.AnyType, raw: Any) -> Mark:
        if isinstance(type_, ty.Ref) and isinstance(raw, int) and raw >= 0:
            return self.piece(type_.kind, self.eye.names(type_.kind)[raw])
        return {"text": str(raw)}

    # -- places

    def list_marks(self, place: str, *index: str) -> tuple[list[Mark | None], int]:
        """Return the marks of the pieces in a place (None: an empty position), and the number of hidden ones."""
        found, hidden = self.eye.pieces(place, *index)
        kind = self.eye.place(place).of
        return [self.piece(kind, one) if one is not None else None for one in found], hidden

    def list_short_marks(self, place: str, *index: str) -> tuple[list[Mark], int]:
        """Return the short marks of the pieces in a place; pieces without a sign have their text if it is short."""
        found, hidden = self.eye.pieces(place, *index)
        kind = self.eye.place(place).of
        marks = []
        for one in found:
            if one is not None:
                mark = self.piece(kind, one)
                words = self.eye.words(kind, one).plain if mark.get("named") else mark["says"]
                marks.append({**mark, "says": words})
        return group_marks(marks), hidden

    def whose(self, kind: str, name: str) -> Mark:
        """Return the heading for a player or a thing."""
        if kind != "player":
            return {"title": self.eye.label(kind, name), "id": id_of(kind, name)}
        seat = int(name.rpartition("_")[2]) - 1
        return {"title": self.says(kind, name), "owner": seat, "id": id_of(kind, name)}


def group_marks(marks: list[Mark]) -> list[Mark]:
    """Group marks with the same name only, with their number and ids."""
    found: dict[str, Mark] = {}
    for place, mark in enumerate(marks):
        alike = found.setdefault(mark["says"] if mark.get("named") else str(place), {**mark, "ids": []})
        alike["ids"].append(mark.get("id", ""))
    return [_several(mark) for mark in found.values()]


def _several(mark: Mark) -> Mark:
    ids = mark.pop("ids")
    return {**mark, "ids": ids, "number": len(ids)} if len(ids) > 1 else mark


def face_down(hidden: int) -> list[Mark]:
    """Return the mark of a number of hidden pieces; empty for none."""
    return [{"text": f"{hidden} hidden", "hidden": hidden}] if hidden else []


def marks_text(marks: list[Mark]) -> str:
    """Return marks as text."""
    reported = [(mark.get("number", 1), mark.get("says") or mark.get("text", "")) for mark in marks]
    return ", ".join(f"{number} times {words}" if number > 1 else words for number, words in reported if words)
