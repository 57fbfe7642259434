"""What options and pieces are worth per use: how seats that used one more often fared, compared with others.

The unit is a seat in a match to which the option was offered. It is compared with others of the same seat to which it
was offered about as often, and adjusted for the rest of the difference, because a player who is asked more often takes
more of everything. Of a piece that no option names, those are compared who could see it from about the same round on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np

from patolli.measure.lab.content import Content
from patolli.measure.lab.frame import OPTION, TAKEN, Frame, Table
from patolli.measure.lab.statistics import Effect, Indices, Numbers, adjust_p_values, effects

STEPS = 12
"""Groups of how often something was offered, or when it was seen."""


@dataclass(slots=True)
class Thing:
    """An option or a piece.

    Attributes:
        name: What facts call it.
        group: Of what it is one: the rule that asks, or the kind of the piece.
        seen: Matches in which it was offered or was visible.
        offered: At how many questions it was offered.
        chosen: How often it was chosen; of a piece also how many copies were taken without being asked.
        takers: Rows of a seat and a match that took it.
        taken: Matches in which a player took it.
        used: Of a piece, matches in which an effect or a trigger of it was carried out.
        examples: Numbers of matches in which it was taken, else of such as saw it.
        score: By how much one use more puts a seat ahead of the others at the end.
        wins: How much more of the wins it brings.
        points: Of an option, by how much one choice changes the own score before the next question; None if unknown.
        believed: The false discovery rate at which the larger of both is believed.
    """

    name: str
    group: str
    seen: int = 0
    offered: int = 0
    chosen: int = 0
    takers: int = 0
    taken: int = 0
    examples: list[int] = field(default_factory=list)
    used: int = 0
    score: Effect | None = None
    wins: Effect | None = None
    points: float | None = None
    believed: float = 1.0

    @property
    def main(self) -> Effect | None:
        """What it is judged by: points where there are some, wins otherwise."""
        return self.score or self.wins

    @property
    def uses(self) -> float:
        """How much more often those use it in a match who use it much, than those who use it little; 1 or more.

        It is at most how often it is used by those who use it. What all use equally often does not make a difference.
        """
        often = self.chosen / max(1, self.takers)
        return max(1.0, min(often, self.main.reach) if self.main is not None else often)


@dataclass(slots=True)
class Rows:
    """Seats of matches that could use something: which thing, which match, which seat, how many uses and offers.

    ``step`` is the stratum within those of the seat.
    """

    thing: Indices
    match: Indices
    seat: Indices
    uses: Any
    step: Indices
    offers: Any


def _step(number: int) -> int:
    return number if number <= 4 else min(4 + int(log(number / 4) / log(1.6)), STEPS - 1)


_STEPS = np.array([_step(number) for number in range(256)], dtype=np.int64)
"""The group of each number below one that is in the last group for sure."""


def steps(numbers: Indices) -> Indices:
    """Return the group of a number from 0: by itself up to 4, then by about two thirds more each time."""
    return np.asarray(_STEPS[np.clip(numbers, 0, len(_STEPS) - 1)], dtype=np.int64)


def options_of(frame: Frame) -> tuple[list[Thing], Table]:
    """Return every option that was offered, in the order of names, and the table of them."""
    table = frame.table("option", OPTION)
    rows = Rows(table["id"], table.match, table["seat"], table["chosen"], steps(table["offered"]), table["offered"])
    things = [Thing(name, name.partition(":")[0]) for name in table.names]
    _count(things, table["id"], table["offered"].astype(float), table["chosen"], table.match)
    _judge(frame, things, rows)
    if "points" in table.columns:
        known = np.isfinite(table["points"])
        sums = (np.bincount(table["id"][known], table[name][known], len(things)) for name in ("points", "chosen"))
        for one, points, chosen in zip(things, *sums, strict=True):
            one.points = float(points / chosen) if chosen else None
    _number_examples(frame, things)
    return sorted(things, key=lambda one: one.name), table


def pieces_of(frame: Frame, content: Content, options: Table) -> list[Thing]:
    """Return every piece that a pack declares and that can be seen or is named by an option; see the module."""
    seen = frame.table("seen", ("piece", "round"))
    taken = frame.table("taken", TAKEN)
    used = frame.table("used", ("piece", "times"))
    declared = {f"{kind}/{one}" for one, kind in content.designs.items()}
    names = sorted(declared | {*seen.names, *taken.names, *used.names})
    number = {name: at for at, name in enumerate(names)}
    things = [Thing(name, name.partition("/")[0]) for name in names]
    offers = _offers(content, options, number)
    _count(things, offers.thing, offers.offers.astype(float), offers.uses.astype(np.int64), offers.match)
    own = _recode_pieces(taken, number)
    in_sight = _recode_pieces(seen, number)
    _sights(things, in_sight, seen.match, own, taken.match, taken["copies"])
    for name, times in zip(used.names, _matches_of(used, "piece"), strict=True):
        things[number[name]].used = times
    named = np.zeros(len(names), dtype=bool)
    named[offers.thing] = True
    shown = ~named[in_sight]
    per = np.arange(frame.seats)
    wide = Rows(
        np.repeat(in_sight[shown], frame.seats), np.repeat(seen.match[shown], frame.seats),
        np.resize(per, frame.seats * int(shown.sum())), np.zeros(0),
        np.repeat(steps(seen["round"][shown] + 1), frame.seats), np.zeros(frame.seats * int(shown.sum())),
    )  # fmt: skip
    keys = _key(wide.thing, wide.match, wide.seat, frame)
    wide.uses = _look_up(keys, _key(own, taken.match, taken["seat"], frame), taken["copies"])
    _judge(frame, things, _both(_merge_rows(offers, frame), wide))
    _number_examples(frame, things)
    return things


def _key(thing: Indices, match: Indices, seat: Indices, frame: Frame) -> Indices:
    return np.asarray((thing * len(frame) + match) * frame.seats + seat, dtype=np.int64)


def _look_up(keys: Indices, known: Indices, values: Indices) -> Indices:
    """Return for each key its value, of those that are known; 0 for others."""
    if not len(known):
        return np.zeros(len(keys), dtype=np.int64)
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known[order], keys), len(known) - 1)
    return np.asarray(np.where(known[order][at] == keys, values[order][at], 0), dtype=np.int64)


def _matches_of(table: Table, name: str) -> list[int]:
    """Return by name in how many matches it comes."""
    return _together(table[name], table.match, len(table.names))


def _together(which: Indices, match: Indices, many: int) -> list[int]:
    """Return for each of many things in how many matches it comes."""
    there = np.zeros((many, int(match.max(initial=0)) + 1), dtype=bool)
    there[which, match] = True
    found: list[int] = there.sum(axis=1).tolist()
    return found


def _recode_pieces(table: Table, number: dict[str, int]) -> Indices:
    codes = np.array([number[name] for name in table.names], dtype=np.int64)
    return np.asarray(codes[table["piece"]] if len(codes) else table["piece"], dtype=np.int64)


def _offers(content: Content, options: Table, number: dict[str, int]) -> Rows:
    """Return the rows of the options that name pieces, with the piece in the place of the option."""
    found: list[tuple[Any, ...]] = []
    named = [[number[one] for one in content.named_pieces(name) if one in number] for name in options.names]
    for at in range(max(map(len, named), default=0)):
        codes = np.array([one[at] if at < len(one) else -1 for one in named], dtype=np.int64)[options["id"]]
        kept = codes >= 0
        found.append((
            codes[kept], options.match[kept], options["seat"][kept], options["chosen"][kept],
            steps(options["offered"][kept]), options["offered"][kept],
        ))  # fmt: skip
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        return Rows(nothing, nothing, nothing, nothing, nothing, nothing)
    return Rows(*(np.concatenate(one) for one in zip(*found, strict=True)))


def _merge_rows(rows: Rows, frame: Frame) -> Rows:
    """Return one row for each thing, match and seat."""
    keys, back = np.unique(_key(rows.thing, rows.match, rows.seat, frame), return_inverse=True)
    chosen = np.bincount(back, rows.uses, len(keys))
    offered = np.bincount(back, rows.offers, len(keys)).astype(np.int64)
    rest, seat = np.divmod(keys, frame.seats)
    thing, match = np.divmod(rest, len(frame))
    return Rows(thing, match, seat, chosen, steps(offered), offered)


def _both(one: Rows, other: Rows) -> Rows:
    return Rows(*(np.concatenate((getattr(one, name), getattr(other, name))) for name in Rows.__slots__))


def _count(things: list[Thing], which: Indices, offered: Numbers, chosen: Indices, match: Indices) -> None:
    size = len(things)
    sums = np.bincount(which, offered, size), np.bincount(which, chosen, size), np.bincount(which, chosen > 0, size)
    seen, taken = _together(which, match, size), _together(which[chosen > 0], match[chosen > 0], size)
    for at, one in enumerate(things):
        one.offered, one.chosen, one.takers = int(sums[0][at]), int(sums[1][at]), int(sums[2][at])
        one.seen, one.taken = seen[at], taken[at]
    for took in (False, True):  # the later ones go before the earlier ones
        kept = chosen > 0 if took else np.ones(len(which), dtype=bool)
        _exemplify(things, which[kept], match[kept])


FIRST, EARLY = 6, 1 << 16
"""Rows of a thing that are looked at for examples, and among how many rows they are looked for at first."""


def _exemplify(things: list[Thing], which: Indices, match: Indices) -> None:
    """Note the first matches of each thing; those that are noted last stand first."""
    # Of what is common the beginning is enough; only what is rare has to be looked for in all.
    common = np.bincount(which[:EARLY], minlength=len(things)) >= FIRST
    rest = np.flatnonzero(~common[which[EARLY:]]) + EARLY
    early = np.concatenate((np.arange(min(EARLY, len(which))), rest))
    which, match = which[early], match[early]
    order = np.argsort(which.astype(np.int16 if len(things) < 2**15 else np.int64), kind="stable")
    at = np.searchsorted(which[order], np.arange(len(things) + 1))
    for number, one in enumerate(things):
        first = [int(n) for n in dict.fromkeys(match[order[at[number] : at[number] + FIRST]].tolist())]
        one.examples = list(dict.fromkeys([*first, *one.examples]))[:3]


def _number_examples(frame: Frame, things: list[Thing]) -> None:
    """Put the numbers of matches in the place of their positions, which differ if a match has no end or is missing."""
    for one in things:
        one.examples = [int(frame.match[at]) for at in one.examples]


def _sights(
    things: list[Thing], seen: Indices, seen_at: Indices, taken: Indices, taken_at: Indices, copies: Indices
) -> None:
    """Add what was visible, and how many copies were taken without an option that names it."""
    by_sight = np.bincount(seen, minlength=len(things))
    by_taking = np.bincount(taken, minlength=len(things))
    taken_copies = np.bincount(taken, copies, len(things))
    matches = _together(taken, taken_at, len(things))
    for at, one in enumerate(things):
        one.seen = max(one.seen, int(by_sight[at]))
        one.takers = max(one.takers, int(by_taking[at]))
        one.taken = max(one.taken, matches[at])
        one.chosen = max(one.chosen, int(taken_copies[at]))
    known = [one.examples for one in things]
    _exemplify(things, seen, seen_at)
    _exemplify(things, taken, taken_at)
    for one, before in zip(things, known, strict=True):
        one.examples = before or one.examples


def _judge(frame: Frame, things: list[Thing], rows: Rows) -> None:
    stratum = rows.seat * STEPS + rows.step
    compared = [frame.wins, frame.ahead] if frame.has_scores else [frame.wins]
    ys = [one[rows.match, rows.seat] for one in compared]
    wins, *more = effects(rows.thing, rows.uses, ys, stratum, rows.match, rows.offers)
    scores = more[0] if more else {}
    for at, one in enumerate(things):
        one.wins, one.score = wins.get(at), scores.get(at)
    judged = [(one, one.main) for one in things]
    sure = [(one, effect) for one, effect in judged if effect is not None]
    for (one, _), rate in zip(sure, adjust_p_values([effect.chance for _, effect in sure]), strict=True):
        one.believed = rate


def rank_things(things: Sequence[Thing]) -> list[Thing]:
    """Return those whose worth is known, the surest first."""
    known = [one for one in things if one.main is not None]
    return sorted(known, key=lambda one: (one.believed, -abs(one.main.value / one.main.error) if one.main else 0.0))
