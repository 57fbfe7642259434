"""Find the tests of packs, select, and run them: for each pack a smoke run, then its scenarios.

In:     ids or paths of packs, and a :class:`Plan`.
Out:    a :class:`Result`: the outcome of every test, in the order of packs, files and lines.
"""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from time import perf_counter

from patolli.author.scenarios.bench import Bench
from patolli.author.scenarios.counterexamples import BUDGET, Demand, Search, demands_of, otherwise_blocks, search
from patolli.author.scenarios.coverage.marks import Marks
from patolli.author.scenarios.line_counts import WEIGHT, Line, LineCounts, compiled_lines
from patolli.author.scenarios.name_filter import compile_filter
from patolli.author.scenarios.outcome import Outcome
from patolli.author.scenarios.smoke import NAME, STEPS, Trial, break_off, play_trial, trials
from patolli.author.scenarios.verdicts import broken_off, judge, too_many_steps
from patolli.author.workspace import inspect, requirements
from patolli.author.workspace.processes import Lost, Pool
from patolli.author.workspace.scenarios.scenario_reader import Scenario, read_scenarios
from patolli.kernel.budget import BUDGET as BUDGET_OF_STEPS
from patolli.kernel.budget import Allowance
from patolli.language.diagnostics import ContentError, Problem, Span
from patolli.language.diagnostics.fault import EngineFault
from patolli.language.packs.discovery import MANIFEST, installed
from patolli.language.packs.manifest import DISK, Files, Kept, Pack
from patolli.run.runtime import Ruleset

