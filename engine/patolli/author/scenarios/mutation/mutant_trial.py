"""Try mutants: make each one, play the scenarios that may notice it, and check those that no scenario notices.

In:     a pack whose scenarios all pass.
Out:    a :class:`Verdict` for each mutant.

A mutant is resolved and compiled through the same entry points as any pack, except that nothing is proven about it.
Proofs and lints follow if all scenarios have passed. So a mutant is refused if it has a wrong type, or if no scenario
notices it and the checker refuses it.

The order of the scenarios does not change whether a mutant is noticed, only how soon. Scenarios that reach the changed
line or name the changed entry come first, the shortest first. If the changed text is code (an effect or the body of a
function), scenarios that do not reach it are not played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property

from patolli.author.scenarios.bench import Bench
from patolli.author.scenarios.line_counts import Line, LineCounts, compiled_lines
from patolli.author.scenarios.mutation.mutant import NOTICED, REFUSED, SAME, SURVIVED, Mutant, Verdict
from patolli.author.scenarios.mutation.mutant_pack import Changed, apply_mutant
from patolli.author.scenarios.mutation.sameness import same_program
from patolli.author.scenarios.outcome import Outcome
from patolli.author.scenarios.suites import Suite, Wish
from patolli.author.scenarios.verdicts import judge
from patolli.author.workspace import Inspection, inspect
from patolli.author.workspace.inspection import check_layouts
from patolli.author.workspace.scenarios.scenario_reader import Scenario
from patolli.kernel.budget import scarce
from patolli.language.diagnostics import Problem
from patolli.language.packs.manifest import Files, Kept
from patolli.language.sources import texts
from patolli.run.compiler import Executable
from patolli.run.compiler.unit import function_name
from patolli.run.runtime import Ruleset

PORTION = 24
"""How many scenarios are compiled with a mutant at first. The rest follows if none of them notices it."""
WORD = re.compile(r"\w+")
STEPS = 5_000_000
"""Step budget of a scenario with a mutant: far more than scenarios take, unless they are marked as long."""


@dataclass(slots=True)
class Known:
    """One scenario that passes: the lines that it reaches, its words, and whether it needs more than ``STEPS``."""

    scenario: Scenario
    players: int
    lines: set[Line]
    words: set[str]
    long: bool = False


@dataclass
class Group:
    """The scenarios that ask for the same packs and options, and the unproven ruleset of the original."""

    wish: Wish
    ruleset: Ruleset
    known: list[Known] = field(default_factory=list)
    early: LineCounts = field(default_factory=LineCounts)
    """Lines that run while a program is compiled, because their values never change."""

    @cached_property
    def programs(self) -> list[Executable]:
        """The programs for all numbers of players, without scenarios."""
        with self.early.count():
            return list(_programs_of(self.ruleset))

    @cached_property
    def code(self) -> set[Line]:
        """The lines of the rules that matches run."""
        programs = self.programs
        return set().union(*map(_list_code_lines, programs)) - self.early.keys()


class Trial:
    """The scenarios of a pack, ready to be played with its mutants."""

    def __init__(self, suite: Suite, files: Kept) -> None:
        """Keep what is tried; :meth:`prepare` plays the scenarios."""
        self.suite, self.files = suite, files
        self.groups: list[Group] = []
        self.problems: list[Problem] = []

    def prepare(self) -> list[Outcome]:
        """Play all scenarios of the original and return those that fail. If there are any, nothing can be tried."""
        groups: dict[Wish, list[Scenario]] = {}
        for scenario in self.suite.scenarios:
            groups.setdefault((scenario.active, scenario.options), []).append(scenario)
        failed: list[Outcome] = []
        for wish, scenarios in groups.items():
            bench = Bench(self.suite.base, scenarios[0], files=self.files)
            self.problems += [problem for problem in bench.errors if problem not in self.problems]
            ruleset = None if bench.errors else self.inspect(wish, self.files).ruleset
            if ruleset is None:
                continue
            group = Group(wish, ruleset)
            self.groups.append(group)
            for scenario in scenarios:
                bench.bind(scenario)
            for scenario in scenarios:
                outcome = _play_original(group, bench, scenario)
                if not outcome.is_passed:
                    failed.append(outcome)
        return failed

    def inspect(self, wish: Wish, files: Files, proofs: bool = False) -> Inspection:
        """Return the ruleset that scenarios ask for; without *proofs*, only its types are checked."""
        modules, options = wish
        return inspect(self.suite.base, modules, dict(options), False, files, proofs)

    def try_mutant(self, mutant: Mutant) -> Verdict:
        """Return what becomes of a mutant."""
        files = Changed(self.files, self.suite.pack, apply_mutant(self.suite.pack, mutant))
        reached = self.count_reaching(mutant)
        played = 0
        rulesets: list[Ruleset] = []
        for group in self.groups:
            likely = _rank_scenarios(group, mutant)
            bench = Bench(self.suite.base, group.known[0].scenario, files=files, proofs=False)
            wrong = bench.errors
            if bench.ruleset is not None and not mutant.carried_out:
                wrong = check_layouts(bench.ruleset.model)
            if bench.ruleset is None or wrong:
                return Verdict(REFUSED, wrong[0].code, reached, problems=wrong[:1])
            rulesets.append(bench.ruleset)
            for portion in (likely[:PORTION], likely[PORTION:]):
                for one in portion:
                    bench.bind(one.scenario)
                for one in portion:
                    played += 1
                    if not _play(bench, one).is_passed:
                        return Verdict(NOTICED, one.scenario.name, reached, played)
        for group in self.groups:
            refused = self.inspect(group.wish, files, proofs=True).errors
            if refused:
                return Verdict(REFUSED, refused[0].code, reached, played, refused[:1])
        pairs = zip(self.groups, rulesets, strict=True)
        same = all(all(map(same_program, group.programs, _programs_of(ruleset))) for group, ruleset in pairs)
        return Verdict(SAME if same else SURVIVED, "", reached, played)

    def count_reaching(self, mutant: Mutant) -> int | None:
        """Count the scenarios that reach the line of a mutant; None if no code comes from that line."""
        line = (mutant.path, mutant.span.line)
        if not any(line in group.code for group in self.groups):
            return None
        return sum(line in one.lines for group in self.groups for one in group.known)


def _play_original(group: Group, bench: Bench, scenario: Scenario) -> Outcome:
    """Play a scenario of the original, and keep what is known of it."""
    one = Known(scenario, bench.find_bound(scenario).players, set(), _list_words(scenario))
    group.known.append(one)
    outcome = _play(bench, one)
    if not outcome.is_passed:
        one.long = True
        outcome = _play(bench, one)
    if outcome.is_passed:
        counts = LineCounts()
        with counts.count():
            judge(bench, scenario)
        one.lines = set(counts)
    return outcome


def _play(bench: Bench, one: Known) -> Outcome:
    """Play a scenario with few steps, unless it needs more; compiling its program may take as many as it needs."""
    with suppress(Exception):  # if this fails, it fails again when the scenario is judged, which reports it
        bench.program(one.players)
    with nullcontext() if one.long else scarce(STEPS):
        return judge(bench, one.scenario)


def _programs_of(ruleset: Ruleset) -> Iterator[Executable]:
    """Yield the programs of a ruleset for all numbers of players."""
    least, most = ruleset.players
    for seats in range(least, most + 1):
        yield ruleset.program(seats + ruleset.model.automated, True)


def _list_code_lines(program: Executable) -> set[Line]:
    """Return the lines that matches of a program carry out; those of functions that became tables are none."""
    model = program.layout.model
    tabled = {id_ for name in model.functions if f"T_{(id_ := function_name(name))}" in program.space}
    return compiled_lines(value for name, value in program.space.items() if name not in tabled)


def _list_words(scenario: Scenario) -> set[str]:
    """Return the words in the texts of a scenario."""
    nodes = (*scenario.given, scenario.call, *scenario.choose, *scenario.checks.values())
    said = [scenario.id, *texts(*(node for node in nodes if node is not None))]
    words = {word for text in said for word in WORD.findall(text)}
    return words | {word.rpartition("_")[0] for word in words if word[-1].isdigit()}  # copies of a piece have numbers


def _rank_scenarios(group: Group, mutant: Mutant) -> list[Known]:
    """Return the scenarios that may notice a mutant, the likeliest first; of equally likely ones, the shortest first.

    Scenarios with the usual number of players come before the others, because each number needs its own program.
    """
    lines, line = mutant.lines, (mutant.path, mutant.span.line)
    names = {step for step in mutant.steps[1:4] if isinstance(step, str)}  # the entry, and keys in it
    counts = [one.players for one in group.known]
    usual = max(sorted(set(counts)), key=counts.count)

    def rank(one: Known) -> int:
        if line in one.lines:
            return 0
        return 1 if not lines.isdisjoint(one.lines) else 5 - len(names & one.words)

    found = [(rank(one), one) for one in group.known]
    if mutant.carried_out and not lines.isdisjoint(group.code) and lines.isdisjoint(group.early):
        found = [pair for pair in found if pair[0] < 2]
    found.sort(key=lambda pair: (pair[1].players != usual, pair[0], len(pair[1].lines)))
    return [one for _, one in found]
