"""Dominated options: what a player gets by an option, and gets with more left by another one offered beside it.

Each option of a choice is tried on a copy with the same random draws, with the choices of the same player that follow
it. If the states are then equal but for the own points and what the player can spend, the option that leaves less is
worse. It is dominated if it was worse than the same other option in several choices, and better or different in few.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from operator import le
from random import Random
from typing import TYPE_CHECKING, Any
from zlib import crc32

from patolli.language.program import expressions as x
from patolli.play.players.option_names import action_name, option_name
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.score_sheet import terms

if TYPE_CHECKING:
    from patolli.measure.lab.content import Content
    from patolli.run.runtime import Match

STEPS = 6
"""Choices that the player makes after an option at most, until what it did is done."""
TRIED = 30
"""Options of a choice that are tried at most."""
EXCEPT, FEW = 0.05, 3
"""Part of the choices in which an option need not be worse, as with less to spend some later choices are forced,
and the number of them before it is no longer tried."""


@dataclass(slots=True)
class Better:
    """In how many choices an option left more than another one, and what, and in how many as much."""

    times: int = 0
    alike: int = 0
    less: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Rivals:
    """In how many choices an option was tried, and the options that were better or as good in nearly all of them."""

    tried: int = 0
    better: dict[str, Better] = field(default_factory=dict)

    def misses(self, other: Better) -> int:
        """Return in how many choices an option was not better, nor as good."""
        return self.tried - other.times - other.alike


class Effects:
    """Compares the options of choices of one ruleset and number of seats."""

    def __init__(self, content: Content, match: Match) -> None:
        """Find the counters that a player wants: those that are paid, and those that count for the score."""
        layout = match.program.layout
        score = layout.model.score
        factors = {
            one.expr.counter: one.factor
            for one in (terms(layout.model, score) if score is not None else ())
            if isinstance(one.expr, x.CounterAt)
        }
        self._slots = {
            name: layout.counters[name][0]
            for name in sorted({*content.cost_counters, *factors})
            if layout.counters[name][1] == (match.players,) and factors.get(name, 1) > 0
        }
        self._declines = content.declines  # that these are worse is no news
        self.rivals: dict[str, Rivals] = {}

    def compare(self, match: Match, random: Random) -> None:
        """Compare the options of a choice; those that proved to be worth it are left out."""
        options = _names(match)
        known = self.rivals
        unsure = [name for name in options if (name not in known or known[name].better) and name not in self._declines]
        if not unsure or not self._slots:
            return
        beside = {other for name in unsure if name in known for other in known[name].better}
        if any(name not in known for name in unsure):
            beside = {*options}
        tried = sorted({*unsure, *(beside & options.keys())})
        tried = random.sample(tried, TRIED) if len(tried) > TRIED else tried
        worse = self._compare_all(match, {name: options[name] for name in tried}, random.getrandbits(32))
        for name in {*unsure} & {*tried}:
            now, one = worse.get(name, {}), known.setdefault(name, Rivals())
            if not one.tried:
                if not now and len(tried) < len(beside):
                    continue  # the better one was perhaps left out
                one.better = {other: Better() for other in now}
            one.tried += 1
            for other, less in now.items():
                if other in one.better:
                    one.better[other].times += bool(less)
                    one.better[other].alike += not less
                    one.better[other].less |= less
            most = max(FEW, one.tried * EXCEPT)
            one.better = {key: each for key, each in one.better.items() if one.misses(each) <= most}

    def _compare_all(self, match: Match, options: dict[str, int], seed: int) -> dict[str, dict[str, set[str]]]:
        """Return of each option those that are better or as good, and the counters that it leaves lower."""
        seat = match.frame[1]
        slots = [slot + seat for slot in self._slots.values()]
        alike: dict[str, list[tuple[str, list[int]]]] = {}
        for name, at in options.items():
            one = match.clone()
            with suppress(MatchError):
                one.pick(at)
                for step in range(STEPS):
                    state = one.state[:]
                    values = [state[slot] for slot in slots]
                    for slot in slots:
                        state[slot] = 0
                    alike.setdefault(repr(state), []).append((name, values))
                    if one.pending is None or one.frame[1] != seat:
                        break
                    one.pick(min(range(len(one.pending)), key=_order(one.pending, f"{seed} {step} ")))
        worse: dict[str, dict[str, set[str]]] = {}
        for name, mine, other, theirs in (pair for some in alike.values() for pair in _pairs(some)):
            less = {key for key, one, more in zip(self._slots, mine, theirs, strict=True) if one < more}
            if all(map(le, mine, theirs)):
                worse.setdefault(name, {}).setdefault(other, set()).update(less)
        return worse

    def list_worse(self, least: int) -> Iterator[tuple[str, str, list[str], int]]:
        """Yield options that were worse in at least so many choices, what was better, what was less, and how often."""
        for name, one in sorted(self.rivals.items()):
            sure = {key: each for key, each in one.better.items() if one.misses(each) <= EXCEPT * one.tried}
            if sure and (other := max(sure, key=lambda key: (sure[key].times, key))) and sure[other].times >= least:
                yield name, other, sorted(sure[other].less), sure[other].times


def _pairs(some: list[tuple[str, list[int]]]) -> Iterator[tuple[str, list[int], str, list[int]]]:
    """Yield what two different options led to, each with what was left."""
    return ((*one, *other) for one in some for other in some if one[0] != other[0])


def _order(pending: Any, seed: str) -> Any:
    """Return a key that orders options at random, in the same order in each match that offers them."""
    return lambda at: crc32(f"{seed}{pending[at]}".encode())


def _names(match: Match) -> dict[str, int]:
    """Return the names of the options of the open question, each with the index of the first that has it."""
    assert match.pending is not None
    question, many = match.program.questions[match.frame[0]], len(match.pending) - match.extra
    found: dict[str, int] = {}
    for at, value in enumerate(match.pending):
        name = option_name(match.labels, question, value) if at < many else action_name(match.labels, value)
        found.setdefault(name, at)
    return found
