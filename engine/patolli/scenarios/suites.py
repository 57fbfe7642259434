"""Find the scenarios of packs, select, and run them.

In:     ids or paths of packs, and a :class:`Plan`.
Out:    a :class:`Result`: the outcome of every scenario, in the order of packs, files and lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from patolli.diagnostics import ContentError, Problem
from patolli.diagnostics.fault import EngineFault
from patolli.packs.discovery import installed
from patolli.packs.manifest import DISK, Files, Kept
from patolli.scenarios.bench import Bench
from patolli.scenarios.judging import broken_off, judge
from patolli.scenarios.outcome import Outcome
from patolli.scenarios.selecting import compile_filter
from patolli.workspace import requirements
from patolli.workspace.scenarios.reading import Scenario, read_scenarios

if TYPE_CHECKING:
    from patolli.scenarios.coverage.marks import Marks

Tell = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run.

    ``packs`` are ids or paths; none stands for everything that is installed. ``select`` is an expression such
    as ``red and not slow`` over parts of names. ``modules`` are added to those that a scenario asks for.
    """

    packs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    select: str = ""
    jobs: int = 1
    coverage: bool = False


@dataclass(slots=True)
class Result:
    """What came of all scenarios; ``problems`` are those of the packs themselves."""

    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    marks: Marks | None = None

    @property
    def faults(self) -> list[EngineFault]:
        """The faults of the program itself."""
        return [outcome.fault for outcome in self.outcomes if outcome.fault is not None]

    @property
    def failed(self) -> list[Outcome]:
        """The outcomes of scenarios that did not pass."""
        return [outcome for outcome in self.outcomes if not outcome.passed]


@dataclass(slots=True)
class Suite:
    """The scenarios of one pack, which lies in ``folder``; ``base`` names the pack that they play.

    A pack with documents that cannot be read has ``problems`` and no scenarios: some might be missing, or changed.
    """

    base: str
    folder: Path
    scenarios: list[Scenario]
    problems: list[Problem] = field(default_factory=list)


def find_suite(name: str, modules: tuple[str, ...] = (), files: Files = DISK) -> Suite:
    """Read the scenarios of a pack; a module is tested together with what it requires.

    Raises:
        ContentError: There is no such pack, or one that it requires is not there.
    """
    needs = requirements(name, files)
    pack = files.pack(name)
    if needs.missing:
        raise ContentError(needs.missing[:1])
    errors = [problem for problem in pack.problems if problem.severity == "error"]
    if errors:
        return Suite(needs.base, pack.folder, [], errors)
    scenarios = read_scenarios(pack, needs.modules)
    if modules:
        scenarios = [replace(scenario, added=modules) for scenario in scenarios]
    return Suite(needs.base, pack.folder, scenarios)


def run_scenarios(plan: Plan, tell: Tell | None = None) -> Result:
    """Run all scenarios that a plan selects; *tell* hears of each outcome as it comes.

    Raises:
        ContentError: There is no such pack.
        ValueError: The expression that selects cannot be read.
    """
    wanted = compile_filter(plan.select)
    files = Kept()
    suites = [find_suite(name, plan.modules, files) for name in plan.packs or installed()]
    for suite in suites:
        suite.scenarios = [s for s in suite.scenarios if wanted(f"{s.name} {s.path}")]
    total = sum(len(suite.scenarios) for suite in suites)
    if plan.jobs > 1 and total > 1:
        return _in_parallel(plan, min(plan.jobs, total), tell)
    return _run(suites, plan.coverage, files, tell)


def _run(suites: list[Suite], coverage: bool, files: Files, tell: Tell | None = None) -> Result:
    result = Result()
    if coverage:
        from patolli.scenarios.coverage.marks import Marks

        result.marks = Marks()
    for suite in suites:
        result.problems += [problem for problem in suite.problems if problem not in result.problems]
        for scenarios in _groups(suite):
            for outcome in _played(suite.base, scenarios, result, files):
                result.outcomes.append(outcome)
                if tell is not None:
                    tell(outcome)
    if result.marks is not None:
        result.marks.keep([suite.folder for suite in suites])
    order = {s.name: i for i, s in enumerate(s for suite in suites for s in suite.scenarios)}
    result.outcomes.sort(key=lambda outcome: order[outcome.name])
    return result


def _groups(suite: Suite) -> list[list[Scenario]]:
    """Put the scenarios together that ask for the same modules and options."""
    groups: dict[tuple[object, ...], list[Scenario]] = {}
    for scenario in suite.scenarios:
        groups.setdefault((scenario.active, scenario.options), []).append(scenario)
    return list(groups.values())


def _played(base: str, scenarios: list[Scenario], result: Result, files: Files) -> Iterator[Outcome]:
    """Play scenarios that ask for the same; what is wrong with what they ask for goes to the *result*."""
    try:
        bench = Bench(base, scenarios[0], result.marks, files)
        for scenario in scenarios if not bench.errors else ():
            bench.bind(scenario)
    except Exception as error:
        for scenario in scenarios:
            yield broken_off(scenario, error)
        return
    result.problems += [problem for problem in bench.errors if problem not in result.problems]
    for scenario in scenarios if not bench.errors else ():
        yield judge(bench, scenario)


# ---- several processes


def _share(plan: Plan, part: int, parts: int) -> Result:
    """Run every *parts*-th scenario, beginning with number *part*."""
    wanted = compile_filter(plan.select)
    files = Kept()
    suites = [find_suite(name, plan.modules, files) for name in plan.packs or installed()]
    count = 0
    for suite in suites:
        kept = []
        for scenario in suite.scenarios:
            if wanted(f"{scenario.name} {scenario.path}"):
                if count % parts == part:
                    kept.append(scenario)
                count += 1
        suite.scenarios = kept
    return _run(suites, plan.coverage, files)


def _in_parallel(plan: Plan, jobs: int, tell: Tell | None) -> Result:
    result = Result()
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(_share, [plan] * jobs, range(jobs), [jobs] * jobs))
    longest = max(len(part.outcomes) for part in parts)
    for row in range(longest):
        result.outcomes += [part.outcomes[row] for part in parts if row < len(part.outcomes)]
    for part in parts:
        result.problems += [problem for problem in part.problems if problem not in result.problems]
        if part.marks is not None:
            result.marks = part.marks if result.marks is None else result.marks.joined(part.marks)
    for outcome in result.outcomes:
        if tell is not None:
            tell(outcome)
    return result
