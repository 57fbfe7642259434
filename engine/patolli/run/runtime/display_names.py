"""What things are called for people: pieces, places, players, amounts, and answers to questions.

A name is made from declarations (``name``, ``noun``, ``text``) and, where a pack says nothing, from ids. It never says
more than the seat may know for whom it is made: a piece that the seat cannot see is called by the noun of its kind, and
so is one whose name would reveal a field that is hidden.

Names belong to what is shown: no rule sees them, and what is typed, saved and compared are the texts of ``labels``.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Callable, Sequence
from typing import Any, Self

from patolli.check.prose.words import format_count, join_words, plural, words
from patolli.check.prose.words import owner as whose
from patolli.kernel.budget import renew
from patolli.kernel.faults import RuleFault
from patolli.kernel.state import State
from patolli.language.program import effects as e
from patolli.language.program import types as ty
from patolli.language.program.model import Place
from patolli.language.program.types import article
from patolli.run.compiler.asked import DONE, Question
from patolli.run.compiler.layout import Instance
from patolli.run.runtime.labels import Labels
from patolli.run.runtime.seat_visibility import Index, SeatVisibility, counter_at
from patolli.run.runtime.vocabulary import title

__all__ = ["NO_PLAYER", "Names"]


NO_PLAYER = -1
"""The seat of what a sentence is about where it is about no player."""
TURNED = ("", ", turned once", ", turned twice", ", turned three times")
Value = tuple[ty.AnyType, Any]
_COMMON = re.compile(r"(?!(?:an?|the|no|its|your) )[a-z]+(?: [a-z]+)*")
"""A name that is a noun: small letters alone, without an article."""
NOUN = re.compile(rf"{_COMMON.pattern}(?: of .+)?")
"""One that may say of what it is, such as ``globe of 5``."""
_BEHIND = re.compile(r"\s*(?:of|on|for|to|in|at|and|or|with|from|by|as)\b")
"""What stands behind a number that does not count the next word."""


class Hidden(Exception):
    """A name would reveal what the seat cannot see."""


class Names:
    """What things are called for the player on one seat, in one state. Make it again when the state has changed."""

    def __init__(
        self, labels: Labels, state: State, seat: int, players: Sequence[str] = (), about: int = NO_PLAYER
    ) -> None:
        """Look at a state.

        Args:
            labels: The texts of the program.
            state: What is the case; it is not changed.
            seat: Who reads; :data:`~patolli.run.runtime.seat_visibility.EVERYBODY` for what all may know.
            players: What the players are called, by seat; ``player 1`` where nothing is said.
            about: The player whom the words are about: pieces of that one are called without their owner.
        """
        self.labels, self.state, self.seat, self.players, self._about = labels, state, seat, players, about
        self.layout, self.model, self.vocabulary = labels.layout, labels.model, labels.vocabulary
        self.seat_visibility = SeatVisibility(labels.layout, state, seat)

    def about(self, player: int) -> Self:
        """Return the names as they stand in words that are about a player, or about none."""
        if player == self._about:
            return self
        other = type(self).__new__(type(self))
        other.__dict__ |= self.__dict__ | {"_about": player}
        return other

    # -- players, pieces, kinds

    def player(self, seat: int) -> str:
        """Return what a player is called; below 0 none."""
        if seat < 0:
            return "no player"
        given = self.players[seat] if seat < len(self.players) else ""
        return given or f"player {seat + 1}"

    def changing(self, kind: str, number: int, field: str) -> str:
        """Return what a piece is called where one of its fields is said to change: without a name that holds it."""
        text = self.vocabulary.find_name_text(kind, self.layout.instances[kind][number])
        if f"{{{field}}}" not in text:
            return self.piece(kind, number)
        return self._whose(self.owner(kind, number), self.noun(kind))

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
        if not shown and not self.seat_visibility.piece(kind, number):
            return self.noun(kind)
        instance = self.layout.instances[kind][number]
        text = self.vocabulary.find_name_text(kind, instance)

        def begin(name: str) -> Value:
            return self.vocabulary.type_of(kind, name), self._get_raw_value(kind, name, number)

        try:
            inside = self.about(self.owner(kind, number)) if self.owner(kind, number) >= 0 else self
            said = inside._fill_name(text, begin) if text else self._plain(kind, number, instance)
        except (Hidden, RuleFault):
            said = self.noun(kind)
        if self.vocabulary.is_fixed(kind):
            self.vocabulary.known[(kind, number)] = said
        return said if "{owner" in text else self._whose(self.owner(kind, number), said)

    def describe_offer(self, type_: ty.AnyType, value: Any) -> str:
        """Return the words for what is offered; a piece that its holder does not see is called by where it lies."""
        type_ = ty.strip(type_)
        if isinstance(type_, ty.Seq) and isinstance(value, tuple | list):
            return join_words([self.describe_offer(type_.of, one) for one in value]) or "nothing"
        if isinstance(type_, ty.Ref) and self.seat_visibility.is_held(type_.kind, value):
            return self._name_position(type_.kind, value)
        return self.value(type_, value, shown=True)

    def _name_position(self, kind: str, number: int) -> str:
        slot = self.state[self.layout.at[kind] + number]
        held, where = self.state[slot], self.place(slot, spot=True)
        return f"{self.noun(kind)} {held.index(number) + 1} of {where}" if held.__class__ is list else where

    def pieces(self, kind: str, numbers: Sequence[int], shown: bool = False) -> str:
        """Return what several pieces of a kind are called; those that are called alike are counted."""
        many = Tally((owner := self.owner(kind, one), self.about(owner).piece(kind, one, shown)) for one in numbers)
        among = len(many) > 1  # in a list each noun has its number or an article
        reported = [(self._whose(owner, self._alike(kind, said, n)), n) for (owner, said), n in many.items()]
        return join_words(
            [article(said) if n == 1 and among and NOUN.fullmatch(said) else said for said, n in reported]
        )

    def _alike(self, kind: str, said: str, number: int) -> str:
        """Return the words for so many pieces with one name: the noun of the kind, or the name as a noun, is for many.

        What is no noun, or has an article or number of its own, is said once, with how often it is there.
        """
        if number == 1:
            return said
        one, several = self.noun(kind), self.noun(kind, number)
        many, found = re.subn(rf"\b{re.escape(one)}\b", lambda _: several, said, count=1)
        if found or _COMMON.fullmatch(said):
            return f"{number} {many if found else plural(said)}"
        return f"{said} ({number} times)"

    def noun(self, kind: str, number: int = 1) -> str:
        """Return what one of a kind is called, or several."""
        return self.vocabulary.noun(kind, number)

    def count(self, kind: str, number: int) -> str:
        """Return so many of a kind in words: ``3 cards``."""
        return f"{number} {self.noun(kind, number)}"

    def owner(self, kind: str, number: int) -> int:
        """Return the seat of the owner of a piece; -1 if there is none."""
        if kind != "player" and self.model.kinds[kind].per_player:
            return int(self.vocabulary.program.fact(kind, "owner")[number])
        return self.layout.instances[kind][number].owner

    def _whose(self, owner: int, said: str) -> str:
        return said if owner in (NO_PLAYER, self._about) else f"{whose(self.player(owner))} {said}"

    def _plain(self, kind: str, number: int, instance: Instance) -> str:
        """Return what goes by its id; a way to lie on a grid goes by its shape and where its corner is."""
        if self.model.kinds[kind].lays:
            shape, turn, corner = (
                self.vocabulary.program.fact(kind, fact)[number] for fact in ("shape", "turn", "corner")
            )
            at = self.about(self.owner(kind, number)).piece(self.model.kinds[kind].lays, corner)
            return f"{self.piece('shape', shape)} at {at}{TURNED[turn % 4]}{', flipped' if turn > 3 else ''}"
        if instance.design is not None:
            alike = self.vocabulary.alike(kind, instance.design)
            return words(instance.design.id) if alike else f"{words(instance.design.id)} {instance.copy}"
        return words(instance.id)

    # -- what is put into names

    def _fill_name(self, text: str, begin: Callable[[str], Value]) -> str:
        """Return a name with what stands in braces; *begin* gives the value of the first word there.

        What facts and fields name counts as seen: a player who sees these knows it.

        Raises:
            Hidden: It would reveal what the seat cannot see.
        """
        said, number = "", ""
        for part in self.vocabulary.template(text):
            if isinstance(part, str):
                counts = number and not _BEHIND.match(part)
                said, number = said + (format_count(number, part) if counts else number + part), ""
                continue
            value = self._follow_path(begin(part.path[0]), part.path)
            reported = self._describe_value(value, part.path[-1])
            number = reported if value[0] == ty.INT and not part.whose else ""
            said += "" if number else whose(reported) if part.whose else reported
        return " ".join(said.split())

    def _follow_path(self, value: Value, path: Sequence[str]) -> Value:
        """Return what a path leads to from the value of its first word."""
        for name in path[1:]:
            type_ = ty.strip(value[0])
            if not isinstance(type_, ty.Ref) or value[1] < 0:
                return ty.NONE, -1
            if self.seat_visibility.is_held(type_.kind, value[1]):
                raise Hidden
            value = self.vocabulary.type_of(type_.kind, name), self._get_raw_value(type_.kind, name, value[1])
        return value

    def _describe_value(self, value: Value, name: str) -> str:
        """Return the words for a value in a name; what is true or not is said by its own name, or not at all."""
        type_, raw = value
        if type_ == ty.BOOL:
            return words(name) if raw else ""
        if isinstance(type_, ty.Seq) and len(raw) > 2:  # a name may stand in a list, so no list stands in a name
            return "/".join(self.value(type_.of, one, shown=True) for one in raw)
        return self.describe_offer(type_, raw)

    def _get_raw_value(self, kind: str, name: str, number: int) -> Any:
        """Return the raw value of a fact, a field, or a function of the piece alone. Raises Hidden: it is not seen."""
        declared, program = self.model.kinds[kind], self.vocabulary.program
        if name in declared.facts:
            return program.fact(kind, name)[number]
        if name in declared.fields:
            if not self.seat_visibility.field(kind, name, number):
                raise Hidden
            return self.state[self.layout.fields[(kind, name)] + number]
        renew()
        return program.function(name)(self.state, max(0, self._about), number)

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
                return join_words([self.value(type_.of, one, shown) for one in value]) or "nothing"
        if type_ == ty.BOOL:
            return "yes" if value else "no"
        return str(value)

    def _design(self, kind: str, number: int) -> str:
        """Return what the copies of one design are called; without their owner, as no copy is meant."""
        design = self.model.kinds[kind].designs[number]
        first = self.vocabulary.program.designs(kind).index(number)
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
        declared, indices = counter_at(self.layout, name, slot)
        others = indices[1:] if declared.dims[:1] == ("player",) else indices
        of = ", ".join(self.piece(*index) for index in others) if self.seat_visibility.is_known(others) else ""
        return f"{self.amount(name, 2)} ({of})" if of else self.amount(name, 2)

    def place(self, slot: int, spot: bool = False) -> str:
        """Return the words for the place to which a slot belongs: ``the shop``, ``player 2's hand``.

        Args:
            slot: The slot; 0 is the box.
            spot: Whether the number of a spot in a row is said, too.
        """
        found = self.seat_visibility.place_at(slot)
        if found is None:
            return "the box"
        place, indices = found
        said = self._name_place(place, indices)
        if not spot or place.type != "row":
            return said
        base, sizes = self.layout.places[place.name]
        return f"{said}, spot {(slot - base) % sizes[-1] + 1}"

    def _name_place(self, place: Place, indices: tuple[Index, ...]) -> str:
        """Return what a place is called; without what it is for, where one of these is hidden."""
        if not self.seat_visibility.is_known(indices):
            return f"the {words(place.name)}"
        given = dict(zip(place.dims, indices, strict=True))
        name = self.vocabulary.wording.places.get(place.name, "")
        text = name or self.vocabulary.wording.phrases.get(place.name, "")

        def begin(kind: str) -> Value:
            return (ty.Ref(kind), given[kind][1]) if kind in given else (ty.TEXT, "")

        try:
            said = self._fill_name(text, begin) if text else words(place.name)
        except (Hidden, RuleFault):
            return f"the {words(place.name)}"
        if not text:
            others = [self.piece(*index) for index in indices if index[0] != "player"]
            said += f" of {join_words(others)}" if others else ""
        if "player" in given and "{player" not in text:
            owner = given["player"][1]
            return said if owner == self._about else f"{whose(self.player(owner))} {said}"
        return said if name else f"the {said}"

    # -- answers to questions

    def options(self, question: Question, values: Sequence[Any], anytime: Sequence[tuple[int, int]] = ()) -> list[str]:
        """Return the words for the answers of one question, and the anytime actions behind them, all different.

        They are made for the player who answers. Where two would read alike, the place of what they name follows, and
        else a number.
        """
        said = [self.option(question, value) for value in values] + [self.anytime(value) for value in anytime]
        if len(set(said)) == len(said):
            return said
        named = [_list_named_values(question, value) for value in values] + [
            [self._binding(value)] for value in anytime
        ]
        return _apart(_apart(said, [self._lying(one) for one in named]), None)

    def prompt(self, question: Question, frame: Sequence[Any]) -> str:
        """Return the words of a question with the values that it names, which count as seen as those of options do."""
        values = {one.name: (one.type, frame[slot]) for one, slot in question.frame.items()}
        try:
            return self._fill_name(question.prompt, lambda name: values[name])
        except (Hidden, RuleFault):
            parts = self.vocabulary.template(question.prompt)
            return "".join(part if isinstance(part, str) else "..." for part in parts)

    def option(self, question: Question, value: Any) -> str:
        """Return the words for an option. What it names counts as seen, since it is offered."""
        match question.kind:
            case "choose" | "order":
                values = value if len(question.types) > 1 else (value,)
                if question.decline is not None and all(v == -1 for v in values):
                    return question.decline
                return self._describe_choice(question.effect, question.types, values)
            case "several":
                return DONE if value[0] == 0 else self._describe_choice(question.effect, question.types, value[1:])
            case "menu" | "repeat":
                label, types = question.labels[value[0]]
                line = question.effect.options[value[0]] if isinstance(question.effect, e.Menu) else None
                said = self._describe_choice(line, types, value[1:])
                if line is not None and line.words is not None:
                    return said
                return " ".join(w for w in (label or ("again" if question.kind == "repeat" else ""), said) if w)
            case "pause":
                return question.labels[0][0] or "go on"
            case "pay" | "gain":
                return self.way(value)
        return str(value)

    def _describe_choice(self, asks: object, types: Sequence[ty.AnyType], values: Sequence[Any]) -> str:
        """Return the words for what is chosen: as its question says, or one after the other."""
        if isinstance(asks, e.Choose | e.Option) and asks.words is not None:
            chosen = asks.word_variables if isinstance(asks, e.Choose) else [binder.variable for binder in asks.binders]
            variables = [variable.name for variable in chosen]
            given = dict(zip(variables, zip(types, values, strict=True), strict=True))
            try:
                return self._fill_name(asks.words, lambda name: given[name])
            except (Hidden, RuleFault):
                pass
        return ", ".join(self.describe_offer(type_, v) for type_, v in zip(types, values, strict=True))

    def way(self, way: tuple[int, ...]) -> str:
        """Return the words for one way to pay or gain."""
        return self.labels.said_of_way(way, self.amount, self.side)

    def side(self, code: int, value: int) -> str:
        """Return the words for a discount or waiver that a payment uses."""
        return self.labels.said_of_side(code, lambda type_: self.describe_offer(type_, value), words)

    def anytime(self, value: tuple[int, int]) -> str:
        """Return the words for an anytime action."""
        type_, number = self._binding(value)
        action = self.model.anytime[value[0]]
        if action.words is not None:
            try:
                return self._fill_name(action.words, lambda _: (type_, number))
            except (Hidden, RuleFault):
                pass
        label = action.label
        return label if type_ == ty.NONE else f"{label} {self.describe_offer(type_, number)}"

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
            slot, found = self.state[at + number], self.seat_visibility.place_at(self.state[at + number])
            if found is not None and self.seat_visibility.slot(slot, number):
                return self.place(slot, spot=True)
        return ""


def _list_named_values(question: Question, value: Any) -> list[Value]:
    """Return what an answer names, with types."""
    match question.kind:
        case "choose" | "order":
            return list(zip(question.types, value if len(question.types) > 1 else (value,), strict=True))
        case "several":
            return [(question.types[0], value[1])] if value[0] else []
        case "menu" | "repeat":
            return list(zip(question.labels[value[0]][1], value[1:], strict=True))
    return []


def _apart(said: list[str], places: list[str] | None) -> list[str]:
    """Add to words that are the same what distinguishes them: places that differ, or numbers where there are none."""
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
