"""Check several packs: which of them are looked at, and what was found in all of them.

A pack that had no errors before, and has not changed since, is not checked again (see ``cache``).
Several that are left are checked in several processes.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from patolli.author.workspace.cache import Notes
from patolli.author.workspace.findings import Findings, Request
from patolli.language.diagnostics import ContentError, Problem
from patolli.language.diagnostics.fault import EngineFault
from patolli.language.diagnostics.memory import without_garbage_collection
from patolli.language.diagnostics.order import in_order
from patolli.language.diagnostics.suppression import Allowed
from patolli.language.packs.discovery import find, installed
from patolli.language.packs.manifest import Kept
from patolli.language.sources.archive import yaml_files

MOST = 2_000
"""Problems that are shown; who has more will mend some of them first."""
SEVERAL = 3
"""Packs from which on further processes are worth their start."""


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """The rulesets that were checked, every problem in order, each once, and what comments in the content allow.

    ``faults`` are those of the checker itself; for each there is a P0900 among the problems. ``demands`` has for each
    ruleset how many of its demands could not be proven, and how many there are.
    """

    rulesets: tuple[str, ...]
    problems: list[Problem]
    allowed: list[Allowed]
    faults: list[EngineFault]
    demands: tuple[tuple[int, int], ...] = ()

    @property
    def summary(self) -> str:
        """Say what was checked."""
        return ", ".join(self.rulesets) or "nothing"


def check_packs(
    packs: tuple[str, ...], modules: tuple[str, ...] = (), options: dict[str, Any] | None = None, remember: bool = True
) -> ValidationReport:
    """Check packs by id or path with modules, each pack by itself.

    Args:
        packs: Ids or paths; empty for everything that is installed.
        modules: Modules that are added to each of the packs.
        options: Options of the packs.
        remember: Whether results are noted, and earlier notes count.
    """
    notes = Notes()
    requests = [_make_request(name, modules, options or {}) for name in packs or installed()]
    found: dict[Request, Findings] = {}
    for request in requests if remember else ():
        known = notes.recall(request)
        if known is not None:
            found[request] = known
        else:
            notes.look_at(request)
    left = [request for request in requests if request not in found]
    for request, findings in zip(left, _check_requests(left), strict=True):
        found[request] = findings
        if remember:
            notes.note(request, findings)
    return _make_report([found[request] for request in requests])


def _make_request(name: str, modules: tuple[str, ...], options: dict[str, Any]) -> Request:
    """Return what is to be checked, with selection files replaced by their content where they can be read."""
    from patolli.language.packs.selection_file import expand_selections

    with suppress(ContentError):
        name, more, options = expand_selections(name, modules, options)
        modules = tuple(more)
    return Request(name, modules, tuple(options.items()))


def _make_report(found: list[Findings]) -> ValidationReport:
    allowed = sorted({one for findings in found for one in findings.allowed}, key=lambda one: one.problem.span)
    used = {one.by for one in allowed}
    problems = [problem for findings in found for problem in findings.problems]
    lost = [comment for findings in found for comment in findings.unused if comment not in used]
    if lost:
        from patolli.language.diagnostics.suppression import report_unused

        problems += map(report_unused, lost)
    rulesets = tuple(" + ".join(findings.packs) for findings in found)
    faults = [findings.fault for findings in found if findings.fault is not None]
    demands = tuple((sum(p.severity == "open" for p in {*one.problems}), one.demands) for one in found)
    return ValidationReport(rulesets, in_order(problems)[:MOST], allowed, faults, demands)


def _check_requests(requests: list[Request]) -> list[Findings]:
    if not requests:
        return []
    from multiprocessing import get_context

    from patolli.author.workspace.pack_check import check_pack  # once, before the processes part
    from patolli.author.workspace.processes import Lost, Pool, count_processes
    from patolli.language.packs.manifest import Kept

    files = Kept()
    processes = count_processes(len(requests), SEVERAL)
    if processes < 2:
        with without_garbage_collection():
            return [check_pack(request, files) for request in requests]
    order = sorted(requests, key=_size_of, reverse=True)  # who begins with the longest is not left waiting for it
    with without_garbage_collection():
        _read_shared(order, files)
        found: dict[Request, Findings] = {}
        with Pool(get_context("fork"), processes, check_pack, given=(files,)) as pool:
            for request, findings in pool.run_pieces(order):
                if isinstance(findings, Lost):
                    raise findings
                found[request] = findings
    return [found[request] for request in requests]


def _read_shared(requests: list[Request], files: Kept) -> None:
    """Read the packs, and parse those on which several others stand, before the processes part.

    Else each process would read and parse for itself what most rulesets share. What goes wrong here goes wrong again
    for the check of the pack, and is reported there.
    """
    from patolli.author.workspace.inspection import parse_texts
    from patolli.author.workspace.needs import requirements

    bases: Counter[str] = Counter()
    for request in requests:
        needs = requirements(request.pack, files)
        bases[needs.base] += 1
        for name in (*needs.names, *request.modules):
            with suppress(Exception):
                files.pack(name)
    for base in [base for base, several in bases.items() if several > 1]:
        with suppress(Exception):
            parse_texts(files.pack(base))


def _size_of(request: Request) -> int:
    folder = find(request.pack)
    return len(yaml_files(folder)) if folder is not None else 0
