"""Numbers of a report that a pack asks for: its measures, moment by moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from patolli.language.program.types import BOOL
from patolli.measure.lab.lead_history import winner
from patolli.measure.lab.run_data import Run
from patolli.measure.lab.statistics import Indices, Known, Numbers, mean, share

MOMENTS = 6
"""Moments of a measure that are shown at most; all are in the facts."""
Row = tuple[str, Known, str, str, tuple[int, ...], bool]
"""Of a number its name, value, meaning and limits, matches that show it, and whether it is a share."""


class Ends(tuple[int, ...]):
    """Matches with the least value, one in the middle if there are three, and the largest."""

    __slots__ = ()


def compute_measures(run: Run) -> Iterator[Row]:
    """Yield the numbers of all measures: their mean, and of those of each player how much more winners have."""
    declared = run.content.model.measures
    if not declared:
        return
    table = run.frame.table("measure", ("id", "nth", "seat", "value"))
    for code, name in enumerate(table.names):
        if name not in declared:
            continue
        one = declared[name]
        mine = table["id"] == code
        where = f"{one.moment} {one.rule.replace('_', ' ')}" if one.rule else "at the end of the match"
        means = f"{one.text or name.replace('_', ' ')} Measured {where}{', averaged over seats' if one.each else ''}."
        last = latest(len(run.frame), table.match[mine], table["nth"][mine])
        moments = _kept_by_all(table.match[mine], table["nth"][mine], last)
        for nth in moments[:MOMENTS]:
            at = mine & (table["nth"] == nth)
            yield _number(run, name, nth if last.max() > 1 else 0, table, at, one.formula.body.type == BOOL, means)
        if one.each and run.frame.seats > 1:
            yield from _of_winners(run, name, table, mine & (table["nth"] == last[table.match]), means)


def latest(matches: int, match: Indices, nth: Indices) -> Indices:
    """Return by match the last time that was kept of it; 0 where there was none."""
    last = np.zeros(matches, dtype=np.int64)
    np.maximum.at(last, match, nth)
    return last


def _kept_by_all(match: Indices, nth: Indices, last: Indices) -> list[int]:
    """Return the times that were kept of all matches that came so far: of long ones only every second is, and so on."""
    found: list[int] = []
    for time in np.unique(nth).tolist():
        if len(np.unique(match[nth == time])) == int((last >= time).sum()):
            found.append(time)
    return found


def _number(run: Run, name: str, nth: int, table: Any, at: Any, truth: bool, means: str) -> Row:
    matches, values = _by_match(table.match[at], table["value"][at].astype(float))
    known = share(values) if truth else mean(values)
    called = f"{name.replace('_', ' ')}{f', time {nth}' if nth else ''}"
    limits = f"Only matches with this moment: {len(matches):,}." if nth else ""
    return called, known, means, limits, _ends(run, matches, values), truth


def _of_winners(run: Run, name: str, table: Any, at: Any, means: str) -> Iterator[Row]:
    """Yield how much more those who win alone have than the others."""
    seats, frame = run.frame.seats, run.frame
    match, seat, value = table.match[at], table["seat"][at], table["value"][at].astype(float)
    best = winner(frame)[match]
    kept = best >= 0
    weight = np.where(seat == best, 1.0, -1.0 / (seats - 1))
    sums = np.bincount(match[kept], (weight * value)[kept], len(frame))
    matches = np.unique(match[kept])
    if len(matches) > 1:
        said = f"{means} Difference between a sole winner and the other players, at the last moment."
        called = f"{name.replace('_', ' ')}: lead of the winner"
        limits = "This is a correlation; it may not be the cause of the win."
        yield called, mean(sums[matches]), said, limits, _ends(run, matches, sums[matches]), False


def _by_match(match: Indices, values: Numbers) -> tuple[Indices, Numbers]:
    matches, back = np.unique(match, return_inverse=True)
    return matches, np.asarray(np.bincount(back, values) / np.bincount(back), dtype=float)


def _ends(run: Run, matches: Indices, values: Numbers) -> Ends:
    """Return the matches with the least and the largest value."""
    order = np.argsort(values, kind="stable")
    return Ends(dict.fromkeys(int(run.frame.match[matches[order[at]]]) for at in (0, -1)))
