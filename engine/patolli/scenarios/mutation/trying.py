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

import gc
from collections.abc import Iterator, Sequence
from itertools import pairwise

from patolli.diagnostics import Problem
from patolli.packs.manifest import Files, Kept
from patolli.program.model import Function, Rule
from patolli.runtime import Ruleset
from patolli.scenarios.bench import Bench
from patolli.scenarios.judging import judge
from patolli.scenarios.mutation.applying import Changed, applied
from patolli.scenarios.mutation.cells import Cell, alike, exchangeable_column, played_with, said
from patolli.scenarios.mutation.grouping import Group, Known, Variant, played, programs_of
from patolli.scenarios.mutation.mutant import NOTICED, REFUSED, SAME, SURVIVED, Mutant, Verdict
from patolli.scenarios.mutation.reach import noting, words_of
from patolli.scenarios.mutation.sameness import same_program
from patolli.scenarios.mutation.together import Beside, ask_of, beside, instead, rule_of, taken
from patolli.scenarios.outcome import Outcome
from patolli.scenarios.suites import Suite, Wish
from patolli.workspace import Inspection, inspect
from patolli.workspace.inspecting import unplaced
from patolli.workspace.scenarios.binding import Bound
from patolli.workspace.scenarios.reading import Scenario

PORTIONS = (0, 3, 24, 260)
"""How many scenarios are compiled with a mutant at first, and how many when none of these has noticed it, and so on.

The fewer they are, the less of the rules they come by, and the less has to be compiled."""
FEW = 3
"""Mutants from which on it is worth making them in one program."""
KEPT = 4
"""How many mutants made by themselves may lie about as garbage: one of a large pack takes a hundred megabytes."""


class Trial:
    """The scenarios of a pack, ready to be played with its mutants."""

    def __init__(self, suite: Suite, files: Kept) -> None:
        """Read everything that the scenarios ask for; :meth:`prepare` plays them."""
        self.suite, self.files = suite, files
        self.groups: list[Group] = []
        self.problems: list[Problem] = []
        self.lately: dict[object, list[str]] = {}
        """By entry and by fact, the scenarios that noticed other mutants of it which are judged in one go."""

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
        outcome = played(group.bench, one)
        if not outcome.passed:
            one.long = True
            outcome = played(group.bench, one)
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
        self.lately.clear()
        early: dict[int, Verdict] = {}
        for group in self.groups:
            early |= _noticed_together(group, {n: j for n, j in enumerate(judgements) if n not in early})
        gc.collect()
        alone = 0
        for number in range(len(mutants)):
            if number in early:
                yield early[number]
                continue
            yield judgements[number].verdict()
            judgements[number].rulesets.clear()
            judgements[number].changed.clear()
            alone += 1
            if alone % KEPT == 0:
                gc.collect()

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
        self.changed: dict[int, Ruleset] = {}
        """By group, the ruleset in which only what is changed was resolved anew."""
        self.counts: dict[int, int] = {}
        """By group, the number of players with which it makes a difference, where that is known."""
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
            ruleset = self.changed.get(id(group)) or self._ruleset(group)
            if isinstance(ruleset, list):
                return Verdict(REFUSED, ruleset[0].code, reached, problems=ruleset[:1])
            noticed = self._play(group, ruleset, known)
            if noticed is not None:
                return self.noticed(noticed, reached, len(self.played))
        return Verdict(SURVIVED, "", reached, len(self.played))

    def noticed(self, by: str, reached: int | None, played: int) -> Verdict:
        """Return that a scenario noticed the mutant, and remember that it looks at this entry."""
        for key in (self.mutant.entry, self.mutant.column):
            self.trial.lately.setdefault(key, []).append(by)
        return Verdict(NOTICED, by, reached, played)

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
        names = self.lately()
        lately = len(names)

        def soon(pair: tuple[Group, list[tuple[int, Known]]]) -> tuple[bool, int]:
            known = pair[1]
            return not any(one.scenario.name in names for _, one in known), min((r for r, _ in known), default=0)

        ranked.sort(key=soon)
        for first, end in pairwise(sorted({*PORTIONS, lately})):
            for group, known in ranked:
                if known[first:end]:
                    yield group, [one for _, one in known[first:end]]
        yield self.trial.groups[0], []
        for group, known in ranked:
            if known[PORTIONS[-1] :]:
                yield group, [one for _, one in known]

    def lately(self) -> set[str]:
        """Return the scenarios that noticed mutants of the same entry, and the last for one of the same fact."""
        lately, mutant = self.trial.lately, self.mutant
        return {*lately.get(mutant.entry, []), *lately.get(mutant.column, [])[-1:]}

    def _ranked(self, group: Group) -> list[tuple[int, Known]]:
        """Return the scenarios that may notice the mutant, the likeliest first; of those that are alike the shortest.

        Those with the usual number of players have a program in common, so the others wait. What noticed another mutant
        of the same entry comes first.

        All code that an effect or function becomes has its lines, so nothing else needs to be played. Others are worked
        out in advance, or stand in the midst of code from elsewhere.
        """
        mutant = self.mutant
        lines, line = mutant.lines, (mutant.path, mutant.span.line)
        names = {step for step in mutant.steps[1:4] if isinstance(step, str)}  # the entry, and keys in it
        near = group.near(names)

        def rank(one: Known) -> int:
            if line in one.lines:
                return 0
            if not lines.isdisjoint(one.lines):
                return 1
            return 6 - len(names & one.words) - (not near.isdisjoint(one.lines))

        found = [(rank(one), one) for one in group.known]
        if mutant.carried_out and not lines.isdisjoint(group.code) and lines.isdisjoint(group.early):
            found = [pair for pair in found if pair[0] < 2]
        lately = self.lately()
        players = self.counts.get(id(group), group.usual)

        def order(pair: tuple[int, Known]) -> tuple[bool, bool, int, int]:
            one = pair[1]
            return one.scenario.name not in lately, one.bound.players != players, pair[0], len(one.lines)

        return sorted(found, key=order)

    def _play(self, group: Group, ruleset: Ruleset, known: list[Known]) -> str | None:
        """Play scenarios until one fails; return its name."""
        left = [one for one in known if one.scenario.name not in self.played]
        everything = len(known) == len(group.known)
        bench = Variant(group.bench, ruleset, None if everything else left)
        for one in left:
            self.played.add(one.scenario.name)
            if not played(bench, one).passed:
                return one.scenario.name
        return None

    def together(self, group: Group) -> Beside | Verdict | None:
        """Return what is changed, and who may notice it, where the mutant can be made with others."""
        if group.bench.ruleset is None:
            return None
        program = group.bench.ruleset.resolved
        alone = group.retyping.changed(self.trial.suite.pack, self.mutant)
        if isinstance(alone, Cell):
            return self._cell(group, alone)
        if not self.mutant.carried_out:
            return None
        ranked = [(rank, one) for rank, one in self._ranked(group) if one.bound.players == group.usual]
        near = [one for rank, one in ranked if rank < 2] or [one for _, one in ranked[: PORTIONS[2]]]
        if alone is not None:
            self.changed[id(group)] = group.with_program(instead(program, alone))
        made: Rule | Function | Verdict | None = alone
        if made is None and self.mutant.effect and near:
            made = self._changed_rule(group)
        if isinstance(made, Verdict) or made is None:
            return made
        return Beside(made, near, group.usual) if near else None

    def _cell(self, group: Group, cell: Cell) -> Beside | None:
        """Return a cell of a table, and who may notice that it is another: who plays with a number that reads it."""
        assert group.bench.ruleset is not None
        program = group.bench.ruleset.resolved
        players = played_with(program, cell, group.counts)
        if players is None:
            return None
        self.counts[id(group)] = players
        if not exchangeable_column(program, cell.column, group.fixed) or not alike(said(program, cell), cell.value):
            return None
        near = [one for _, one in self._ranked(group) if one.bound.players == players][: PORTIONS[2]]
        return Beside(cell, near, players) if near else None

    def _changed_rule(self, group: Group) -> Rule | Verdict | None:
        """Return the changed rule, where the whole pack has to be resolved to tell."""
        assert group.bench.ruleset is not None
        name = rule_of(self.mutant, group.bench.ruleset.resolved)
        if name is None:
            return None
        ruleset = self._ruleset(group)
        if isinstance(ruleset, list):
            return Verdict(REFUSED, ruleset[0].code, self.trial.reached(self.mutant), problems=ruleset[:1])
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


