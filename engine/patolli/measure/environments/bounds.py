"""How many answers a question may have at most, and which numbers they may be: what is proved, not what was seen.

In:     a question as it is written, and what proves things of its ruleset.
Out:    bounds that hold in every match; or None where there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from patolli.check.proofs.facts import Facts
from patolli.check.proofs.intervals import UNKNOWN, Interval
from patolli.check.proofs.known import Bound, Known
from patolli.check.proofs.prover import Prover
from patolli.kernel.payments import MOST
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a number may be: within an interval and, where all items of its list are known, one of some ``values``."""

    within: Interval
    values: frozenset[int] | None = None

    def all(self, most: int) -> Sequence[int] | None:
        """Return all that it may be in ascending order; None where that is not known, or more than *most* are."""
        low, high = self.within.low, self.within.high
        if self.values is not None:
            found = [n for n in sorted(self.values) if (low is None or low <= n) and (high is None or n <= high)]
            return found if len(found) <= most else None
        return None if low is None or high is None or high - low >= most else range(low, high + 1)


LISTED = 1 << 10
"""The most numbers of a list that are listed one by one."""


def numbers(prover: Prover, rule: str, binders: Sequence[x.Binder], where: x.Expr | None) -> list[Numbers]:
    """Return what each of some variables may be that are chosen together, where it is a number.

    A condition on them counts: of ``n in bid + 1..bid + 5 where n <= coin`` no more is known than the most coins. Of a
    list such as ``{1, 5, 10}`` each item counts, and not the numbers between them.
    """
    known: Known = _initial_facts(prover, rule)
    if where is not None:
        known = known.assuming(where)
    found = []
    for binder in binders:
        item = prover.domain.of(binder.source, known).item
        known = Bound(known, binder.variable, item or UNKNOWN)
        local = x.Local(binder.variable, type=binder.variable.type, span=binder.span)
        found.append(Numbers(prover.domain.number(local, known), _items(prover, binder.source, known)))
    return found


def _items(prover: Prover, source: x.Expr, known: Known) -> frozenset[int] | None:
    """Return all numbers that may be in a list; None where that is not known, or there may be very many."""
    parts: list[x.Expr] = []
    ranges: list[Interval] = []
    match source:
        case x.ListOf():
            ranges = [prover.domain.number(item, known) for item in source.items]
        case x.Range():
            low, high = (prover.domain.number(end, known) for end in (source.low, source.high))
            ranges = [Interval(low.low, high.high)]
        case x.Joined():
            parts = [source.left, source.right]
        case x.IfElse():
            parts = [source.then, source.other]
        case x.ConstantNamed():
            value = prover.program.constants[source.name].value
            if not isinstance(value, list | tuple):
                return None
            items = [one for one in value if isinstance(one, x.Expr)]
            if len(items) < len(value):
                return None
            ranges = [prover.domain.number(one, known) for one in items]
        case _:
            return None
    found: set[int] = set()
    for part in parts:
        inner = _items(prover, part, known)
        if inner is None:
            return None
        found |= inner
    for one in ranges:
        if one.low is None or one.high is None or one.high - one.low >= LISTED:
            return None
        found |= set(range(one.low, one.high + 1))
    return frozenset(found)


def length(prover: Prover, rule: str, binders: Sequence[x.Binder]) -> int | None:
    """Return how many answers there are at most, taken from how long the lists may be; None where that is not known."""
    known, most = _initial_facts(prover, rule), 1
    for binder in binders:
        high = prover.domain.length(binder.source, known).high
        if high is None:
            return None
        most *= max(0, high)
    return most


def ways(prover: Prover, effect: e.Pay | e.Gain) -> int:
    """Return how many ways there are at most to pay or to gain something.

    A mix of *n* out of a group of *k* counters can be made in C(n + k - 1, k - 1) ways. Where something may stand for
    something else there may be more; the solver of the kernel gives no more than ``MOST`` in any case.
    """
    model, most = prover.program, 1
    if isinstance(effect, e.Pay) and (_offers(model, effect) or any(isinstance(i, e.CostItem) for i in effect.items)):
        return MOST
    found = [_mixes(prover, item) for item in effect.items if isinstance(item, e.MixItem)]
    if isinstance(effect, e.Gain):  # each mix is a question of its own
        return min(MOST, max(found, default=1))
    for number in found:
        most *= number
    return min(MOST, most)


def _offers(model: Program, pay: e.Pay) -> bool:
    """Return whether more than what is owed may be paid, or less."""
    tags = {tag for one in model.discounts for tag in one.on} | {tag for one in model.waivers for tag in one.on}
    return bool(model.substitutions) or pay.tag in tags


def _mixes(prover: Prover, item: e.MixItem) -> int:
    high, parts = prover.domain.number(item.amount).high, len(item.counters)
    if high is None or high > MOST:
        return MOST
    return min(MOST, comb(max(0, high) + parts - 1, parts - 1))


def _initial_facts(prover: Prover, rule: str) -> Facts:
    found = prover.program.rules.get(rule)
    return prover.get_initial_facts(found) if found is not None else prover.facts()


__all__ = ["Interval", "length", "numbers", "ways"]
