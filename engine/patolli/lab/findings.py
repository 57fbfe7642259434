"""What of the facts of a run a designer should look at: what stands out so far that chance does not explain it.

Each way of looking is a function that returns findings. All the tests of one way together are held at :data:`RATE`, so
that a report of a game in which there is nothing says nothing in at least 95 of 100 runs, all five ways together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from statistics import median

import numpy as np

from patolli.lab.content import Content
from patolli.lab.frame import Frame
from patolli.lab.statistics import (
    FELLOWS,
    Effect,
    Numbers,
    as_normal,
    believed_of,
    mean,
    never,
    outlier,
    rare,
    twosided,
    wilson,
)
from patolli.lab.worth import Thing, options_of, pieces_of

RATE = 0.01
"""False discovery rate that is allowed to each way of looking."""
OFTEN = 100
"""Matches or questions before something that never happened is told."""
HALF = 0.5
"""Of its choices an option gives points to others in so many, to be told as a gift."""
DECIDES = 0.01
"""Share of the matches that gifts must decide at least."""


TABLES = {
    "option": ("id", "seat", "offered", "chosen", "points"), "gift": ("option", "seat", "to", "times", "points"),
    "seen": ("piece", "round"), "taken": ("piece", "seat", "round"), "used": ("piece", "times"),
    "came": ("place", "times"), "source": ("id", "seat", "points"), "measure": ("id", "nth", "seat", "value"),
}  # fmt: skip


@dataclass(slots=True)
class Finding:
    """Something that stands out.

    Attributes:
        kind: ``seat``, ``dead``, ``dominant``, ``weak``, ``never chosen``, ``never offered`` or ``kingmaker``.
        name: The seat, the piece or the option.
        text: What was found, in a sentence.
        where: ``path:line`` of what causes it, as far as known.
        matches: Numbers of matches that show it.
    """

    kind: str
    name: str
    text: str
    where: str = ""
    matches: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """The facts of a variant, and what is worked out of them for many questions."""

    frame: Frame
    content: Content
    options: list[Thing]
    pieces: list[Thing]

    @classmethod
    def of(cls, frame: Frame, content: Content) -> Run:
        """Work out what options and pieces are worth."""
        frame.fetch(**TABLES)  # what all parts of a report read, at once
        options, table = options_of(frame)
        return cls(frame, content, options, pieces_of(frame, content, table))


def findings(run: Run, against: Run | None = None) -> list[Finding]:
    """Return all that stands out; *against* another run only what is otherwise there, so surely that it is told."""
    frame, content, options, pieces = run.frame, run.content, run.options, run.pieces
    worth = standing_out(options, pieces, content) if against is None else changed(run, against)
    found = [
        *seats(frame, content), *dead(pieces, content), *worth,
        *never_chosen(options, content), *kingmakers(frame, options, content),
    ]  # fmt: skip
    return found if against is None else [one for one in found if _new(one, run, against)]


def _new(found: Finding, run: Run, against: Run) -> bool:
    """Tell whether a finding is none, or surely another one, in the run that it is held against."""
    if found.kind == "seat":
        seat = int(found.name.split()[1]) - 1
        pairs = [(run.frame.wins, against.frame.wins)]
        if run.frame.scored and against.frame.scored:
            pairs.append((run.frame.ahead, against.frame.ahead))
        tests = len(pairs) * run.frame.seats
        return any(_apart(run, against, one[:, seat], other[:, seat]) <= RATE / tests for one, other in pairs)
    if found.kind == "kingmaker":
        tests = max(1, len(gifts(run.frame, run.options)))
        return _apart(run, against, _decided(run, found.name), _decided(against, found.name)) <= RATE / tests
    there = [one for one in (*against.pieces, *against.options) if one.name == found.name]
    if found.kind == "dead":
        return not there or bool(there[0].takers if "taken" in found.text else there[0].seen)
    if found.kind == "never offered":
        return bool(there) or found.name not in against.content.menus
    if found.kind == "never chosen":
        same = [one for one in against.options if against.content.line_of(one.name).rstrip(":") == found.name] or there
        return not same or any(one.chosen for one in same)
    return True


def _apart(run: Run, against: Run, one: Numbers, other: Numbers) -> float:
    """Return how often two means are so far from each other by chance; 1 where none of both varies.

    Matches of runs with the same seeds are pairs.
    """
    plans = run.frame.plan, against.frame.plan
    if all(plans[0][key] == plans[1][key] for key in ("seed", "players", "bots")):
        _, first, second = np.intersect1d(run.frame.match, against.frame.match, return_indices=True)
        known = mean(one[first] - other[second])
        error, value = known.error, known.value
    else:
        error = sqrt(float(one.var()) / max(1, len(one)) + float(other.var()) / max(1, len(other)))
        value = float(one.mean()) - float(other.mean())
    return twosided(value / error) if 0 < error < float("inf") else 1.0


def _decided(run: Run, name: str) -> Numbers:
    """Return by match whether an option that gives points has decided it; see :func:`gifts`."""
    found = {n for one in gifts(run.frame, run.options) if one.name == name for n in one.decided}
    return np.array([float(n in found) for n in run.frame.match.tolist()])


# ---- seats


def seats(frame: Frame, content: Content) -> Iterator[Finding]:
    """Find seats that win more or less than their share, and say what they have more of."""
    n = len(frame)
    if n < OFTEN or frame.seats < 2 or len(set(frame.plan["bots"])) > 1:
        return
    fair = float(frame.wins.mean())  # less than one in so many where it happens that nobody wins
    wins = frame.wins - frame.wins.mean(axis=1, keepdims=True)
    chances = [_far(wins[:, seat]) for seat in range(frame.seats)]
    if frame.scored:
        chances += [_far(frame.ahead[:, seat]) for seat in range(frame.seats)]
    sure = believed_of(chances, RATE)
    for seat in range(frame.seats):
        if any(sure[seat :: frame.seats]):
            low, high = wilson(float(frame.wins[:, seat].sum()), n)
            better = bool(wins[:, seat].mean() > 0)
            reason, where = _reason(frame, content, seat)
            text = (
                f"seat {seat + 1} wins {100 * frame.wins[:, seat].mean():.1f} % of the matches ({100 * low:.1f} to "
                f"{100 * high:.1f}), {'more' if better else 'less'} than its share of {100 * fair:.1f} %"
            )
            if frame.scored:
                known = mean(frame.ahead[:, seat])
                text += f", and is {known.value:+.2f} points ahead ({known.low:+.2f} to {known.high:+.2f})"
            rows = np.flatnonzero((frame.wins[:, seat] > 0) == better)[:3]
            yield Finding("seat", f"seat {seat + 1}", text + reason, where, [int(frame.match[one]) for one in rows])


def _far(values: Numbers) -> float:
    """Return how often a mean is so far from 0 by chance."""
    known = mean(values)
    return twosided(known.value / known.error) if known.error > 0 else 1.0


def _reason(frame: Frame, content: Content, seat: int) -> tuple[str, str]:
    """Return of which source a seat has most more, or less, points than the others, and where that stands."""
    found = _sources(frame, seat)
    if not found:
        return "", ""
    name, points, error = max(found, key=lambda one: abs(one[1]) / max(one[2], 1e-9))
    if abs(points) < 3 * error:
        return "", ""
    where = content.rule("setup") if name == START else content.option(name)
    words = "before the first choice" if name == START else f"with {name!r}"
    return f"; {words} it gets {abs(points):.2f} points {'more' if points > 0 else 'less'} than the others", where


START = ""
"""The name of what there is before the first choice."""


def _sources(frame: Frame, seat: int) -> list[tuple[str, float, float]]:
    """Return by source how many points a seat gets more than the others on average, and the standard error."""
    if not frame.scored:
        return []
    _, turn, scores = frame.course
    others = max(1, frame.seats - 1)
    first = scores[turn == 0]
    start = first[:, seat] - (first.sum(axis=1) - first[:, seat]) / others
    found = [(START, float(start.mean()), float(start.std(ddof=1)) / sqrt(len(start)) if len(start) > 1 else 0.0)]
    table = frame.table("option", ("id", "seat", "points"))
    if "points" not in table.columns:
        return found
    weight = np.where(table["seat"] == seat, 1.0, -1.0 / others) * table["points"]
    size, n = len(table.names), len(frame)
    total, squares = table.sums(table["id"], weight, size, n)
    means, squares = total / n, squares / n
    errors = np.sqrt(np.maximum(0.0, squares - means * means) / max(1, n - 1))
    return found + [(name, float(means[at]), float(errors[at])) for at, name in enumerate(table.names)]


# ---- pieces and options


def dead(pieces: list[Thing], content: Content) -> Iterator[Finding]:
    """Find pieces that are seen and never taken, though others of their kind are, and such as are never seen."""
    for group in _groups(pieces):
        shares = [one.takers / one.seen for one in group if one.seen >= OFTEN]
        usual = median(shares) if shares else 0.0
        sighted = median([one.seen for one in group])
        for one in group:
            if one.seen >= OFTEN and not one.takers and never(one.seen) < usual / 10:
                text = (
                    f"{one.name} was there in {one.seen:,} matches and never taken; "
                    f"others of its kind are in {100 * usual:.0f} % of theirs"
                )
                yield Finding("dead", one.name, text, content.piece(one.name), one.examples)
            elif not one.seen and sighted >= OFTEN:
                text = f"{one.name} was never seen; others of its kind were in {sighted:,.0f} matches"
                yield Finding("dead", one.name, text, content.piece(one.name))


def standing_out(options: list[Thing], pieces: list[Thing], content: Content) -> Iterator[Finding]:
    """Find pieces that are worth far more or less than others of their kind, and options than others of their rule."""
    judged: list[tuple[Thing, float, float]] = []
    for group in [*_groups(pieces), *_groups(_unnamed(options, content))]:
        known = [(one, one.main) for one in group if one.main is not None and one.main.error > 0]
        for one, effect in known:
            others = [(other.value, other.error) for thing, other in known if thing is not one]
            if len(others) >= FELLOWS:
                middle = sum(value for value, _ in others) / len(others)
                judged.append((one, outlier(effect.value, effect.error, others), middle))
    for (one, z, middle), sure in zip(judged, believed_of([twosided(z) for _, z, _ in judged], RATE), strict=True):
        if sure and one.main is not None:
            where = content.piece(one.name) if "/" in one.name else content.option(one.name)
            kind = "dominant" if z > 0 else "weak"
            text = (
                f"{one.name} {_worth(one, one.main)}; others of its kind {_amount(one, middle)}: "
                f"so far off it is {rare(twosided(z))} by chance"
            )
            yield Finding(kind, one.name, text, where, one.examples)


def changed(run: Run, against: Run) -> Iterator[Finding]:
    """Find pieces and options that are worth something else than in another run."""
    before = {one.name: one for one in (*against.options, *against.pieces)}
    judged: list[tuple[Thing, Effect, Effect, float]] = []
    for one in (*run.pieces, *_unnamed(run.options, run.content)):
        now, then = one.main, before[one.name].main if one.name in before else None
        if now is not None and then is not None and now.error > 0 and then.error > 0:
            t = (now.value - then.value) / sqrt(now.error**2 + then.error**2)
            z = as_normal(t, min(now.freedom, then.freedom))
            judged.append((one, now, then, z))
    for (one, now, then, z), sure in zip(judged, believed_of([twosided(z) for *_, z in judged], RATE), strict=True):
        if sure:
            where = run.content.piece(one.name) if "/" in one.name else run.content.option(one.name)
            text = f"{one.name} {_worth(one, now)}; in the other run it is {_amount(one, then.value)}"
            yield Finding("dominant" if z > 0 else "weak", one.name, text, where, one.examples)


def _unnamed(options: list[Thing], content: Content) -> list[Thing]:
    """Return the options that name no piece: what names one is judged with the piece."""
    return [one for one in options if not content.named(one.name)]


def _worth(one: Thing, effect: Effect) -> str:
    low, high = effect.interval()
    ends = f"{low:+.1f} to {high:+.1f}" if one.score is not None else f"{100 * low:+.1f} to {100 * high:+.1f}"
    return f"is worth {_amount(one, effect.value)} ({ends}) to whoever takes it"


def _amount(one: Thing, value: float) -> str:
    return f"{value:+.1f} points" if one.score is not None else f"{100 * value:+.1f} % of the wins"


def never_chosen(options: list[Thing], content: Content) -> Iterator[Finding]:
    """Find options that are offered and never chosen, though others beside them are, and lines never offered."""
    groups: dict[str, list[Thing]] = {}
    for one in options:
        groups.setdefault(one.group, []).append(one)
    lines: dict[str, list[Thing]] = {}
    for one in options:
        lines.setdefault(content.line_of(one.name) or one.name, []).append(one)
    for name, things in lines.items():
        offered = sum(one.offered for one in things)
        rest = [one for one in groups[things[0].group] if one not in things]
        usual = sum(one.chosen for one in rest) / max(1, sum(one.offered for one in rest))
        if offered >= OFTEN and not any(one.chosen for one in things) and never(offered) < usual / 10:
            shown = name.rstrip(":") or things[0].name
            beside = f"what is offered beside it is in {100 * usual:.0f} %"
            text = f"{shown} was offered {offered:,} times and never chosen; {beside}"
            yield Finding("never chosen", shown, text, content.option(things[0].name), things[0].examples)
    for name, rule in content.menus.items():
        asked = sum(one.seen for one in groups.get(rule, ()))
        if name not in lines and rule != "anytime" and asked >= OFTEN:
            text = f"{name} was never offered, though {rule} asked in {max(one.seen for one in groups[rule]):,} matches"
            yield Finding("never offered", name, text, content.option(name))


def _groups(things: list[Thing]) -> list[list[Thing]]:
    found: dict[str, list[Thing]] = {}
    for one in things:
        found.setdefault(one.group, []).append(one)
    return [group for group in found.values() if len(group) > FELLOWS]


# ---- kingmakers


@dataclass(frozen=True, slots=True)
class Gift:
    """An option that gives points to others: how often, how many, and which matches somebody who lost decided so."""

    name: str
    times: int
    points: int
    decided: tuple[int, ...]


def gifts(frame: Frame, options: list[Thing]) -> list[Gift]:
    """Return the options that give points to others in at least a half of their choices.

    A match was decided by them if others would have won without what those who did not win gave by them.
    """
    table = frame.table("gift", ("option", "seat", "to", "times", "points"))
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
            Gift(name, times, points, tuple(int(frame.match[one]) for one in np.flatnonzero(other.any(axis=1))))
        )
    return sorted(found, key=lambda one: -len(one.decided))


def kingmakers(frame: Frame, options: list[Thing], content: Content) -> Iterator[Finding]:
    """Find options by which somebody who does not win decides who does."""
    if frame.seats < 3 or not frame.scored:
        return
    chosen = {one.name: one.chosen for one in options}
    for one in gifts(frame, options):
        low, high = wilson(len(one.decided), len(frame))
        if low > DECIDES and chosen[one.name] >= OFTEN:
            text = (
                f"{one.name} gives others {one.points / one.times:.1f} points; in {100 * low:.1f} to "
                f"{100 * high:.1f} % of the matches somebody who does not win decides so who does"
            )
            yield Finding("kingmaker", one.name, text, content.option(one.name), list(one.decided[:3]))
