"""Significant differences from another run: findings, lengths, and worth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from math import sqrt

import numpy as np

from patolli.measure.lab.content import Content
from patolli.measure.lab.frame import OPTION
from patolli.measure.lab.kingmaking import list_kingmakers
from patolli.measure.lab.lead_history import QUARTERS, ahead_wins
from patolli.measure.lab.paired_runs import find_unpaired_key
from patolli.measure.lab.run_data import RATE, Finding, Run
from patolli.measure.lab.standouts import amount, list_pieceless, place
from patolli.measure.lab.statistics import Effect, Known, Numbers, as_normal, believed_of, mean, two_sided_p
from patolli.measure.lab.worth import Thing
from patolli.measure.simulation.estimates import Z as WIDE
from patolli.measure.simulation.estimates import wilson

LONGER = 0.05
"""The minimum relative difference of lengths to report."""
MORE = 0.05
"""The minimum difference of the share of matches that leaders win to report."""


def difference(run: Run, against: Run, one: Numbers, other: Numbers) -> Known:
    """Estimate the difference of a mean from another run, by pairs of matches if possible."""
    if find_unpaired_key(run.frame.plan, against.frame.plan) is None:
        _, first, second = np.intersect1d(run.frame.match, against.frame.match, return_indices=True)
        return mean(one[first] - other[second])
    now, then = mean(one), mean(other)
    half = WIDE * sqrt(now.error**2 + then.error**2)
    return Known(now.value - then.value, now.value - then.value - half, now.value - then.value + half, now.count)


def _chance(known: Known) -> float:
    """Return the p-value of a difference; 1 if nothing varies."""
    return two_sided_p(known.value / known.error) if 0 < known.error < float("inf") else 1.0


# ---- findings that there are without another run, too


def is_new(found: Finding, run: Run, against: Run) -> bool:
    """Return whether the other run does not have a finding, or a significantly different one."""
    match found.kind:
        case "seat":
            return _seat(int(found.name.split()[1]) - 1, run, against)
        case "kingmaker":
            tests = max(1, len(list_kingmakers(run.frame)))
            one, other = _find_decided(run, found.name), _find_decided(against, found.name)
            return _chance(difference(run, against, one, other)) <= RATE / tests
        case "dead":
            return _dead(found.name, run, against)
        case "no effect":
            return found.name not in against.content.idle_effects
        case "never offered":
            lines = {against.content.line_of(one.name) for one in against.options}
            return found.name in lines or found.name not in against.content.menus
        case "never chosen" | "rarely chosen" | "always chosen":
            return _share(found.name, run, against)
    return True


def _seat(seat: int, run: Run, against: Run) -> bool:
    pairs = [(run.frame.wins, against.frame.wins)]
    if run.frame.has_scores and against.frame.has_scores:
        pairs.append((run.frame.ahead, against.frame.ahead))
    tests = len(pairs) * run.frame.seats
    known = [difference(run, against, one[:, seat], other[:, seat]) for one, other in pairs]
    return any(_chance(one) <= RATE / tests for one in known)


def _find_decided(run: Run, name: str) -> Numbers:
    """Return by match whether an option that gives points has decided it; see :func:`list_kingmakers`."""
    found = {n for one in list_kingmakers(run.frame) if one.name == name for n in one.decided}
    return np.array([float(n in found) for n in run.frame.match.tolist()])


def _dead(name: str, run: Run, against: Run) -> bool:
    now = next(one for one in run.pieces if one.name == name)
    then = next((one for one in against.pieces if one.name == name), None)
    if then is None:
        return True
    tests = RATE / max(1, len(run.pieces))
    if now.seen:
        return _fewer(now.taken, now.seen, then.taken, then.seen) <= tests
    return _fewer(0, len(run.frame), then.seen, len(against.frame)) <= tests


def _fewer(some: int, of: int, others: int, of_others: int) -> float:
    """Return how often two shares that are the same differ by so much at random."""
    if not of or not of_others:
        return 1.0
    p = (some + others) / (of + of_others)
    error = sqrt(p * (1 - p) * (1 / of + 1 / of_others))
    return two_sided_p((some / of - others / of_others) / error) if error else 1.0


def _share(name: str, run: Run, against: Run) -> bool:
    """Return whether an option, or all options of a line, is surely chosen at another share of its offers."""
    now, then = _estimate_share(name, run), _estimate_share(name, against)
    if then is None:
        return True
    if now is None:
        return False
    value, error = now.value - then.value, sqrt(now.error**2 + then.error**2)
    tests = max(1, len(run.options))
    return error > 0 and two_sided_p(value / error) <= RATE / tests


def _estimate_share(name: str, run: Run) -> Known | None:
    """Estimate at which share of its offers an option is chosen, by match; None where it was never offered.

    One offer of each kind is added, so that a share of nothing or all has an error, too.
    """
    table, content = run.frame.table("option", OPTION), run.content
    mine = [name in (one, content.line_of(one).rstrip(":")) for one in table.names]
    kept = np.array(mine, dtype=bool)[table["id"]] if mine else np.zeros(0, dtype=bool)
    if not kept.any():
        return None
    n = len(run.frame)
    offered = np.bincount(table.match[kept], table["offered"][kept], n)
    chosen = np.bincount(table.match[kept], table["chosen"][kept], n)
    share = float(chosen.sum() / offered.sum())
    rest = (chosen - share * offered) / offered.mean()
    by_match = mean(rest).error
    low, high = wilson(float(chosen.sum()), int(offered.sum()))
    half = max(WIDE * by_match, (high - low) / 2)
    return Known(share, share - half, share + half, n)


# ---- how long, and whether leaders win


def lengths(run: Run, against: Run) -> Iterator[Finding]:
    """Report whether matches are longer or shorter, in turns or in choices."""
    said: dict[str, list[str]] = {}
    for name in ("turns", "choices"):
        now, then = run.frame.column(name), against.frame.column(name)
        known = difference(run, against, now, then)
        surely = _chance(known) <= RATE / 2 or (known.error == 0 and known.value != 0)
        if surely and abs(known.value) >= LONGER * float(then.mean()):
            kind, more = ("longer", "more") if known.value > 0 else ("shorter", "fewer")
            low, high = sorted((abs(known.low), abs(known.high)))
            said.setdefault(kind, []).append(
                f"{now.mean():.1f} {name}, {abs(known.value):.1f} {more} than before ({low:.1f} to {high:.1f})"
            )
    order = np.argsort(run.frame.column("choices"), kind="stable")
    for kind, words in said.items():  # turns may become more and choices fewer: then there are two findings
        shown = [int(run.frame.match[order[-1 if kind == "longer" else 0]])]
        yield Finding(kind, "length", f"a match has on average {' and '.join(words)}", "", shown)


def leaders(run: Run, against: Run) -> Iterator[Finding]:
    """Report whether early leaders win more or less often than before."""
    if not (run.frame.has_scores and against.frame.has_scores) or run.frame.seats < 2:
        return
    found: list[tuple[float, Finding]] = []
    for part in QUARTERS:
        now, then = ahead_wins(run.frame, part), ahead_wins(against.frame, part)
        one, other = mean(now), mean(then)
        error = sqrt(one.error**2 + other.error**2)  # matches without a leader leave no pairs
        value = one.value - other.value
        if 0 < error < float("inf") and abs(value) >= MORE and two_sided_p(value / error) <= RATE / len(QUARTERS):
            text = (
                f"a sole leader after {part:.0%} of the turns wins {100 * one.value:.0f} % of the matches "
                f"({100 * one.low:.0f} to {100 * one.high:.0f}); before: {100 * other.value:.0f} %"
            )
            kind = "running away" if value > 0 else "leads count less"
            rows = np.flatnonzero(now == (1.0 if value > 0 else 0.0))[:3]
            shown = [int(run.frame.match[at]) for at in rows]
            found.append((abs(value / error), Finding(kind, "lead", text, "", shown)))
    if found:
        yield max(found, key=lambda one: one[0])[1]


# ---- what is worth something else


class Changes:
    """What two runs declare otherwise, and what names that."""

    def __init__(self, now: Content, before: Content) -> None:
        """Hold what one run has played against what another has."""
        self._now, self._before = now, before

    @cached_property
    def keys(self) -> list[tuple[str, str]]:
        """Section and id of all entries that are otherwise, the new ones and the gone ones included."""
        now, before = self._now.declared_values, self._before.declared_values
        return [key for key in {**now, **before} if now.get(key) != before.get(key)]

    @cached_property
    def _name_pattern(self) -> re.Pattern[str] | None:
        names = sorted({re.escape(name) for _, name in self.keys})
        return re.compile(rf"\b(?:{'|'.join(names)})\b") if names else None

    def touch(self, name: str) -> bool:
        """Return whether a piece or an option is declared otherwise, or names in its lines what is."""
        if "/" in name:
            kind, _, design = name.partition("/")
            declared = str(self._now.declared_values.get(("pieces", design)))
            return ("pieces", design) in self.keys or ("kinds", kind) in self.keys or self._names(declared)
        line = self._now.line_of(name)
        bodies = [one.bodies.get(line) for one in (self._now, self._before)]
        if bodies[0] is None:
            return ("rules", name.partition(":")[0]) in self.keys
        return bodies[0] != bodies[1] or self._names(bodies[0])

    def _names(self, text: str) -> bool:
        return self._name_pattern is not None and bool(self._name_pattern.search(text))

    def describe_changes(self) -> tuple[str, str]:
        """Return the first entries that are otherwise, in words, and where the first stands."""
        shown = [name.replace("_", " ") for _, name in self.keys[:3]]
        more = f" and {len(self.keys) - 3} more" if len(self.keys) > 3 else ""
        places = (self._now.entry(*key) or self._before.entry(*key) for key in self.keys)
        return ", ".join(shown) + more, next(filter(None, places), "")


def find_changes(run: Run, against: Run, changes: Changes) -> Iterator[Finding]:
    """Find what is new, and pieces and options that are worth something else than in another run.

    Those that are declared as before come last and together: they follow from what is declared otherwise. Where nothing
    is, in runs with other bots or players, each is reported by itself.
    """
    direct: list[Finding] = [*_find_added(run, against)]
    following: list[tuple[Thing, float, float]] = []
    for one, now, then, _ in _otherwise(run, against):
        if changes.keys and not changes.touch(one.name):
            following.append((one, now.value, then.value))
            continue
        value = now.value - then.value
        half = WIDE * sqrt(now.error**2 + then.error**2)
        more = "more" if value > 0 else "less"
        scale = 1 if one.score is not None else 100
        low, high = sorted((scale * abs(value - half), scale * abs(value + half)))
        text = (
            f"{one.name} is worth {amount(one, abs(value)).lstrip('+')} {more} than before ({low:.1f} to {high:.1f}) "
            f"per use: {amount(one, now.value)}, before: {amount(one, then.value)}"
        )
        direct.append(Finding(f"worth {more}", one.name, text, place(one, run.content), one.examples))
    yield from direct
    if following:
        yield _follows(following, changes, bool(direct))


def _otherwise(run: Run, against: Run) -> Iterator[tuple[Thing, Effect, Effect, float]]:
    """Yield what is surely worth something else, the surest first."""
    before = {one.name: one for one in (*against.options, *against.pieces)}
    judged: list[tuple[Thing, Effect, Effect, float]] = []
    for one in (*run.pieces, *list_pieceless(run.options, run.content)):
        now, then = one.main, before[one.name].main if one.name in before else None
        if now is not None and then is not None and now.error > 0 and then.error > 0:
            t = (now.value - then.value) / sqrt(now.error**2 + then.error**2)
            judged.append((one, now, then, as_normal(t, min(now.freedom, then.freedom))))
    sure = believed_of([two_sided_p(z) for *_, z in judged], RATE)
    yield from sorted((one for one, yes in zip(judged, sure, strict=True) if yes), key=lambda one: -abs(one[3]))


def _follows(following: list[tuple[Thing, float, float]], changes: Changes, is_known: bool) -> Finding:
    """Return the one finding of all that is worth something else though it is as it was.

    It is a consequence only if another finding shows what the change itself does (*is_known*); otherwise it is all that
    is known of the change, and has its name.
    """
    shown = [f"{one.name} {amount(one, now)} (before {amount(one, then)})" for one, now, then in following[:3]]
    more = f" and {len(following) - 3} more" if len(following) > 3 else ""
    what, where = changes.describe_changes()
    if not is_known:
        text = f"{what} was changed; this changed the worth of {', '.join(shown)}{more}"
        return Finding("changed", what, text, where, following[0][0].examples)
    text = f"worth has changed without a change of the declaration: {', '.join(shown)}{more}; the changes are in {what}"
    return Finding("consequence", following[0][0].name, text, where, following[0][0].examples)


def _find_added(run: Run, against: Run) -> Iterator[Finding]:
    """Find the lines of menus and the pieces that are new, and how often they are taken."""
    content, options = run.content, run.options
    for line in content.menus:
        if line not in against.content.menus:
            mine = [one for one in options if content.line_of(one.name) == line]
            chosen, offered = sum(one.chosen for one in mine), sum(one.offered for one in mine)
            if offered:
                share = f"{100 * chosen / offered:.1f} %"
                text = f"{line} is new; it is chosen in {share} of {offered:,} offers"
                yield Finding("new", line, text, content.option(mine[0].name), mine[0].examples)
    there = {one.name for one in against.pieces}
    for piece in run.pieces:
        if piece.name not in there and piece.seen:
            text = f"{piece.name} is new; it is taken in {piece.taken:,} of {piece.seen:,} matches"
            yield Finding("new", piece.name, text, content.piece(piece.name), piece.examples)


def order_findings(found: Iterable[Finding], changes: Changes) -> list[Finding]:
    """Return findings with consequences at the end; those without a line get that of the one entry that differs."""
    where = changes.describe_changes()[1] if len(changes.keys) == 1 else ""
    ordered = sorted(found, key=lambda one: one.kind == "consequence")
    return [replace(one, where=one.where or where) for one in ordered]
