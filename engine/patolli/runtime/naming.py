"""What things are called for people: pieces, places, players, amounts and answers.

Names are made from declarations (``name``, ``noun``, ``text``) and, where a pack says nothing, from ids. They belong to
what is shown: no rule sees them, and what is typed, saved and compared are the texts of ``labels``.

A name never says more than the seat may know for whom it is made. A piece that the seat cannot see is called by the
noun of its kind, and so is one whose name would tell a field that is hidden.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from patolli.analysis.names import Wording, wording
from patolli.compiler.asked import Question
from patolli.compiler.layout import Instance
from patolli.compiler.unit import fact_table, function_name
from patolli.kernel.budget import renew
from patolli.kernel.faults import RuleFault
from patolli.kernel.state import State
from patolli.language.phrases import Gap, pieces_of
from patolli.program import types as ty
from patolli.program.model import Counter, Design, Kind, Place
from patolli.runtime.eyes import Eyes, Index, indices_of

if TYPE_CHECKING:
    from patolli.runtime.labels import Labels

NOBODY = -1
"""The seat of what a sentence is about where it is about no player."""
LONGEST = 60
"""Letters of the longest text that stands for a counter, and of the longest name of a player."""
TURNED = ("", ", turned once", ", turned twice", ", turned three times")
Value = tuple[ty.AnyType, Any]


class Vocabulary:
    """What the names of one program have in common, whoever reads them: made once, and kept with its labels."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.layout, self.model = labels, labels.layout, labels.model
        self.space = labels.program.space
        self.known: dict[Index, str] = {}  # names that follow from declarations alone
        self._templates: dict[str, list[str | Gap]] = {}
        self._fixed: dict[str, bool] = {}
        self._alike: dict[int, bool] = {}  # by the identity of a design, which lives as long as the model

    @cached_property
    def wording(self) -> Wording:
        """What the pack says that things are called."""
        return wording(self.model.composition)

    def template(self, text: str) -> list[str | Gap]:
        """Return a name as texts and what is put between them."""
        if text not in self._templates:
            self._templates[text] = pieces_of(text)
        return self._templates[text]

    def noun(self, kind: str, number: int = 1) -> str:
        """Return what one of a kind is called, or several."""
        said = self.wording.nouns.get(kind)
        if said:
            return said[0] if number == 1 else said[-1]
        return words(kind) if number == 1 else plural(words(kind))

    def written(self, kind: str, instance: Instance) -> str:
        """Return what is written about what a piece is called; nothing where it goes by its id."""
        design, said = instance.design, self.wording
        if design is not None and "name" in self.model.kinds[kind].facts:
            return "{name}" if self.model.kinds[kind].facts["name"].type == ty.TEXT else said.kinds.get(kind, "")
        return (said.pieces.get(design.id, "") if design is not None else "") or said.kinds.get(kind, "")

    def alike(self, kind: str, design: Design) -> bool:
        """Tell whether the copies of a piece have the same facts."""
        if id(design) not in self._alike:
            tables = [self.space[fact_table(kind, fact)] for fact in self.model.kinds[kind].facts if fact != "owner"]
            copies = (at for at, one in enumerate(self.layout.instances[kind]) if one.design is design)
            self._alike[id(design)] = len({tuple(table[at] for table in tables) for at in copies}) < 2
        return self._alike[id(design)]

    def fixed(self, kind: str) -> bool:
        """Tell whether the names of a kind are the same in every state, for every reader."""
        if kind not in self._fixed:
            self._fixed[kind] = False  # where names go in a circle, which is a problem of its own
            self._fixed[kind] = self._settled(self.model.kinds[kind])
        return self._fixed[kind]

    def _settled(self, kind: Kind) -> bool:
        if kind.name == "player" or kind.per_player or kind.name in self.model.buried:
            return False
        texts = {self.written(kind.name, instance) for instance in self.layout.instances[kind.name]}
        return all(
            self._lasting(kind, gap.path) for text in texts for gap in self.template(text) if isinstance(gap, Gap)
        )

    def _lasting(self, kind: Kind, path: tuple[str, ...]) -> bool:
        """Tell whether what a path leads to never changes."""
        type_: ty.AnyType = ty.Ref(kind.name)
        for name in path:
            here = ty.strip(type_)
            if not isinstance(here, ty.Ref) or name in self.model.kinds[here.kind].fields:
                return False
            type_ = self.type_of(here.kind, name)
        while isinstance(type_, ty.Maybe | ty.Seq):
            type_ = type_.of
        return not isinstance(type_, ty.Ref) or self.fixed(type_.kind)

    def type_of(self, kind: str, name: str) -> ty.AnyType:
        """Return the type of a fact, a field, or a function of a piece."""
        declared = self.model.kinds[kind]
        attribute = declared.facts.get(name) or declared.fields.get(name)
        return attribute.type if attribute is not None else self.model.functions[name].type


