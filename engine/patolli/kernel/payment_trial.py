"""Carry out one way to pay, or try whether the rest after a payment is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from patolli.kernel.budget import FREE, tick
from patolli.kernel.library import SOLVING, library
from patolli.kernel.money import Money, Way
from patolli.kernel.state import State

_DRAWS = 3
"""The slot of how often each random stream was drawn from."""


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
    """Return whether some way to pay leaves the rest possible."""
    for way in found:
        tick(FREE)
        if _possible(s, me, way, money, follows):
            return True
    return False


@library(SOLVING)
def leaving(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> list[Way]:
    """Return the ways to pay that leave the rest possible."""
    left: list[Way] = []
    for way in found:
        tick(FREE)
        if _possible(s, me, way, money, follows):
            left.append(way)
    return left


@library(SOLVING)
def leaving_or_all(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> list[Way]:
    """Return the ways to pay that leave the rest possible; all of them if there is none, so that it fails there."""
    left = leaving(s, me, found, money, follows)
    return left if len(left) > 0 else found


def _possible(s: State, me: int, way: Way, money: Money, follows: Callable[[], bool]) -> bool:
    """Return whether the rest is possible behind a way to pay; the state is as it was then."""
    if len(way) == 2 and way[0] >= 0:  # most pay with one counter
        slot, amount = way
        s[slot] -= amount
        good = follows()
        s[slot] += amount
        return good
    if len(way) > 0 and way[-2] < 0:  # side effects stand at the end
        return _carried_out(s, me, way, money, follows)
    for at in range(0, len(way), 2):
        s[way[at]] -= way[at + 1]
    good = follows()
    for at in range(0, len(way), 2):
        s[way[at]] += way[at + 1]
    return good


def _carried_out(s: State, me: int, way: Way, money: Money, follows: Callable[[], bool]) -> bool:
    """Pay with side effects, which may change anything: they get lists of their own; nothing is reported."""
    tick(len(s) * 3)
    before, reported = s[:], len(money.events)
    for slot in range(1, len(s)):  # frames are not touched
        held = s[slot]
        if slot == _DRAWS or held.__class__ is list:
            s[slot] = held.copy()
    for at in range(0, len(way), 2):
        if way[at] >= 0:
            s[way[at]] -= way[at + 1]
    for at in range(0, len(way), 2):
        if way[at] < 0:
            carry_side(s, me, way[at], way[at + 1], money)
    good = follows()
    for slot in range(len(before)):
        s[slot] = before[slot]
    del money.events[reported:]
    return good
