"""What one seat sees of a match, and how each thing in it is written.

A scene joins the view of a seat (which changes) with what is declared (which does not): names, texts, facts,
symbols.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.text import Text

from patolli.check.analysis.symbols import Symbol
from patolli.kernel.budget import renew
from patolli.language.program import types as ty
from patolli.language.program.model import TABLE
from patolli.language.sources import Mapping, Scalar, Sequence
from patolli.play.scene.declared import declared_of
from patolli.play.terminal.flow import in_row, pad
from patolli.run.compiler.unit import fact_table, function_name

if TYPE_CHECKING:
    from patolli.check.analysis.panels import Panel
    from patolli.language.program.model import Counter, Design, Place
    from patolli.run.runtime import Match
    from patolli.run.runtime.display_names import Names

STYLES = {
    "black": "bright_black", "red": "bright_red", "green": "bright_green", "yellow": "bright_yellow",
    "blue": "bright_blue", "magenta": "bright_magenta", "cyan": "bright_cyan", "white": "bold",
    "orange": "dark_orange", "brown": "orange4", "grey": "grey58", "pink": "hot_pink",
}  # fmt: skip
"""Colours of symbols as they are called by the terminal."""
SEATS = ("red", "cyan", "yellow", "green", "magenta", "blue")
"""Colours of seats without a symbol."""
OWN, OTHERS = "❶❷❸❹❺❻❼❽❾❿", "①②③④⑤⑥⑦⑧⑨⑩"
"""Signs of seats without a symbol: full for the one that looks, hollow for the others."""
WIDTH = 76
"""Cells inside the frame of the widest panel in a terminal of 80."""
SHAPE = ty.Ref("shape")
Used = dict[str, tuple[Text, str, str]]
"""By symbol: what was drawn for it, of which kind and piece."""
LONGEST = 60
"""Letters of the longest text that stands for a piece."""


def drawn(cells: Collection[tuple[int, int]]) -> str:
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

    def __init__(self, match: Match, seat: int, marked: frozenset[str] = frozenset(), width: int = WIDTH) -> None:
        """Look at *match* from *seat*; the cells *marked* (by their names in views) stand out.

        *width* is how many cells a panel has inside its frame.
        """
        self.marked = marked
        self.width = width
        self.before: dict[str, Any] | None = None  # the view at the last look, if what changed since is to be told
        self.used: Used = {}
        self._labelled: dict[str, bool] = {}
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
        return self.match.view(self.seat)

    @cached_property
    def called(self) -> Names:
        """What things are called for the seat."""
        return self.match.naming(self.seat).about(self.seat)

    @property
    def me(self) -> str:
        """The id of the seat."""
        return f"player_{self.seat + 1}"

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

    def mark(self, kind: str, name: str) -> Text:
        """Return what stands for a piece: its sign, the facts that its kind shows, or its name."""
        symbol = self.symbol(kind, name)
        if kind == "player":
            return self._note_sign(name, self._player(name, symbol or Symbol()), kind, name)
        if symbol is None or not (symbol.show or symbol.sign):
            words = self.drawing(name) if kind == "shape" else self.short(kind, name)
            return Text(words, (STYLES.get(symbol.colour) if symbol else "") or self._owner_style(kind, name))
        mark = self._shown(kind, name, symbol) if symbol.show else Text(symbol.sign, STYLES.get(symbol.colour, ""))
        if not mark.style:
            mark.style = self._owner_style(kind, name)
        return self._note_sign(self.declared.symbol_id(kind, name), mark, kind, name)

    def _player(self, name: str, symbol: Symbol) -> Text:
        seat = self._numbers["player"].get(name, 0)
        style = STYLES[symbol.colour or SEATS[seat % len(SEATS)]]
        sign = symbol.sign or (OWN if seat == self.seat else OTHERS)[seat % len(OWN)]
        return Text(sign, f"bold {style}" if seat == self.seat and "bold" not in style else style)

    def _owner_style(self, kind: str, name: str) -> str:
        """Return the colour of the player to whom a piece belongs."""
        number = self._numbers[kind].get(name)
        owner = self.layout.instances[kind][number].owner if number is not None else -1
        return str(self.mark("player", f"player_{owner + 1}").style) if owner >= 0 and kind != "player" else ""

    def _note_sign(self, id_: str, mark: Text, kind: str = "", name: str = "") -> Text:
        """Remember that a sign was drawn, so that it can be explained."""
        if id_ and mark.plain:
            self.used.setdefault(id_, (mark, kind, name))
        return mark.copy()

    def drawing(self, shape: str) -> str:
        """Return a shape as the rows of its drawing."""
        return drawn(self.model.shapes[shape])

    def _shown(self, kind: str, name: str, symbol: Symbol) -> Text:
        parts = [self._first_fact(kind, name, facts) for facts in symbol.show]
        text = "".join(part.plain for part in parts)
        styles = [part.style or next((span.style for span in part.spans), "") for part in parts]
        style = STYLES.get(symbol.colour, "") or next((style for style in styles if style), "")
        return Text(symbol.sign + text, style)

    def _first_fact(self, kind: str, name: str, facts: tuple[str, ...]) -> Text:
        """Return the first of some facts that says anything of a piece."""
        told = (self.fact(kind, name, fact) for fact in facts)
        return next((text for text in told if text.plain), Text(""))

    def head(self, player: str) -> Text:
        """Return what stands above what a player has: the sign, and for the one who looks that it is theirs."""
        mark = self.mark("player", player)
        return Text.assemble(mark, (" you", "bold")) if player == self.me else mark

    def picture(self, kind: str, name: str) -> list[Text]:
        """Return what a piece looks like, in lines; empty where its symbol has no picture, and it has no shape."""
        symbol = self.symbol(kind, name)
        if symbol is None or not symbol.picture:
            shapes = [fact.name for fact in self.model.kinds[kind].facts.values() if ty.strip(fact.type) == SHAPE]
            numbers = [self.number(kind, name, fact) for fact in shapes]
            rows = [self.drawing(self.names("shape")[number]).split(" / ") for number in numbers if number >= 0]
            return [Text(row) for row in rows[0]] if rows else []
        type_, raw = self.constant(kind, name, symbol.picture)
        parts = [self._raw(one_of(type_), item) for item in raw]
        wide = max((cell_len(part.plain) for part in parts), default=0)
        signs = [[parts[n] if n < len(parts) else Text("") for n in row] for row in symbol.rows]
        return [Text(" ").join(pad(sign, wide) for sign in row) for row in signs]

    def words(self, kind: str, name: str) -> Text:
        """Return what stands for a piece: its mark where it has a symbol, or else its text, if that is not long."""
        design = self.design(kind, name)
        if design is None or self.symbol(kind, name) is not None or not 0 < len(design.text) <= LONGEST:
            return self.mark(kind, name)
        return Text(design.text.rstrip("."))

    def short(self, kind: str, name: str) -> str:
        """Return what a piece is called where it is clear of which kind it is: ``4 coins`` for ``bag of 4 coins``.

        If every player has pieces of the kind, the whole name stays: that of another player begins with the player.
        """
        found = self._short.get((kind, name))
        if found is None:
            number = self._numbers[kind].get(name)
            said = self.called.piece(kind, number, shown=True) if number is not None else name
            of = f"{self.called.noun(kind)} of "
            found = self._short[kind, name] = said if self.model.kinds[kind].per_player else said.removeprefix(of)
        return found

    def label(self, kind: str, name: str) -> str:
        """Return the words for a piece: its text, where all pieces of its kind have short ones, or its name."""
        design = self.design(kind, name)
        if design is not None and kind not in self._labelled:
            texts = [other.text.rstrip(".") for other in self.model.kinds[kind].designs]
            self._labelled[kind] = all(0 < len(text) <= 18 for text in texts)
        if design is not None and self._labelled[kind]:
            return design.text.rstrip(".")
        return self.short(kind, name)

    def fact(self, kind: str, name: str, fact: str) -> Text:
        """Return a fact or field of a piece as it is written; empty where it is hidden or none.

        It may also be the value of a function that reads nothing but the piece.
        """
        if fact == "text":
            design = self.design(kind, name)
            return Text(design.text if design else "")
        if self._is_sign(kind, fact):
            return self.mark(kind, name)
        declared = self.model.kinds[kind]
        if fact in declared.fields:
            value = self.view["pieces"].get(kind, {}).get(name, {}).get(fact)
            return self._fact_sign(fact) if value is True else self._value(declared.fields[fact].type, value)
        type_, raw = self.constant(kind, name, fact)
        if one_of(type_) in (ty.EFFECT, ty.COST):
            return Text(self._effect_text(kind, name, fact))
        if fact not in declared.facts and isinstance(raw, bool):
            return self._fact_sign(fact) if raw else Text("")
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
        return str(word) if word in self.model.counters else ""

    def _is_sign(self, kind: str, fact: str) -> bool:
        declared = self.model.kinds[kind]
        return fact == "sign" and fact not in declared.facts and fact not in declared.fields

    def constant(self, kind: str, name: str, fact: str) -> tuple[ty.AnyType, Any]:
        """Return the type and the raw value of a fact, or of a function that reads nothing but the piece."""
        space, number = self.match.program.space, self._numbers[kind][name]
        declared = self.model.kinds[kind]
        if fact in declared.facts:
            return declared.facts[fact].type, space[fact_table(kind, fact)][number]
        function = space[function_name(fact)]
        renew()
        return self.model.functions[fact].type or ty.INT, function(self.match.state, self.seat, number)

    def facts(self, kind: str, name: str) -> tuple[str, ...]:
        """Return all facts of a piece in words, to tell whether two are equal."""
        return tuple(self.fact(kind, name, fact).plain for fact in self.model.kinds[kind].facts)

    def difference(self, kind: str, name: str) -> Text:
        """Return, in brackets, the facts in which copies of a piece differ."""
        design = self.design(kind, name)
        copies = [other for other in self.names(kind) if self.design(kind, other) is design]
        told = [
            self.fact(kind, name, fact)
            for fact in self.model.kinds[kind].facts
            if len({self.fact(kind, other, fact).plain for other in copies}) > 1
        ]
        shown = [text for text in told if text.plain]
        return Text.assemble("(", Text(", ").join(shown), ")") if shown else Text("")

    def number(self, kind: str, name: str, fact: str) -> Any:
        """Return the plain value of a fact: a number, or the number of a piece."""
        return self.match.program.space[fact_table(kind, fact)][self._numbers[kind][name]]

    def _effect_text(self, kind: str, name: str, fact: str) -> str:
        """Return an effect or a cost, or several, as the author wrote them."""
        design = self.design(kind, name)
        entry = self.model.composition.sections["pieces"].get(design.id) if design is not None else None
        node = entry.node.get(fact) if entry is not None and isinstance(entry.node, Mapping) else None
        parts = node.items if isinstance(node, Sequence) else [node]
        written = [" ".join(part.value.split()) for part in parts if isinstance(part, Scalar)]
        return "; ".join(text for text in written if text != "none")

    def _raw(self, type_: ty.AnyType, raw: Any) -> Text:
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq):
            between = "\n" if ty.strip(type_.of) == ty.TEXT else " "
            return in_row([self._raw(type_.of, x) for x in raw], between)
        if isinstance(raw, int) and raw < 0 and type_ != ty.INT:
            return Text("")
        if isinstance(type_, ty.Ref):
            return self.mark(type_.kind, self.names(type_.kind)[raw])
        if isinstance(type_, ty.Group):
            return self._format_word(self.match.labels.value(type_, raw, -1))
        return Text(raw if isinstance(raw, str) else self.called.value(type_, raw))

    def _fact_sign(self, fact: str) -> Text:
        """Return what stands for a fact or field that is true."""
        return self.sign_of(fact) or Text("yes")

    def sign_of(self, id_: str) -> Text | None:
        """Return the sign that is declared for a counter, place, fact or field; None where there is none."""
        symbol = self.symbols.get(id_)
        if symbol is None or not symbol.sign:
            return None
        return self._note_sign(id_, Text(symbol.sign, STYLES.get(symbol.colour, "")))

    def _format_word(self, word: str) -> Text:
        """Return a counter of a group, or another plain value, as it is written."""
        symbol = self.symbols.get(word) if word in self.model.counters else None
        if symbol is None:
            return Text(self.called.amount(word, 1) if word in self.model.counters else word)
        return self.sign_of(word) or Text(word, STYLES.get(symbol.colour, ""))

    def of_table(self, field: str) -> Text:
        """Return a field of the table as it is written, bold; ``?`` where it is hidden, ``-`` where it is none."""
        fields = self.view["pieces"][TABLE][TABLE]
        if field not in fields:
            return Text("?", "bold")
        if fields[field] is False:
            return Text("no", "bold")
        found = self._value(self.model.kinds[TABLE].fields[field].type, fields[field])
        found.stylize("bold")
        return found if found.plain else Text("-", "bold")

    def _value(self, type_: ty.AnyType, value: Any) -> Text:
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq) and value is not None:
            if isinstance(ty.strip(type_.of), ty.Seq):
                return Text(f"{len(value)} lists" if len(value) != 1 else "1 list")
            return in_row([self._value(type_.of, item) if item is not None else Text("-") for item in value])
        if value is None or value is False:
            return Text("")
        if isinstance(type_, ty.Ref):
            return self.mark(type_.kind, str(value))
        return self._format_word("yes" if value is True else str(value))
