"""Search random matches for one that fails at an open demand or breaks a promise, and shorten it.

In:     a sound ruleset that leaves demands open, what was found in it, and how many choices may be made.
Out:    a :class:`Search`: what became of each demand, and an outcome with a scenario for each way to fail.
Errors: P0608 the match could not go on.

The search is seeded and limited by choices, so it finds the same on every machine. How often a demand held is counted
by lines: a demand on the line of its own test counts as reached when the test is.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from types import FrameType
from typing import Any

from patolli.author.scenarios.outcome import Outcome, fault_places
from patolli.author.scenarios.smoke import Trial
from patolli.author.scenarios.writing import quote_scalar, written_list
from patolli.check.proofs.demands import promises_of
from patolli.language.diagnostics import Problem, Span, start_of
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import Pack
from patolli.run.runtime import Match, MatchError, Ruleset
from patolli.run.runtime.errors import LIMIT
from patolli.run.runtime.invariants import Watch

NAME = "search"
BUDGET = 20_000
"""Choices that are made for a pack if nothing else is asked for."""
FOUND, TRIES = 5, 400
"""How many ways to fail are looked for, and how many shorter matches are tried for each."""

Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Demand:
    """What has to hold at a place: its code (P0820 for a promise), and what became of it in so many matches."""

    code: str
    span: Span
    held: int = 0
    fails: bool = False

    @property
    def words(self) -> str:
        """What became of it."""
        return "fails" if self.fails else f"held {self.held:,} times" if self.held else "never reached"


@dataclass(slots=True)
class Search:
    """What came of a search: how much was played, all demands, and the ways to fail that were found."""

    pack: str
    matches: int = 0
    choices: int = 0
    seconds: float = 0.0
    demands: list[Demand] = field(default_factory=list)
    failures: list[Outcome] = field(default_factory=list)


def demands_of(rules: Ruleset, problems: list[Problem]) -> list[Demand]:
    """Return the open demands among *problems*, and the promises of the rules."""
    promises = (promise.span for _, _, promise in promises_of(rules.resolved_program))
    found = [*((p.code, p.span) for p in problems if p.severity == "open"), *(("P0820", span) for span in promises)]
    return [Demand(code, span) for code, span in sorted(dict.fromkeys(found), key=lambda one: (one[1], one[0]))]


def search(
    pack: Pack, demands: list[Demand], several: list[Trial], load: Callable[[Trial], Ruleset], budget: int
) -> Search:
    """Play random matches of all trials in turn until so many choices are made."""
    began, found = perf_counter(), Search(pack.id)
    wanted = {(demand.span.path, demand.span.line) for demand in demands}
    failed: set[Line] = set()
    with _counting(wanted) as counts:
        while found.choices < budget and len(found.failures) < FOUND and not wanted <= failed:
            trial, seed = several[found.matches % len(several)], found.matches
            labels: list[str] = []
            error = _play_random(load(trial), trial, seed, budget - found.choices, labels)
            found.matches += 1
            found.choices += max(1, len(labels))
            at = _place(error) if error is not None else None
            if error is not None and at is not None and at not in failed:
                failed.update((path, line) for path, line, _ in error.stack)
                found.failures.append(_counterexample(pack, load(trial), trial, seed, labels, error))
    found.demands = [
        Demand(one.code, one.span, counts[line], line in failed)
        for one in demands
        for line in [(one.span.path, one.span.line)]
    ]
    found.seconds = perf_counter() - began
    return found


def _play_random(rules: Ruleset, trial: Trial, seed: int, most: int, labels: list[str]) -> MatchError | None:
    """Play a match at random, noting each choice; return how it failed."""
    draw = Random(seed).random
    try:
        match = rules.start(trial.players, seed)
        watch = Watch(match)
        watch.check(match)
        while match.pending is not None and len(labels) < min(most, LIMIT):
            index = int(draw() * len(match.pending))
            decision = match.decision
            labels.append(decision.labels[index] if decision is not None else "")
            match.pick(index)
            watch.check(match)
    except MatchError as error:
        return error
    return None


def _place(error: MatchError) -> Line | None:
    return error.stack[-1][:2] if error.stack else None


# ---- shorter matches


def _replay_labels(rules: Ruleset, players: int, seed: int, labels: list[str]) -> tuple[list[str], MatchError | None]:
    """Make choices by their labels, without those that are not offered; return what was chosen, and how it failed."""
    made: list[str] = []
    try:
        match: Match = rules.start(players, seed)
        watch = Watch(match)
        watch.check(match)
        for label in labels:
            if match.decision is None:
                break
            if label in match.decision.labels:
                made.append(label)
                match.choose(label)
                watch.check(match)
    except MatchError as error:
        return made, error
    return made, None


def _shorten_choices(rules: Ruleset, players: int, seed: int, labels: list[str], error: MatchError) -> list[str]:
    """Leave out choices, many at once and then one by one, as long as the match fails at the same place."""
    same, tries = (error.code, _place(error)), 0
    step = max(1, len(labels) // 2)
    while tries < TRIES:
        at, shorter = 0, False
        while at < len(labels) and tries < TRIES:
            tries += 1
            made, other = _replay_labels(rules, players, seed, labels[:at] + labels[at + step :])
            if other is not None and (other.code, _place(other)) == same and len(made) < len(labels):
                labels, shorter = made, True
            else:
                at += step
        if step == 1 and not shorter:
            break
        step = max(1, step // 2)
    return labels


def _counterexample(
    pack: Pack, rules: Ruleset, trial: Trial, seed: int, labels: list[str], error: MatchError
) -> Outcome:
    """Report a match that fails, as short as it gets, as a scenario."""
    path = str(pack.folder / MANIFEST)
    short = _shorten_choices(rules, trial.players, seed, labels, error)
    _, again = _replay_labels(rules, trial.players, seed, short)
    error = again or error
    places = fault_places(error)
    at = places.pop()[0] if places else start_of(path)
    number = f"{len(short)} choice{'s' if len(short) != 1 else ''}"
    words = f"in a random match, made as short as possible ({number}), {error.reason}"
    problem = Problem("P0608", words, at, f"patolli explain {error.code} says more", tuple(places))
    outcome = Outcome(pack.id, f"{NAME}_{error.code}", path, 1, "a match that fails", heading="as a scenario:")
    outcome.problems, outcome.log = [problem], scenario_lines(trial, seed, short, error, tuple(rules.module_ids))
    return outcome


def scenario_lines(
    trial: Trial, seed: int, labels: list[str], error: MatchError, modules: tuple[str, ...] = ()
) -> list[str]:
    """Write a match that fails as a scenario."""
    lines = [f"{error.code.lower()}_{seed}:", f"  players: {trial.players}", f"  seed: {seed}", "  start: set_up"]
    answers = [f'"{label}"' if label.isdigit() else quote_scalar(label) for label in labels]
    if modules:
        lines.append(f"  with: {written_list(list(modules))}")
    if trial.settings:
        options = ", ".join(f"{name}: {quote_scalar(value)}" for name, value in trial.settings)
        lines.append(f"  options: {{{options}}}")
    if labels:
        lines.append(f"  choose: {written_list(answers)}")
    return [*lines, f"  fails: {quote_scalar(error.reason)}"]


# ---- which lines are run


@contextmanager
def _counting(wanted: set[Line]) -> Iterator[Counter[Line]]:
    """Count how often some lines of the rules are run meanwhile."""
    counts: Counter[Line] = Counter()
    inside: dict[Any, bool] = {}

    def trace_call(frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code not in inside:
            lines = {(code.co_filename, line) for *_, line in code.co_lines() if line is not None}
            inside[code] = not wanted.isdisjoint(lines)
        if not inside[code]:
            return None
        trace_line(frame, "line", None)
        return trace_line

    def trace_line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            line = (frame.f_code.co_filename, frame.f_lineno)
            if line in wanted:
                counts[line] += 1
        return trace_line

    before = sys.gettrace()
    sys.settrace(trace_call)
    try:
        yield counts
    finally:
        sys.settrace(before)


__all__ = ["BUDGET", "NAME", "Demand", "Search", "demands_of", "search"]
