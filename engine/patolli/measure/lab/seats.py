"""Seats that win more or less than their share, and what they have more of."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np

from patolli.measure.lab.content import Content
from patolli.measure.lab.frame import Frame, Table
from patolli.measure.lab.kingmaking import GIVEN
from patolli.measure.lab.run_data import OFTEN, RATE, Finding
from patolli.measure.lab.statistics import Numbers, believed_of, mean, two_sided_p
from patolli.measure.simulation.estimates import wilson

MOSTLY = 0.5
"""Which part of what a seat is ahead by comes from no source, where that is reported."""


def seats(frame: Frame, content: Content, rate: float = RATE) -> Iterator[Finding]:
    """Find seats that win more or less than their share, and say what they have more of."""
    n = len(frame)
    if n < OFTEN or frame.seats < 2 or len(set(frame.plan["bots"])) > 1:
        return
    fair = float(frame.wins.mean())  # less than one in so many if matches can end without a winner
    wins = frame.wins - frame.wins.mean(axis=1, keepdims=True)
    chances = [_far(wins[:, seat]) for seat in range(frame.seats)]
    if frame.has_scores:
        chances += [_far(frame.ahead[:, seat]) for seat in range(frame.seats)]
    sure = believed_of(chances, rate)
    judged = range(frame.seats)
    if frame.seats == 2:  # what one has more the other has less: one finding says it
        judged = range(1) if _better(wins, frame) else range(1, 2)
    for seat in judged:
        if any(sure[seat :: frame.seats]):
            low, high = wilson(float(frame.wins[:, seat].sum()), n)
            better = bool(wins[:, seat].mean() > 0)
            reason, where = _reason(frame, content, seat)
            text = (
                f"seat {seat + 1} wins {100 * frame.wins[:, seat].mean():.1f} % of the matches ({100 * low:.1f} to "
                f"{100 * high:.1f}), {_compare(low, high, fair)} its share of {100 * fair:.1f} %"
            )
            if frame.has_scores:
                known = mean(frame.ahead[:, seat])
                text += f", and is {known.value:+.2f} points ahead ({known.low:+.2f} to {known.high:+.2f})"
            rows = np.flatnonzero((frame.wins[:, seat] > 0) == better)[:3]
            yield Finding("seat", f"seat {seat + 1}", text + reason, where, [int(frame.match[one]) for one in rows])


def _compare(low: float, high: float, fair: float) -> str:
    """Compare the interval of a share with a fair share, in words."""
    return "more than" if low > fair else "less than" if high < fair else "which may be"


def _better(wins: Numbers, frame: Frame) -> bool:
    """Return whether the first of two seats is the better one: by wins, and where these are even by points."""
    return (wins[:, 0].mean(), frame.ahead[:, 0].mean() if frame.has_scores else 0.0) >= (0.0, 0.0)


def _far(values: Numbers) -> float:
    """Return how often a mean is so far from 0 at random."""
    known = mean(values)
    return two_sided_p(known.value / known.error) if known.error > 0 else 1.0


def _reason(frame: Frame, content: Content, seat: int) -> tuple[str, str]:
    """Return where most of the points come from that a seat has more, or less, than the others, and where that stands.

    A source that speaks against what the seat wins is no reason for it, and none is given where wins and points differ.
    What comes from no source is what rules give by themselves, as at the end.
    """
    found = _sources(frame, seat)
    more = float(frame.wins[:, seat].mean() - frame.wins.mean())
    ahead = float(frame.ahead[:, seat].mean()) if found else 0.0
    if more * ahead <= 0:
        return "", ""
    reported = len(found) > 1  # else it was not counted what options give
    rest = ahead - sum(points for _, points, _ in found) if reported else 0.0
    found = [one for one in found if one[1] * more > 0 and abs(one[1]) >= 3 * one[2]]
    name, points, _ = max(found, key=lambda one: abs(one[1]), default=("", 0.0, 0.0))
    comparison = "more" if ahead > 0 else "less"
    if rest * more > 0 and abs(rest) > max(abs(points), MOSTLY * abs(ahead)):
        return f"; rules without an option give it {abs(rest):.2f} points {comparison}", ""
    if not found:
        return "", ""
    where = content.rule("setup") if name == START else content.option(name)
    words = "before the first choice" if name == START else f"with {name!r}"
    return f"; {words} it gets {abs(points):.2f} points {comparison} than the others", where


START = ""
"""The name of what there is before the first choice."""


def _sources(frame: Frame, seat: int) -> list[tuple[str, float, float]]:
    """Return by source how many points a seat gets more than the others on average, and the standard error at most.

    What an option brings to others than who chose it counts as well: rules may give all seats points at the end of the
    turn of one of them.
    """
    if not frame.has_scores:
        return []
    _, turn, scores = frame.course
    others = max(1, frame.seats - 1)
    first = scores[turn == 0]
    start = first[:, seat] - (first.sum(axis=1) - first[:, seat]) / others
    found = [(START, float(start.mean()), float(start.std(ddof=1)) / sqrt(len(start)) if len(start) > 1 else 0.0)]
    table, given = frame.table("option", ("id", "seat", "points")), frame.table("gift", GIVEN)
    if not frame.has_causes.any():
        return found
    means, errors = _apart(frame, table, "id", table["seat"] == seat)
    more, wider = _apart(frame, given, "option", given["to"] == seat)
    names = dict.fromkeys([*means, *more])
    return found + [
        (name, means.get(name, 0.0) + more.get(name, 0.0), errors.get(name, 0.0) + wider.get(name, 0.0))
        for name in names
    ]


def _apart(frame: Frame, table: Table, which: str, mine: Any) -> tuple[dict[str, float], dict[str, float]]:
    """Return by name how many points of a table a seat gets more than the others, and the standard errors."""
    weight = np.where(mine, 1.0, -1.0 / max(1, frame.seats - 1)) * np.nan_to_num(table["points"])
    n = int(frame.has_causes.sum())
    total, squares = table.sums(table[which], weight, len(table.names), len(frame))
    means = total / n
    errors = np.sqrt(np.maximum(0.0, squares / n - means * means) / max(1, n - 1))
    return (
        dict(zip(table.names, means.tolist(), strict=True)),
        dict(zip(table.names, errors.tolist(), strict=True)),
    )
