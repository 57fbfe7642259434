"""Kingmaking: options with which a losing player decides who wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from patolli.measure.lab.content import Content
from patolli.measure.lab.frame import OPTION, Frame
from patolli.measure.lab.run_data import OFTEN, Finding
from patolli.measure.simulation.estimates import wilson

GIVEN = ("option", "seat", "to", "times", "points")
"""Columns of options that change the scores of other seats."""
HALF = 0.5
"""The share of its choices in which an option must give points to others to count, for each seat.

If players choose secretly, all points come after the choice of the last seat. So the others seem to give nothing.
"""
DECIDES = 0.01
"""The minimum share of matches that these options decide."""


@dataclass(frozen=True, slots=True)
class Kingmaker:
    """An option that gives points to others: how often, how many, and the matches that a loser decided with it.

    ``chosen`` is how often it was chosen at all in matches that say so.
    """

    name: str
    chosen: int
    times: int
    points: int
    decided: tuple[int, ...]


def list_kingmakers(frame: Frame) -> list[Kingmaker]:
    """Return the options that give points to others in at least half of the choices of each seat.

    They decided a match if other players would have won without the points that losers gave with them.
    """
    table, options = frame.table("gift", GIVEN), frame.table("option", OPTION)
    whose = options["id"] * frame.seats + options["seat"]
    counts = np.bincount(whose, options["chosen"] * frame.has_causes[options.match], len(options.names) * frame.seats)
    chosen = dict(zip(options.names, counts.reshape(-1, frame.seats), strict=True))
    scores, found = frame.scores, []
    winners = scores == scores.max(axis=1, keepdims=True)
    for code, name in enumerate(table.names):
        mine = table["option"] == code
        times, points = int(table["times"][mine].sum()), int(table["points"][mine].sum())
        given = np.bincount(table["seat"][mine], table["times"][mine], frame.seats)
        if points <= 0 or (given < HALF * chosen[name]).any():
            continue
        mine &= ~winners[table.match, table["seat"]]
        without = scores.copy()
        np.subtract.at(without, (table.match[mine], table["to"][mine]), table["points"][mine].astype(float))
        other = (without == without.max(axis=1, keepdims=True)) != winners
        found.append(
            Kingmaker(
                name,
                int(chosen[name].sum()),
                times,
                points,
                tuple(frame.match[np.flatnonzero(other.any(axis=1))].tolist()),
            )
        )
    return sorted(found, key=lambda one: -len(one.decided))


def kingmakers(frame: Frame, content: Content) -> Iterator[Finding]:
    """Report options with which a losing player decides who wins."""
    if frame.seats < 3 or not frame.has_scores:
        return
    for one in list_kingmakers(frame):
        low, high = wilson(len(one.decided), int(frame.has_causes.sum()))
        if low > DECIDES and one.chosen >= OFTEN:
            text = (
                f"{one.name} gives other players {one.points / one.times:.1f} points; in {100 * low:.1f} to "
                f"{100 * high:.1f} % of the matches a loser decides with it who wins"
            )
            yield Finding("kingmaker", one.name, text, content.option(one.name), list(one.decided[:3]))
