"""Check several packs: which rulesets are looked at, and what was found in all of them.

A ruleset that was found clean before, and has not changed since, is not looked at again (see ``cache``).
Several that are left are checked in several processes.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from patolli.cli.cache import Notes
from patolli.diagnostics import ContentError, Problem, start_of
from patolli.diagnostics.allowing import Allowance, Allowed, sift, unused
from patolli.diagnostics.order import in_order
from patolli.packs.discovery import find
from patolli.packs.manifest import Kept
from patolli.sources.archive import yaml_files

MOST = 2_000
"""Problems that are shown; who has more will mend some of them first."""
SEVERAL = 3
"""Rulesets from which on further processes are worth their start."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was checked, every problem in order, each once, and what comments in the content allow."""

    rulesets: tuple[str, ...]
    problems: list[Problem]
    allowed: list[Allowed]

    @property
    def summary(self) -> str:
        """Say what was checked."""
        return ", ".join(self.rulesets) or "nothing"


@dataclass(frozen=True, slots=True)
class Task:
    """A pack to check, with the modules and options of the call."""

    name: str
    modules: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]


@dataclass(slots=True)
class Found:
    """What checking one ruleset gave: its packs, the base first, and what is left after the comments counted.

    ``guests`` are further packs that its scenarios ask for.
    ``unused`` holds those comments of the checked pack itself that silenced nothing here.
    """

    packs: list[str]
    guests: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    allowed: list[Allowed] = field(default_factory=list)
    unused: list[Allowance] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Tell whether there is nothing to say, not even that something is allowed."""
        return not (self.problems or self.allowed or self.unused)


def check_all(
    packs: tuple[str, ...], modules: tuple[str, ...], options: dict[str, Any], remember: bool = True
) -> Checked:
    """Check packs by id or path with modules, each pack by itself.

    Args:
        packs: Ids or paths; empty for everything that is installed.
        modules: Modules that are added to each of the packs.
        options: Options of the packs.
        remember: Whether clean results are noted, and earlier notes count.
    """
    from patolli.packs.discovery import installed

    notes = Notes()
    tasks = [Task(name, modules, tuple(options.items())) for name in packs or installed()]
    found: dict[Task, Found] = {}
    for task in tasks if remember else ():
        known = notes.recall(task.name, task.modules, dict(task.options))
        if known is not None:
            found[task] = Found(known)
    left = [task for task in tasks if task not in found]
    for task, result in zip(left, _checked(left), strict=True):
        found[task] = result
        if remember and result.clean:
            notes.note(task.name, task.modules, dict(task.options), result.packs, result.guests)
    results = [found[task] for task in tasks]
    allowed = sorted({one for result in results for one in result.allowed}, key=lambda one: one.problem.span)
    used = {one.by for one in allowed}
    problems = [problem for result in results for problem in result.problems]
    problems += [unused(comment) for result in results for comment in result.unused if comment not in used]
    return Checked(tuple(" + ".join(result.packs) for result in results), in_order(problems)[:MOST], allowed)


def _checked(tasks: list[Task]) -> list[Found]:
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if len(tasks) < SEVERAL or processors < 2 or multiprocessing.get_start_method() != "fork":
        files = Kept()
        return [_check(task, files) for task in tasks]
    import patolli.scenarios.checking  # noqa: F401 - once, before the processes part

    fork = multiprocessing.get_context("fork")
    order = sorted(tasks, key=_size, reverse=True)  # who begins with the longest is not left waiting for it
    with ProcessPoolExecutor(min(processors, len(tasks)), fork, _begin) as pool:
        found = dict(zip(order, pool.map(_check, order), strict=True))
    return [found[task] for task in tasks]


def _size(task: Task) -> int:
    folder = find(task.name)
    return len(yaml_files(folder)) if folder is not None else 0


_files: Kept
"""What this process has read, when it is one of several."""


def _begin() -> None:
    """Begin a process of its own: it reads every file once, and ends before its memory is worth clearing."""
    global _files
    _files = Kept()
    gc.disable()


def _check(task: Task, files: Kept | None = None) -> Found:
    from patolli.packs.comments import comments_of
    from patolli.runtime import inspect
    from patolli.scenarios.checking import Rehearsals

    rehearsals = Rehearsals()
    try:
        base, below = requirements(task.name)
        active = [*dict.fromkeys([*below, *task.modules])]
        files = files or _files
        ruleset, problems = inspect(base, active, dict(task.options), files=files)
        if ruleset is not None and not any(problem.severity == "error" for problem in problems):
            rehearsals.know(ruleset.model)
            for found in rehearsals.check(task.name, base, below, files):
                problems += found
        comments = comments_of(dict.fromkeys([base, *active, task.name]), files)
    except ContentError as error:
        return Found([task.name], problems=list(error.problems))
    except Exception as error:
        return Found([task.name], problems=[_crash(task.name, error)])
    sifted = sift(problems, [comment for several in comments.values() for comment in several])
    looked_at_all = not (task.modules or task.options or any(p.severity == "error" for p in problems))
    own = comments.get(task.name, []) if looked_at_all else []
    unused_here = [comment for comment in sifted.unused if comment in own]
    return Found([base, *active], rehearsals.packs, sifted.problems, sifted.allowed, unused_here)


def _crash(name: str, error: Exception) -> Problem:
    words = f"the checker itself stumbled over {name!r}: {type(error).__name__}: {error}"
    return Problem("P0900", words, start_of(name), "this is a fault of the program; please report it")


def requirements(name: str) -> tuple[str, list[str]]:
    """Return the base pack that a module needs, and the modules that go with it; a base pack stands alone."""
    order: list[str] = []
    bases: list[str] = []

    def visit(wanted: str) -> None:
        if wanted in order or wanted in bases:
            return
        needs = _needs(wanted)
        (order if needs else bases).append(wanted)
        for needed in needs:
            visit(needed)

    visit(name)
    return (bases[0], order) if bases else (name, [])


def _needs(name: str) -> list[str]:
    """Return what a pack requires, from its manifest alone; faults of the manifest are found later."""
    from patolli.packs.discovery import MANIFEST
    from patolli.packs.manifest import read_tree
    from patolli.sources import Mapping

    folder = find(name)
    tree = read_tree(str(folder / MANIFEST))[0] if folder is not None else None
    requires = tree.get("requires") if isinstance(tree, Mapping) else None
    return list(requires.items) if isinstance(requires, Mapping) else []
