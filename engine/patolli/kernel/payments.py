"""The payment solver: all ways to pay a cost.

A *need* is a pair: ``((slot, amount), ..)`` and ``(((base, ..), number), ..)`` for mixes of a group. A *way* is a flat
tuple of pairs: a slot and how much is taken from it, or a negative code of a side effect and its argument. Ways are
distinct and come in a fixed order: the most direct one first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from patolli.kernel.budget import tick
from patolli.kernel.faults import RuleFault
from patolli.kernel.state import State

Pairs = tuple[tuple[int, int], ...]
Mixes = tuple[tuple[tuple[int, ...], int], ...]
Need = tuple[Pairs, Mixes]
Way = tuple[int, ...]
MOST = 2000
MANY = 10**18
STEP = 10
"""What one step of the search draws on the step budget."""


class Substitution(NamedTuple):
    """One thing that may be paid for another; counters are bases, to which the player is added.

    One use of ``number`` of ``give`` stands for ``least`` to ``most`` of one of the ``targets``.
    """

    give: int
    number: int
    least: int
    most: int
    targets: frozenset[int]
    when: Callable[[State, int], bool] | None = None


class Discount(NamedTuple):
    """What payments with one of the tags cost less; ``code`` is its side effect, 0 where it has none."""

    tags: frozenset[str]
    less: int
    targets: tuple[int, ...]
    when: Callable[[State, int], bool] | None = None
    code: int = 0


class Waiver(NamedTuple):
    """What payments with one of the tags may do without, once for each candidate."""

    tags: frozenset[str]
    targets: frozenset[int]
    candidates: Callable[[State, int], list[int]]
    code: int


@dataclass(slots=True)
class Money:
    """What a ruleset says about payments.

    ``sides``: side effects by ``-1 - code``.
    ``spent``: slots whose paying is left to a rule of the pack.
    ``told``: what is narrated; a payment that is only tried leaves nothing there.
    """

    substitutions: list[Substitution] = field(default_factory=list)
    discounts: list[Discount] = field(default_factory=list)
    waivers: list[Waiver] = field(default_factory=list)
    sides: list[Callable[[State, int, int], None]] = field(default_factory=list)
    spent: frozenset[int] = frozenset()
    told: list[tuple[Any, ...]] = field(default_factory=list)
    _tagged: dict[str, tuple[list[Discount], list[Waiver]]] = field(default_factory=dict)

    def tagged(self, tag: str) -> tuple[list[Discount], list[Waiver]]:
        """Return what counts for payments with a tag."""
        found = self._tagged.get(tag)
        if found is None:
            discounts = [x for x in self.discounts if tag in x.tags]
            found = self._tagged[tag] = discounts, [x for x in self.waivers if tag in x.tags]
        return found


def added_up(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return by slot what is needed of it; two parts of a cost may turn out to take the same counter."""
    total: dict[int, int] = {}
    plain = True
    for slot, amount in pairs:
        if slot in total:
            amount += total[slot]
        total[slot] = amount
        plain = plain and amount > 0
    return total if plain else {slot: amount for slot, amount in total.items() if amount > 0}


def with_costs(
    s: State, me: int, pairs: Pairs, mixes: Mixes, costs: tuple[Any, ...], changing: list[Callable[[State, int], Need]]
) -> Need:
    """Add costs that pieces hold to a need: bases without the player, -1 for none.

    A cost that depends on the match is a single number, that of a function in *changing*.
    """
    held = [changing[cost[0]](s, me) if len(cost) == 1 else cost for cost in costs if cost != -1]
    own = ((base + me, amount) for cost in held for base, amount in cost[0])
    return (*pairs, *own), (*mixes, *(mix for cost in held for mix in cost[1]))


