"""Put facts into sentences: what belongs together is one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from patolli.check.prose.words import capital, join_words
from patolli.language.program.types import article
from patolli.run.runtime.display_names import NOUN

PLURALS = {
    "gains": "gain", "loses": "lose", "pays": "pay", "now has": "now have", "goes": "go", "draws": "draw",
    "takes": "take",
}  # fmt: skip
"""Verbs as they stand with several."""
_NUMBERED = re.compile(r"[^ ]+(?: [^ ]+)? [0-9½]+")
_LED = re.compile(r"(?:the|an?|no|[0-9]+) |.*(?:'s|s') ", re.I)
"""A name with an article or number before it, or with its owner."""
HOLDING = ("draws", "takes")
"""What players do with pieces that come to them."""


@dataclass(slots=True)
class Amount:
    """So much of something, and what says it; *aside* for what is no amount, such as a discount that is used."""

    number: int
    said: Callable[[int], str]
    aside: bool = False


@dataclass(slots=True)
class Fact:
    """One thing that happened, before it is a sentence.

    Attributes:
        kind: heading, answer, change, move or said.
        seat: The player whom it is about; -1 for none.
        verb: What that one does with the amounts, or what the pieces do.
        amounts: What is gained, lost or paid.
        words: The whole sentence, where it is one already.
        change: The slot of an uncounted number, with its value before and now, which *phrase* says.
        pieces: Those that were moved, or the *number* of them; *named* says them.
        came: Where they were moved from, and *to* where.
        cause: Why.
        scope: In which rule it happened, as far as rules are distinguished; 0 for none.
        forced: Whether it is an answer that only stands in for what comes of it, where that is not reported.
    """

    kind: str
    seat: int = -1
    verb: str = ""
    amounts: dict[Any, Amount] = field(default_factory=dict)
    words: str = ""
    change: tuple[int, int, int] = (-1, 0, 0)
    phrase: Callable[[int, int], str] | None = None
    pieces: list[int] = field(default_factory=list)
    number: int = 0
    named: Callable[[Sequence[int]], str] | None = None
    came: str = ""
    to: str = ""
    who: str = ""
    cause: str = ""
    level: int = 0
    scope: int = 0
    forced: bool = False
    more: list[Fact] = field(default_factory=list)

    def write_sentence(self) -> str:
        """Return the sentence."""
        words = "; ".join(part for part in (self._own(), *(one._own() for one in self.more)) if part)
        return capital(f"{words} {self.cause}" if words and self.cause else words)

    def _own(self) -> str:
        if self.words:
            return self.words
        if self.phrase is not None:
            return self.phrase(*self.change[1:])
        if self.kind == "move":
            return self._move()
        return f"{self.who} {self.verb} {self.objects()}"

    def objects(self) -> str:
        """Return the amounts, or the pieces, in words."""
        if self.named is not None:
            return f"{self.named(self.pieces or range(self.number))}{self.came}"
        counted = [amount.said(amount.number) for amount in self.amounts.values() if not amount.aside]
        aside = [amount.said(0) for amount in self.amounts.values() if amount.aside]
        return ", ".join([join_words(counted) or "nothing", *aside])

    def _move(self) -> str:
        if self.verb in HOLDING:
            return f"{self.who} {self.verb} {self.objects()}"
        one = (self.number or len(self.pieces)) == 1
        return f"{self.objects()} {self.verb if one else PLURALS[self.verb]} to {self.to}"

    def takes(self, other: Fact) -> bool:
        """Take in a fact that follows at once, where both are one; return whether that was so."""
        if (self.kind, self.seat, self.verb, self.cause, self.level) != (
            other.kind, other.seat, other.verb, other.cause, other.level,
        ) or self.words or other.words or self.more or other.more:  # fmt: skip
            return False
        if self.phrase is not None and other.phrase is not None:
            return self._follows(other)
        if self.kind == "move":
            return self._joins(other)
        if not self.amounts or not other.amounts:
            return False
        for key, amount in other.amounts.items():
            mine = self.amounts.get(key)
            if mine is None or self.verb == "now has":
                self.amounts[key] = amount
            else:
                mine.number += amount.number
        return True

    def _follows(self, other: Fact) -> bool:
        """Take in a change of the same number in the same direction."""
        (slot, old, new), (other_slot, _, newer) = self.change, other.change
        if slot != other_slot or (new > old) != (newer > new):
            return False
        self.change = (slot, old, newer)
        return True

    def _joins(self, other: Fact) -> bool:
        """Take in other pieces that came to the same place."""
        if (self.to, self.came, bool(self.number)) != (other.to, other.came, bool(other.number)) or self.phrase:
            return False
        self.pieces += other.pieces
        self.number += other.number
        return True


def merge_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Return facts that cannot be joined with the one behind them; what several players gain or lose alike is one."""
    joined: list[Fact] = []
    for fact in facts:
        given = _merge_transfer(joined[-1], fact) if joined else None
        if given is not None:
            joined[-1] = given
        elif not joined or not joined[-1].takes(fact):
            joined.append(fact)
    found: list[Fact] = []
    groups: list[list[Fact]] = []
    for fact in joined:
        if groups and _alike(groups[-1][-1], fact) and fact.seat not in [one.seat for one in groups[-1]]:
            groups[-1].append(fact)
        else:
            groups.append([fact])
    for group in groups:
        found.append(group[0] if len(group) == 1 else _of_several(group))
    return found


