"""Runaway leaders: whether the leader at half time wins more often than equal chances in the rest of a match explain.

If all seats gain alike in both halves, a leader at half time of two seats wins 75 % of the matches: those in which the
second half does not matter, and half of the others. What is above that has a cause. The leader gains more than others
in the second half, or little is left to gain then.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from patolli.measure.lab.frame import Frame
from patolli.measure.lab.lead_history import ahead_wins, find_standing_scores, standing
from patolli.measure.lab.run_data import Finding, Run
from patolli.measure.lab.standouts import correct_quantile
from patolli.measure.lab.statistics import Known, Numbers, mean, share
from patolli.measure.simulation.estimates import wilson

RUNAWAY = "runaway leader"
"""The kind and the name of the finding."""
HALF = 0.5
LITTLE = 1 / 3
"""The part of all points below which little is left to gain in the second half."""


def runaway_line(seats: int) -> float:
    """Return the share of wins of a leader at half time above which it runs away."""
    return (1 + 1 / seats) / 2


def find_runaway(run: Run) -> Iterator[Finding]:
    """Find out whether the leader at half time runs away, and why."""
    frame = run.frame
    if frame.seats < 2 or not frame.has_scores or len(set(frame.plan["bots"])) > 1:
        return
    won = ahead_wins(frame, HALF)
    won = won[~np.isnan(won)]
    line, value = runaway_line(frame.seats), float(won.mean()) if len(won) else 0.0
    low, high = wilson(float(won.sum()), len(won))
    if wilson(float(won.sum()), len(won), correct_quantile(1, run.rate))[0] <= line:
        return
    text = f"the leader at half time wins {100 * value:.0f} % ({100 * low:.0f} to {100 * high:.0f}) of the matches; "
    text += f"{100 * line:.0f} % if all seats gain alike in both halves"
    more, gains, part = _compare_gains(frame)
    causes = run.content.score_effects if more.low > 0 else []
    if more.low > 0:
        text += f"; it then gains {gains[0]:.1f} points, and each other seat {gains[1]:.1f} ({more.low:.1f} to "
        text += f"{more.high:.1f} more): what has put it ahead brings more points"
        if causes:
            text += f"; the score of a player decides what {' and '.join(rule for rule, _ in causes)} gives"
    elif part < LITTLE:
        text += f"; only {100 * part:.0f} % of the points are gained in the second half"
    shown = frame.match[np.flatnonzero(ahead_wins(frame, HALF) == 1)[:3]]
    yield Finding(RUNAWAY, RUNAWAY, text, causes[0][1] if causes else "", [int(one) for one in shown])


def is_caught(run: Run) -> bool:
    """Return whether the leader at half time surely does not run away."""
    known = share(ahead_wins(run.frame, HALF)) if run.frame.has_scores and run.frame.seats > 1 else None
    return known is not None and known.count > 0 and known.high < runaway_line(run.frame.seats)


def _compare_gains(frame: Frame) -> tuple[Known, tuple[float, float], float]:
    """Return how many points more the leader gains in the second half than each other seat.

    Returns:
        The difference, both gains, and the part of all points that is gained in the second half.
    """
    leader, half = standing(frame, HALF), find_standing_scores(frame, HALF)
    kept = leader >= 0
    first, gained, leader = half[kept], (frame.scores - half)[kept], leader[kept]
    own: Numbers = gained[np.arange(len(leader)), leader]
    others = (gained.sum(axis=1) - own) / (frame.seats - 1)
    all_ = float(first.sum() + gained.sum())
    part = float(gained.sum()) / all_ if all_ > 0 else 1.0
    return mean(own - others), (float(own.mean()), float(others.mean())), part