def payable(s: State, me: int, need: Need, tag: str | None, money: Money) -> bool:
    """Tell whether there is a way to pay."""
    pairs, mixes = need
    if not mixes:
        for slot, amount in added_up(pairs).items():
            if s[slot] < amount:
                break
        else:
            return True
    if not mixes and not money.substitutions and (tag is None or not (money.discounts or money.waivers)):
        return False
    return next(_all_ways(s, me, need, tag, money), None) is not None


def ways(s: State, me: int, need: Need, tag: str | None, money: Money) -> list[Way]:
    """Return all ways to pay, each once, without those that give more than another one for nothing."""
    found: dict[Way, None] = {}
    for way in _all_ways(s, me, need, tag, money):
        found[way] = None
        if len(found) > MOST:
            raise RuleFault(f"there are more than {MOST} ways to pay this")
    wasting = money.substitutions or tag is not None
    return _thrifty(list(found), money.spent) if wasting and len(found) > 1 else list(found)


def _thrifty(found: list[Way], spent: frozenset[int]) -> list[Way]:
    """Leave out what pays more, or uses up more, than another way does.

    A counter that a rule takes may stand for things that somebody wants to be rid of: there, more is another way.
    """
    split = [_split(way) for way in found]
    return [
        way
        for way, (paid, used) in zip(found, split, strict=True)
        if not any(
            other != (paid, used)
            and other[1] <= used
            and all(amount <= paid.get(slot, 0) for slot, amount in other[0].items())
            and not any(amount > other[0].get(slot, 0) for slot, amount in paid.items() if slot in spent)
            for other in split
        )
    ]


def _split(way: Way) -> tuple[dict[int, int], frozenset[tuple[int, int]]]:
    """Return what a way takes, by slot, and the side effects that it has."""
    pairs = list(zip(way[::2], way[1::2], strict=True))
    return {code: n for code, n in pairs if code >= 0}, frozenset(pair for pair in pairs if pair[0] < 0)


def _all_ways(s: State, me: int, need: Need, tag: str | None, money: Money) -> Iterator[Way]:
    pairs, mixes = need
    offers = _Offers(s, me, tag, money)
    for full in _mixed(added_up(pairs), mixes, me, offers):
        for left, sides in _variants(me, full, offers):
            for paid in _substituted(s, me, left, offers.substitutions):
                yield (*(x for slot in sorted(paid) if paid[slot] for x in (slot, paid[slot])), *sides)


class _Offers:
    """What there is besides paying what is owed, in one state."""

    __slots__ = ("discounts", "state", "substitutions", "waivers")

    def __init__(self, s: State, me: int, tag: str | None, money: Money) -> None:
        self.state = s
        self.substitutions = [x for x in money.substitutions if x.when is None or x.when(s, me)]
        self.discounts: list[Discount] = []
        self.waivers: list[tuple[Waiver, list[int]]] = []
        if tag is not None:
            discounts, waivers = money.tagged(tag)
            self.discounts = [x for x in discounts if x.when is None or x.when(s, me)]
            self.waivers = [(x, found) for x in waivers if (found := x.candidates(s, me))]

    def most(self, base: int, me: int, number: int) -> int:
        """Return how much of *number* of a counter could be paid if nothing else had to be."""
        for waiver, _ in self.waivers:
            if base in waiver.targets:
                return max(0, number)
        total: int = max(0, self.state[base + me])
        for discount in self.discounts:
            if base in discount.targets:
                total += discount.less
        for x in self.substitutions:
            if base in x.targets:
                total += max(0, self.state[x.give + me]) // x.number * x.most
        return min(max(0, number), total)


