"""Kingmaking: options with which a losing player decides who wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from patolli.measure.lab.content import Content
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.run_data import OFTEN, Finding
from patolli.measure.lab.worth import Thing
from patolli.measure.simulation.estimates import wilson

GIVEN = ("option", "seat", "to", "times", "points")
"""Columns of options that change the scores of other seats."""
HALF = 0.5
"""The share of its choices in which an option must give points to others to count."""
DECIDES = 0.01
"""The minimum share of matches that these options decide."""


@dataclass(frozen=True, slots=True)
class Kingmaker:
    """An option that gives points to others: how often, how many, and the matches that a loser decided with it."""

    name: str
    times: int
    points: int
    decided: tuple[int, ...]


def list_kingmakers(frame: Frame, options: list[Thing]) -> list[Kingmaker]:
    """Return the options that give points to others in at least half of their choices.

    They decided a match if other players would have won without the points that losers gave with them.
    """
    table = frame.table("gift", GIVEN)
    chosen = {one.name: one.chosen for one in options}
    scores, found = frame.scores, []
    winners = scores == scores.max(axis=1, keepdims=True)
    for code, name in enumerate(table.names):
        mine = table["option"] == code
        times, points = int(table["times"][mine].sum()), int(table["points"][mine].sum())
        if points <= 0 or times < HALF * max(1, chosen.get(name, 0)):
            continue
        mine &= ~winners[table.match, table["seat"]]
        without = scores.copy()
        np.subtract.at(without, (table.match[mine], table["to"][mine]), table["points"][mine].astype(float))
        other = (without == without.max(axis=1, keepdims=True)) != winners
        found.append(
            Kingmaker(name, times, points, tuple(int(frame.match[one]) for one in np.flatnonzero(other.any(axis=1))))
        )
    return sorted(found, key=lambda one: -len(one.decided))


def kingmakers(frame: Frame, options: list[Thing], content: Content) -> Iterator[Finding]:
    """Report options with which a losing player decides who wins."""
    if frame.seats < 3 or not frame.has_scores:
        return
    chosen = {one.name: one.chosen for one in options}
    for one in list_kingmakers(frame, options):
        low, high = wilson(len(one.decided), len(frame))
        if low > DECIDES and chosen[one.name] >= OFTEN:
            text = (
                f"{one.name} gives other players {one.points / one.times:.1f} points; in {100 * low:.1f} to "
                f"{100 * high:.1f} % of the matches a loser decides with it who wins"
            )
            yield Finding("kingmaker", one.name, text, content.option(one.name), list(one.decided[:3]))
