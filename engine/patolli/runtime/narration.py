"""Sentences for people about what happened, made from the events that a narrating program leaves behind.

Only what everybody may know becomes a sentence, as the declarations say: hidden counters and pieces in hidden places
are passed over, and of an answer that others may not learn it is told that there was one. What one seat is told holds
its own secrets, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from patolli.compiler.asked import Question
from patolli.program import effects as e
from patolli.program import types as ty
from patolli.runtime.eyes import EVERYBODY, Eyes, indices_of
from patolli.runtime.naming import first, title

if TYPE_CHECKING:
    from patolli.program.model import Counter
    from patolli.runtime.labels import Labels

VERBS = {"gain": "gains", "lose": "loses", "pay": "pays"}
DECIDED = "has decided"
"""What is told about an answer that others may not learn."""


def sentences(labels: Labels, events: Iterable[tuple[Any, ...]], state: list[Any], seat: int = EVERYBODY) -> list[str]:
    """Return what is told about events; changes of one counter in one direction, one right after the other, are one.

    Only what everybody may know is told, or what the player on a *seat* may know. How often somebody decides in secret,
    one right after the other, is not told.
    """
    told: list[tuple[Any, ...]] = []
    said: list[str] = []
    for event in events:
        words = sentence(labels, event, state, seat)
        if not words:
            continue
        if told and event[0] in VERBS and event[:3] == told[-1][:3]:
            event = (*told.pop()[:4], event[4])
            said.pop()
            words = sentence(labels, event, state, seat)
        if not said or said[-1] != words or not words.endswith(DECIDED):
            told.append(event)
            said.append(words)
    return [words for words in said if words]


def sentence(labels: Labels, event: tuple[Any, ...], state: list[Any], seat: int = EVERYBODY) -> str:
    """Return a sentence about one event for everybody, or for a seat; or nothing."""
    return _Teller(labels, state, seat).tell(*event)


class _Teller:
    """Says what everybody may know of events that led to a state, or what one seat may know."""

    def __init__(self, labels: Labels, state: list[Any], seat: int) -> None:
        self.labels, self.seat, self.eyes = labels, seat, Eyes(labels.layout, state, seat)

    def tell(self, kind: str, me: int, *rest: Any) -> str:
        """Return a sentence about an event, or nothing."""
        labels = self.labels
        who = labels.player(me) if me >= 0 else "nobody"
        match kind:
            case "gain" | "lose" | "pay" | "set":
                return self._change(kind, *rest)
            case "pay_way" | "gain_way":
                return self._way(kind.removesuffix("_way"), me, rest[0]) if rest[0] else ""
            case "said":
                words = " ".join(labels.value(type_, value, me) for type_, value in rest[1])
                return f"{who}: {rest[0]}{f' {words}' if words else ''}"
            case "move":
                return self._moved(*rest)
            case "moved":
                return self._several(*rest)
            case "chosen":
                return self._chosen(who, me, *rest)
            case "forced":
                return self._only(who, me, *rest)
            case "anytime":
                return self._anytime(who, me, *rest)
        return ""

    # -- answers

    def _chosen(self, who: str, me: int, number: int, value: Any, secret: bool, before: list[Any]) -> str:
        question = self.labels.program.questions[number]
        if me != self.seat and (secret or self._is_secret(question, value, before)):
            return f"{who} {DECIDED}"
        return f"{who}: {self.labels.option(question, value, me)}"

    def _only(self, who: str, me: int, number: int, value: Any, secret: bool, before: list[Any]) -> str:
        """Return a sentence about a question with one answer, or none; what is paid or gained is told by itself.

        Where others cannot know how many answers there were, it is the same one as if there had been several.
        """
        question = self.labels.program.questions[number]
        hidden = secret or (question.kind != "gain" and self._is_secret(question, value, before))
        if hidden and me != self.seat:
            return f"{who} {DECIDED}"
        declined = question.decline is not None and value in (-1, (-1,) * len(question.types))
        if value is None or question.kind not in ("choose", "order", "menu"):
            return ""
        words = f"{who}: {self.labels.option(question, value, me)}"
        if (
            me != self.seat
            and question.effect is not None
            and self.labels.answers.betrayed(question.effect, question.behind)
        ):
            return words
        return "" if declined else f"{words} (the only answer)"

    def _anytime(self, who: str, me: int, number: int, value: Any, secret: bool, before: list[Any]) -> str:
        action = self.labels.model.anytime[number]
        types = (
            [action.binder.source.type.of] if action.binder and isinstance(action.binder.source.type, ty.Seq) else []
        )
        shown = all(self._shown(type_, value, before) for type_ in types)
        if me != self.seat and (secret or not shown or self.labels.answers.secret_action(action)):
            return f"{who} {DECIDED}"
        return f"{who}: {self.labels.anytime((number, value), me)}"

    def _is_secret(self, question: Question, value: Any, before: list[Any]) -> bool:
        """Tell whether others may not learn an answer: what is made from it, or a piece that it names, is hidden."""
        effect, answers = question.effect, self.labels.answers
        if effect is None:
            return False
        if value is None:
            lines = range(len(effect.options)) if isinstance(effect, e.Menu) else (0,)
            return all(answers.secret(effect, line) for line in lines)
        line = value[0] if question.kind == "menu" else 0
        if answers.secret(effect, line):
            return True
        if question.kind in ("pay", "gain"):
            return False
        types, values = question.types, value if len(question.types) > 1 else (value,)
        if question.kind in ("menu", "repeat"):
            types, values = question.labels[value[0]][1], value[1:]
        return not all(self._shown(type_, one, before) for type_, one in zip(types, values, strict=True))

    def _shown(self, type_: ty.AnyType, value: Any, before: list[Any]) -> bool:
        """Tell whether everybody saw what a value names before it was chosen, or sees it now."""
        return self.eyes.value(type_, value) or Eyes(self.labels.layout, before, self.seat).value(type_, value)

    # -- counters and fields

    def _way(self, kind: str, me: int, way: tuple[int, ...]) -> str:
        """Return a sentence about one way to pay or gain, as far as everybody may see it."""
        labels = self.labels
        counters = {code: labels.model.counters[labels.counters[code][0]] for code in way[::2] if code >= 0}
        nouns = all(counter.noun for counter in counters.values())
        parts = []
        for code, amount in zip(way[::2], way[1::2], strict=True):
            if code < 0:
                parts.append(self._side(code, amount))
            elif self.eyes.open(counters[code], (("player", me),)):
                signed = amount if kind == "gain" else -amount
                parts.append(_counted(counters[code], amount) if nouns else f"{title(counters[code])} {signed:+d}")
        words = ", ".join(part for part in parts if part)
        return f"{labels.player(me)}{f' {VERBS[kind]} ' if nouns else ': '}{words}" if words else ""

    def _side(self, code: int, value: int) -> str:
        """Return the words for a discount or waiver; nothing where it names a piece that is hidden."""
        type_ = self.labels.side_type(code)
        return self.labels.side(code, value) if type_ is None or self.eyes.value(type_, value) else ""

    def _change(self, kind: str, slot: int, old: int, new: int) -> str:
        if old == new:
            return ""
        if slot not in self.labels.counters:
            return self._field(slot, old, new)
        name, index = self.labels.counters[slot]
        counter = self.labels.model.counters[name]
        base, sizes = self.labels.layout.counters[name]
        if not self.eyes.open(counter, indices_of(counter.dims, sizes, slot - base)):
            return ""
        owned = counter.dims[:1] == ("player",)
        who, _, of = index.partition(", ") if owned else ("", "", index)
        place = f" ({of})" if of else ""
        if kind in VERBS and owned and counter.noun:
            return f"{who} {VERBS[kind]} {_counted(counter, abs(new - old))}{place}"
        change = f"{old} -> {new}" if kind == "set" else f"{new - old:+d}"
        return f"{f'{who}: ' if who else ''}{title(counter)}{place} {change}"

    def _field(self, slot: int, old: int, new: int) -> str:
        """Return a sentence about a field, where its author wants it told and everybody can see the piece."""
        labels = self.labels
        if slot not in labels.fields:
            return ""
        kind, name, number = labels.fields[slot]
        field = labels.model.kinds[kind].fields[name]
        if not field.told or not self.eyes.field(kind, name, number):
            return ""
        piece = labels.value(ty.Ref(kind), number, -1)
        values = [labels.value(ty.BOOL if field.type == ty.BOOL else field.type, value, -1) for value in (old, new)]
        return f"{piece}: {first(field.text) or name.replace('_', ' ')} {values[0]} -> {values[1]}"

    # -- pieces

    def _public(self, slot: int) -> bool:
        """Tell whether everybody sees what lies in a place."""
        found = self.eyes.place_at(slot)
        return found is None or self.eyes.open(*found)

    def _where(self, slot: int) -> str:
        """Return the name of a place; without its indices where one of them is a hidden piece."""
        found = self.eyes.place_at(slot)
        words = self.labels.holders.get(slot, "somewhere")
        return words if found is None or self.eyes.known(found[1]) else found[0].name

    def _row(self, slot: int) -> str:
        """Return the name of a place; of a spot in a row, that of the row."""
        held, found = self._where(slot), self.eyes.place_at(slot)
        if found is None or found[0].type != "row":
            return held
        name, _, index = held.partition("(")
        *others, _ = index.rstrip(")").split(", ")
        return f"{name}({', '.join(others)})" if others else name

    def _piece(self, at: int, piece: int) -> str:
        kind = next((k for k, base in self.labels.layout.at.items() if base == at), "")
        return self.labels.value(ty.Ref(kind), piece, -1)

    def _moved(self, at: int, piece: int, to: int) -> str:
        return f"{self._piece(at, piece)} goes to {self._where(to)}" if self._public(to) else ""

    def _several(self, at: int, news: tuple[tuple[int, int, int], ...], words: str) -> str:
        """Return a sentence about pieces that one effect moved: each with its place before and now.

        Where they are hidden, only their number is told; and where *words* say what has happened, not even that.
        """
        if words and news and all(self._public(slot) for _, *slots in news for slot in slots):
            pieces = " and ".join(self._piece(at, piece) for piece, *_ in news)
            return words.format(pieces=pieces, row=self._row(news[0][2]))
        came: dict[tuple[str, str], list[str]] = {}
        for piece, old, new in news:
            if self._public(new):
                came.setdefault(("", self._row(new)), []).append(self._piece(at, piece))
            elif not words:
                came.setdefault((f" from {self._where(old)}", self._row(new)), []).append("")
        return "; ".join(
            f"{len(pieces) if hidden else ', '.join(pieces)}{hidden} {'goes' if len(pieces) == 1 else 'go'} to {place}"
            for (hidden, place), pieces in came.items()
        )


def _counted(counter: Counter, amount: int) -> str:
    """Return an amount of a counter with its noun, for one or for many."""
    return f"{amount} {counter.noun[0] if amount == 1 else counter.noun[-1]}"
