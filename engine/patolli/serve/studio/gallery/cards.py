"""Collects the data of all cards of a gallery: name, facts, effects, text and source of each piece of a ruleset.

A piece is an entry of ``pieces``, or a kind with copies but without designs, such as the tokens of a player. Cells of
boards and members of enumerations are not pieces.

Copies of a piece may have different facts. Equal copies share one :class:`Face`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from patolli.author.lookup.composed import format_entry
from patolli.author.lookup.entries import Mentions
from patolli.author.lookup.places import text_of
from patolli.check import prose
from patolli.check.analysis.art import art_of
from patolli.check.prose.words import capital, pack_title, words
from patolli.language.diagnostics import Span
from patolli.language.packs.composition import Entry
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Attribute, Kind
from patolli.language.sources import Scalar
from patolli.language.syntax.phrases import gaps
from patolli.play.scene.captions import Caption
from patolli.play.scene.seat_scene import SEATS, Scene
from patolli.play.scene.things import holds_only_what_goes_on, label_of, shown_facts
from patolli.run.compiler.layout import Instance
from patolli.run.runtime import Ruleset
from patolli.serve.studio.gallery.tables import read_by

Lines = tuple[str, ...]
LONGEST = 4
"""Maximum length of a sign; longer texts are names."""
SECTIONS = {
    "anytime": "at any time", "functions": "function", "rules": "rule", "triggers": "trigger", "kinds": "kind",
    "constants": "table", "grids": "board", "substitutions": "way to pay", "discounts": "discount",
    "waivers": "waiver", "places": "place", "counters": "counter", "result": "result", "values": "value",
    "invariants": "invariant", "measures": "measure", "graphs": "graph", "records": "record", "active": "who is active",
}  # fmt: skip
"""Display names of sections."""
_NOTHING = ("none", "nothing", "no", "")
_ITEM = re.compile(r"(\w+)((?:\[\d+\])+)$")


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact in words. ``shown`` says that players see it; other facts are for the rules only."""

    label: str
    said: str
    shown: bool


@dataclass(frozen=True, slots=True)
class Sign:
    """A short text that represents a thing, and the word for its color; both may be empty."""

    text: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """Equal copies of a piece: name, facts, appearance, owner, and color.

    ``art`` is the file of a picture of the pack. The rows of a ``picture`` have signs. In a ``shape``, ``#`` is a
    covered cell and ``.`` an empty one.
    """

    name: str
    copies: int
    facts: tuple[Fact, ...]
    sign: Sign
    picture: tuple[tuple[Sign, ...], ...] = ()
    shape: bool = False
    owner: int = -1
    colour: str = ""
    art: Path | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a piece by another pack: id and title of that pack, the operation, and its place."""

    by: str
    pack: str
    how: str
    what: str
    where: str


@dataclass(frozen=True, slots=True)
class Card:
    """One piece: its data, effects, place in the files, and references.

    ``does`` has its effects: a label, which may be empty, and sentences for each. ``played`` says that its copies have
    a place in a match, and are not only bookkeeping. ``about`` is the text of its kind, ``order`` its number.
    """

    id: str
    section: str
    kind: str
    noun: str
    pack: str
    module: str
    name: str
    text: str
    source: str
    where: str
    does: tuple[tuple[str, Lines], ...]
    faces: tuple[Face, ...]
    changed: tuple[Change, ...]
    used: tuple[tuple[str, str], ...]
    written: str
    played: bool
    about: str = ""
    order: int = 0

    @property
    def copies(self) -> int:
        """The number of copies of all players together."""
        return sum(face.copies for face in self.faces)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of all copies, with all values if they differ."""
        labels = dict.fromkeys((fact.label, fact.shown) for face in self.faces for fact in face.facts)
        values = {
            label: dict.fromkeys(fact.said for face in self.faces for fact in face.facts if fact.label == label)
            for label, _ in labels
        }
        return tuple(Fact(label, ", ".join(values[label]), shown) for label, shown in labels)


