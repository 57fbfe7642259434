"""The payment solver: all ways to pay a cost.

A *need* is a pair: ``((slot, amount), ..)`` and ``(((base, ..), number), ..)`` for mixes of a group. A *way* is a flat
tuple of pairs: a slot and how much is taken from it, or a negative code of a side effect and its argument. Ways are
distinct and come in a fixed order: the most direct one first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from patolli.compiler.support import RuleFault, State, sized

Pairs = tuple[tuple[int, int], ...]
Mixes = tuple[tuple[tuple[int, ...], int], ...]
Need = tuple[Pairs, Mixes]
Way = tuple[int, ...]
MOST = 2000


@dataclass(slots=True)
class Money:
    """What a ruleset says about payments; slots are bases, to which the player is added.

    ``substitutions``: base given, amount given, how many it stands for, the bases it stands for, condition.
    ``discounts``: tags, how much less, bases, condition, code of the side effect (0: none).
    ``waivers``: tags, bases, candidates, code of the side effect.
    ``sides``: side effects by ``-1 - code``.
    ``spent``: slots whose paying is left to a rule of the pack.
    ``told``: what is narrated; a payment that is only tried leaves nothing there.
    """

    substitutions: list[tuple[int, int, int, frozenset[int], Any]] = field(default_factory=list)
    discounts: list[tuple[frozenset[str], int, tuple[int, ...], Any, int]] = field(default_factory=list)
    waivers: list[tuple[frozenset[str], frozenset[int], Callable[[State, int], list[int]], int]] = field(
        default_factory=list
    )
    sides: list[Callable[[State, int, int], None]] = field(default_factory=list)
    spent: frozenset[int] = frozenset()
    told: list[tuple[Any, ...]] = field(default_factory=list)


def added_up(pairs: Pairs) -> dict[int, int]:
    """Return by slot what is needed of it; two parts of a cost may turn out to take the same counter."""
    total: dict[int, int] = {}
    for slot, amount in pairs:
        if amount > 0:
            total[slot] = total.get(slot, 0) + amount
    return total


def with_costs(me: int, pairs: Pairs, mixes: Mixes, costs: tuple[Any, ...]) -> Need:
    """Add costs that pieces hold (bases without the player; -1 for none) to a need."""
    total = added_up(pairs)
    for cost in costs:
        if cost != -1:
            for base, amount in cost[0]:
                total[base + me] = total.get(base + me, 0) + amount
            mixes = (*mixes, *cost[1])
    return tuple(total.items()), mixes


def payable(s: State, me: int, need: Need, tag: str | None, money: Money) -> bool:
    """Tell whether there is a way to pay."""
    pairs, mixes = need
    if not mixes and all(s[slot] >= amount for slot, amount in added_up(pairs).items()):
        return True
    if not mixes and not money.substitutions and not money.discounts and not money.waivers:
        return False
    return next(_all_ways(s, me, need, tag, money), None) is not None


def ways(s: State, me: int, need: Need, tag: str | None, money: Money) -> list[Way]:
    """Return all ways to pay, each once."""
    found: dict[Way, None] = {}
    for way in _all_ways(s, me, need, tag, money):
        found[way] = None
        if len(found) > MOST:
            raise RuleFault(f"there are more than {MOST} ways to pay this")
    return list(found)


def _all_ways(s: State, me: int, need: Need, tag: str | None, money: Money) -> Iterator[Way]:
    pairs, mixes = need
    for full in _mixed(added_up(pairs), mixes, me):
        for left, sides in _variants(s, me, full, tag, money):
            for paid in _substituted(s, me, left, money):
                yield (*(x for slot in sorted(paid) if paid[slot] for x in (slot, paid[slot])), *sides)


def _variants(
    s: State, me: int, need: dict[int, int], tag: str | None, money: Money
) -> Iterator[tuple[dict[int, int], Way]]:
    """Yield what is left to pay with discounts and waivers, each with its side effects.

    A discount that uses something up may also be kept for later; any other is always taken.
    """
    base: list[tuple[dict[int, int], Way]] = [(need, ())]
    for tags, less, targets, condition, code in money.discounts:
        if tag in tags and (condition is None or condition(s, me)):
            less_ = [v for left, sides in base for v in _discounted(left, sides, less, [t + me for t in targets], code)]
            base = [*less_, *(v for v in base if v not in less_)] if code else less_
    yield from base
    for tags, targets_, candidates, code in money.waivers:
        if tag in tags and any(slot - me in targets_ and n > 0 for slot, n in need.items()):
            for candidate in candidates(s, me):
                for left, sides in base:
                    yield {slot: n for slot, n in left.items() if slot - me not in targets_}, (*sides, code, candidate)


def _discounted(
    left: dict[int, int], sides: Way, less: int, targets: list[int], code: int
) -> Iterator[tuple[dict[int, int], Way]]:
    total = min(less, sum(left.get(t, 0) for t in targets))
    if total == 0:
        yield left, sides
        return
    for split in _splits(total, [left.get(t, 0) for t in targets]):
        reduced = dict(left)
        for target, part in zip(targets, split, strict=True):
            if part:
                reduced[target] -= part
        yield {k: v for k, v in reduced.items() if v}, (*sides, code, 0) if code else sides


def _splits(total: int, limits: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to split a number over parts with limits; much in the first part first."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]), -1, -1):
        for rest in _splits(total - first, limits[1:]):
            yield (first, *rest)


def _mixed(need: dict[int, int], mixes: Mixes, me: int) -> Iterator[dict[int, int]]:
    if not mixes:
        yield need
        return
    (bases, number), *rest = mixes
    for split in _splits(number, [number] * len(bases)):
        full = dict(need)
        for base, part in zip(bases, split, strict=True):
            if part:
                full[base + me] = full.get(base + me, 0) + part
        yield from _mixed(full, tuple(rest), me)


def _substituted(s: State, me: int, need: dict[int, int], money: Money) -> Iterator[dict[int, int]]:
    """Yield what is taken from each slot, such that everything is there."""
    active = [x for x in money.substitutions if x[4] is None or x[4](s, me)]
    if not active:
        if all(s[slot] >= amount for slot, amount in need.items()):
            yield need
        return
    yield from _assign(s, me, sorted(need.items()), 0, {}, active)


def _assign(
    s: State, me: int, need: list[tuple[int, int]], position: int, paid: dict[int, int], active: list[Any]
) -> Iterator[dict[int, int]]:
    if position == len(need):
        if all(s[slot] >= amount for slot, amount in paid.items()):
            yield dict(paid)
        return
    slot, amount = need[position]
    own = min(amount, s[slot])
    for direct in range(own, -1, -1):
        for more in _replaced(me, slot, amount - direct, active):
            total = dict(paid)
            total[slot] = total.get(slot, 0) + direct
            for given, number in more.items():
                total[given] = total.get(given, 0) + number
            if all(s[k] >= v for k, v in total.items()):
                yield from _assign(s, me, need, position + 1, total, active)


def _replaced(me: int, slot: int, amount: int, active: list[Any]) -> Iterator[dict[int, int]]:
    """Yield what may be given instead of *amount* of a slot."""
    if amount <= 0:
        yield {}
        return
    for position, (give, number, most, targets, _) in enumerate(active):
        if slot - me in targets:
            for rest in _replaced(me, slot, amount - most, active[position:]):
                yield {**rest, give + me: rest.get(give + me, 0) + number}


def apply_way(s: State, me: int, way: Way, money: Money) -> None:
    """Pay one way, with its side effects."""
    for position in range(0, len(way), 2):
        code, amount = way[position], way[position + 1]
        if code >= 0:
            if code not in money.spent:
                s[code] -= amount
        else:
            money.sides[-1 - code](s, me, amount)


def push_spends(s: State, me: int, way: Way, spends: dict[int, Any]) -> None:
    """Do what is to be done for the counters that were paid; what asks is put on the frames.

    A rule that takes a number is carried out once, with how many are paid; another one once for each.
    """
    for position in range(0, len(way), 2):
        work, whole, base = spends.get(way[position], (None, False, 0))
        if work is None or way[position + 1] == 0:
            continue
        arguments = (base, way[position + 1]) if whole else (base,)
        for _ in range(1 if whole else way[position + 1]):
            if work.__class__ is tuple:
                s[0].append([work[0], me, 0, *arguments, *work[1]])
            else:
                work(s, me, *arguments)


def _tried(s: State, me: int, way: Way, money: Money, follows: Callable[[], bool]) -> bool:
    """Tell whether what follows is possible after a payment; the state is then as it was.

    Side effects may change anything, so they get lists of their own to do it in; nothing of them is told.
    """
    pairs = list(zip(way[::2], way[1::2], strict=True))
    sides = [(money.sides[-1 - code], value) for code, value in pairs if code < 0]
    before, told = s[:] if sides else [], len(money.told)
    if sides:
        s[1:] = [x.copy() if isinstance(x, list | dict) else x for x in s[1:]]
    for code, amount in pairs:
        if code >= 0:
            s[code] -= amount
    for side, value in sides:
        side(s, me, value)
    good = follows()
    if sides:
        s[:] = before
        del money.told[told:]
        return good
    for code, amount in pairs:
        s[code] += amount
    return good


def tried(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> bool:
    """Tell whether some way to pay leaves what follows possible."""
    return any(_tried(s, me, way, money, follows) for way in found)


def leaving(s: State, me: int, found: list[Way], money: Money, follows: Callable[[], bool]) -> list[Way]:
    """Return the ways to pay that leave what follows possible."""
    return [way for way in found if _tried(s, me, way, money, follows)]


def mixes(me: int, bases: tuple[int, ...], number: int) -> list[Way]:
    """Return all mixes of *number* of a group, as ways; much of the first counter first."""
    if number <= 0:
        return [()]
    found = [
        tuple(x for base, part in zip(bases, split, strict=True) if part for x in (base + me, part))
        for split in islice(_splits(number, [number] * len(bases)), MOST + 1)
    ]
    if len(found) > MOST:
        raise RuleFault(f"there are more than {MOST} ways to gain this")
    return found


def apply_gain(s: State, way: Way) -> None:
    """Gain one mix."""
    for position in range(0, len(way), 2):
        s[way[position]] = sized(s[way[position]] + way[position + 1])


def gain_of(s: State, base: int, me: int, amount: int, limits: dict[int, int]) -> None:
    """Gain a counter of a group, whose limit is known only now."""
    changed = sized(s[base + me] + amount)
    limit = limits.get(base)
    if amount < 0:
        changed = max(changed, min(0, s[base + me]))
    s[base + me] = changed if limit is None else min(changed, limit)


SOLVER = {f.__name__: f for f in (with_costs, payable, ways, apply_way, tried, leaving, mixes, apply_gain, gain_of)}
