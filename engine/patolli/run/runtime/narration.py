"""Facts for people about what happened, made from the events that a narrating program leaves behind.

Only what everybody may know becomes a fact, as the declarations say: hidden counters are passed over, of pieces in
hidden places only the number is reported, and of a secret choice only that there was one. What
one seat reads contains its own secrets, too. ``sentences`` puts facts into words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from patolli.check.prose.words import join_words, plural, words
from patolli.check.prose.words import owner as whose
from patolli.language.program import effects as e
from patolli.language.program import types as ty
from patolli.language.program.model import TABLE, Counter
from patolli.run.compiler.asked import Question
from patolli.run.runtime.display_names import Names
from patolli.run.runtime.seat_visibility import Index, SeatVisibility, counter_at
from patolli.run.runtime.sentences import Amount, Fact, add_article, definite, fill_gaps, introduce_piece
from patolli.run.runtime.vocabulary import first, title

VERBS = {"gain": "gains", "lose": "loses", "pay": "pays", "set": "now has"}
DECIDED = "has decided"
"""What is reported of a choice that others may not learn."""


def sentence(names: Names, event: tuple[Any, ...]) -> str:
    """Return a sentence about one event with the names that one reader sees; or nothing."""
    fact = Teller(names).fact(*event)
    return fact.write_sentence() if fact is not None and not fact.forced else ""


def is_covered(fact: Fact | None) -> bool:
    """Return whether of a choice only the fact is reported."""
    return fact is not None and fact.kind == "answer" and fact.words.endswith(DECIDED)


class Teller:
    """Says what everybody may know of events that led to a state, or what one seat may know."""

    def __init__(self, names: Names) -> None:
        """Report to the reader of the *names* what has led to their state."""
        self.names, self.labels, self.seat, self.seat_visibility = (
            names,
            names.labels,
            names.seat,
            names.seat_visibility,
        )
        self.model, self.layout = names.model, names.layout

    def fact(self, *event: Any) -> Fact | None:
        """Return the fact that an event is; None if there is nothing to report."""
        found = self._fact(*event)
        if found is not None and found.seat >= 0 and not found.who:
            found.who = self.names.player(found.seat)
        return found

    def _fact(self, kind: str, me: int, *rest: Any) -> Fact | None:
        match kind:
            case "gain" | "lose" | "pay" | "set":
                return self._change(kind, me, *rest)
            case "pay_way" | "gain_way":
                return self._way(kind.removesuffix("_way"), me, rest[0])
            case "said":
                return self._report_message(me, *rest)
            case "revealed":
                return self._report_reveal(me, *rest)
            case "move":
                return self._report_move(*rest)
            case "moved":
                return self._several(*rest)
            case "chosen" | "forced":
                return self._answer(kind == "forced", me, *rest)
            case "anytime":
                return self._anytime(me, *rest)
        return None

    def _report_message(self, me: int, text: str, values: tuple[tuple[ty.AnyType, Any], ...]) -> Fact:
        names = self.names.about(me)
        reported = [self._value(names, type_, value) for type_, value in values]
        alike = len({ty.strip(type_) for type_, _ in values}) == 1  # several of one sort are a list
        said = " ".join([text, *([join_words(reported)] if alike else reported)])
        between = " " if text[:1].islower() else ": "
        return Fact("said", me, words=f"{names.player(me)}{between}{said}")

    def _value(self, names: Names, type_: ty.AnyType, value: Any) -> str:
        """Return a value as it is written in a sentence; what is said there is no secret any more."""
        said, kind = names.value(type_, value, shown=True), ty.strip(type_)
        return definite(said, names.noun(kind.kind)) if isinstance(kind, ty.Ref) else said

    # -- answers

    def _answer(
        self, forced: bool, me: int, number: int, value: Any, secret: bool, before: list[Any]
    ) -> Fact | None:  # fmt: skip
        """Return what is reported of a choice.

        Payments, gains and all that is forced have sentences of their own. A forced choice in a silent rule would not
        be reported at all: such a choice is marked. Where others cannot know how many options there were, a forced
        choice is reported like any other.
        """
        question = self.labels.program.questions[number]
        names = Names(self.labels, before, self.seat, self.names.players, me)
        paying = question.kind in ("pay", "gain")
        if question.kind == "several" and (value is None or value[0]):
            return None  # reported in one line when all are chosen
        decider = self.layout.find_decider(before, me)
        who = names.player(me) if decider == me else f"{names.player(decider)} for {names.player(me)}"
        hidden = secret or (not (forced and question.kind == "gain") and self._is_secret(question, value, before))
        if hidden and me not in self.seat_visibility.seats:
            return Fact("answer", me, words=f"{who} {DECIDED}", forced=forced and self._foreseen(question))
        if value is None or paying or question.kind == "pause" or _is_declined(question, value):
            return None
        said = names.option(question, value)
        if question.kind == "several":
            type_ = question.types[0]
            said = names.describe_offer(ty.Seq(type_), value[1])
            if not value[1]:
                said = "none"
            elif isinstance(type_, ty.Ref) and not any(
                names.seat_visibility.is_held(type_.kind, one) for one in value[1]
            ):
                said = names.pieces(type_.kind, value[1], shown=True)
        reported = Fact("answer", me, words=f"{who}: {said}")
        if not forced or question.kind == "several":
            return reported
        if question.kind not in ("choose", "order", "menu") or question.effect is None:
            return None
        if me == self.seat or self._foreseen(question):
            reported.forced = True
        return reported if not reported.forced or question.kind == "choose" else None

    def _foreseen(self, question: Question) -> bool:
        """Return whether everybody knows how many answers there were."""
        if question.kind not in ("choose", "order", "menu") or question.effect is None:
            return False
        return not self.labels.answers.may_reveal_hidden(question.effect, question.behind)

    def _anytime(self, me: int, number: int, value: Any, secret: bool, before: list[Any]) -> Fact:
        action = self.model.anytime[number]
        names = Names(self.labels, before, self.seat, self.names.players, me)
        types = (
            [action.binder.source.type.of] if action.binder and isinstance(action.binder.source.type, ty.Seq) else []
        )
        shown = all(self._is_shown(type_, value, before) for type_ in types)
        if me != self.seat and (secret or not shown or self.labels.answers.secret_action(action)):
            return Fact("answer", me, words=f"{names.player(me)} {DECIDED}")
        return Fact("answer", me, words=f"{names.player(me)}: {names.anytime((number, value))}")

    def _is_secret(self, question: Question, value: Any, before: list[Any]) -> bool:
        """Return whether others may not learn an answer: what is made from it, or a piece that it names, is hidden."""
        effect, answers = question.effect, self.labels.answers
        if effect is None:
            return False
        if value is None:
            return answers.secretly_left(effect)
        line = value[0] if question.kind == "menu" else 0
        if answers.secret(effect, line) or (_is_empty_choice(question, value) and answers.secretly_left(effect)):
            return True
        if question.kind in ("pay", "gain"):
            return False
        types, values = question.types, value if len(question.types) > 1 else (value,)
        if question.kind in ("menu", "repeat"):
            types, values = question.labels[value[0]][1], value[1:]
        elif question.kind == "several":
            types, values = (ty.Seq(types[0]),), value[1:]
        return not all(self._is_shown(type_, one, before) for type_, one in zip(types, values, strict=True))

    def _is_shown(self, type_: ty.AnyType, value: Any, before: list[Any]) -> bool:
        """Return whether everybody saw what a value names before it was chosen, or sees it now."""
        return self.seat_visibility.value(type_, value) or SeatVisibility(self.layout, before, self.seat).value(
            type_, value
        )

    # -- counters and fields

    def _way(self, kind: str, me: int, way: tuple[int, ...]) -> Fact | None:
        """Return what is reported about one way to pay or gain, as far as everyone may see it."""
        amounts: dict[Any, Amount] = {}
        for code, amount in zip(way[::2], way[1::2], strict=True):
            if code < 0:
                type_ = self.labels.side_type(code)
                if type_ is None or self.seat_visibility.value(type_, amount):
                    side = re.sub("^use ", "using ", self.names.about(me).side(code, amount))
                    amounts[side] = Amount(0, _as_it_is(side), aside=True)
                continue
            counter, indices = counter_at(self.layout, self.labels.counters[code][0], code)
            if counter.told and self.seat_visibility.open(counter, (("player", me),)):
                amounts[code] = Amount(amount, self._name_counter(counter, indices[1:]))
        return Fact("change", me, VERBS[kind], amounts) if amounts else None

    def _name_counter(self, counter: Counter, what: tuple[Index, ...]) -> Callable[[int], str]:
        """Return the phrase for an amount of a counter with an owner, and for *what* it is counted."""
        of = ", ".join(self.names.piece(*index) for index in what)

        def amount(number: int) -> str:
            plain = words(counter.name) if number == 1 else plural(words(counter.name))
            noun = self.names.amount(counter.name, number) if counter.noun else plain
            return f"{number or 'no'} {noun}{f' ({of})' if of else ''}"

        return amount

    def _change(self, kind: str, me: int, slot: int, old: int, new: int) -> Fact | None:
        if old == new:
            return None
        if slot not in self.labels.counters:
            return self._field(me, slot, old, new)
        counter, indices = counter_at(self.layout, self.labels.counters[slot][0], slot)
        if not counter.told or not self.seat_visibility.open(counter, indices):
            return None
        owned = counter.dims[:1] == ("player",)
        owner = indices[0][1] if owned else -1
        if owned and not counter.saying and (counter.noun or _is_named_by_id(counter)):
            amount = new if kind == "set" else abs(new - old)
            return Fact("change", owner, VERBS[kind], {slot: Amount(amount, self._name_counter(counter, indices[1:]))})
        return Fact("change", owner, change=(slot, old, new), phrase=self._phrase(counter, slot, owner, indices))

    def _phrase(self, counter: Counter, slot: int, owner: int, indices: tuple[Index, ...]) -> Callable[[int, int], str]:
        """Return what says that an uncounted number has changed: by its author's words, or by its title."""

        def describe_change(old: int, new: int) -> str:
            if counter.saying:
                gaps = {kind: self.names.about(owner).piece(kind, number) for kind, number in indices}
                return fill_gaps(counter.saying, gaps | {"old": old, "new": new, "change": abs(new - old)})
            title = self.names.counter(slot)
            if owner >= 0:
                title = f"{whose(self.names.player(owner))} {title[:1].lower()}{title[1:]}"
            return f"{title} {_turning(self.names.counter(slot), old, new)} {new}"

        return describe_change

    def _field(self, me: int, slot: int, old: int, new: int) -> Fact | None:
        """Return what is reported about a field, if its author wants it reported and everyone can see the piece."""
        if slot not in self.labels.fields:
            return None
        kind, name, number = self.labels.fields[slot]
        field = self.model.kinds[kind].fields[name]
        if not field.told or not self.seat_visibility.field(kind, name, number):
            return None
        acting = "{me}" in field.saying

        def describe_change(old: int, new: int) -> str:
            piece = definite(self.names.changing(kind, number, name), self.names.noun(kind))
            names = self.names.about(me) if acting else self.names
            before, now = (names.value(field.type, value) for value in (old, new))
            if field.saying:
                return fill_gaps(field.saying, {"me": self.names.player(me), "piece": piece, "old": before, "new": now})
            title = first(field.text) or words(name)
            turning = _turning(title, old, new) if field.type == ty.INT else "is now"
            if kind == TABLE:
                return f"{title[:1].upper()}{title[1:]} {turning} {now}"
            if field.type == ty.BOOL:
                return f"{piece} is {'now' if new else 'no longer'} {words(name)}"
            return f"{whose(piece)} {title[:1].lower()}{title[1:]} {turning} {now}"

        owner = self.names.owner(kind, number)
        return Fact("change", me if acting else owner, change=(slot, old, new), phrase=describe_change)

    # -- pieces

    def _is_reported(self, slot: int) -> bool:
        """Return whether it is reported what comes to a place."""
        found = self.seat_visibility.place_at(slot)
        return found is None or found[0].told

    def _public(self, slot: int) -> bool:
        """Return whether everybody sees what lies in a place."""
        found = self.seat_visibility.place_at(slot)
        return found is None or self.seat_visibility.open(*found)

    def _has_visible_count(self, slot: int) -> bool:
        """Return whether everybody sees how many pieces lie in a place."""
        found = self.seat_visibility.place_at(slot)
        return found is None or self.seat_visibility.is_known(found[1])

    def _kind(self, at: int) -> str:
        return next(k for k, base in self.layout.at.items() if base == at)

    def _where(self, slot: int, owner: int = -1, spot: bool = False) -> str:
        """Return the words for a place, in words about an owner."""
        return self.names.about(owner).place(slot, spot)

    def _holder(self, slot: int) -> int:
        """Return the seat of the player whose place it is, of an area or pile; -1 without an owner."""
        found = self.seat_visibility.place_at(slot)
        if found is None or found[0].dims[:1] != ("player",) or found[0].type == "row":
            return -1
        return found[1][0][1]

    def _report_move(self, at: int, piece: int, to: int, old: int) -> Fact | None:
        if not self._is_reported(to):
            return None
        kind = self._kind(at)
        if not self._public(to) and not (old and self._public(old)):
            if old == to or not self._has_visible_count(to) or not self._has_visible_count(old):
                return None
            return self._unseen(kind, 1, old, to)
        fact = self._going(kind, self._where(to, self.names.owner(kind, piece), True))
        fact.pieces.append(piece)
        holder = self._holder(to)
        if holder >= 0 and self.names.owner(kind, piece) < 0 and self._holder(old) < 0:
            fact.verb, fact.seat, fact.to = "takes", holder, ""
        return fact

    def _going(self, kind: str, to: str) -> Fact:
        """Return that pieces of a kind go to a place, without any of them; all have seen them."""

        def name_pieces(pieces: Sequence[int]) -> str:
            said = self.names.pieces(kind, pieces, shown=True)
            return introduce_piece(said, self.names.noun(kind)) if len(pieces) == 1 else said

        return Fact("move", verb="goes", to=to, named=name_pieces)

    def _unseen(self, kind: str, number: int, old: int, to: int) -> Fact:
        """Return that so many pieces of a kind went from one place to another, without their names."""
        fact = self._going(kind, self._where(to))
        mine = holder if (holder := self._holder(to)) == self._holder(old) else -1  # whose it is, is said once
        fact.came = f" from {add_article(self._where(old, mine))}" if old else ""
        fact.number, fact.named = number, lambda pieces: self.names.count(kind, len(pieces))
        return fact

    def _report_reveal(self, me: int, at: int, piece: int, slot: int, seats: tuple[int, ...]) -> Fact | None:
        """Return that a player looks at a piece, or shows it to others; its name only for those who learn it."""
        if not seats:
            return None
        kind = self._kind(at)
        learns = self.seat in seats or self.seat_visibility.piece(kind, piece)
        said = self.names.pieces(kind, [piece], shown=True) if learns else self.names.count(kind, 1)
        said = definite(said, self.names.noun(kind)) if learns else said
        where = f" from {add_article(self._where(slot))}" if slot and not learns else ""
        if set(seats) == {me}:
            return Fact("said", me, words=f"{self.names.player(me)} looks at {said}{where}")
        whom = join_words([self.names.player(seat) for seat in seats])
        return Fact("said", me, words=f"{self.names.player(me)} shows {said}{where} to {whom}")

    def _several(self, at: int, news: tuple[tuple[int, int, int], ...], said: str) -> Fact | None:
        """Return what is reported of pieces that one effect moved: where they came, or what *said* has for it.

        Where they are hidden, only their number is reported; and where *said* says what has happened, not even that.
        """
        kind = self._kind(at)
        if not news or not all(self._is_reported(new) for *_, new in news):
            return None
        if said and all(self._public(slot) for _, *slots in news for slot in slots):
            pieces = self.names.pieces(kind, [piece for piece, *_ in news], shown=True)
            return Fact("move", words=said.format(pieces=pieces, row=self._where(news[0][2])))
        facts: dict[tuple[bool, str], Fact] = {}
        for piece, old, new in news:
            public = self._public(new)
            if not public and (said or not (self._has_visible_count(old) and self._has_visible_count(new))):
                continue
            holder = -1 if said else self._holder(new)
            where = self._where(new)
            fact = facts.get((public, where))
            if fact is None:
                fact = self._going(kind, where) if public else self._unseen(kind, 0, old, new)
                if holder >= 0:
                    fact.verb, fact.seat, fact.who, fact.to = "draws", holder, self.names.player(holder), ""
                facts[(public, where)] = fact
            if public:
                fact.pieces.append(piece)
            else:
                fact.number += 1
        if not facts:
            return None
        fact, *more = facts.values()
        fact.more = more
        return fact


def _turning(title: str, old: int, new: int) -> str:
    """Return the verb for a number that has changed, as its title wants it."""
    first_word = title.split(" ")[0]
    many = first_word.endswith("s") and not first_word.endswith("ss")
    verb = "rise" if new > old else "fall"
    return f"{verb} to" if many else f"{verb}s to"


def _is_declined(question: Question, value: Any) -> bool:
    """Return whether something was offered alone, and not taken: then nothing has happened."""
    effect = question.effect
    return isinstance(effect, e.Menu) and effect.may and value[0] == len(effect.options) - 1


def _is_empty_choice(question: Question, value: Any) -> bool:
    """Return whether nothing was taken of what could be chosen."""
    if question.kind == "several":
        return not value[1]
    values = value if len(question.types) > 1 else (value,)
    return question.kind == "choose" and all(one == -1 for one in values)


def _is_named_by_id(counter: Counter) -> bool:
    """Return whether a counter without a noun goes by its id: there is no text, or that says the id of several."""
    return not counter.text or title(counter).lower() in (words(counter.name), plural(words(counter.name)))


def _as_it_is(said: str) -> Callable[[int], str]:
    """Return what says words that hold no number."""
    return lambda _: said
