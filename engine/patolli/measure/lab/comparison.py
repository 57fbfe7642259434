"""Two variants on the same seeds: what the change between them does, pair by pair.

Chance is drawn by name, so that a match of both begins alike and stays alike until the change matters. Differences of
such pairs vary less than those of any two matches, and pairs that the change never met say so: they are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isinf
from typing import Any

import numpy as np

from patolli.measure.lab.facts import UNHASHED, Row
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.lead_history import lead_changes
from patolli.measure.lab.pack_measures import latest
from patolli.measure.lab.paired_runs import find_unpaired_key
from patolli.measure.lab.statistics import (
    BURN,
    LEAST,
    Known,
    Numbers,
    adjust_p_values,
    correlation,
    estimate_pairs,
    mean,
    round_digits,
    sequence,
    two_sided_p,
)
from patolli.measure.lab.store import StoreError
from patolli.measure.lab.units import between, number, unit

SCALE = 500
"""After how many pairs the sequence is narrowest."""
RISK = 0.05
"""How often any of all the differences may be reported wrongly, at any time."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What a number is in both, and how much more it is in the second.

    ``low`` and ``high`` are valid for all numbers at once and at any time; ``correlation`` is that of the pairs,
    ``unpaired`` how many times as many pairs it would take with other seeds for each, and ``varies`` says whether not
    all pairs differ by the same. The most pairs differ by ``common``, which is 0 if they are the same: ``alike`` pairs.
    """

    name: str
    share: bool
    before: Known
    after: Known
    change: Known
    low: float
    high: float
    correlation: float
    unpaired: float
    varies: bool
    common: float
    alike: int

    @property
    def sure(self) -> bool:
        """Whether there surely is a difference."""
        return self.low > 0 or self.high < 0 or bool(self.uniform and self.common and self.alike >= BURN)

    @property
    def uniform(self) -> bool:
        """Whether all pairs differ by the same, or not at all."""
        return 0 < self.alike == self.change.count

    @property
    def words(self) -> str:
        """The difference in words of the game, with the interval that holds for all numbers and at all times."""
        name, share, value = self.name, self.share, self.change.value
        if self.uniform and not self.common:
            return f"{name}: the same in all {self.alike:,} pairs"
        if not self.sure:
            known = not isinf(self.low)
            ends = f"no difference found ({between(self.low, self.high, share)}{unit(share)})"
            return f"{name}: {ends if known else 'too few pairs'}"
        scale = 100 if share else 1
        least, most = sorted(scale * abs(one) for one in (self.low, self.high))
        way = "more" if value > 0 else "less"
        much = f"{scale * abs(value):,.2f}{unit(share)} {way}{' often' if share else ''}"
        sure = "in every pair" if self.uniform else f"{least:,.2f} to {most:,.2f}"
        return (
            f"{name} {much} ({sure}): {number(self.after.value, share)} instead of {number(self.before.value, share)}"
        )

    def data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        return {
            "name": self.name, "share": self.share, "before": self.before.data(), "after": self.after.data(),
            "change": self.change.data(), "always_low": round_digits(self.low), "always_high": round_digits(self.high),
            "sure": self.sure, "correlation": round_digits(self.correlation),
            "unpaired": round_digits(self.unpaired) if self.varies else None, "words": self.words,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Taken:
    """A piece or an option: how many more of the pairs it is taken in; ``believed`` as in a report."""

    name: str
    before: int
    after: int
    change: Known
    believed: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of a comparison: how many pairs, how many of them are the same, and what differs."""

    pairs: int
    same: int
    left_out: int
    differences: list[Difference]
    taken: list[Taken]


def numbers_of(frame: Frame) -> dict[str, tuple[Numbers, bool]]:
    """Return the numbers that are compared, by match, and whether they are shares."""
    found: dict[str, tuple[Numbers, bool]] = {
        f"seat {seat + 1} wins": (frame.wins[:, seat], True) for seat in range(frame.seats)
    }
    if frame.has_scores:
        found |= {f"score of seat {seat + 1}": (frame.scores[:, seat], False) for seat in range(frame.seats)}
        found["best score"] = frame.scores.max(axis=1), False
        found["lead changes"] = lead_changes(frame), False
    found |= {name: (frame.column(name), False) for name in ("choices", "turns", "rounds")}
    found["options of a question"] = frame.branching, False
    found |= {"no choice": (frame.forced_share, True), "dead turns": (frame.dead, True)}
    return found | {_free(name, found): of for name, of in _measures(frame)}


def _free(name: str, taken: Iterable[str]) -> str:
    """Return what a measure of a pack is called: with its section where every game has a number of that name."""
    words = name.replace("_", " ")
    return f"measures/{name}" if words in taken else words


def _measures(frame: Frame) -> Iterator[tuple[str, tuple[Numbers, bool]]]:
    """Yield the measures of the pack: the last of a match, mean over seats; values of only 0 and 1 make a share."""
    table = frame.table("measure", ("id", "nth", "value"))
    for code, name in enumerate(table.names):
        mine = table["id"] == code
        match, nth, value = table.match[mine], table["nth"][mine], table["value"][mine].astype(float)
        at = nth == latest(len(frame), match, nth)[match]
        count = np.bincount(match[at], minlength=len(frame))
        sums = np.bincount(match[at], value[at], len(frame))
        yield name, (np.where(count > 0, sums / np.maximum(count, 1), np.nan), set(np.unique(value)) == {0.0, 1.0})


