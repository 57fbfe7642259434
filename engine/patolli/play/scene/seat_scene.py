"""A scene: what one seat sees of a match, with the words and signs for each thing in it.

A scene joins the view of a seat (which changes) with what is declared (which does not): names, texts, facts,
symbols.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from patolli.check.analysis.panels import Panel
from patolli.check.analysis.symbols import Symbol
from patolli.kernel.budget import renew
from patolli.language.program import types as ty
from patolli.language.program.model import TABLE, Counter, Design, Place
from patolli.language.sources import Mapping as MappingNode
from patolli.language.sources import Scalar
from patolli.language.sources import Sequence as SequenceNode
from patolli.play.scene.captions import STRONG, Caption, caption, join_captions, separator_of
from patolli.play.scene.declared import declared_of
from patolli.run.runtime import Match
from patolli.run.runtime.display_names import Names
from patolli.run.runtime.last_tricks import LastTrick
from patolli.run.runtime.views import look_at_table

SEATS = ("red", "cyan", "yellow", "green", "magenta", "blue")
"""Colors of seats without a symbol."""
OWN, OTHERS = "❶❷❸❹❺❻❼❽❾❿", "①②③④⑤⑥⑦⑧⑨⑩"
"""Signs of seats without a symbol: full for the one that looks, hollow for the others."""
SHAPE = ty.Ref("shape")
Used = dict[str, tuple[Caption, str, str]]
"""By symbol: the caption that was used for it, with its kind and piece."""
LONGEST = 60
"""Letters of the longest text that stands for a piece."""


def draw_cells(cells: Collection[tuple[int, int]]) -> str:
    """Return cells, each a row and a column, as rows of a drawing."""
    across = range(min(x for _, x in cells), max(x for _, x in cells) + 1)
    down = range(min(y for y, _ in cells), max(y for y, _ in cells) + 1)
    return " / ".join("".join("#" if (y, x) in cells else "." for x in across) for y in down)


def one_of(type_: ty.AnyType) -> ty.AnyType:
    """Return a type without "or none", or that of the items of a list."""
    type_ = ty.strip(type_)
    return ty.strip(type_.of) if isinstance(type_, ty.Seq) else type_


class Scene:
    """A match as one seat sees it at one moment."""

    def __init__(self, match: Match, seat: int) -> None:
        """Look at *match* from *seat*; -1 is what everybody sees."""
        self.before: dict[str, Any] | None = None  # an earlier view, to compare with
        self.last_tricks: Mapping[str, Sequence[LastTrick]] = {}  # what was taken from the table, by place
        self.used: Used = {}
        self._labeled: dict[str, bool] = {}
        self._marks: dict[tuple[str, str], tuple[Caption, Used]] = {}
        self.match = match
        self.seat = seat
        self.layout = match.program.layout
        self.model = self.layout.model
        self.declared = declared_of(match.labels)
        self.symbols: dict[str, Symbol] = self.declared.symbols
        self._numbers = match.labels.pieces
        self._short: dict[tuple[str, str], str] = {}

    @cached_property
    def view(self) -> dict[str, Any]:
        """What the seat sees, as plain data."""
        counters, places, pieces = look_at_table(self.match, self.seat)
        return {"counters": counters, "places": places, "pieces": pieces}

    @cached_property
    def seat_names(self) -> Names:
        """What things are called for the seat."""
        return self.match.naming(self.seat).about(self.seat)

    @property
    def me(self) -> str:
        """The id of the seat."""
        return f"player_{self.seat + 1}"

    @cached_property
    def own(self) -> list[str]:
        """The ids of the players whose things are drawn as the seat's own.

        These are the players for whom the seat decides now, and the player on the seat; for a spectator all players.
        """
        if self.seat < 0:
            return self.names("player")
        return [f"player_{seat + 1}" for seat in reversed(self.layout.list_viewing_seats(self.match.state, self.seat))]

    def insets(self, panel: str) -> list[Panel]:
        """Return the panels that are drawn inside a panel."""
        return [inner for inner in self.declared.panels if inner.inside == panel]

    # -- what there is

    def names(self, kind: str) -> list[str]:
        """Return the names of all pieces of a kind in order; the list is not to be changed."""
        return self.declared.names[kind]

    def numbers(self, kind: str) -> dict[str, int]:
        """Return the numbers of all pieces of a kind by name."""
        return self._numbers[kind]

    def design(self, kind: str, name: str) -> Design | None:
        """Return the design of a piece."""
        number = self._numbers[kind].get(name)
        return None if number is None else self.layout.instances[kind][number].design

    def counter(self, name: str) -> Counter:
        """Return a declared counter."""
        return self.model.counters[name]

    def place(self, name: str) -> Place:
        """Return a declared place."""
        return self.model.places[name]

    def count(self, name: str, *index: str) -> Any:
        """Return the value of a counter, or None where it is hidden."""
        value = self.view["counters"][name]
        for part in index:
            value = value[part] if isinstance(value, dict) else None
        return value

    def change(self, name: str, *index: str) -> int:
        """Return by how much a counter changed since the last look; 0 where that is not known."""
        was = self.before["counters"].get(name) if self.before is not None else None
        for part in index:
            was = was.get(part) if isinstance(was, dict) else None
        now = self.count(name, *index)
        return now - was if isinstance(was, int) and isinstance(now, int) else 0

    def pieces(self, place: str, *index: str) -> tuple[list[str | None], int]:
        """Return the pieces in a place that can be seen (None: an empty spot), and how many are hidden."""
        held = self.view["places"][place]
        for part in index:
            held = held[part]
        if isinstance(held, list):
            spots = [self._one(x) for x in held]
            return [x for x, _ in spots], sum(hidden for _, hidden in spots)
        name, hidden = self._one(held)
        return ([name] if name is not None else []), hidden

    @staticmethod
    def _one(held: Any) -> tuple[str | None, int]:
        if isinstance(held, dict):
            return held.get("top"), held["hidden"]
        return held, 0

    # -- how it is written

    def title(self, name: str) -> str:
        """Return the words for a counter or place: the short text it declares, or its id."""
        table = self.model.kinds[TABLE].fields if TABLE in self.model.kinds else {}
        thing = self.model.counters.get(name) or self.model.places.get(name) or table.get(name)
        text = thing.text.partition(";")[0].rstrip(".") if thing is not None else ""
        return text if 0 < len(text) <= 24 else name.replace("_", " ").capitalize()

    def symbol(self, kind: str, name: str) -> Symbol | None:
        """Return the symbol of a piece, of its design, or of its kind."""
        return self.symbols.get(self.declared.symbol_id(kind, name))

    def art(self, kind: str, name: str) -> str:
        """Return the id of the symbol whose picture stands for a piece on a page; nothing where there is none."""
        symbol = self.symbol(kind, name)
        return self.declared.symbol_id(kind, name) if symbol is not None and symbol.art else ""

    def mark(self, kind: str, name: str) -> Caption:
        """Return what stands for a piece: its sign, the facts that its kind shows, or its name."""
        if (kind, name) not in self._marks:
            used, self.used = self.used, {}
            self._marks[kind, name] = self._make_mark(kind, name), self.used
            self.used = used
        mark, used = self._marks[kind, name]
        for id_, sign in used.items():
            self.used.setdefault(id_, sign)
        return mark

    def _make_mark(self, kind: str, name: str) -> Caption:
        symbol = self.symbol(kind, name)
        if kind == "player":
            return self._note_sign(name, self._player(name, symbol or Symbol()), kind, name)
        color = symbol.colour if symbol is not None else ""
        if symbol is None or not (symbol.show or symbol.sign):
            mark = caption(self.drawing(name) if kind == "shape" else self.short(kind, name), color)
            return mark if color else self._color_of_owner(kind, name, mark.plain)
        mark = self._symbol_caption(kind, name, symbol) if symbol.show else caption(symbol.sign, color)
        if not any(part.color or part.tone for part in mark.parts):
            mark = self._color_of_owner(kind, name, mark.plain)
        return self._note_sign(self.declared.symbol_id(kind, name), mark, kind, name)

    def _player(self, name: str, symbol: Symbol) -> Caption:
        seat = self._numbers["player"].get(name, 0)
        sign = symbol.sign or (OWN if seat == self.seat else OTHERS)[seat % len(OWN)]
        return caption(sign, symbol.colour or SEATS[seat % len(SEATS)], STRONG if seat == self.seat else "")

    def _color_of_owner(self, kind: str, name: str, words: str) -> Caption:
        """Return words for a piece in the color of the player to whom it belongs."""
        number = self._numbers[kind].get(name)
        owner = self.layout.instances[kind][number].owner if number is not None else -1
        return self.mark("player", f"player_{owner + 1}").color_words(words) if owner >= 0 else caption(words)

    def _note_sign(self, id_: str, mark: Caption, kind: str = "", name: str = "") -> Caption:
        """Remember that a sign was used, so that it can be explained."""
        if id_ and mark:
            self.used.setdefault(id_, (mark, kind, name))
        return mark

    def drawing(self, shape: str) -> str:
        """Return a shape as the rows of its drawing."""
        return draw_cells(self.model.shapes[shape])

    def _symbol_caption(self, kind: str, name: str, symbol: Symbol) -> Caption:
        shown = [self._first_fact(kind, name, facts) for facts in symbol.show]
        text = symbol.sign + "".join(one.plain for one in shown)
        return caption(text, symbol.colour) if symbol.colour else join_captions(shown, "").color_words(text)

    def _first_fact(self, kind: str, name: str, facts: tuple[str, ...]) -> Caption:
        """Return the first of some facts that says anything of a piece."""
        return next((found for fact in facts if (found := self.fact(kind, name, fact))), Caption())

    def head(self, player: str) -> Caption:
        """Return what stands above what a player has: the sign, and for the one who looks that it is theirs."""
        mark = self.mark("player", player)
        return mark + caption(" you", tone=STRONG) if player == self.me else mark

    def picture(self, kind: str, name: str) -> list[list[Caption]]:
        """Return what a piece looks like, in rows of signs; empty where its symbol has no picture, and it has no shape.

        The signs of a column are equally wide. A shape has one sign in each row, with all its cells.
        """
        symbol = self.symbol(kind, name)
        if symbol is None or not symbol.picture:
            shapes = [fact.name for fact in self.model.kinds[kind].facts.values() if ty.strip(fact.type) == SHAPE]
            numbers = [self.number(kind, name, fact) for fact in shapes]
            rows = [self.drawing(self.names("shape")[number]).split(" / ") for number in numbers if number >= 0]
            return [[caption(row)] for row in rows[0]] if rows else []
        type_, raw = self.items(kind, name, symbol.picture)
        parts = [self._raw(type_, item) for item in raw]
        return [[parts[n] if n < len(parts) else Caption() for n in row] for row in symbol.rows]

    def words(self, kind: str, name: str) -> Caption:
        """Return what stands for a piece: its mark where it has a symbol, or else its text, if that is not long."""
        design = self.design(kind, name)
        if design is None or self.symbol(kind, name) is not None or not 0 < len(design.text) <= LONGEST:
            return self.mark(kind, name)
        return caption(design.text.rstrip("."))

    def short(self, kind: str, name: str) -> str:
        """Return what a piece is called where its kind is clear: ``4 coins`` for ``bag of 4 coins``.

        If every player has pieces of the kind, the whole name stays: that of another player begins with the player.
        """
        found = self._short.get((kind, name))
        if found is None:
            number = self._numbers[kind].get(name)
            said = self.seat_names.piece(kind, number, shown=True) if number is not None else name
            of = f"{self.seat_names.noun(kind)} of "
            found = self._short[kind, name] = said if self.model.kinds[kind].per_player else said.removeprefix(of)
        return found

    def label(self, kind: str, name: str) -> str:
        """Return the words for a piece: its text, where all pieces of its kind have short ones, or its name."""
        design = self.design(kind, name)
        if design is not None and kind not in self._labeled:
            texts = [other.text.rstrip(".") for other in self.model.kinds[kind].designs]
            self._labeled[kind] = all(0 < len(text) <= 18 for text in texts)
        if design is not None and self._labeled[kind]:
            return design.text.rstrip(".")
        return self.short(kind, name)

    def fact(self, kind: str, name: str, fact: str) -> Caption:
        """Return a fact, field or plain function of a piece as it is written; empty where it is hidden or none."""
        if fact == "text":
            design = self.design(kind, name)
            return caption(design.text if design else "")
        if self._is_sign(kind, fact):
            return self.mark(kind, name)
        declared = self.model.kinds[kind]
        if fact in declared.fields:
            value = self.view["pieces"].get(kind, {}).get(name, {}).get(fact)
            return self._fact_sign(fact) if value is True else self._value(declared.fields[fact].type, value)
        type_, raw = self.constant(kind, name, fact)
        if one_of(type_) in (ty.EFFECT, ty.COST):
            return caption(self._effect_text(kind, name, fact))
        if fact not in declared.facts and isinstance(raw, bool):
            return self._fact_sign(fact) if raw else Caption()
        return self._raw(type_, raw)

    def meaning(self, kind: str, name: str, fact: str) -> str:
        """Return words for what a fact, field or function names: the text of a piece, or a counter; or nothing."""
        if fact == "text" or self._is_sign(kind, fact):
            return ""
        declared = self.model.kinds[kind]
        if fact in declared.fields:
            type_ = ty.strip(declared.fields[fact].type)
            word = self.view["pieces"].get(kind, {}).get(name, {}).get(fact)
        else:
            type_, raw = self.constant(kind, name, fact)
            type_ = ty.strip(type_)
            if not isinstance(raw, int) or raw < 0 or type_ == ty.INT:
                return ""
            word = self.names(type_.kind)[raw] if isinstance(type_, ty.Ref) else self.match.labels.value(type_, raw, -1)
        if isinstance(type_, ty.Ref):
            design = self.design(type_.kind, str(word))
            return design.text.rstrip(".") if design is not None else ""
        return word if isinstance(word, str) and word in self.model.counters else ""

    def _is_sign(self, kind: str, fact: str) -> bool:
        declared = self.model.kinds[kind]
        return fact == "sign" and fact not in declared.facts and fact not in declared.fields

    def constant(self, kind: str, name: str, fact: str) -> tuple[ty.AnyType, Any]:
        """Return the type and the raw value of a fact, or of a function that reads nothing but the piece."""
        program, number = self.match.program, self._numbers[kind][name]
        declared = self.model.kinds[kind]
        if fact in declared.facts:
            return declared.facts[fact].type, program.fact(kind, fact)[number]
        function = program.function(fact)
        renew()
        return self.model.functions[fact].type or ty.INT, function(self.match.state, self.seat, number)

    def items(self, kind: str, name: str, what: str) -> tuple[ty.AnyType, Sequence[Any]]:
        """Return the type and the raw values of the items of a fact or field that is a list; none of a hidden field."""
        declared = self.model.kinds[kind].fields.get(what)
        if declared is None:
            type_, raw = self.constant(kind, name, what)
            return ty.strip(one_of(type_)), raw
        item = ty.strip(one_of(declared.type))
        numbers = self._numbers[item.kind] if isinstance(item, ty.Ref) else {}
        values = self.view["pieces"].get(kind, {}).get(name, {}).get(what) or ()
        return item, [numbers.get(value, value) for value in values]

    def facts(self, kind: str, name: str) -> tuple[str, ...]:
        """Return all facts of a piece in words, to compare two."""
        return tuple(self.fact(kind, name, fact).plain for fact in self.model.kinds[kind].facts)

    def difference(self, kind: str, name: str) -> Caption:
        """Return, in brackets, the facts in which copies of a piece differ."""
        design = self.design(kind, name)
        copies = [other for other in self.names(kind) if self.design(kind, other) is design]
        reported = [
            self.fact(kind, name, fact)
            for fact in self.model.kinds[kind].facts
            if len({self.fact(kind, other, fact).plain for other in copies}) > 1
        ]
        shown = [fact for fact in reported if fact]
        return caption("(") + join_captions(shown, ", ") + caption(")") if shown else Caption()

    def number(self, kind: str, name: str, fact: str) -> Any:
        """Return the plain value of a fact: a number, or the number of a piece."""
        return self.match.program.fact(kind, fact)[self._numbers[kind][name]]

    def _effect_text(self, kind: str, name: str, fact: str) -> str:
        """Return an effect or a cost, or several, as the author wrote them."""
        design = self.design(kind, name)
        entry = self.model.composition.sections["pieces"].get(design.id) if design is not None else None
        node = entry.node.get(fact) if entry is not None and isinstance(entry.node, MappingNode) else None
        parts = node.items if isinstance(node, SequenceNode) else [node]
        written = [" ".join(part.value.split()) for part in parts if isinstance(part, Scalar)]
        return "; ".join(text for text in written if text != "none")

    def _raw(self, type_: ty.AnyType, raw: Any) -> Caption:
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq):
            items = [self._raw(type_.of, x) for x in raw]
            between = "\n" if ty.strip(type_.of) == ty.TEXT else separator_of(item.plain for item in items)
            return join_captions(items, between)
        if isinstance(raw, int) and raw < 0 and type_ != ty.INT:
            return Caption()
        if isinstance(type_, ty.Ref):
            return self.mark(type_.kind, self.names(type_.kind)[raw])
        if isinstance(type_, ty.Group):
            return self._format_word(self.match.labels.value(type_, raw, -1))
        return caption(raw if isinstance(raw, str) else self.seat_names.value(type_, raw))

    def _fact_sign(self, fact: str) -> Caption:
        """Return what stands for a fact or field that is true."""
        return self.sign_of(fact) or caption("yes")

    def sign_of(self, id_: str) -> Caption | None:
        """Return the sign that is declared for a counter, place, fact or field; None where there is none."""
        symbol = self.symbols.get(id_)
        if symbol is None or not symbol.sign:
            return None
        return self._note_sign(id_, caption(symbol.sign, symbol.colour))

    def _format_word(self, word: str) -> Caption:
        """Return a counter of a group, or another plain value, as it is written."""
        symbol = self.symbols.get(word) if word in self.model.counters else None
        if symbol is None:
            return caption(self.seat_names.amount(word, 1) if word in self.model.counters else word)
        return self.sign_of(word) or caption(word, symbol.colour)

    def of_table(self, field: str) -> Caption:
        """Return a field of the table, strong; ``?`` where it is hidden, ``-`` where it is none."""
        fields = self.view["pieces"][TABLE][TABLE]
        if field not in fields:
            return caption("?", tone=STRONG)
        if fields[field] is False:
            return caption("no", tone=STRONG)
        found = self._value(self.model.kinds[TABLE].fields[field].type, fields[field])
        return Caption(tuple(part._replace(tone=STRONG) for part in (found or caption("-")).parts))

    def _value(self, type_: ty.AnyType, value: Any) -> Caption:
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq) and value is not None:
            if isinstance(ty.strip(type_.of), ty.Seq):
                return caption(f"{len(value)} lists" if len(value) != 1 else "1 list")
            items = [self._value(type_.of, item) if item is not None else caption("-") for item in value]
            return join_captions(items, separator_of(item.plain for item in items))
        if value is None or value is False:
            return Caption()
        if isinstance(type_, ty.Ref):
            return self.mark(type_.kind, str(value))
        return self._format_word("yes" if value is True else str(value))