class Cards:
    """Reads the cards of one ruleset, for the maximum number of players."""

    def __init__(self, rules: Ruleset, whole: bool = True) -> None:
        """Start a match; only the declarations are read. Only *whole* cards have references and YAML."""
        self.rules, self._whole = rules, whole
        self.scene = Scene(rules.start(rules.players[1], seed=0), 0)
        self.model = self.scene.model
        self.arts = art_of(rules.model)

    def all(self) -> list[Card]:
        """Return the cards of all pieces in the order of declaration, pieces with a place in a match first."""
        found = [card for order, kind in enumerate(self.model.kinds.values()) for card in self._kind(kind, order)]
        return sorted(found, key=lambda card: not card.played)

    def _kind(self, kind: Kind, order: int) -> Iterator[Card]:
        if kind.name in ("player", "table") or kind.members is not None or kind.designs_of:
            return
        copies: dict[str, list[int]] = {}
        for number, instance in enumerate(self.scene.layout.instances[kind.name]):
            copies.setdefault(instance.design.id if instance.design is not None else "", []).append(number)
        sections = self.model.composition.sections
        for design in [one.id for one in kind.designs] or [""]:
            entry = sections["pieces"].get(design) or sections["kinds"].get(kind.name)
            if entry is not None:
                yield self._card(kind, order, entry, copies.get(design, []))

    def _card(self, kind: Kind, order: int, entry: Entry, numbers: list[int]) -> Card:
        noun = self.scene.seat_names.noun(kind.name)
        faces = tuple(self._faces(kind, numbers))
        names = list(dict.fromkeys(face.name for face in faces))
        design = self.model.designs.get(entry.id) if entry.section == "pieces" else None
        name = names[0] if len(names) == 1 else self._name_copies(entry.id) if design is not None else noun
        return Card(
            entry.id, entry.section, kind.name, noun, entry.pack, pack_title(self.rules.resolved_program, entry.pack),
            capital(name), text_of(entry) if design is not None else "", self._source(kind, entry),
            self.where(entry.key.span),
            tuple(self._does(entry)), faces, tuple(self._changes(entry)), tuple(self._list_uses(entry)),
            format_entry(self.rules, entry) if self._whole else "",
            kind.placed and not holds_only_what_goes_on(self.scene, kind.name), " ".join(kind.text.split()), order,
        )  # fmt: skip

    # -- places in files

    def where(self, span: Span) -> str:
        """Return the pack, its file and the line, without folders of this machine."""
        path = Path(span.path)
        for pack in self.rules.packs:
            if path.is_relative_to(pack.folder):
                return f"{pack.id}/{path.relative_to(pack.folder).as_posix()}:{span.line}"
        return f"{path.name}:{span.line}"

    @staticmethod
    def _source(kind: Kind, entry: Entry) -> str:
        """Return the author's source of the values, from the piece or its kind."""
        node = entry.get("source")
        return " ".join((node.value if isinstance(node, Scalar) else kind.source).split())

    def _changes(self, entry: Entry) -> Iterator[Change]:
        for pack, how, node in entry.changed:
            target = node.get(how) if hasattr(node, "get") else None
            what = target.value if isinstance(target, Scalar) else f"{entry.section}/{entry.id}"
            part = what.removeprefix(f"{entry.section}/{entry.id}").strip("/")
            yield Change(pack, pack_title(self.rules.resolved_program, pack), how, words(part), self.where(node.span))

    @cached_property
    def _mentions(self) -> Mentions:
        return Mentions(self.rules)

    def _list_uses(self, entry: Entry) -> Iterator[tuple[str, str]]:
        """Yield in words the entries that name a piece, each with its piece id, or empty."""
        for one in self._mentions.of(entry) if self._whole else ():
            section, _, id_ = one["entry"].partition("/")
            if section == "pieces":
                yield capital(self._name_copies(id_)), id_
            elif section not in ("panels", "symbols", "scenarios"):
                yield f"{words(id_.replace(chr(39), ' '))} ({SECTIONS.get(section, words(section))})", ""

    def _name_copies(self, piece: str) -> str:
        """Return the name of the copies of a piece."""
        design = self.model.designs[piece]
        kind = self.model.kinds[design.kind]
        return self.scene.seat_names.value(ty.Design(kind.name), kind.designs.index(design))

    # -- effects

    def _does(self, entry: Entry) -> Iterator[tuple[str, Lines]]:
        """Yield the effects in sentences; effects in a list are numbered from 1."""
        for part, said in prose.describe_entry(self.rules.resolved_program, entry.section, entry.id):
            item = _ITEM.match(part)
            label = "" if part in ("", "trigger") else words(item[1] if item else part)
            if item:
                label += " " + ".".join(str(int(number) + 1) for number in re.findall(r"\d+", item[2]))
            yield capital(label), tuple(said.split("\n"))
        design = self.model.designs.get(entry.id) if entry.section == "pieces" else None
        if design is not None:
            for name, numbers in read_by(self.rules.resolved_program, self.scene.layout, design):
                yield name, (numbers,)

    # -- copies

    def _faces(self, kind: Kind, numbers: list[int]) -> Iterator[Face]:
        alike: dict[Face, int] = {}
        for number in numbers:
            face = self._face(kind, number)
            alike[face] = alike.get(face, 0) + 1
        for face, copies in alike.items():
            yield replace(face, copies=copies)

    def _face(self, kind: Kind, number: int) -> Face:
        instance: Instance = self.scene.layout.instances[kind.name][number]
        id_ = self.scene.names(kind.name)[number]
        called = self.scene.seat_names.about(instance.owner) if instance.owner >= 0 else self.scene.seat_names
        lasting = self._lasts(kind, called.vocabulary.find_name_text(kind.name, instance))
        own = (
            words(instance.design.id)
            if instance.design is not None and len(kind.designs) > 1
            else called.noun(kind.name)
        )
        name = called.piece(kind.name, number, shown=True) if lasting else own
        picture, shape = self._picture(kind.name, id_)
        facts = tuple(self._facts(kind, id_))
        seat = self.scene.symbols.get(f"player_{instance.owner + 1}")
        colour = (seat.colour if seat is not None else "") or SEATS[instance.owner % len(SEATS)]
        return Face(
            capital(name), 1, facts, self._sign(kind, id_), picture, shape, instance.owner, colour, self._art(kind, id_)
        )

    def _art(self, kind: Kind, id_: str) -> Path | None:
        found = self.scene.art(kind.name, id_)
        return next((art.file for art in self.arts if (art.section, art.id) == ("symbols", found)), None)

    def _lasts(self, kind: Kind, text: str) -> bool:
        """Return whether a name is constant: no part of it can change during a match."""
        for gap in gaps(text):
            type_: ty.AnyType = ty.Ref(kind.name)
            for name in gap.path:
                type_ = ty.strip(type_)
                if not isinstance(type_, ty.Ref) or name in self.model.kinds[type_.kind].fields:
                    return False
                type_ = self.scene.seat_names.vocabulary.type_of(type_.kind, name)
        return True

    def _facts(self, kind: Kind, id_: str) -> Iterator[Fact]:
        shown = shown_facts(self.scene, kind.name)
        for other in self.model.kinds.values():  # a panel may show facts that copies share
            if other.designs_of == kind.name:
                shown |= shown_facts(self.scene, other.name)
        for fact in kind.facts.values():
            if (fact.name == "owner" and kind.per_player) or _inner(fact) in (ty.EFFECT, ty.COST):
                continue
            value = self.scene.number(kind.name, id_, fact.name)
            said = self._format_value(fact, value)
            if said not in _NOTHING and not (value == 0 and _begins_with_nothing(fact)):
                yield Fact(capital(label_of(fact)), said, bool(fact.text) or fact.name in shown)

    def _format_value(self, fact: Attribute, value: Any) -> str:
        if _inner(fact) == ty.TEXT:
            return "\n".join(_texts(value))
        return str(self.scene.seat_names.value(fact.type, value))

    def _sign(self, kind: Kind, id_: str) -> Sign:
        """Return the constant sign of a piece: its sign, or the facts that its symbol shows."""
        symbol = self.scene.symbol(kind.name, id_)
        if symbol is None:
            return Sign()
        text, colour = symbol.sign, symbol.colour
        for facts in symbol.show if not symbol.picture else ():
            known = (self._make_sign(kind, id_, fact) for fact in facts)
            shown = next((one for one in known if one.text), Sign())
            text, colour = text + shown.text, colour or shown.colour
        return Sign(text if len(text) <= LONGEST else "", colour)

    def _make_sign(self, kind: Kind, id_: str, fact: str) -> Sign:
        declared = kind.facts.get(fact)
        if fact in kind.fields or (declared is not None and _inner(declared) == ty.Ref("player")):
            return Sign()
        reported = self.scene.fact(kind.name, id_, fact)
        return Sign(reported.plain, reported.color)

    def _picture(self, kind: str, id_: str) -> tuple[tuple[tuple[Sign, ...], ...], bool]:
        """Return the rows of the picture of a piece, and whether it is a shape."""
        lines = self.scene.picture(kind, id_)
        if lines and all(set(sign.plain) <= set("#.") for line in lines for sign in line):
            return tuple(tuple(Sign(cell) for sign in line for cell in sign.plain) for line in lines), True
        symbol = self.scene.symbol(kind, id_)
        if not lines and symbol is not None and len(symbol.show) == 1:  # each sign in a row has its own color
            reported = [
                self.scene.fact(kind, id_, fact) for fact in symbol.show[0] if fact in self.model.kinds[kind].facts
            ]
            lines = [[one] for one in reported[:1] if " " in one.plain and "\n" not in one.plain]
        return tuple(tuple(_signs_in(line)) for line in lines), False


def _signs_in(line: Iterable[Caption]) -> Iterator[Sign]:
    """Yield the signs of a row, which stand between blanks."""
    for part in (part for caption in line for part in caption.parts):
        yield from (Sign(text, part.color) for text in part.text.split())


def _inner(fact: Attribute) -> ty.AnyType:
    """Return the type of a fact, or of the items of its lists."""
    type_ = ty.strip(fact.type)
    while isinstance(type_, ty.Seq):
        type_ = ty.strip(type_.of)
    return type_


def _begins_with_nothing(fact: Attribute) -> bool:
    """Return whether 0 is the default of a fact, so that a 0 need not be shown."""
    return ty.strip(fact.type) == ty.INT and isinstance(fact.default, x.Number) and fact.default.value == 0


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a list at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        yield from (" · ".join(one) if isinstance(one, list | tuple) else str(one) for one in value)


def cards_of(rules: Ruleset) -> list[Card]:
    """Return the cards of a ruleset."""
    return Cards(rules).all()
