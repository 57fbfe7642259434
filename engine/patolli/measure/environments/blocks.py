"""Stretches of the numbers of actions: one for every question, or line of a menu, with a number for every answer.

In:     the questions of a program as they are written.
Out:    for each, how many answers have a number, and which number a value has for a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from patolli.check.proofs.prover import Prover
from patolli.language.program import types as ty
from patolli.language.program.effects import Choose, For, Menu
from patolli.language.program.expressions import Binder, Expr
from patolli.measure.environments import bounds
from patolli.measure.observations.questions import Named
from patolli.measure.observations.relative import label, number_relative
from patolli.run.compiler.asked import DONE, Question
from patolli.run.compiler.layout import Layout

LARGEST = 1 << 16
"""The most combinations of values that have a number each; of more, answers are numbered in their order."""
Table = list[int] | dict[int, int]


class Unbounded(ValueError):
    """The answers to a question cannot be numbered, since it cannot be proved how many there are at most."""


@dataclass(frozen=True, slots=True)
class Digit:
    """One of the values of an answer: how many it may be, and which number each has for a seat."""

    names: tuple[str, ...]
    table: Callable[[int], Table]

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.names)


@dataclass(slots=True)
class Block:
    """A stretch of actions.

    Attributes:
        name: Of the question and, in a menu, of the line.
        digits: The values of an answer, the last counting fastest.
        last: What one more answer behind them is called: to decline, or to be done.
        ranked: How many answers there are at most that are numbered in their order; 0 where values have numbers.
        start: The first number.
    """

    name: str
    digits: tuple[Digit, ...] = ()
    last: str = ""
    ranked: int = 0
    start: int = field(default=0)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.ranked or prod(one.size for one in self.digits) + bool(self.last)

    def answer(self, at: int) -> str:
        """Return what the answer is called that stands so far behind the first."""
        if self.ranked:
            return f"no. {at + 1}"
        if self.last and at == self.size - 1:
            return self.last
        words = []
        for digit in reversed(self.digits):
            words.append(digit.names[at % digit.size])
            at //= digit.size
        return " -> ".join(reversed(words))

    def make_numbering(self, seat: int) -> Callable[[Any], int]:
        """Return what gives the number of a value: of one, or of a tuple of several."""
        start, tables = self.start, [one.table(seat) for one in self.digits]
        beyond = self.start + self.size - 1
        if len(tables) == 1:
            (table,) = tables
            if self.last:
                return lambda value: start + table[value] if value != -1 else beyond
            return lambda value: start + table[value]
        sizes = [one.size for one in self.digits]

        def several(values: Sequence[int]) -> int:
            if self.last and all(value == -1 for value in values):
                return beyond
            at = 0
            for table, size, value in zip(tables, sizes, values, strict=True):
                at = at * size + table[value]
            return start + at

        return several


class Blocks:
    """Makes the blocks of one program."""

    def __init__(self, layout: Layout, prover: Prover) -> None:
        self.layout, self.model, self.prover = layout, layout.model, prover

    def of(self, named: Named) -> Iterator[Block]:
        """Yield the blocks of a question; payments and gains share one. Raises Unbounded: it has no known limit."""
        question, name = named.question, named.name
        match question.kind:
            case "choose" | "order":
                assert isinstance(question.effect, Choose | For)
                where = question.effect.where
                yield self._block(name, question, question.effect.binders, where, question.decline or "")
            case "several":
                assert isinstance(question.effect, Choose)
                if self._is_veiled(question.types[0]):
                    kind = ty.strip(question.types[0])
                    assert isinstance(kind, ty.Ref)
                    yield Block(name, ranked=self.layout.size(kind.kind) + 1)
                    return
                found = bounds.numbers(self.prover, question.rule, question.effect.binders, question.effect.where)
                yield Block(
                    name, (self.digit(_describe_question(question.rule, question), question.types[0], found[0]),), DONE
                )
            case "menu":
                assert isinstance(question.effect, Menu)
                for line, option in enumerate(question.effect.options):
                    words = f"{name} {option.label}" if option.label else f"{name} line {line + 1}"
                    yield self._block(words, question, option.binders, option.condition, "")
            case "repeat":
                yield Block(name, (_words([question.labels[0][0] or "again", "stop"]),))
            case "pause":
                yield Block(name, (_words([question.labels[0][0] or "go on"]),))

    def anytime(self, number: int) -> Block:
        """Return the block of an anytime action."""
        action = self.model.anytime[number]
        name = f"anytime/{action.name}"
        if action.binder is None:
            return Block(name)
        (found,) = bounds.numbers(self.prover, action.body, [action.binder], action.when)
        words = f"of the anytime action {action.name!r} ({action.span.path}:{action.span.line})"
        if self._is_veiled(_item(action.binder)):
            raise Unbounded(f"the choice {words} may be of a piece that its holder does not see, which has no number")
        return Block(name, (self.digit(words, _item(action.binder), found),))

    def _block(self, name: str, question: Question, binders: Sequence[Binder], where: Expr | None, last: str) -> Block:
        if not binders:
            return Block(name)
        types = [_item(binder) for binder in binders]
        plain = not any(isinstance(ty.strip(type_), ty.Seq) or self._is_veiled(type_) for type_ in types)
        if plain:
            found = bounds.numbers(self.prover, question.rule, binders, where)
            asked = _describe_question(question.rule, question)
            digits = tuple(self.digit(asked, *pair) for pair in zip(types, found, strict=True))
            if prod(one.size for one in digits) <= LARGEST:
                return Block(name, digits, last)
        most = bounds.length(self.prover, question.rule, binders)
        if most is None or most > LARGEST:
            why = f"may have more than {LARGEST:,} options" if plain else "has no bound for the number of lists"
            raise Unbounded(f"the question {_describe_question(name, question)} {why}")
        return Block(name, ranked=most + bool(last))

    def _is_veiled(self, type_: ty.AnyType) -> bool:
        """Return whether a choice may be of a piece that the player holds and does not see."""
        type_ = ty.strip(type_)
        return isinstance(type_, ty.Ref) and type_.kind in self.model.held_kinds

    def digit(self, asked: str, type_: ty.AnyType, known: bounds.Numbers) -> Digit:
        """Return the values of a type that may be chosen; of numbers those *known*. Raises Unbounded: no bounds."""
        if ty.strip(type_) != ty.INT:
            return self.make_digit(type_)
        values = known.all(LARGEST)
        if values is None:
            low, high = known.within.low, known.within.high
            end = "above" if high is None else "below" if low is None else "closely enough"
            raise Unbounded(
                f"the question {asked} asks for a number without a bound {end}; "
                "declare 'min:' and 'max:' of the counters and fields that it is taken from"
            )
        table = {value: number for number, value in enumerate(values)}
        return Digit(tuple(map(str, values)), lambda _: table)

    def make_digit(self, type_: ty.AnyType) -> Digit:
        """Return the values of a type that is no number, with none behind them where there may be none."""
        inner, none = ty.strip(type_), ["none"] * isinstance(type_, ty.Maybe)
        match inner:
            case ty.Ref():
                names = [label(self.layout, inner.kind, n) for n in range(self.layout.size(inner.kind))]
                # none is -1, which Python takes for the last one
                return Digit(
                    (*names, *none), lambda seat: [*number_relative(self.layout, inner.kind, seat), len(names)]
                )
            case ty.Design():
                return _words([*(one.id for one in self.model.kinds[inner.kind].designs), *none])
            case ty.Choice():
                return _words([*map(str, self.model.options[inner.option].choices), *none])
            case ty.Group():
                names = list(self.model.groups[inner.name])
                table = {self.layout.counters[name][0]: number for number, name in enumerate(names)}
                return Digit((*names, *none), lambda _: {**table, -1: len(names)})
        return _words(["no", "yes", *none])


def _words(names: Sequence[str]) -> Digit:
    table = [*range(len(names)), len(names) - 1]
    return Digit(tuple(names), lambda _: table)


def _item(binder: Binder) -> ty.AnyType:
    type_ = binder.source.type
    return type_.of if isinstance(type_, ty.Seq) else type_


def _describe_question(name: str, question: Question) -> str:
    return f"{name!r} ({question.span.path}:{question.span.line})"
