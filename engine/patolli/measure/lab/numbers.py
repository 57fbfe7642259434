"""The numbers of a report: each with its interval, what it means, what it does not say, and matches that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from patolli.measure.lab import lead_history
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.kingmaking import list_kingmakers
from patolli.measure.lab.luck import read_found, shares
from patolli.measure.lab.openings import count_openings, estimate_variety
from patolli.measure.lab.pack_measures import Ends, compute_measures
from patolli.measure.lab.run_data import Run
from patolli.measure.lab.statistics import Known, Numbers, mean, share


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a report.

    Attributes:
        group: Under what heading it stands.
        name: What it is called.
        known: Its value and interval, as a share where ``share``.
        means: How it is computed.
        limits: What it does not say.
        matches: Numbers of matches that show it; as :class:`Ends` from the least value to the largest.
    """

    group: str
    name: str
    known: Known
    means: str
    limits: str
    matches: tuple[int, ...] = ()
    share: bool = False

    def data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        return {
            "group": self.group, "name": self.name, **self.known.data(), "share": self.share, "means": self.means,
            "limits": self.limits, "examples": list(self.matches), "ends": isinstance(self.matches, Ends),
        }  # fmt: skip


def numbers(run: Run) -> list[Number]:
    """Return all numbers of a run that make sense for its game: no share that may still be anything."""
    frame = run.frame
    found = [*_seats(frame), *_bots(frame), *_luck(frame), *_lengths(frame)]
    if frame.has_scores:
        found += _scores(frame)
        if frame.seats > 1:
            found += _course(frame)
    if frame.seats > 2 and frame.has_scores:
        found.append(_describe_kingmaking(run))
    own = [Number("Measures of the pack", *one) for one in compute_measures(run)]
    return [
        one
        for one in (*found, *own, *_choices(frame), *_openings(frame), *_sources(frame))
        if not _may_be_anything(one)
    ]


def _may_be_anything(one: Number) -> bool:
    """Return whether an interval of a share excludes nothing; what is said to be unknown stays."""
    return one.share and not isnan(one.known.value) and one.known.low <= 0 and one.known.high >= 1


def _first(frame: Frame, chosen: Any, most: int = 3) -> tuple[int, ...]:
    return tuple(int(frame.match[at]) for at in np.flatnonzero(chosen)[:most])