def _noticed_together(group: Group, judgements: dict[int, _Judgement]) -> dict[int, Verdict]:
    """Return what can be said of mutants that are made in one program: those that are refused or noticed, by number."""
    found: dict[int, Verdict] = {}
    ready: dict[int, Beside] = {}
    for number, judgement in judgements.items():
        way = judgement.together(group)
        if isinstance(way, Verdict):
            found[number] = way
        elif way is not None:
            ready[number] = way
    for players in sorted({way.players for way in ready.values()}):
        ways = {number: way for number, way in ready.items() if way.players == players}
        if len(ways) >= FEW:
            found |= _played_together(group, players, ways, judgements)
    return found


def _played_together(
    group: Group, players: int, ways: dict[int, Beside], judgements: dict[int, _Judgement]
) -> dict[int, Verdict]:
    """Return which of some mutants a scenario notices that has so many players, all tried with one program."""
    assert group.bench.ruleset is not None
    known = {one.scenario.name: one for way in ways.values() for one in way.known}
    made = beside(group.bench.ruleset.resolved, {number: way.made for number, way in ways.items()})
    more = made.rules.keys() - group.bench.ruleset.resolved.rules.keys()
    columns = [way.made.column for way in ways.values() if isinstance(way.made, Cell)]
    bench = Variant(group.bench, group.with_program(made), list(known.values()), sorted(more), columns)
    executable = bench.program(players)[1]
    ask_of(executable, [(way.made, number) for number, way in ways.items()])
    found: dict[int, Verdict] = {}
    for number, way in ways.items():
        judgement = judgements[number]
        lately = judgement.lately()
        with taken(executable, way.made, number) as can:
            tried = sorted(way.known, key=lambda one: one.scenario.name not in lately) if can else []
            by = next((at for at, one in enumerate(tried, 1) if not played(bench, one).passed), 0)
        if by:
            reached = judgement.trial.reached(judgement.mutant)
            found[number] = judgement.noticed(tried[by - 1].scenario.name, reached, by)
    return found
