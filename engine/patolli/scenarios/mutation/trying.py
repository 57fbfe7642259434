"""Try mutants: make each, play the scenarios that may notice it, and ask the checker about those that none notices.

In:     a pack whose scenarios all pass.
Out:    a :class:`Verdict` for each mutant.

A mutant is made of the trees that are there: one text is parsed again, everything is resolved and compiled anew, and
nothing is proved. That takes a fraction of a second; proofs and lints follow for those that are left when all scenarios
have been played. So a mutant counts as refused when it has a wrong type, or when the checker alone refuses it.

What notices a mutant does not depend on the order of the scenarios; how soon does. First come those that come by the
changed line or name the changed entry, the shortest first.
"""

from __future__ import annotations

import copy
import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from patolli.compiler import Executable
from patolli.diagnostics import Problem
from patolli.kernel.budget import scarce
from patolli.packs.manifest import Files, Kept
from patolli.program.model import Rule
from patolli.program.summaries import Summaries
from patolli.proofs.prover import Prover
from patolli.runtime import Ruleset
from patolli.scenarios.bench import Bench
from patolli.scenarios.judging import judge
from patolli.scenarios.mutation.applying import Changed, applied
from patolli.scenarios.mutation.mutant import NOTICED, REFUSED, SAME, SURVIVED, Mutant, Verdict
from patolli.scenarios.mutation.reach import Line, lines_of_code, names_of, noting, words_of
from patolli.scenarios.mutation.sameness import same_program
from patolli.scenarios.mutation.together import beside, exchangeable, exchanged, rule_of
from patolli.scenarios.mutation.trimming import BEGINNING, trimmed
from patolli.scenarios.outcome import Outcome
from patolli.scenarios.suites import Suite, Wish
from patolli.workspace import Inspection, inspect
from patolli.workspace.inspecting import unplaced
from patolli.workspace.scenarios.binding import Bound, Extras
from patolli.workspace.scenarios.reading import SET_UP, Scenario

STEPS = 5_000_000
"""Steps from one answer to the next in which a mutant must have done what it does: far more than a scenario takes."""
PORTIONS = (0, 6, 60, 260)
"""How many scenarios are compiled with a mutant at first, and how many when none of these has noticed it, and so on.

The fewer they are, the less of the rules they come by, and the less has to be compiled."""
FEW = 3
"""Mutants from which on it is worth making them in one program."""


@dataclass(slots=True)
class Known:
    """One scenario that passes: the lines that it comes by, its words, and whether it takes more than a few steps."""

    scenario: Scenario
    bound: Bound
    lines: set[Line]
    words: set[str]
    long: bool = False


@dataclass
class Group:
    """The scenarios that ask for the same packs and options, and what they are played with."""

    wish: Wish
    bench: Bench
    known: list[Known] = field(default_factory=list)
    early: set[Line] = field(default_factory=set)
    """Lines that are carried out when a program is made, for what no match changes."""

    @cached_property
    def usual(self) -> int:
        """The number of players that most scenarios have."""
        return Counter(one.bound.players for one in self.known).most_common(1)[0][0]

    @cached_property
    def programs(self) -> list[Executable]:
        """The programs for all numbers of players, without scenarios."""
        assert self.bench.ruleset is not None
        with noting(self.early):
            return list(programs_of(self.bench.ruleset))

    @cached_property
    def code(self) -> set[Line]:
        """The lines of the rules that matches carry out."""
        programs = self.programs
        return set().union(*map(lines_of_code, programs)) - self.early