class _Hidden(Exception):
    """A name would tell what the seat cannot see."""


class Names:
    """What things are called for the player on one seat, in one state. Make it anew when the state has changed."""

    def __init__(
        self, labels: Labels, state: State, seat: int, players: Sequence[str] = (), about: int = NOBODY
    ) -> None:
        """Look at a state.

        Args:
            labels: The texts of the program.
            state: What is the case; it is not changed.
            seat: Who reads; :data:`~patolli.runtime.eyes.EVERYBODY` for what all may know.
            players: What the players are called, by seat; ``player 1`` where nothing is said.
            about: The player whom the words are about: pieces of that one are called without their owner.
        """
        self.labels, self.state, self.seat, self.players, self._about = labels, state, seat, players, about
        self.layout, self.model, self.vocabulary = labels.layout, labels.model, labels.vocabulary
        self.eyes = Eyes(labels.layout, state, seat)

    def about(self, player: int) -> Names:
        """Return the names as they stand in words that are about a player, or about nobody."""
        if player == self._about:
            return self
        other = Names.__new__(Names)
        other.__dict__ |= self.__dict__ | {"_about": player}
        return other

    # -- players, pieces, kinds

    def player(self, seat: int) -> str:
        """Return what a player is called; below 0 nobody."""
        if seat < 0:
            return "nobody"
        given = self.players[seat] if seat < len(self.players) else ""
        return given or f"player {seat + 1}"

    def piece(self, kind: str, number: int, shown: bool = False) -> str:
        """Return what a piece, cell or member is called, with its owner where the words are not about that one.

        Args:
            kind: Its kind.
            number: Which one of the kind, from 0; below 0 none.
            shown: Whether the reader knows the piece wherever it lies, as with one that is offered.
        """
        if number < 0:
            return "none"
        if kind == "player":
            return self.player(number)
        known = self.vocabulary.known.get((kind, number))
        if known is not None:
            return known
        if not shown and not self.eyes.piece(kind, number):
            return self.noun(kind)
        instance = self.layout.instances[kind][number]
        text = self.vocabulary.written(kind, instance)
        try:
            said = self._filled(text, kind, number) if text else self._plain(kind, number, instance)
        except (_Hidden, RuleFault):
            said = self.noun(kind)
        if self.vocabulary.fixed(kind):
            self.vocabulary.known[(kind, number)] = said
        return said if "{owner" in text else self._whose(self.owner(kind, number), said)

    def pieces(self, kind: str, numbers: Sequence[int], shown: bool = False) -> str:
        """Return what several pieces of a kind are called; those that are called alike are counted."""
        many = Tally((owner := self.owner(kind, one), self.about(owner).piece(kind, one, shown)) for one in numbers)
        told = (
            (owner, said if number == 1 else self._alike(kind, said, number)) for (owner, said), number in many.items()
        )
        return listed([self._whose(owner, said) for owner, said in told])

    def _alike(self, kind: str, said: str, number: int) -> str:
        """Return the words for several pieces with one name: with the noun of the kind in it, for many, or *times*."""
        one, several = self.noun(kind), self.noun(kind, number)
        if said.endswith(one):
            return f"{number} {said.removesuffix(one)}{several}"
        if said.startswith(f"{one} "):
            return f"{number} {several}{said.removeprefix(one)}"
        return f"{said} ({number} times)"

    def noun(self, kind: str, number: int = 1) -> str:
        """Return what one of a kind is called, or several."""
        return self.vocabulary.noun(kind, number)

    def count(self, kind: str, number: int) -> str:
        """Return so many of a kind in words: ``3 cards``."""
        return f"{number} {self.noun(kind, number)}"

    def owner(self, kind: str, number: int) -> int:
        """Return the seat of the owner of a piece; -1 where nobody is."""
        if kind != "player" and self.model.kinds[kind].per_player:
            return int(self.vocabulary.space[fact_table(kind, "owner")][number])
        return self.layout.instances[kind][number].owner

    def _whose(self, owner: int, said: str) -> str:
        return said if owner in (NOBODY, self._about) else f"{whose(self.player(owner))} {said}"

    def _plain(self, kind: str, number: int, instance: Instance) -> str:
        """Return what goes by its id; a way to lie on a grid goes by its shape and where its corner is."""
        if self.model.kinds[kind].lays:
            shape, turn, corner = (
                self.vocabulary.space[fact_table(kind, fact)][number] for fact in ("shape", "turn", "corner")
            )
            at = self.about(self.owner(kind, number)).piece(self.model.kinds[kind].lays, corner)
            return f"{self.piece('shape', shape)} at {at}{TURNED[turn % 4]}{', flipped' if turn > 3 else ''}"
        if instance.design is not None:
            alike = self.vocabulary.alike(kind, instance.design)
            return words(instance.design.id) if alike else f"{words(instance.design.id)} {instance.copy}"
        return self.vocabulary.wording.members.get(instance.id) or words(instance.id)

    # -- what is put into names

    def _filled(self, text: str, kind: str, number: int) -> str:
        """Return the name of a piece as it is written, with what stands in braces."""
        parts = [
            part if isinstance(part, str) else self._gap((ty.Ref(kind), number), part.path)
            for part in self.vocabulary.template(text)
        ]
        return " ".join("".join(parts).split())

    def _gap(self, of: Value, path: Sequence[str]) -> str:
        """Return the words for what a path from a value leads to."""
        last = ""
        for name in path:
            type_, number = ty.strip(of[0]), of[1]
            if not isinstance(type_, ty.Ref) or number < 0:
                return "none"
            of, last = (self.vocabulary.type_of(type_.kind, name), self._known(type_.kind, name, number)), name
        if of[0] == ty.BOOL:
            return words(last) if of[1] else ""
        return self.value(*of)

    def _known(self, kind: str, name: str, number: int) -> Any:
        """Return the raw value of a fact, a field, or a function that reads nothing but the piece.

        Raises:
            _Hidden: The seat cannot see it.
        """
        declared, space = self.model.kinds[kind], self.vocabulary.space
        if name in declared.facts:
            return space[fact_table(kind, name)][number]
        if name in declared.fields:
            if not self.eyes.field(kind, name, number):
                raise _Hidden
            return self.state[self.layout.fields[(kind, name)] + number]
        renew()
        return space[function_name(name)](self.state, max(0, self._about), number)

    # -- values

    def value(self, type_: ty.AnyType, value: Any, shown: bool = False) -> str:
        """Return the words for a value of a type; see :meth:`piece` for *shown*."""
        type_ = ty.strip(type_)
        if isinstance(value, int) and value < 0 and type_ != ty.INT:
            return "none"
        match type_:
            case ty.Ref():
                return self.piece(type_.kind, value, shown)
            case ty.Design():
                return self._design(type_.kind, value)
            case ty.Group():
                return self.amount(next(n for n, (base, _) in self.layout.counters.items() if base == value), 1)
            case ty.Choice():
                return words(str(self.model.options[type_.option].choices[value]))
            case ty.Seq():
                return listed([self.value(type_.of, one, shown) for one in value]) or "nothing"
        if type_ == ty.BOOL:
            return "yes" if value else "no"
        return str(value)

    def _design(self, kind: str, number: int) -> str:
        """Return what the copies of one design are called; without their owner, as no copy is meant."""
        design = self.model.kinds[kind].designs[number]
        first = self.vocabulary.space[f"D_{kind}"].index(number)
        return self.about(self.owner(kind, first)).piece(kind, first, shown=True) if first >= 0 else words(design.id)

    # -- counters and places

    def amount(self, counter: str, number: int) -> str:
        """Return what so much of a counter is called, without the number: its noun, its text, or its id."""
        declared = self.model.counters[counter]
        if declared.noun:
            return declared.noun[0] if number == 1 else declared.noun[-1]
        return title(declared)

    def counter(self, slot: int) -> str:
        """Return the words for the counter in a slot, without the player whose it is: ``points (the second row)``.

        What it is counted for is left out where the seat cannot see it.
        """
        name, _ = self.labels.counters[slot]
        declared = self.model.counters[name]
        base, sizes = self.layout.counters[name]
        indices = indices_of(declared.dims, sizes, slot - base)
        others = indices[1:] if declared.dims[:1] == ("player",) else indices
        of = ", ".join(self.piece(*index) for index in others) if self.eyes.known(others) else ""
        return f"{self.amount(name, 2)} ({of})" if of else self.amount(name, 2)

    def place(self, slot: int, spot: bool = False) -> str:
        """Return the words for the place to which a slot belongs: ``the shop``, ``player 2's hand``.

        Args:
            slot: The slot; 0 is the box.
            spot: Whether the number of a spot in a row is said, too.
        """
        found = self.eyes.place_at(slot)
        if found is None:
            return "the box"
        place, indices = found
        said = self._placed(place, indices)
        if not spot or place.type != "row":
            return said
        base, sizes = self.layout.places[place.name]
        return f"{said}, spot {(slot - base) % sizes[-1] + 1}"

    def _placed(self, place: Place, indices: tuple[Index, ...]) -> str:
        """Return what a place is called; without what it is for, where one of these is hidden."""
        written = self.vocabulary.wording.places.get(place.name, "")
        if not self.eyes.known(indices):
            return f"the {words(place.name)}"
        said = dict(zip(place.dims, (self.piece(*index) for index in indices), strict=True))
        if written:
            parts = [
                part if isinstance(part, str) else said.get(part.path[0].removesuffix("'s"), "")
                for part in self.vocabulary.template(written)
            ]
            text = "".join(parts)
            told = [part.path[0] for part in self.vocabulary.template(written) if isinstance(part, Gap)]
        else:
            text, told = words(place.name), []
            others = [piece for kind, piece in said.items() if kind != "player"]
            text += f" of {listed(others)}" if others else ""
        owner = said.get("player", "") if "player" not in told else ""
        if owner and indices[0] != ("player", self._about):
            return f"{whose(owner)} {text}"
        return text if owner or written or told else f"the {text}"

    # -- answers

    def options(self, question: Question, values: Sequence[Any], anytime: Sequence[tuple[int, int]] = ()) -> list[str]:
        """Return the words for the answers of one question, and the anytime actions behind them, all different.

        They are made for the player who answers. Where two would read alike, the place of what they name follows, and
        else a number.
        """
        said = [self.option(question, value) for value in values] + [self.anytime(value) for value in anytime]
        named = [_named(question, value) for value in values] + [[self._binding(value)] for value in anytime]
        said = _apart(said, [self._lying(one) for one in named])
        return _apart(said, None)

    def option(self, question: Question, value: Any) -> str:
        """Return the words for an answer. What it names counts as seen, since it is offered."""
        match question.kind:
            case "choose" | "order":
                values = value if len(question.types) > 1 else (value,)
                if question.decline is not None and all(v == -1 for v in values):
                    return question.decline
                return self._answer(question.types, values)
            case "menu" | "repeat":
                label, types = question.labels[value[0]]
                said = self._answer(types, value[1:])
                return " ".join(w for w in (label or ("again" if question.kind == "repeat" else ""), said) if w)
            case "pause":
                return question.labels[0][0] or "go on"
            case "pay" | "gain":
                return self.way(value)
        return str(value)

    def _answer(self, types: Sequence[ty.AnyType], values: Sequence[Any]) -> str:
        return ", ".join(self.value(type_, v, shown=True) for type_, v in zip(types, values, strict=True))

    def way(self, way: tuple[int, ...]) -> str:
        """Return the words for one way to pay or gain."""
        parts = []
        for code, amount in zip(way[::2], way[1::2], strict=True):
            if code >= 0:
                parts.append(f"{amount} {self.amount(self.labels.counters[code][0], amount)}")
            else:
                parts.append(self.side(code, amount))
        return ", ".join(parts) or "nothing"

    def side(self, code: int, value: int) -> str:
        """Return the words for a discount or waiver that a payment uses."""
        found, type_ = self.labels.beside_payment(code), self.labels.side_type(code)
        if isinstance(found, str):
            return f"with {words(found)}"
        if type_ is None:
            return f"use {words(found.name)}"
        piece = self.value(type_, value, shown=True)
        return f"use {piece} for {words(found.name)}" if self.labels.alike(found) else f"use {piece}"

    def anytime(self, value: tuple[int, int]) -> str:
        """Return the words for an anytime action."""
        type_, number = self._binding(value)
        label = self.model.anytime[value[0]].label
        return label if type_ == ty.NONE else f"{label} {self.value(type_, number, shown=True)}"

    def _binding(self, value: tuple[int, int]) -> Value:
        """Return what an anytime action names, with its type."""
        binder = self.model.anytime[value[0]].binder
        type_ = binder.source.type if binder is not None else None
        return (type_.of, value[1]) if isinstance(type_, ty.Seq) else (ty.NONE, 0)

    def _lying(self, named: Sequence[Value]) -> str:
        """Return where the last of some pieces lies, as far as that can be seen; or nothing."""
        for type_, number in reversed(named):
            type_ = ty.strip(type_)
            at = self.layout.at.get(type_.kind) if isinstance(type_, ty.Ref) else None
            if at is None or not isinstance(number, int) or number < 0:
                continue
            slot, found = self.state[at + number], self.eyes.place_at(self.state[at + number])
            if found is not None and self.eyes.slot(slot, number):
                return self.place(slot, spot=True)
        return ""