def _variants(me: int, need: dict[int, int], offers: _Offers) -> Iterator[tuple[dict[int, int], Way]]:
    """Yield what is left to pay with discounts and waivers, each with its side effects.

    What uses something up may also be kept for later; a discount that does not is always taken.
    """
    found: list[tuple[dict[int, int], Way]] = [(need, ())]
    for _, less, targets, _, code in offers.discounts:
        less_ = [v for left, sides in found for v in _discounted(left, sides, less, [t + me for t in targets], code)]
        found = [*less_, *(v for v in found if v not in less_)] if code else less_
    for waiver, candidates in offers.waivers:
        lifted = [
            ({slot: n for slot, n in left.items() if slot - me not in waiver.targets}, (*sides, waiver.code, candidate))
            for candidate in candidates
            for left, sides in found
            if any(slot - me in waiver.targets for slot in left)
        ]
        found += lifted
    yield from found


def _discounted(
    left: dict[int, int], sides: Way, less: int, targets: list[int], code: int
) -> Iterator[tuple[dict[int, int], Way]]:
    total = min(less, sum(left.get(t, 0) for t in targets))
    if total == 0:
        yield left, sides
        return
    for split in splits(total, [left.get(t, 0) for t in targets]):
        reduced = dict(left)
        for target, part in zip(targets, split, strict=True):
            if part:
                reduced[target] -= part
        yield {k: v for k, v in reduced.items() if v}, (*sides, code, 0) if code else sides


def splits(total: int, limits: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to split a number over parts with limits; much in the first part first."""
    tick(STEP)
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]), max(0, total - sum(limits[1:])) - 1, -1):
        for rest in splits(total - first, limits[1:]):
            yield (first, *rest)


def _mixed(need: dict[int, int], mixes: Mixes, me: int, offers: _Offers) -> Iterator[dict[int, int]]:
    if not mixes:
        yield need
        return
    (bases, number), *rest = mixes
    for split in splits(max(0, number), [offers.most(base, me, number) for base in bases]):
        full = dict(need)
        for base, part in zip(bases, split, strict=True):
            if part:
                full[base + me] = full.get(base + me, 0) + part
        yield from _mixed(full, tuple(rest), me, offers)


def _substituted(s: State, me: int, need: dict[int, int], active: list[Substitution]) -> Iterator[dict[int, int]]:
    """Yield what is taken from each slot, such that everything is there and no part of it could be kept."""
    if not active:
        if all(s[slot] >= amount for slot, amount in need.items()):
            yield need
        return
    yield from _assign(s, me, sorted(need.items()), {}, active)


def _assign(
    s: State, me: int, need: list[tuple[int, int]], paid: dict[int, int], active: list[Substitution]
) -> Iterator[dict[int, int]]:
    if not need:
        yield paid
        return
    (slot, amount), rest = need[0], need[1:]
    helpers = [x for x in active if slot - me in x.targets]
    own = max(0, min(amount, s[slot] - paid.get(slot, 0)))
    for direct in range(own, -1 if helpers else amount - 1, -1):
        total = {**paid, slot: paid.get(slot, 0) + direct} if direct else paid
        for more, over, fewest in _replaced(s, me, amount - direct, 0, total, helpers):
            if over == 0 or (direct == 0 and over < fewest):
                yield from _assign(s, me, rest, more, active)


def _replaced(
    s: State, me: int, amount: int, over: int, paid: dict[int, int], helpers: list[Substitution]
) -> Iterator[tuple[dict[int, int], int, int]]:
    """Yield what is paid when *amount* of a counter is replaced; much of the first substitution first.

    With it come how much more it could stand for, and how much one use stands for at most, of those that are used;
    *over* is what could be stood for so far beyond the least.
    """
    tick(STEP)
    if not helpers:
        if amount <= over:
            yield paid, over - amount, MANY
        return
    give, number, least, most, _, _ = helpers[0]
    there = max(0, s[give + me] - paid.get(give + me, 0))
    for times in range(min(there // number, amount // least, -(-amount // most)), -1, -1):
        total = {**paid, give + me: paid.get(give + me, 0) + times * number} if times else paid
        left, more = amount - times * least, over + times * (most - least)
        for found, beyond, fewest in _replaced(s, me, left, more, total, helpers[1:]):
            yield found, beyond, min(fewest, most) if times else fewest


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
