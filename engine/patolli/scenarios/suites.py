"""Find the scenarios of packs, select, and run them.

In:     ids or paths of packs, and a :class:`Plan`.
Out:    a :class:`Result`: the outcome of every scenario, in the order of packs, files and lines.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from patolli.diagnostics import ContentError, Problem
from patolli.packs.discovery import find, installed
from patolli.packs.manifest import read_pack
from patolli.packs.selection import absent
from patolli.scenarios.bench import Bench
from patolli.scenarios.judging import judge
from patolli.scenarios.outcome import Outcome
from patolli.scenarios.reading import Scenario, read_scenarios
from patolli.scenarios.selecting import compile_filter

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


def find_suite(name: str, modules: tuple[str, ...] = ()) -> Suite:
    """Read the scenarios of a pack; a module is tested together with what it requires.

    Raises:
        ContentError: There is no such pack.
    """
    base, own = _requirements(name)
    pack = read_pack(name)
    errors = [problem for problem in pack.problems if problem.severity == "error"]
    if errors:
        return Suite(base, pack.folder, [], errors)
    scenarios = read_scenarios(pack, tuple(own))
    if modules:
        scenarios = [replace(scenario, added=modules) for scenario in scenarios]
    return Suite(base, pack.folder, scenarios)


def _requirements(name: str) -> tuple[str, list[str]]:
    """Return the pack that stands at the bottom, and the modules that *name* needs, itself included."""
    modules: list[str] = []
    base = ""
    waiting = [name]
    while waiting:
        wanted = waiting.pop(0)
        pack = read_pack(wanted)
        for needed in pack.requires:
            if find(needed) is None:
                raise ContentError((absent(pack, needed),))
        if pack.requires:
            modules.append(wanted)
            waiting += [needed for needed in pack.requires if needed not in modules]
        else:
            base = base or wanted
    return base or name, modules


def run_scenarios(plan: Plan, tell: Tell | None = None) -> Result:
    """Run all scenarios that a plan selects; *tell* hears of each outcome as it comes.

    Raises:
        ContentError: There is no such pack.
        ValueError: The expression that selects cannot be read.
    """
    wanted = compile_filter(plan.select)
    suites = [find_suite(name, plan.modules) for name in plan.packs or installed()]
    for suite in suites:
        suite.scenarios = [s for s in suite.scenarios if wanted(f"{s.name} {s.path}")]
    total = sum(len(suite.scenarios) for suite in suites)
    if plan.jobs > 1 and total > 1:
        return _in_parallel(plan, min(plan.jobs, total), tell)
    return _run(suites, plan.coverage, tell)


def _run(suites: list[Suite], coverage: bool, tell: Tell | None) -> Result:
    result = Result()
    if coverage:
        from patolli.scenarios.coverage.marks import Marks

        result.marks = Marks()
    for suite in suites:
        result.problems += [problem for problem in suite.problems if problem not in result.problems]
        for bench, scenarios in _benches(suite, result):
            for scenario in scenarios:
                bench.bind(scenario)
            for scenario in scenarios:
                outcome = judge(bench, scenario)
                result.outcomes.append(outcome)
                if tell is not None:
                    tell(outcome)
    if result.marks is not None:
        result.marks.keep([suite.folder for suite in suites])
    order = {s.name: i for i, s in enumerate(s for suite in suites for s in suite.scenarios)}
    result.outcomes.sort(key=lambda outcome: order[outcome.name])
    return result


def _benches(suite: Suite, result: Result) -> list[tuple[Bench, list[Scenario]]]:
    """Make a bench for each set of modules and options that the scenarios of a suite ask for."""
    groups: dict[tuple[object, ...], list[Scenario]] = {}
    for scenario in suite.scenarios:
        groups.setdefault((scenario.active, scenario.options), []).append(scenario)
    found: list[tuple[Bench, list[Scenario]]] = []
    for scenarios in groups.values():
        bench = Bench(suite.base, scenarios[0], result.marks)
        if bench.errors:
            result.problems += [problem for problem in bench.errors if problem not in result.problems]
        else:
            found.append((bench, scenarios))
    return found


# ---- several processes


def _share(plan: Plan, part: int, parts: int) -> Result:
    """Run every *parts*-th scenario, beginning with number *part*."""
    wanted = compile_filter(plan.select)
    suites = [find_suite(name, plan.modules) for name in plan.packs or installed()]
    count = 0
    for suite in suites:
        kept = []
        for scenario in suite.scenarios:
            if wanted(f"{scenario.name} {scenario.path}"):
                if count % parts == part:
                    kept.append(scenario)
                count += 1
        suite.scenarios = kept
    return _run(suites, plan.coverage, None)


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
