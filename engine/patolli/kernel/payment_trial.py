"""Carry out one way to pay, or try whether what follows a payment is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from patolli.kernel.budget import FREE, tick
from patolli.kernel.library import SOLVING, library
from patolli.kernel.money import Money, Way
from patolli.kernel.state import State

_INNER = (list, dict)
"""What of a state has an inside."""


@library()
def apply_way(s: State, me: int, way: Way, money: Money) -> None:
    """Pay one way, with its side effects."""
    for position in range(0, len(way), 2):
        code, amount = way[position], way[position + 1]
        if code >= 0:
            if code not in money.spent:
                s[code] -= amount
        else:
            carry_side(s, me, code, amount, money)


def carry_side(s: State, me: int, code: int, value: int, money: Money) -> None:
    """Carry out the side effect of a code."""
    work, takes = money.sides[-1 - code]
    if takes:
        work(s, me, value)
    else:
        work(s, me)


@library()
def push_spends(s: State, me: int, way: Way, spends: dict[int, Any]) -> None:
    """Do what is to be done for the counters that were paid; what asks is put on the frames.

    A rule that takes a number is carried out once, with how many are paid; another one once for each.
    """
    for position in range(0, len(way), 2):
        slot, number = way[position], way[position + 1]
        if slot not in spends or number == 0:
            continue
        work, whole, base = spends[slot]
        for _ in range(1 if whole else number):
            tick(FREE)
            if work.__class__ is tuple:
                s[0].append([work[0], me, 0, base, *([number] if whole else []), *work[1]])
            elif whole:
                work(s, me, base, number)
            else:
                work(s, me, base)


@library(SOLVING)
def may_pay(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> bool:
    """Tell whether some way to pay leaves what follows possible."""
    for way in found:
        if way and way[-2] < 0:  # side effects stand at the end
            return next(_possible(s, me, found, money, follows), None) is not None
    for way in found:
        tick(FREE)
        if _try_way(s, way, follows):
            return True
    return False


@library(SOLVING)
def leaving(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> list[Way]:
    """Return the ways to pay that leave what follows possible."""
    return list(_possible(s, me, found, money, follows))


@library(SOLVING)
def leaving_or_all(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> list[Way]:
    """Return the ways to pay that leave what follows possible; all of them if there is none, so that it fails there."""
    return leaving(s, me, found, money, follows) or found


def _possible(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> Iterator[Way]:
    """Yield the ways after which what follows is possible; at each, the state is as it was."""
    inner: list[int] = []
    for way in found:
        tick(FREE)
        if not way or way[-2] >= 0:
            possible = _try_way(s, way, follows)
        else:
            inner = inner or [slot for slot, held in enumerate(s) if slot and held.__class__ in _INNER]
            possible = _carried_out(s, me, way, money, inner, follows)
        if possible:
            yield way


def _try_way(s: State, way: Way, follows: Callable[[], bool]) -> bool:
    if len(way) == 2:  # most pay with one counter
        slot, amount = way
        s[slot] -= amount
        good = follows()
        s[slot] += amount
        return good
    for position in range(0, len(way), 2):
        s[way[position]] -= way[position + 1]
    good = follows()
    for position in range(0, len(way), 2):
        s[way[position]] += way[position + 1]
    return good


def _carried_out(s: State, me: int, way: Way, money: Money, inner: list[int], follows: Callable[[], bool]) -> bool:
    """Pay with side effects, which may change anything: they get lists of their own to do it in; nothing is told.

    ``inner`` are the slots of what has an inside; frames are not touched.
    """
    tick(len(s) * 3)
    before, told = s[:], len(money.told)
    for slot in inner:
        s[slot] = s[slot].copy()
    for position in range(0, len(way), 2):
        if way[position] >= 0:
            s[way[position]] -= way[position + 1]
    for position in range(0, len(way), 2):
        if way[position] < 0:
            carry_side(s, me, way[position], way[position + 1], money)
    good = follows()
    s[:] = before
    del money.told[told:]
    return good