def compare(before: Frame, after: Frame) -> Comparison:
    """Compare two variants pair by pair. Raises StoreError: other seeds, players or bots, or too few pairs."""
    if key := find_unpaired_key(before.plan, after.plan):
        raise StoreError(
            f"the runs have different {key}: {before.plan[key]} and {after.plan[key]}; "
            "a comparison needs the same players, bots, seed, and limit"
        )
    both, one, other = np.intersect1d(before.match, after.match, return_indices=True)
    if len(both) < LEAST:
        raise StoreError(f"too few pairs: {len(both)} matches are in both runs, and at least {LEAST} are needed")
    first, second = numbers_of(before), numbers_of(after)
    names = [name for name in first if name in second]
    differences = []
    for name in names:
        was, now = first[name][0][one], second[name][0][other]
        known = ~np.isnan(was) & ~np.isnan(now)
        share = first[name][1] and second[name][1]
        if known.any():
            differences.append(difference(name, was[known], now[known], share, RISK / len(names)))
    left_out = before.played + after.played - 2 * len(both)
    return Comparison(
        len(both), _same(before, after, both), left_out, differences, _compare_options(before, after, one, other)
    )


def difference(name: str, before: Numbers, after: Numbers, share: bool, risk: float = RISK) -> Difference:
    """Return the difference of a number of pairs, with the second minus the first."""
    change = after - before
    spread, apart = (float(change.var()), float(before.var() + after.var())) if len(change) else (0.0, 0.0)
    ends = sequence(change, SCALE, risk, 2.0 if share else None)
    low, high = (float(ends[0][-1]), float(ends[1][-1])) if len(change) else (float("-inf"), float("inf"))
    if share and not (isinf(low) or isinf(high)):
        low, high = max(-1.0, low), min(1.0, high)
    common, alike = Counter(change.tolist()).most_common(1)[0] if len(change) else (0.0, 0)
    known = estimate_pairs(change)[0] if share else mean(change)
    if not share and alike == len(change):  # nothing is known of the spread, so the interval has no end
        known = Known(known.value, float("-inf"), float("inf"), known.count)
    return Difference(
        name, share, mean(before), mean(after), known, low, high, correlation(before, after),
        apart / spread if spread else float("inf") if apart else 1.0, spread > 0, common, alike,
    )  # fmt: skip


def _same(before: Frame, after: Frame, both: Any) -> int:
    """Return of how many pairs all facts are the same that both have."""
    wanted = set(both.tolist())
    sides = [frame.store.rows(frame.variant, max(wanted) + 1) for frame in (before, after)]
    first, second = ((row for row in rows if row["match"] in wanted) for rows in sides)
    return sum(_alike(one, other) for one, other in zip(first, second, strict=True))


def _alike(one: Row, other: Row) -> bool:
    """Return whether two matches went the same way, whatever counters and measures one of them has besides."""
    if one["digest"] == other["digest"]:
        return _has_same_facts(one, other)
    names = ("counter", "measure")
    shared = {name: set(one[f"{name}_id"]) & set(other[f"{name}_id"]) for name in names}
    if all(shared[name] == set(row[f"{name}_id"]) for row in (one, other) for name in names):
        return False
    return _has_same_facts(_only(one, shared), _only(other, shared))


def _has_same_facts(one: Row, other: Row) -> bool:
    """Return whether two rows say the same; how long the matches took does not count."""
    return {**one, UNHASHED: 0.0} == {**other, UNHASHED: 0.0}


def _only(row: Row, shared: Mapping[str, set[str]]) -> Row:
    """Return a row with these counters and measures alone, and without the hash of a state that holds more."""
    found = dict(row, digest="")
    for name, ids in shared.items():
        kept = [at for at, id_ in enumerate(row[f"{name}_id"]) if id_ in ids]
        found |= {key: [row[key][at] for at in kept] for key in row if key.startswith(f"{name}_")}
    ids_, values = row["counter_id"], row["phase_counters"]
    found["phase_counters"] = [n for at, n in enumerate(values) if ids_[at % len(ids_)] in shared["counter"]]
    return found


def _compare_options(before: Frame, after: Frame, one: Any, other: Any) -> list[Taken]:
    """Return how often each option is chosen in both; credible differences come first."""
    counts = [_count_chosen(frame, rows) for frame, rows in ((before, one), (after, other))]
    found: list[tuple[str, int, int, Known, float]] = []
    for name in sorted(set(counts[0]) | set(counts[1])):
        was, now = (count.get(name, np.zeros(len(one))) for count in counts)
        if was.sum() + now.sum() < LEAST:
            continue
        change, normal = estimate_pairs(now - was)
        found.append((name, int(was.sum()), int(now.sum()), change, two_sided_p(normal)))
    rates = adjust_p_values([chance for *_, chance in found])
    taken = [Taken(*what[:4], rate) for what, rate in zip(found, rates, strict=True)]
    return sorted(taken, key=lambda what: (what.believed, -abs(what.change.value)))


def _count_chosen(frame: Frame, rows: Any) -> dict[str, Numbers]:
    """Return by option in which of the pairs it is chosen."""
    table = frame.table("option", ("id", "chosen"))
    place = np.full(len(frame), -1)
    place[rows] = np.arange(len(rows))
    kept = (table["chosen"] > 0) & (place[table.match] >= 0)
    order = np.argsort(table["id"][kept], kind="stable")
    ids, at = table["id"][kept][order], place[table.match][kept][order]
    ends = np.searchsorted(ids, np.arange(len(table.names) + 1))
    found: dict[str, Numbers] = {}
    for code, name in enumerate(table.names):
        values = np.zeros(len(rows))
        values[at[ends[code] : ends[code + 1]]] = 1
        found[name] = values
    return found
