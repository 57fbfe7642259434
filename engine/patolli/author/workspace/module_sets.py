"""Find which sets of modules the checker refuses, though their manifests allow them.

In:     a base and sets of modules.
Out:    the errors of each set that is refused; a set that holds a refused one is not looked at.

Sets that were found to be right are remembered as long as nothing in them changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import groupby
from multiprocessing import get_context
from typing import TypeAlias

from patolli.author.workspace.cache import Notes
from patolli.author.workspace.findings import Findings, Request
from patolli.author.workspace.inspection import inspect, parse_texts
from patolli.author.workspace.processes import Lost, Pool, count_processes
from patolli.language.diagnostics import ContentError, Problem
from patolli.language.diagnostics.memory import without_garbage_collection
from patolli.language.packs.manifest import Kept

Set: TypeAlias = frozenset[str]
SEVERAL = 6
"""Sets from which on further processes are worth their start."""
_ERRORS = (("errors", "only"),)
"""What sets the notes of this check apart from those of a whole one."""


def find_refused_sets(base: str, sets: Iterable[Set]) -> dict[Set, list[Problem]]:
    """Return the errors of each refused set, the smaller sets first."""
    notes = Notes()
    files = Kept()
    shared: set[str] = set()
    found: dict[Set, list[Problem]] = {}
    for _, group in groupby(sorted(sets, key=lambda one: (len(one), sorted(one))), key=len):
        asked = [one for one in group if not any(wrong < one for wrong in found)]
        left = [one for one in asked if notes.recall(_make_request(base, one)) is None]
        for one in left:
            notes.look_at(_make_request(base, one))
        names = {name for one in left for name in (base, *one)} - shared
        _read_shared(names, files)
        shared |= names
        with without_garbage_collection():  # between two sets, too: what a set leaves behind is a megabyte or two
            checked = _check_sets(base, left, files)
        for one, errors in zip(left, checked, strict=True):
            if errors:
                found[one] = errors
            else:
                notes.note(_make_request(base, one), Findings([base, *sorted(one)]))
    return found


def _read_shared(names: Iterable[str], files: Kept) -> None:
    """Read and parse packs, once each, before the processes part; a mistake is found when the pack is checked."""
    with without_garbage_collection():
        for name in sorted(names):
            with suppress(ContentError):
                parse_texts(files.pack(name))


def _make_request(base: str, modules: Set) -> Request:
    return Request(base, tuple(sorted(modules)), _ERRORS)


def _check_sets(base: str, sets: list[Set], files: Kept) -> list[list[Problem]]:
    """Return the errors of each set; many are looked at in several processes, which share what was read."""
    processes = count_processes(len(sets), SEVERAL)
    if processes < 2:
        return [_errors(one, base, files) for one in sets]
    found: dict[Set, list[Problem]] = {}
    with Pool(get_context("fork"), processes, _errors, given=(base, files)) as pool:
        for one, errors in pool.run_pieces(sets):
            if isinstance(errors, Lost):
                raise errors
            found[one] = errors
    return [found[one] for one in sets]


def _errors(modules: Set, base: str, files: Kept) -> list[Problem]:
    return inspect(base, sorted(modules), warnings=False, files=files).errors
