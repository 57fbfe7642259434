"""Whether a game still is what it was: measures, by how much each may move, and pairs of matches until that is known.

What is reported is valid at any time: intervals are those of a confidence sequence, and the risk is shared out
among the measures. So the pairs grow until each measure is known to have moved or not, and no further. Pairs that are
all the same say nothing of the pairs to come, so they never end a run early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isinf, sqrt
from typing import Any

import numpy as np

from patolli.measure.lab.comparison import RISK, SCALE, Difference, difference
from patolli.measure.lab.measures import Measure
from patolli.measure.lab.paired_runs import pair_rows
from patolli.measure.lab.statistics import BURN, Numbers, plan_pairs
from patolli.measure.lab.store import Store
from patolli.measure.simulation.estimates import judge_in_stages, plan_looks

FIRST, MORE = 100, 1.5
"""After how many pairs one looks first, and how many times as many there are at each further look."""
SHOWN = 3
"""Matches that show how a measure has moved."""
MOVED, KEPT, IDENTICAL, OPEN = "moved", "kept", "identical", "open"
"""What becomes of a measure. ``identical``: it differs by one amount in all pairs, mostly 0, and that is allowed."""
MOST = 0.9
"""The share of pairs that move by one amount, above which that amount says what the measure did."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A measure, and by how much it may move, up or down."""

    measure: Measure
    most: float


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a measure: the verdict, and ``shown``: numbers of matches that show how it has moved."""

    allowed: Allowed
    difference: Difference
    verdict: str
    shown: tuple[int, ...]
    risk: float = RISK

    @property
    def needed(self) -> int | None:
        """After about how many pairs it will be known whether the measure has moved by more than allowed.

        None if the pairs do not say it yet, or if the measure has moved by almost exactly what is allowed.
        """
        change = self.difference.change
        spread = change.error * sqrt(change.count)
        if isinf(self.difference.low) or not 0 < spread < inf:
            return None
        return plan_pairs(spread, abs(self.allowed.most - abs(change.value)), SCALE, self.risk)

    def data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        return {
            **self.difference.data(), "allowed": self.allowed.most, "verdict": self.verdict,
            "matches": list(self.shown), "needed": self.needed if self.verdict == OPEN else None,
        }  # fmt: skip


def find_regressions(
    store: Store, names: tuple[str, str], measures: Sequence[Allowed], most: int,
    play: Callable[[int], object], planned: int = 0,
) -> list[Found]:  # fmt: skip
    """Play pairs until each measure is known to have moved by more than allowed, or not to have.

    After *most* pairs it is planned how many more are needed. If these are *planned* pairs or fewer, they are played.

    Args:
        store: Where facts are.
        names: The variants: before and now.
        measures: What is looked at.
        most: Pairs, if it is not known earlier.
        play: Plays so many matches of both.
        planned: Pairs at most.
    """
    found: list[Found] = []

    def judge(pairs: int) -> list[Found]:
        found[:] = judge_measures(store, names, measures, pairs)
        return found

    def looks() -> Iterator[int]:
        yield from plan_looks(FIRST, MORE, most)
        wanted = [one.needed for one in found if one.verdict == OPEN]
        needed = max((one for one in wanted if one is not None and one <= planned), default=0)
        yield from (look for look in plan_looks(FIRST, MORE, needed + needed // 4) if most < look <= planned)

    return judge_in_stages(looks(), play, judge, lambda found: all(one.verdict in (MOVED, KEPT) for one in found))


def judge_measures(store: Store, names: tuple[str, str], measures: Sequence[Allowed], pairs: int) -> list[Found]:
    """Say what is known of each measure after so many pairs."""
    columns = sorted({column for one in measures for column in one.measure.columns})
    both, rows = pair_rows([store.rows(name, pairs, columns) for name in names])
    return [_judge_measure(one, rows, both, RISK / len(measures)) for one in measures]


def _judge_measure(allowed: Allowed, rows: list[list[Any]], numbers: list[int], risk: float) -> Found:
    one = allowed.measure
    values: list[Numbers] = [
        np.array([np.nan if (value := one.of(row)) is None else value for row in side], dtype=float) for side in rows
    ]
    known = ~np.isnan(values[0]) & ~np.isnan(values[1])
    before, after = values[0][known], values[1][known]
    found = difference(one.name, before, after, one.share, risk)
    verdict = _verdict(found, allowed.most)
    if verdict != MOVED:
        return Found(allowed, found, verdict, (), risk)
    way = 1 if found.change.value > 0 else -1
    order = np.argsort(-way * (after - before), kind="stable")[:SHOWN]
    return Found(allowed, found, MOVED, tuple(int(np.array(numbers)[known][at]) for at in order), risk)


def _verdict(found: Difference, most: float) -> str:
    """Say what became of a measure that may move by *most*.

    Where too few pairs stand out for an interval, nearly all of the others differ by one amount. If that is too much,
    the measure has moved; if it is not, pairs that are yet to come may be anything.
    """
    if found.low > most or found.high < -most:
        return MOVED
    pairs, moved = found.change.count, found.common
    nearly_all = pairs >= BURN and isinf(found.low) and found.alike >= MOST * pairs
    if nearly_all and (min(moved, found.change.value) > most or max(moved, found.change.value) < -most):
        return MOVED
    if found.uniform:
        return IDENTICAL if abs(moved) <= most else OPEN
    return KEPT if -most <= found.low and found.high <= most else OPEN
