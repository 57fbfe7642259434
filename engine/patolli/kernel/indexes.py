"""Which instances of a kind have a value in a field of the state, kept up as rules write; see ``compiler.indexes``.

An index belongs to one state, the one on which blocks of rules were carried out last. It is no part of that state: for
any other one, a copy too, it is found again. So nothing that copies, saves, compares or imagines states knows of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from patolli.kernel.budget import look, meter
from patolli.kernel.state import State

OF, HELD, SEEN, MAKE, COPY, BEGUN = range(6)
"""In an index: the state that it belongs to, or none; what it holds; the state that had none when it was asked last;
what finds for a state what it should hold; what copies that; what it holds where matches begin, if all begin alike."""
SMALL = 16
"""So many instances are indexed for each state at once; more of them where a state is asked a second time."""
Index = list[Any]
"""What it holds are numbers in ascending order: a list for each value from 0, or one list of what passes a test."""
Find = Callable[..., list[int]]


def new_index() -> Index:
    """Return an index that belongs to no state."""
    return [None] * (BEGUN + 1)


def forget(indexes: list[Index], state: State) -> None:
    """Let no index belong to a state: other code may write to it."""
    for index in indexes:
        if index[OF] is state:
            index[OF] = None


def begin(indexes: list[Index], state: State) -> None:
    """Keep what is held for a state with which all matches begin."""
    for index in indexes:
        index[BEGUN] = index[MAKE](state)


def hand_on(indexes: list[Index], state: State) -> None:
    """Let indexes belong to a state that is equal to the one with which matches begin."""
    for index in indexes:
        index[OF] = state
        index[HELD] = index[COPY](index[BEGUN])


def by_value(index: Index, first: int, end: int, values: int) -> tuple[Find, Find]:
    """Return what finds the numbers of the instances whose field is a value, and keeps the index; and what only looks.

    Args:
        index: It gets a list for each value.
        first: The slot of the field of the first instance.
        end: The slot behind that of the last one.
        values: How many values there are, from 0; others are not kept.
    """

    def scan(s: State, value: int) -> list[int]:
        return [number for number, held in enumerate(s[first:end]) if held == value]

    def make(s: State) -> list[list[int]]:
        lists: list[list[int]] = [[] for _ in range(values)]
        for number, held in enumerate(s[first:end]):
            if held >= 0:
                lists[held].append(number)
        return lists

    def find(s: State, value: int) -> list[int]:
        if end - first > SMALL and index[SEEN] is not s:
            index[SEEN] = s
            return scan(s, value)
        lists = make(s)
        index[:MAKE] = s, lists, None
        return lists[value]

    index[MAKE], index[COPY] = make, lambda lists: [*map(list.copy, lists)]
    return find, scan


def by_test(index: Index, first: int, end: int, passing: Callable[[list[int]], list[int]]) -> tuple[Find, Find]:
    """Return the same as :func:`by_value`, for a test of the values of a field; *passing* says which of a list pass."""

    def scan(s: State) -> list[int]:
        return passing(s[first:end])

    def find(s: State) -> list[int]:
        held = scan(s)
        if end - first <= SMALL or index[SEEN] is s:
            index[:MAKE] = s, held, None
        else:
            index[SEEN] = s
        return held

    index[MAKE], index[COPY] = scan, list.copy
    return find, scan


def charge_steps(items: list[int], steps: int) -> list[int]:
    """Draw on the step budget what it would take to look at all instances."""
    budget = meter.budget
    budget[0] -= steps
    if budget[0] < 0:
        look()
    return items
