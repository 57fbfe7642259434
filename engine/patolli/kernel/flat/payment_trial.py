"""The same as ``kernel.payment_trial``: try whether what follows a payment is possible."""

from __future__ import annotations

from collections.abc import Callable

from patolli.kernel.budget import FREE, tick
from patolli.kernel.library import flat
from patolli.kernel.money import Money, Way
from patolli.kernel.payment_trial import carry_side
from patolli.kernel.state import State

_DRAWS = 3
"""The slot of how often was drawn from each stream of chance."""


@flat("may_pay")
def flat_tried(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> bool:
    """See :func:`patolli.kernel.payment_trial.may_pay`."""
    for way in found:
        tick(FREE)
        if _possible(s, me, way, money, follows):
            return True
    return False


@flat("leaving")
def flat_leaving(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> list[Way]:
    """See :func:`patolli.kernel.payment_trial.leaving`."""
    left: list[Way] = []
    for way in found:
        tick(FREE)
        if _possible(s, me, way, money, follows):
            left.append(way)
    return left


@flat("leaving_or_all")
def flat_leaving_or_all(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> list[Way]:
    """See :func:`patolli.kernel.payment_trial.leaving_or_all`."""
    left = flat_leaving(s, me, found, money, follows)
    return left if len(left) > 0 else found


def _possible(s: State, me: int, way: Way, money: Money, follows: Callable[[], bool]) -> bool:
    """Tell whether what follows is possible behind a way to pay; the state is as it was then."""
    if len(way) > 0 and way[-2] < 0:  # side effects stand at the end
        return _carried_out(s, me, way, money, follows)
    for at in range(0, len(way), 2):
        s[way[at]] -= way[at + 1]
    good = follows()
    for at in range(0, len(way), 2):
        s[way[at]] += way[at + 1]
    return good


def _carried_out(s: State, me: int, way: Way, money: Money, follows: Callable[[], bool]) -> bool:
    """Pay with side effects, which may change anything: they get lists of their own to do it in."""
    tick(len(s) * 3)
    before = s[:]
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
    return good