ReportProgress = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run.

    ``packs`` are ids or paths; none stands for everything that is installed. ``select`` is an expression such
    as ``red and not slow`` over parts of names. ``modules`` are added to those that a scenario asks for. ``search`` is
    how many choices the search for matches that fail may make for each pack. ``strict`` wants each demand that is not
    proven to be promised, and each promise to be reached by a scenario or the smoke run.
    """

    packs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    select: str = ""
    jobs: int = 1
    coverage: bool = False
    smoke: bool = True
    search: int = BUDGET
    strict: bool = False


@dataclass(slots=True)
class Result:
    """What came of the smoke run and of all scenarios; ``problems`` are those of the packs themselves."""

    smoke: list[Outcome] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    marks: Marks | None = None
    searches: list[Search] = field(default_factory=list)
    tested: set[Line] = field(default_factory=set)

    @property
    def faults(self) -> list[EngineFault]:
        """The faults of the program itself."""
        found = [one for search in self.searches for one in search.failures]
        return [outcome.fault for outcome in (*self.smoke, *found, *self.outcomes) if outcome.fault is not None]

    @property
    def failed_outcomes(self) -> list[Outcome]:
        """The outcomes of what did not pass."""
        found = [one for search in self.searches for one in search.failures]
        return [outcome for outcome in (*self.smoke, *found, *self.outcomes) if not outcome.is_passed]


@dataclass(slots=True)
class Suite:
    """The tests of one pack; ``base`` names the pack that they play, ``modules`` are active in all of them.

    A pack with documents that cannot be read has ``problems`` and no tests: some might be missing, or changed.
    """

    base: str
    modules: tuple[str, ...]
    pack: Pack
    scenarios: list[Scenario] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    smoke: bool = False


def find_suite(name: str, modules: tuple[str, ...] = (), files: Files = DISK) -> Suite:
    """Read the scenarios of a pack; a module is tested with what it needs. Raises ContentError: a pack is missing."""
    needs = requirements(name, files)
    pack = files.pack(name)
    if needs.missing:
        raise ContentError(needs.missing[:1])
    suite = Suite(needs.base, tuple(dict.fromkeys([*needs.modules, *modules])), pack)
    suite.problems = [problem for problem in pack.problems if problem.severity == "error"]
    if not suite.problems:
        suite.scenarios = read_scenarios(pack, needs.modules)
        suite.smoke = True
    if modules:
        suite.scenarios = [replace(scenario, added=modules) for scenario in suite.scenarios]
    return suite


def run_scenarios(plan: Plan, report_progress: ReportProgress | None = None, files: Files = DISK) -> Result:
    """Run all tests that a plan selects; *report_progress* gets each outcome as it comes.

    Other *files* than those of the disk are read by one process, whatever the plan says.

    Raises:
        ContentError: There is no such pack.
        ValueError: The expression that selects cannot be read.
    """
    kept = Kept(files)
    suites = _select_tests(plan, kept)
    total = sum(len(suite.scenarios) + suite.smoke for suite in suites)
    parallel = plan.jobs > 1 and total > 1 and files is DISK
    result = (
        _in_parallel(plan, min(plan.jobs, total), report_progress)
        if parallel
        else _run(suites, plan, kept, report_progress)
    )
    if plan.strict:
        result.problems += _list_untested(suites, result)
    return result


def find_untested(name: str) -> list[Problem]:
    """Run the tests of a pack that promises something; return a problem for each promise that none of them reaches.

    Raises:
        ContentError: There is no such pack.
    """
    files = Kept()
    run = _SuiteRun(find_suite(name, (), files), Result(), files)
    run.find_demands()
    if not any(demand.code == "P0820" for demand in run.demands):
        return []
    return run_scenarios(Plan((name,), search=0, strict=True)).problems


def _list_untested(suites: list[Suite], result: Result) -> list[Problem]:
    """Return a problem for each open demand of the packs, and for each promise that no test reaches."""
    demands = [demand for search in result.searches for demand in search.demands if demand.code != "P0814"]
    places: dict[Line, Demand] = {
        demand.line: demand for demand in demands if any(suite.pack.holds(demand.span.path) for suite in suites)
    }
    return [
        Problem("P0615", words, demand.span, help_)
        for line, demand in places.items()
        for words, help_ in [_describe_untested(demand.code, line in result.tested)]
        if words
    ]


def _describe_untested(code: str, is_tested: bool) -> tuple[str, str]:
    """Say what is missing for a demand, and what to do."""
    test = "write a scenario that reaches this line"
    if code != "P0820":
        more = "" if is_tested else f", and {test}"
        return "this could not be proven, and nothing is promised", f"promise it with 'expect' in the line above{more}"
    return ("", "") if is_tested else ("no scenario and no match of the smoke run reaches this promise", test)


def _select_tests(plan: Plan, files: Files) -> list[Suite]:
    wanted = compile_filter(plan.select)
    suites = [find_suite(name, plan.modules, files) for name in plan.packs or installed()]
    for suite in suites:
        suite.scenarios = [s for s in suite.scenarios if wanted(f"{s.name} {s.path}")]
        suite.smoke = suite.smoke and plan.smoke and wanted(f"{suite.pack.id}::{NAME} {suite.pack.folder}")
    return suites


def _run(suites: list[Suite], plan: Plan, files: Files, report_progress: ReportProgress | None = None) -> Result:
    result = Result()
    if plan.coverage:
        from patolli.author.scenarios.coverage.marks import Marks

        result.marks = Marks()
    for suite in suites:
        result.problems += [problem for problem in suite.problems if problem not in result.problems]
        run = _SuiteRun(suite, result, files)
        if (plan.search or plan.strict) and not plan.coverage:
            run.find_demands()
        for outcomes, several in ((result.smoke, run.smoke()), (result.outcomes, run.scenarios())):
            for outcome in several:
                outcomes.append(outcome)
                if report_progress is not None:
                    report_progress(outcome)
        if run.counts is not None and not any(outcome.fault is not None for outcome in result.smoke):
            result.tested |= run.counts.keys()
            if suite.smoke and not any(outcome.spent for outcome in result.smoke):
                result.searches += run.search(plan.search, run.counts)
    if result.marks is not None:
        result.marks.keep([suite.pack.folder for suite in suites])
    order = {s.name: i for i, s in enumerate(s for suite in suites for s in suite.scenarios)}
    result.outcomes.sort(key=lambda outcome: order[outcome.name])
    return result


SCENARIO_STEPS = 2 * BUDGET_OF_STEPS
"""How many steps the scenarios of a pack may take together; those of the largest game take a hundredth of it."""
Wish = tuple[tuple[str, ...], tuple[tuple[str, str | int], ...]]
"""The modules and options that scenarios ask for."""
TOGETHER = 800
"""Scenarios that share a bench. The texts of one take about 90 kB until they were played, but each bench compiles the
rules again."""


@dataclass(slots=True)
class _Group:
    """Scenarios that are played on one bench; ``seconds`` were spent to make it."""

    wish: Wish
    scenarios: list[Scenario]
    bench: Bench | None = None
    seconds: float = 0.0


class _SuiteRun:
    """Runs the tests of one pack; what is wrong with the packs that they ask for goes to the result.

    The smoke run plays the programs that scenarios need in any case, where there are such; not when lines are counted,
    since random matches come by lines that no scenario looks at.
    """

    def __init__(self, suite: Suite, result: Result, files: Files) -> None:
        self.suite, self.result, self.files = suite, result, files
        self.ruleset: Ruleset | None = None
        self.demands: list[Demand] = []
        self.counts: LineCounts | None = None
        wishes: dict[Wish, list[Scenario]] = {}
        for scenario in suite.scenarios:
            wishes.setdefault((scenario.active, scenario.options), []).append(scenario)
        self.groups = [
            _Group(wish, scenarios[at : at + TOGETHER])
            for wish, scenarios in wishes.items()
            for at in range(0, len(scenarios), TOGETHER)
        ]

    def smoke(self) -> Iterator[Outcome]:
        """Play the smoke run."""
        own: Wish = (self.suite.modules, ())
        bench: Bench | None = None
        if not self.suite.smoke:
            return
        shared = next((group for group in self.groups if group.wish == own), None)
        with suppress(Exception):  # it comes again when the scenarios are played, and is reported there
            bench = self._make_bench(shared) if shared is not None and self.result.marks is None else None
        try:
            rules = bench.ruleset if bench is not None else self._load_ruleset(own)
        except Exception as error:
            pack = self.suite.pack
            yield break_off(Outcome(pack.id, NAME, str(pack.folder / MANIFEST), 1, "the smoke run"), error)
            return
        if rules is None:
            return

        def load(trial: Trial) -> Ruleset:
            if trial.settings:
                return found if (found := self._load_ruleset((own[0], trial.settings))) else rules
            has_texts = bench is not None and trial.players in bench.binding.extras
            return bench.program(trial.players)[0] if bench is not None and has_texts else rules

        allowance = self._make_allowance(STEPS)
        for trial in trials(rules, self.suite.pack):
            with self._counting():
                outcome = play_trial(self.suite.pack, trial, load, allowance)
            yield outcome
            if allowance.left <= 0:
                return

    def find_demands(self) -> None:
        """Find the demands and promises of a pack; where there are some, lines are counted from now on."""
        with suppress(Exception):  # it comes again when the scenarios are played, and is reported there
            found = inspect(self.suite.base, self.suite.modules, {}, warnings=False, files=self.files)
            if found.ruleset is not None and (demands := demands_of(found.ruleset, found.problems)):
                lines = {demand.line for demand in demands}
                lines |= {(span.path, span.line) for span in otherwise_blocks(found.ruleset)}
                self.ruleset, self.demands, self.counts = found.ruleset, demands, LineCounts(lines)

    def _counting(self) -> AbstractContextManager[None]:
        return self.counts.count() if self.counts is not None else nullcontext()

    def _make_allowance(self, steps: int) -> Allowance:
        return Allowance(steps, WEIGHT if self.counts is not None else 1)

    def search(self, budget: int, counts: LineCounts) -> list[Search]:
        """Search random matches for one that fails, in a pack with demands, promises or invariants."""
        pack = self.suite.pack
        try:
            return self._search(budget, counts)
        except Exception as error:
            outcome = Outcome(pack.id, "search", str(pack.folder / MANIFEST), 1, "the search for matches that fail")
            return [Search(pack.id, failures=[break_off(outcome, error)])]

    def _search(self, budget: int, counts: LineCounts) -> list[Search]:
        rules = self.ruleset
        if rules is None:
            return []
        others: dict[tuple[tuple[str, str], ...], Ruleset] = {(): rules}

        def load(trial: Trial) -> Ruleset:
            if trial.settings not in others:
                others[trial.settings] = self._load_ruleset((self.suite.modules, trial.settings)) or rules
            return others[trial.settings]

        found = search(self.suite.pack, self.demands, trials(rules, self.suite.pack), load, budget, counts)
        found.untaken = self._list_untaken(rules, counts)
        return [found]

    def _list_untaken(self, rules: Ruleset, counts: LineCounts) -> list[Span]:
        """Return the ``otherwise`` blocks of the pack that no match came to, of those that have code of their own."""
        compiled = compiled_lines(rules.program(rules.players[1]).space.values())
        return [
            span
            for span in otherwise_blocks(rules)
            if (span.path, span.line) in compiled - counts.keys() and self.suite.pack.holds(span.path)
        ]

    def _load_ruleset(self, wish: Wish) -> Ruleset | None:
        modules, options = wish
        found = inspect(self.suite.base, modules, dict(options), warnings=False, files=self.files, remember=True)
        self._record_problems(found.errors)
        return found.ruleset

    def scenarios(self) -> Iterator[Outcome]:
        """Play the scenarios, those together that ask for the same, as long as their common steps last."""
        allowance = self._make_allowance(SCENARIO_STEPS)
        for group in self.groups:
            try:
                bench = self._make_bench(group)
            except Exception as error:
                yield from (broken_off(scenario, error) for scenario in group.scenarios)
                continue
            self._record_problems(bench.errors)
            for scenario in group.scenarios if not bench.errors else ():
                with self._counting():
                    outcome = judge(bench, scenario) if allowance.draw() else too_many_steps(scenario, SCENARIO_STEPS)
                outcome.seconds += group.seconds / len(group.scenarios)
                yield outcome
                scenario.forget()
            group.bench = None
            del bench
            if len(group.scenarios) == TOGETHER:  # programs hold themselves, and the next ones need the memory
                gc.collect()

    def _make_bench(self, group: _Group) -> Bench:
        """Return the ruleset with the texts of all scenarios of a group, compiled for all numbers of players."""
        if group.bench is None:
            began = perf_counter()
            bench = Bench(self.suite.base, group.scenarios[0], self.result.marks, self.files)
            for scenario in group.scenarios if not bench.errors else ():
                bench.bind(scenario)
            with suppress(Exception):  # it comes again when the scenarios are played, and is reported there
                for players in bench.binding.extras if not bench.errors else ():
                    bench.program(players)
            group.bench, group.seconds = bench, perf_counter() - began
        return group.bench

    def _record_problems(self, errors: list[Problem]) -> None:
        self.result.problems += [problem for problem in errors if problem not in self.result.problems]


# ---- several processes


def _run_share(share: tuple[Plan, int, int]) -> Result:
    """Run every so many-th scenario of a plan, beginning with a number."""
    plan, part, parts = share
    files = Kept()
    suites = _select_tests(plan, files)
    count = 0
    for number, suite in enumerate(suites):
        suite.smoke = suite.smoke and number % parts == part
        kept = [s for i, s in enumerate(suite.scenarios, count) if i % parts == part]
        count += len(suite.scenarios)
        suite.scenarios = kept
    return _run(suites, plan, files)


def _in_parallel(plan: Plan, jobs: int, report_progress: ReportProgress | None) -> Result:
    result = Result()
    shares = [(plan, part, jobs) for part in range(jobs)]
    found: dict[tuple[Plan, int, int], Result] = {}
    with Pool(multiprocessing.get_context(), jobs, _run_share) as pool:
        for share, ran in pool.run_pieces(shares):
            if isinstance(ran, Lost):
                raise ran
            found[share] = ran
    parts = [found[share] for share in shares]
    result.smoke = [outcome for part in parts for outcome in part.smoke]
    result.searches = [search for part in parts for search in part.searches]
    result.tested = {line for part in parts for line in part.tested}
    for found_search in result.searches:  # each process knows only the lines of its own tests
        demands = found_search.demands
        found_search.demands = [replace(one, tested=one.line in result.tested) for one in demands]
        found_search.untaken = [one for one in found_search.untaken if (one.path, one.line) not in result.tested]
    longest = max(len(part.outcomes) for part in parts)
    for row in range(longest):
        result.outcomes += [part.outcomes[row] for part in parts if row < len(part.outcomes)]
    for part in parts:
        result.problems += [problem for problem in part.problems if problem not in result.problems]
        if part.marks is not None:
            result.marks = part.marks if result.marks is None else result.marks.merge_marks(part.marks)
    for outcome in (*result.smoke, *result.outcomes):
        if report_progress is not None:
            report_progress(outcome)
    return result