def _named(question: Question, value: Any) -> list[Value]:
    """Return what an answer names, with types."""
    match question.kind:
        case "choose" | "order":
            return list(zip(question.types, value if len(question.types) > 1 else (value,), strict=True))
        case "menu" | "repeat":
            return list(zip(question.labels[value[0]][1], value[1:], strict=True))
    return []


def _apart(said: list[str], places: list[str] | None) -> list[str]:
    """Add to words that are the same what tells them apart: places that differ, or numbers where there are none."""
    many = Tally(said)
    if all(number == 1 for number in many.values()):
        return said
    seen: Tally[str] = Tally()
    found = []
    for at, one in enumerate(said):
        seen[one] += 1
        if many[one] == 1:
            found.append(one)
        elif places is None:
            found.append(f"{one} ({seen[one]})")
        else:
            there = {place for other, place in zip(said, places, strict=True) if other == one}
            found.append(f"{one} ({places[at]})" if len(there) > 1 and places[at] else one)
    return found


def called(names: Sequence[str], players: int) -> tuple[str, ...]:
    """Return what players are called, as it is shown.

    Raises:
        ValueError: There are more names than players, two are the same, or one has no words or is no plain line.
    """
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"the names of the players are a list of texts, not {names!r}")
    found = tuple(" ".join(name.split()) for name in names)
    if len(found) > players:
        raise ValueError(f"there are {len(found)} names for {players} players")
    for name in found:
        if not name.isprintable() or len(name) > LONGEST:
            raise ValueError(f"{name!r} is no name: it has more than {LONGEST} letters, or some that cannot be printed")
    if len({name for name in found if name}) < len([name for name in found if name]):
        raise ValueError(f"two players have the same name: {', '.join(found)}")
    return found


def words(id_: str) -> str:
    """Return an id as words."""
    return id_.replace("_", " ")


def plural(noun: str) -> str:
    """Return several of a noun, as English makes it."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def whose(name: str) -> str:
    """Return a name as it stands before what belongs to it."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def listed(parts: Sequence[str]) -> str:
    """Return parts with commas, and a word before the last one."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def title(counter: Counter) -> str:
    """Return the words for a counter: what its text says up to a comma or semicolon, or its id."""
    return first(counter.text) or words(counter.name)


def first(text: str) -> str:
    """Return what a text says up to a comma or semicolon; nothing where that is long."""
    said = re.split("[;,]", text)[0].strip().rstrip(".")
    return said if len(said) <= LONGEST else ""