def _ends(frame: Frame, values: Numbers) -> Ends:
    """Return the matches with the least, the middle and the largest value; those without one are left out."""
    order = np.argsort(values, kind="stable")[: np.count_nonzero(~np.isnan(values))]
    return Ends(dict.fromkeys(int(frame.match[order[at]]) for at in (0, len(order) // 2, -1)) if len(order) else ())


_PLAYED = "This is valid for these bots; other bots and people may play differently."


def _seats(frame: Frame) -> Iterator[Number]:
    means = "Share of matches that this seat wins. A shared win is divided equally."
    limits = f"In a fair game, all seats have the same share. {_PLAYED}"
    for seat in range(frame.seats):
        won = frame.wins[:, seat]
        yield Number("Balance", f"seat {seat + 1} wins", share(won), means, limits, _first(frame, won > 0), True)
    several = (frame.wins > 0).sum(axis=1)
    none = share((several != 1).astype(float))
    means = "Share of matches with several winners or none."
    yield Number("Balance", "no single winner", none, means, _PLAYED, _first(frame, several != 1), True)


def _bots(frame: Frame) -> Iterator[Number]:
    """Yield how often each kind of bot wins, where there are several kinds: how much skill decides."""
    bots = list(frame.plan["bots"])
    for kind in sorted(set(bots)) if len(set(bots)) > 1 else ():
        seats = [seat for seat, one in enumerate(bots) if one == kind]
        won = frame.wins[:, seats].sum(axis=1)
        means = f"Share of wins by the bots {kind}, on {len(seats)} of {len(bots)} seats."
        limits = "A share above that of the seats shows skill. The bots did not swap seats."
        yield Number("Luck and skill", f"{kind} wins", share(won), means, limits, _first(frame, won > 0), True)


def _luck(frame: Frame) -> Iterator[Number]:
    """Yield what each source of chance decides, if that was found out for the run."""
    found = read_found(frame.store, frame.variant)
    means = (
        "Share of the variance of seat 1's lead that involves this random source. Matches are replayed with new draws."
    )
    for source, known in shares(found).items() if found is not None else ():
        limits = f"Sources interact, so shares may add up to more than 100 %. {_PLAYED}"
        yield Number("Luck and skill", source, known, means, limits, (), True)


def _lengths(frame: Frame) -> Iterator[Number]:
    words = {
        "rounds": "Rounds around the table; rules may count others. A round ends when a seat takes its second turn.",
        "turns": "Turns per match. A turn is a sequence of choices and forced moves of one seat.",
        "choices": "Choices with at least two options, of all seats per match.",
    }
    for name, means in words.items():
        values = frame.column(name)
        limits = f"Mean; minimum {values.min():,.0f}, maximum {values.max():,.0f}. {_PLAYED}"
        yield Number("Length", name, mean(values), means, limits, _ends(frame, values))


def _scores(frame: Frame) -> Iterator[Number]:
    for seat in range(frame.seats):
        values = frame.scores[:, seat]
        yield Number(
            "Scores", f"score of seat {seat + 1}", mean(values), "Mean score at the end.", _PLAYED,
            _ends(frame, values),
        )  # fmt: skip
    best = frame.scores.max(axis=1)
    yield Number("Scores", "best score", mean(best), "The highest score of a match.", _PLAYED, _ends(frame, best))
    if frame.seats > 1:
        margin = best - np.sort(frame.scores, axis=1)[:, -2]
        means = "Points between the best and the second-best score at the end."
        yield Number("Scores", "margin", mean(margin), means, _PLAYED, _ends(frame, margin))


def _course(frame: Frame) -> Iterator[Number]:
    noted = "Based on scores before at most 64 turns per match, so changes in between are missing."
    match, _, leads = frame.leading
    if not (leads >= 0).any():  # the score is only known at the end
        return
    changes = lead_history.lead_changes(frame)
    means = "How often the sole leader changes."
    yield Number("Course", "lead changes", mean(changes), means, noted, _ends(frame, changes))
    lost, comeback = lead_history.find_lost_leads(frame), lead_history.find_comebacks(frame)
    means = "Drama: the largest lead that a sole leader had before another seat took the lead, averaged over changes."
    yield Number("Course", "lead before it is lost", mean(lost), means, noted, _ends(frame, lost))
    means = "Drama: the largest lead that another seat had over the later winner, in points; 0 if there was none."
    yield Number("Course", "winner behind by", mean(comeback), means, noted, _ends(frame, comeback))
    best = lead_history.winner(frame)
    behind = (leads != best[match]) & (best[match] >= 0)
    counts = np.maximum(1, np.bincount(match, minlength=len(frame)))
    drama = np.bincount(match, behind, len(frame)) / counts
    drama[(best < 0) | ~frame.has_course] = np.nan
    means = "Drama: share of these turns at which the winner was not the sole leader."
    limits = f"{noted} 0 % means that the winner always led. The tie at the start counts."
    yield Number("Course", "winner not ahead", mean(drama), means, limits, _ends(frame, drama), True)
    means = "Decisiveness: part of the match after which the winner is always the sole leader."
    last = lead_history.find_decision_points(frame)
    yield Number("Course", "decided after", mean(last), means, noted, _ends(frame, last), True)
    for part in lead_history.QUARTERS:
        kept = lead_history.ahead_wins(frame, part)
        means = f"Snowballing: share of matches that the sole leader after {part:.0%} of the turns wins."
        limits = (
            f"{noted} Matches without a sole leader at this point are excluded. {1 / frame.seats:.0%} would be random."
        )
        examples = _first(frame, kept == 0)
        yield Number("Course", f"ahead at {part:.0%} wins", share(kept), means, limits, examples, True)


def _describe_kingmaking(run: Run) -> Number:
    means = "Share of matches with another winner if losers had not given points away."
    scored = run.frame.has_causes
    if not scored.any():
        limits = "The points that a choice gives to others were not recorded."
        return Number("Course", "kingmaking", Known.nothing(len(run.frame)), means, limits, (), True)
    decided = {n for one in list_kingmakers(run.frame) for n in one.decided}
    values = np.array([float(n in decided) for n in run.frame.match[scored].tolist()])
    limits = "Counts options that give points to others in at least half of their choices, but not blocking."
    if not scored.all():
        limits += f" Based on the {int(scored.sum()):,} matches with scores before each choice."
    return Number("Course", "kingmaking", share(values), means, limits, tuple(sorted(decided)[:3]), True)


def _choices(frame: Frame) -> Iterator[Number]:
    means = "Branching: mean number of options per choice."
    limits = "Options with the same effect count separately."
    yield Number(
        "Choices", "options of a question", mean(frame.branching), means, limits, _ends(frame, frame.branching)
    )
    means = "Forced moves: share of decisions with only one option, which are made automatically."
    limits = "Includes payments that are possible in only one way; excludes decisions without options."
    yield Number(
        "Choices", "no choice", mean(frame.forced_share), means, limits, _ends(frame, frame.forced_share), True
    )
    means = "Dead turns: share of turns in which a seat had only forced moves."
    limits = "Turns without any decision are not counted."
    yield Number("Choices", "dead turns", mean(frame.dead), means, limits, _ends(frame, frame.dead), True)


def _openings(frame: Frame) -> Iterator[Number]:
    means = "Variety: the first choices of this seat vary as much as this many equally frequent options."
    limits = f"Options with the same name count as one. The cards of a seat also decide what can be chosen. {_PLAYED}"
    for seat, counts in enumerate(count_openings(frame)):
        if len(counts):
            yield Number("Choices", f"openings of seat {seat + 1}", estimate_variety(counts), means, limits)


def _sources(frame: Frame) -> Iterator[Number]:
    """Yield the points by category of the score sheet."""
    table = frame.table("source", ("id", "seat", "points"), kept=False)
    sheets = np.unique(table.match)
    if not len(sheets):
        return
    means = "Points in this category of the score sheet, averaged over seats."
    limits = f"Based on the score sheets of {len(sheets):,} matches."
    place = np.searchsorted(sheets, table.match)
    for code, name in enumerate(table.names):
        mine = table["id"] == code
        sums = np.bincount(place[mine], table["points"][mine], len(sheets)) / frame.seats
        shown = tuple(int(frame.match[sheets[at]]) for at in np.argsort(-sums, kind="stable")[:2])
        yield Number("Points by source", name, mean(sums), means, limits, shown)