class Variant(Bench):
    """A bench with other rules and some of the scenarios; their texts need not be read again."""

    def __init__(self, bench: Bench, ruleset: Ruleset, known: list[Known] | None, more: Iterable[str] = ()) -> None:
        """Take the scenarios that are *known*, or all of them; *more* rules may be carried out by them."""
        self.options, self.binding, self.marks = bench.options, bench.binding, None
        self.errors, self.ruleset, self._rulesets = [], ruleset, {}
        self._names = None if known is None else {name for one in known for name in names_of(one.bound)}
        self._first = {*more, *(self._names or ())}
        if known is not None and any(one.scenario.start == SET_UP for one in known):
            self._first.update(BEGINNING)

    def texts(self, players: int) -> Extras:
        """Return the texts of these scenarios."""
        whole, names = super().texts(players), self._names
        if names is None:
            return whole
        rules = {name: rule for name, rule in whole.rules.items() if name in names}
        return Extras(rules, {name: value for name, value in whole.values.items() if name in names})

    def made(self, players: int) -> Ruleset:
        """Return the ruleset with these texts, without what they cannot come by."""
        found = super().made(players)
        if self._names is not None:
            summaries = Summaries(found.resolved)
            found.model.program = trimmed(found.resolved, summaries, self._first)
            found.model.prover = Prover(found.resolved, summaries)
        return found


class Trial:
    """The scenarios of a pack, ready to be played with its mutants."""

    def __init__(self, suite: Suite, files: Kept) -> None:
        """Read everything that the scenarios ask for; :meth:`prepare` plays them."""
        self.suite, self.files = suite, files
        self.groups: list[Group] = []
        self.problems: list[Problem] = []

    def prepare(self) -> list[Outcome]:
        """Play all scenarios once; return what does not pass. With such, or with problems, nothing can be tried."""
        groups: dict[Wish, list[Scenario]] = {}
        for scenario in self.suite.scenarios:
            groups.setdefault((scenario.active, scenario.options), []).append(scenario)
        failed: list[Outcome] = []
        for wish, scenarios in groups.items():
            bench = Bench(self.suite.base, scenarios[0], files=self.files)
            self.problems += [problem for problem in bench.errors if problem not in self.problems]
            if bench.errors:
                continue
            bounds = [bench.bind(scenario) for scenario in scenarios]
            bench = Variant(
                bench, self.inspected(wish, self.files).ruleset or bench.program(bounds[0].players)[0], None
            )
            group = Group(wish, bench)
            self.groups.append(group)
            for scenario, bound in zip(scenarios, bounds, strict=True):
                outcome = self._know(group, scenario, bound)
                if not outcome.passed:
                    failed.append(outcome)
        return failed

    def _know(self, group: Group, scenario: Scenario, bound: Bound) -> Outcome:
        one = Known(scenario, bound, set(), words_of(scenario))
        outcome = _played(group.bench, one)
        if not outcome.passed:
            one.long = True
            outcome = _played(group.bench, one)
        if outcome.passed:
            with noting(one.lines):
                judge(group.bench, scenario)
        group.known.append(one)
        return outcome

    def inspected(self, wish: Wish, files: Files, proofs: bool = False) -> Inspection:
        """Return the ruleset that scenarios wish for; without *proofs*, only its types are checked."""
        modules, options = wish
        return inspect(self.suite.base, modules, dict(options), False, files, proofs)

    # -- one mutant

    def judged(self, mutants: Sequence[Mutant]) -> Iterator[Verdict]:
        """Yield what becomes of some mutants, in their order; the first takes the longest."""
        judgements = [_Judgement(self, mutant) for mutant in mutants]
        early: dict[int, Verdict] = {}
        for group in self.groups:
            early |= _noticed_together(group, {n: j for n, j in enumerate(judgements) if n not in early})
        gc.collect()
        for number in range(len(mutants)):
            yield early[number] if number in early else judgements[number].verdict()
            judgements[number].rulesets.clear()

    def alone(self, mutant: Mutant) -> Verdict:
        """Return what becomes of a mutant that is made by itself."""
        return _Judgement(self, mutant).verdict()

    def replayed(self) -> list[Outcome]:
        """Play the scenarios with the original again."""
        return [judge(group.bench, one.scenario) for group in self.groups for one in group.known]

    def reached(self, mutant: Mutant) -> int | None:
        """Count the scenarios that come by the line of a mutant; None where no code stems from it."""
        line = (mutant.path, mutant.span.line)
        if not any(line in group.code for group in self.groups):
            return None
        return sum(line in one.lines for group in self.groups for one in group.known)


