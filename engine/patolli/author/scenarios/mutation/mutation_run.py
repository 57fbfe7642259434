"""Try the mutants of packs, in this process or in several, and collect what became of them.

In:     a :class:`Plan`.
Out:    a :class:`Mutation` for each pack. What it says does not depend on the number of processes; when Ctrl-C was
        pressed it holds what was finished, in the same order.
Errors: P0614 a mutant that nothing notices, unless a comment says why.
"""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from patolli.author.scenarios.mutation.mutant import NOTICED, SURVIVED, Mutant, Verdict
from patolli.author.scenarios.mutation.mutant_finder import mutants_of
from patolli.author.scenarios.mutation.mutant_trial import Trial
from patolli.author.scenarios.name_filter import compile_filter
from patolli.author.scenarios.outcome import Outcome
from patolli.author.scenarios.suites import find_suite
from patolli.author.workspace.interrupts import handle_interrupts
from patolli.author.workspace.processes import Lost, Pool
from patolli.language.diagnostics import Problem
from patolli.language.diagnostics.suppression import BY_TRIAL, Allowance
from patolli.language.packs.comments import comments_in
from patolli.language.packs.discovery import installed
from patolli.language.packs.manifest import Kept

(CODE,) = BY_TRIAL
"""What a comment names that allows a mutant to survive."""
ReportProgress = Callable[[str, int, int], None]
"""Gets the pack, how many of its mutants are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be tried.

    ``packs`` are ids or paths, none stands for everything that is installed. ``number`` mutants are drawn by ``seed``;
    None stands for all. ``modules`` are added to those that a scenario asks for; ``select`` keeps some scenarios.
    """

    packs: tuple[str, ...] = ()
    number: int | None = None
    seed: int = 0
    jobs: int = 1
    modules: tuple[str, ...] = ()
    select: str = ""


@dataclass(slots=True)
class Mutation:
    """What became of the mutants of one pack, in the order of files and lines.

    ``failed`` and ``problems`` say why nothing was tried. ``found`` is how many mutants there are, ``planned`` how
    many of them were to be tried. ``explained`` gives for survivors the comment that says why they may.
    """

    pack: str
    failed: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    scenarios: int = 0
    found: int = 0
    planned: int = 0
    tried: list[tuple[Mutant, Verdict]] = field(default_factory=list)
    explained: dict[Mutant, Allowance] = field(default_factory=dict)
    unused: list[Allowance] = field(default_factory=list)
    interrupted: bool = False

    def count(self, status: str, kind: str | None = None) -> int:
        """Count what came to the same end, of one kind or of all."""
        return sum(v.status == status and kind in (None, m.kind) for m, v in self.tried)

    @property
    def survivors(self) -> list[tuple[Mutant, Verdict]]:
        """Return what nothing noticed."""
        return [(mutant, verdict) for mutant, verdict in self.tried if verdict.status == SURVIVED]

    @property
    def unexplained(self) -> list[tuple[Mutant, Verdict]]:
        """Return what nothing noticed and no comment explains."""
        return [pair for pair in self.survivors if pair[0] not in self.explained]

    @property
    def share(self) -> float:
        """Return which share of those that the checker accepts nothing noticed, and no comment explains: 0 to 1."""
        playable = self.count(NOTICED) + self.count(SURVIVED)
        return len(self.unexplained) / playable if playable else 0.0


def run_mutants(plan: Plan, report_progress: ReportProgress | None = None) -> list[Mutation]:
    """Try the mutants of all packs of a plan.

    Raises:
        ContentError: There is no such pack.
        ValueError: The expression that selects scenarios cannot be read.
    """
    done: list[Mutation] = []
    with handle_interrupts() as stopped:
        for name in plan.packs or installed():
            if not stopped():
                done.append(_one_pack(name, plan, stopped, report_progress or (lambda pack, done, all_: None)))
    return done


def _one_pack(name: str, plan: Plan, stopped: Callable[[], bool], report_progress: ReportProgress) -> Mutation:
    files = Kept()
    suite = find_suite(name, plan.modules, files)
    wanted = compile_filter(plan.select)
    suite.scenarios = [s for s in suite.scenarios if wanted(f"{s.name} {s.path}")]
    mutation = Mutation(suite.pack.id, problems=suite.problems, scenarios=len(suite.scenarios))
    trial = Trial(suite, files)
    if not mutation.problems:
        mutation.failed = trial.prepare()
        mutation.problems = trial.problems
    if mutation.problems or mutation.failed or not suite.scenarios:
        return mutation
    mutants = mutants_of(suite.pack)
    chosen: Sequence[int] = range(len(mutants))
    if plan.number is not None and plan.number < len(mutants):
        chosen = sorted(random.Random(plan.seed).sample(chosen, plan.number))
    mutation.found, mutation.planned = len(mutants), len(chosen)
    wanted_mutants = [mutants[position] for position in chosen]
    verdicts: dict[int, Verdict] = {}
    for position, verdict in _try_all(trial, wanted_mutants, plan.jobs, stopped):
        verdicts[position] = verdict
        report_progress(suite.pack.id, len(verdicts), len(wanted_mutants))
    mutation.tried = [(wanted_mutants[position], verdicts[position]) for position in sorted(verdicts)]
    mutation.interrupted = len(verdicts) < len(wanted_mutants)
    _explain(mutation, [c for c in comments_in(suite.pack.folder, files) if c.code == CODE])
    return mutation


def _explain(mutation: Mutation, comments: list[Allowance]) -> None:
    """See which survivors a comment explains: all of the first place in its lines that no other comment means."""
    places: dict[tuple[str, int, int], Allowance] = {}
    for comment in sorted(comments, key=lambda comment: (comment.last - comment.first, comment.span)):
        for mutant, _ in mutation.survivors:
            inside = mutant.path == comment.span.path and comment.first <= mutant.span.line <= comment.last
            if inside and mutant.place not in places:
                places[mutant.place] = comment
                break
    mutation.explained = {m: places[m.place] for m, _ in mutation.survivors if m.place in places}
    whole = mutation.planned == mutation.found and not mutation.interrupted
    used = {comment.span for comment in places.values()}
    mutation.unused = [comment for comment in comments if comment.span not in used] if whole else []


# ---- several processes


def _try_all(
    trial: Trial, mutants: list[Mutant], jobs: int, stopped: Callable[[], bool]
) -> Iterator[tuple[int, Verdict]]:
    """Yield verdicts on mutants as they are known, with their numbers."""
    if jobs <= 1 or len(mutants) <= 1 or multiprocessing.get_start_method() != "fork":
        for number, mutant in enumerate(mutants):
            yield number, trial.try_mutant(mutant)
            if stopped():
                return
        return
    for group in trial.groups:
        assert group.code is not None  # compiled once, before the processes part
    with Pool(multiprocessing.get_context("fork"), jobs, _try_one, given=(trial, mutants)) as pool:
        for number, verdict in pool.run_pieces(range(len(mutants)), stopped):
            if isinstance(verdict, Lost):
                raise verdict
            yield number, verdict


def _try_one(number: int, trial: Trial, mutants: list[Mutant]) -> Verdict:
    return trial.try_mutant(mutants[number])