def _merge_transfer(one: Fact, other: Fact) -> Fact | None:
    """Return one fact for what a player loses and another one gains at once, in one rule."""
    if (one.verb, other.verb) != ("loses", "gains") or one.seat == other.seat or not one.scope == other.scope > 0:
        return None
    if one.objects() != other.objects() or (one.cause, one.level) != (other.cause, other.level):
        return None
    words = f"{one.who} gives {one.objects()} to {other.who}"
    return Fact(one.kind, one.seat, words=words, cause=one.cause, level=one.level)


def _alike(one: Fact, other: Fact) -> bool:
    """Return whether the same happened to two players."""
    if one.verb != other.verb or one.seat == other.seat or one.more or other.more:
        return False
    if one.verb in HOLDING and one.number and other.number:
        return one.level == other.level and one.cause == other.cause and one.objects() == other.objects()
    if not one.amounts or not other.amounts:
        return False
    if (one.cause, one.level, one.kind) != (other.cause, other.level, other.kind):
        return False
    return _units(one) == _units(other) and (len(one.amounts) == 1 or one.objects() == other.objects())


def _units(fact: Fact) -> list[str]:
    """Return what is counted, without how much of it."""
    return [amount.said(2) for amount in fact.amounts.values()]


def _of_several(group: list[Fact]) -> Fact:
    """Return one fact for what happened to several players."""
    first, *others = group
    objects = {fact.objects() for fact in group}
    if len(objects) == 1:
        each = "" if first.verb == "now has" else "each "
        words = f"{join_words([fact.who for fact in group])} {each}{PLURALS[first.verb]} {first.objects()}"
    else:
        numbers = [next(iter(fact.amounts.values())).number for fact in others]
        rest = [f"{fact.who} {number or 'none'}" for fact, number in zip(others, numbers, strict=True)]
        cause = f" {first.cause}" if first.cause else ""
        words = f"{first.who} {first.verb} {first.objects()}{cause}, {join_words(rest)}"
        return Fact(first.kind, -1, words=words, level=first.level)
    return Fact(first.kind, -1, words=words, cause=first.cause, level=first.level)


def definite(name: str, noun: str) -> str:
    """Return the name of a piece for a sentence, with an article if the noun of its kind is in it, unless numbered."""
    if name == noun:
        return article(name)
    plain = noun in name and not _NUMBERED.fullmatch(name) and _LED.match(name.partition(noun)[0]) is None
    return f"the {name}" if plain else name


def introduce_piece(name: str, noun: str) -> str:
    """Return the name of a piece as that stands where it comes: a noun, such as ``storm`` or ``globe of 5``, as one."""
    said = definite(name, noun)
    return article(said) if NOUN.fullmatch(said) else said


def add_article(name: str) -> str:
    """Return what a place is called, with an article where it has none."""
    return name if _LED.match(f"{name} ") else f"the {name}"


def fill_gaps(text: str, gaps: Mapping[str, object]) -> str:
    """Return words with something put into their braces."""
    said = re.sub(r"\{([^{}]*)\}", lambda hole: str(gaps.get(hole[1].strip(), "")), text)
    return " ".join(said.split())