class _Judgement:
    """What becomes of one mutant."""

    def __init__(self, trial: Trial, mutant: Mutant) -> None:
        self.trial, self.mutant = trial, mutant
        self.files = Changed(trial.files, trial.suite.pack, applied(trial.suite.pack, mutant))
        self.rulesets: dict[int, Ruleset] = {}
        self.played: set[str] = set()

    def verdict(self) -> Verdict:
        reached = self.trial.reached(self.mutant)
        for group, known in self._batches():
            if not known:
                refused = self._refused()
                if refused:
                    return Verdict(REFUSED, refused[0].code, reached, len(self.played), refused[:1])
                if self._same():
                    return Verdict(SAME, "", reached, len(self.played))
                continue
            ruleset = self._ruleset(group)
            if isinstance(ruleset, list):
                return Verdict(REFUSED, ruleset[0].code, reached, problems=ruleset[:1])
            noticed = self._play(group, ruleset, known)
            if noticed is not None:
                return Verdict(NOTICED, noticed, reached, len(self.played))
        return Verdict(SURVIVED, "", reached, len(self.played))

    def _ruleset(self, group: Group) -> Ruleset | list[Problem]:
        key = id(group)
        if key not in self.rulesets:
            found = self.trial.inspected(group.wish, self.files)
            wrong = unplaced(found.ruleset.model) if found.ruleset is not None and not self.mutant.carried_out else []
            if found.ruleset is None or wrong:
                return [*found.errors, *wrong]
            self.rulesets[key] = found.ruleset
        return self.rulesets[key]

    def _batches(self) -> Iterator[tuple[Group, list[Known]]]:
        """Yield scenarios that are compiled and played together, in the order in which they may help.

        Before the last ones, which are many and seldom help, none are yielded: then the checker has its turn.
        """
        ranked = [(group, self._ranked(group)) for group in self.trial.groups]
        ranked.sort(key=lambda pair: min((rank for rank, _ in pair[1]), default=0))
        for first, end in pairwise(PORTIONS):
            for group, known in ranked:
                if known[first:end]:
                    yield group, [one for _, one in known[first:end]]
        yield self.trial.groups[0], []
        for group, known in ranked:
            if known[PORTIONS[-1] :]:
                yield group, [one for _, one in known]

    def _ranked(self, group: Group) -> list[tuple[int, Known]]:
        """Return the scenarios that may notice the mutant, the likeliest first; of those that are alike the shortest.

        Those with the usual number of players have a program in common, so the others wait.

        All code that an effect or function becomes has its lines, so nothing else needs to be played. Others are worked
        out in advance, or stand in the midst of code from elsewhere.
        """
        mutant = self.mutant
        lines, line = mutant.lines, (mutant.path, mutant.span.line)
        names = {step for step in mutant.steps[1:4] if isinstance(step, str)}  # the entry, and keys in it

        def rank(one: Known) -> int:
            if line in one.lines:
                return 0
            if not lines.isdisjoint(one.lines):
                return 1
            return 5 - len(names & one.words)

        found = [(rank(one), one) for one in group.known]
        if mutant.carried_out and not lines.isdisjoint(group.code) and lines.isdisjoint(group.early):
            found = [pair for pair in found if pair[0] < 2]
        return sorted(found, key=lambda pair: (pair[1].bound.players != group.usual, pair[0], len(pair[1].lines)))

    def _play(self, group: Group, ruleset: Ruleset, known: list[Known]) -> str | None:
        """Play scenarios until one fails; return its name."""
        left = [one for one in known if one.scenario.name not in self.played]
        everything = len(known) == len(group.known)
        bench = Variant(group.bench, ruleset, None if everything else left)
        for one in left:
            self.played.add(one.scenario.name)
            if not _played(bench, one).passed:
                return one.scenario.name
        return None

    def together(self, group: Group) -> tuple[str, list[Known]] | Verdict | None:
        """Return which rule is changed, and who may notice it, where the mutant can be made with others."""
        if not self.mutant.effect or group.bench.ruleset is None:
            return None
        name = rule_of(self.mutant, group.bench.ruleset.resolved)
        known = [one for _, one in self._ranked(group) if one.bound.players == group.usual] if name else []
        if name is None or not known:
            return None
        ruleset = self._ruleset(group)
        if isinstance(ruleset, list):
            return Verdict(REFUSED, ruleset[0].code, self.trial.reached(self.mutant), problems=ruleset[:1])
        return name, known

    def changed(self, group: Group, name: str) -> Rule:
        """Return the changed rule."""
        ruleset = self._ruleset(group)
        assert not isinstance(ruleset, list)
        return ruleset.resolved.rules[name]

    def _refused(self) -> list[Problem]:
        """Return why the checker refuses this, if it does."""
        for group in self.trial.groups:
            found = self.trial.inspected(group.wish, self.files, proofs=True)
            if found.errors:
                return found.errors
        return []

    def _same(self) -> bool:
        """Tell whether the mutant compiles to the same programs as the original."""
        return all(self._same_here(group) for group in self.trial.groups)

    def _same_here(self, group: Group) -> bool:
        ruleset = self._ruleset(group)
        if isinstance(ruleset, list) or group.bench.ruleset is None:
            return False
        return all(map(same_program, programs_of(group.bench.ruleset), programs_of(ruleset)))


