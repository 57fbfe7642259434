"""Carry out a rule, look, and take it back: what the value of something would be."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from dataclasses import dataclass
from typing import Any

from patolli.kernel.budget import look, meter
from patolli.kernel.faults import MatchOver
from patolli.kernel.indexes import HELD, OF, Index
from patolli.kernel.library import library
from patolli.kernel.state import State


@dataclass(frozen=True, slots=True)
class Touched:
    """All that a rule may change.

    Attributes:
        numbers: Stretches of the state with slots of numbers.
        lists: Stretches with slots of lists.
        notes: What is recorded and reported meanwhile, for a later reader.
        steps: What keeping all of that takes on the step budget.
        indexes: What is kept up of the state as the rule writes.
    """

    numbers: tuple[slice, ...]
    lists: tuple[slice, ...]
    notes: tuple[MutableSequence[Any], ...]
    steps: int
    indexes: list[Index]


@library(60)
def ahead(s: State, touched: Touched, work: Callable[[], object], value: Callable[[], Any]) -> Any:
    """Return what *value* gives behind *work*, which leaves no trace; where one of them fails, neither.

    Lists are worked on as copies, so a loop over the original does not change. A rule that ends the match
    ends nothing but itself.
    """
    budget = meter.budget
    budget[0] -= touched.steps
    if budget[0] < 0:
        look()
    numbers = [s[stretch] for stretch in touched.numbers]
    lists = [s[stretch] for stretch in touched.lists] if touched.lists else numbers
    lengths = [len(notes) for notes in touched.notes] if touched.notes else ()
    indexes = [(one, one[OF], one[HELD]) for one in touched.indexes] if touched.indexes else ()
    for index, _, _ in indexes:
        index[OF] = None  # who goes through what it holds goes on with that
    if touched.lists:
        for stretch, held in zip(touched.lists, lists, strict=True):
            s[stretch] = [pieces[:] for pieces in held]
    try:
        try:  # noqa: SIM105 - this is done for every move that a bot or a player considers
            work()
        except MatchOver:
            pass
        return value()
    finally:
        for stretch, kept in zip(touched.numbers, numbers, strict=True):
            s[stretch] = kept
        if touched.lists:
            for stretch, held in zip(touched.lists, lists, strict=True):
                s[stretch] = held
        for index, of, what in indexes:
            index[OF], index[HELD] = of, what
        if touched.notes:
            for notes, length in zip(touched.notes, lengths, strict=True):
                del notes[length:]
