"""What things are called for people: pieces, places, players, amounts, and answers to questions.

Names belong to what is shown: no rule sees them, and what is typed, saved and compared are the texts of ``labels``.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from typing import Any

from patolli.check.prose.words import words
from patolli.kernel.faults import RuleFault
from patolli.language.program import effects as e
from patolli.language.program import types as ty
from patolli.run.compiler.asked import DONE, Question
from patolli.run.runtime.things import NO_PLAYER, Hidden, Things, Value

__all__ = ["NO_PLAYER", "Names"]


class Names(Things):
    """What things are called for the player on one seat, in one state. Make it again when the state has changed."""

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
