"""Search random matches for one that fails at an open demand or breaks a promise, and shorten it.

In:     a sound ruleset that leaves demands open, what was found in it, and how many choices may be made.
Out:    a :class:`Search`: what became of each demand, and an outcome with a scenario for each way to fail.
Errors: P0608 the match could not go on.

The search is seeded and limited by choices and steps, so it finds the same on every machine. A match whose rules run
too long ends it, and is not shortened: each try would take as long. In half of the matches the players
have preferences: each option has a random weight for the match, and of two random options the one with the higher
weight is chosen. Such matches come to extremes that uniform choices rarely reach, such as a deck that is used up
(decision 131 gives the figures).

How often a demand held is counted by lines, in the first choices and as long as a demand was not reached: a demand on
the line of its own test counts as reached when the test is. Counting takes half of the steps at most, so that rules
that do much at each choice do not end the search early.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any

from patolli.author.scenarios.line_counts import WEIGHT, Line, LineCounts
from patolli.author.scenarios.outcome import Outcome, fault_places
from patolli.author.scenarios.smoke import Trial
from patolli.author.scenarios.value_writer import quote_scalar, written_list
from patolli.check.proofs.demands import promises_of
from patolli.kernel.budget import Allowance
from patolli.language.diagnostics import Problem, Span, start_of
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import Pack
from patolli.language.program import effects as e
from patolli.language.program.node import walk
from patolli.run.runtime import Match, MatchError, Ruleset
from patolli.run.runtime.errors import LIMIT
from patolli.run.runtime.invariants import Watch

NAME = "search"
BUDGET = 200_000
"""Choices that are made for a pack if nothing else is asked for."""
STEPS = 2_500
"""Steps that the matches may take for each choice that may be made; see ``kernel.budget``."""
COUNTED, COUNT_EVERY = 10_000, 4
"""Lines are counted, which takes several times as long, in so many first choices. As long as a line was not reached,
they are counted in each fourth match after that, too."""
FOUND, TRIES = 5, 400
"""How many ways to fail are looked for, and how many shorter matches are tried for each."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What has to hold at a place, and what became of it.

    Attributes:
        code: The code of its problem: P0820 of a promise, P0814 of an invariant.
        span: The place.
        held: How often a match came there, of those in which lines were counted.
        fails: Whether it failed in a match.
        tested: Whether a scenario or a match of the smoke run came there.
    """

    code: str
    span: Span
    held: int = 0
    fails: bool = False
    tested: bool = False

    @property
    def line(self) -> Line:
        """Where it is."""
        return self.span.path, self.span.line

    @property
    def words(self) -> str:
        """What became of it."""
        return "fails" if self.fails else "held" if self.held else "never reached"


@dataclass(slots=True)
class Search:
    """What came of a search: how much was played, all demands, and the ways to fail that were found.

    ``untaken`` are the ``otherwise`` blocks that no match and no scenario came to, of ``counted`` matches.
    """

    pack: str
    matches: int = 0
    choices: int = 0
    seconds: float = 0.0
    demands: list[Demand] = field(default_factory=list)
    failures: list[Outcome] = field(default_factory=list)
    counted: int = 0
    untaken: list[Span] = field(default_factory=list)


def demands_of(rules: Ruleset, problems: list[Problem]) -> list[Demand]:
    """Return the open demands among *problems*, and the promises and invariants of packs that leave demands open."""
    found = [(problem.code, problem.span) for problem in problems if problem.severity == "open"]
    found += [("P0820", promise.span) for _, _, promise in promises_of(rules.resolved_program)]
    if rules.resolved_program.composition.is_open:
        found += [("P0814", condition.span) for condition, _ in rules.model.invariants.values()]
    return [Demand(code, span) for code, span in sorted(dict.fromkeys(found), key=lambda one: (one[1], one[0]))]


def otherwise_blocks(rules: Ruleset) -> list[Span]:
    """Return the places of all ``otherwise`` blocks of the rules."""
    blocks = [
        node.otherwise
        for rule in rules.resolved_program.rules.values()
        for node in walk(rule.block)
        if isinstance(node, e.Choose | e.Menu)
    ]
    return sorted({block[0].span for block in blocks if block})


def search(
    pack: Pack,
    demands: list[Demand],
    several: list[Trial],
    load: Callable[[Trial], Ruleset],
    budget: int,
    counts: LineCounts,
) -> Search:
    """Play random matches of all trials in turn until so many choices are made; *counts* goes on counting."""
    began, found = perf_counter(), Search(pack.id)
    wanted, tested = {demand.line for demand in demands}, set(counts)
    failed: set[Line] = set()
    allowance = Allowance(budget * STEPS)
    least = allowance.left // 2  # what counting lines must leave for the matches in which none are counted
    while allowance.left > 0 and found.choices < budget and len(found.failures) < FOUND and not wanted <= failed:
        number = found.matches
        trial, seed, most = several[number % len(several)], number, budget - found.choices
        unseen = (counts.wanted or set()) - counts.keys() - failed
        counted = found.choices < COUNTED or (number % COUNT_EVERY == 0 and bool(unseen))
        counted &= allowance.left > least or number < len(several)
        found.counted += counted
        allowance.weight = WEIGHT if counted else 1
        rules = load(trial)
        with counts.count() if counted else nullcontext():
            choices, error = _play(rules, trial, seed, most, number // len(several) % 2 == 1, allowance)
        found.matches += 1
        found.choices += max(1, len(choices))
        at = _place(error) if error is not None else None
        if error is not None and at is not None and at not in failed:
            failed.update((path, line) for path, line, _ in error.stack)
            labels = _label_choices(load(trial), trial, seed, choices)
            found.failures.append(_counterexample(pack, load(trial), trial, seed, labels, error))
        if error is not None and error.spent is not None:
            break
    found.demands = [
        Demand(one.code, one.span, counts[one.line], one.line in failed, one.line in tested) for one in demands
    ]
    found.seconds = perf_counter() - began
    return found


def _play(
    rules: Ruleset, trial: Trial, seed: int, most: int, preferring: bool, allowance: Allowance
) -> tuple[list[int], MatchError | None]:
    """Play a match at random; return the choices, and how it failed."""
    draw = Random(seed).random
    weights: dict[tuple[int, str], float] = {}
    match: Match | None = None

    def weigh(match: Match, option: Any) -> float:
        key = match.frame[0], str(option)
        if key not in weights:
            weights[key] = draw()
        return weights[key]

    try:
        match = rules.start(trial.players, seed)
        watch = Watch(match)
        watch.check(match)
        while (options := match.pending) is not None and len(match.choices) < min(most, LIMIT) and allowance.draw():
            index = int(draw() * len(options))
            if preferring:
                other = int(draw() * len(options))
                index = max(index, other, key=lambda one: weigh(match, options[one]))
            match.pick(index)
            watch.check(match)
    except MatchError as error:
        return match.choices if match is not None else [], error
    return match.choices, None


def _label_choices(rules: Ruleset, trial: Trial, seed: int, choices: list[int]) -> list[str]:
    """Make choices again, and return their labels."""
    labels: list[str] = []
    if choices:
        match = rules.start(trial.players, seed)
        for index in choices:
            decision = match.decision
            labels.append(decision.labels[index] if decision is not None else "")
            if len(labels) < len(choices):  # the last one fails
                match.pick(index)
    return labels


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


def _shorten_match(rules: Ruleset, players: int, seed: int, labels: list[str], error: MatchError) -> list[str]:
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
    """Report a match that fails, as short as it gets unless it takes too long, as a scenario."""
    path = str(pack.folder / MANIFEST)
    short = labels
    if error.spent is None:
        short = _shorten_match(rules, trial.players, seed, labels, error)
        error = _replay_labels(rules, trial.players, seed, short)[1] or error
    places = fault_places(error)
    at = places.pop()[0] if places else start_of(path)
    number = f"{len(short)} choice{'s' if len(short) != 1 else ''}"
    shortened = "" if error.spent is not None else ", made as short as possible"
    words = f"in a random match{shortened} ({number}), {error.reason}"
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