def _played(bench: Bench, one: Known) -> Outcome:
    """Play a scenario, with few steps once its program is made; what goes wrong in making it is told by playing it."""
    with suppress(Exception):
        bench.program(one.bound.players)
    with nullcontext() if one.long else scarce(STEPS):
        return judge(bench, one.scenario)


def _noticed_together(group: Group, judgements: dict[int, _Judgement]) -> dict[int, Verdict]:
    """Return what can be said of mutants that are made in one program: those that are refused or noticed, by number."""
    found: dict[int, Verdict] = {}
    ready: dict[int, tuple[str, list[Known]]] = {}
    for number, judgement in judgements.items():
        way = judgement.together(group)
        if isinstance(way, Verdict):
            found[number] = way
        elif way is not None:
            ready[number] = way
    if len(ready) < FEW or group.bench.ruleset is None:
        return found
    known = {one.scenario.name: one for _, several in ready.values() for one in several}
    made = copy.copy(group.bench.ruleset.resolved)
    rules = [beside(judgements[number].changed(group, name), number) for number, (name, _) in ready.items()]
    made.rules = {**made.rules, **{rule.name: rule for rule in rules}}
    model = copy.copy(group.bench.ruleset.model)
    model.program, model.prover = made, None
    bench = Variant(
        group.bench, Ruleset(model, dict(group.bench.options)), list(known.values()), [rule.name for rule in rules]
    )
    executable = bench.program(group.usual)[1]
    for number, (name, several) in ready.items():
        other = f"{name}~{number}"
        if exchangeable(executable, name, other):
            with exchanged(executable, name, other):
                by = next(((at, one) for at, one in enumerate(several, 1) if not _played(bench, one).passed), None)
            if by is not None:
                reached = judgements[number].trial.reached(judgements[number].mutant)
                found[number] = Verdict(NOTICED, by[1].scenario.name, reached, by[0])
    return found


def programs_of(ruleset: Ruleset) -> Iterator[Executable]:
    """Yield the programs of a ruleset for all numbers of players; they are compiled when they are asked for."""
    least, most = ruleset.players
    for seats in range(least, most + 1):
        yield ruleset.program(seats + ruleset.model.automated, True)
