"""Check the pack that a file belongs to, with the packs that it requires.

What is slow about checking, reading files and parsing their texts, is remembered by those who do it
(``packs.manifest.understand``, ``language.parser``), so after an edit only that file is read again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from patolli.analysis import Model, analyse
from patolli.analysis.lowering import lower
from patolli.compiler.layout import lay_out
from patolli.diagnostics import ContentError, Problem, start_of
from patolli.diagnostics.allowing import sift, unused
from patolli.diagnostics.order import in_order
from patolli.packs.comments import comments_of
from patolli.packs.compose import compose
from patolli.packs.discovery import MANIFEST
from patolli.packs.manifest import Kept
from patolli.packs.selection import select
from patolli.server.library import Library


@dataclass(slots=True)
class Checked:
    """What is known of the ruleset of one pack.

    ``model`` is the newest one that could be made; it is older than ``problems`` where a file cannot be read.
    ``sound`` tells that the model is of the present text and without errors. ``files`` are as they were when the pack
    was checked.
    """

    folder: Path
    files: Kept
    model: Model | None = None
    problems: list[Problem] = field(default_factory=list)
    sound: bool = False


def check(folder: Path, library: Library, before: Checked | None = None) -> Checked:
    """Check the pack in *folder*; keep the model of *before* when there is no new one."""
    checked = Checked(folder, Kept(library), before.model if before else None)
    try:
        _check(checked, library)
    except ContentError as error:
        checked.problems = list(error.problems)
    except Exception as error:  # a fault of ours must not end the session
        checked.problems = [fault(error, folder)]
    _allow(checked, library)
    checked.problems = in_order(checked.problems)
    return checked


def fault(error: Exception, folder: Path) -> Problem:
    """Tell that the checker itself failed over the pack in a folder."""
    words = f"the checker itself stumbled: {type(error).__name__}: {error}"
    return Problem("P0900", words, start_of(str(folder / MANIFEST)), "please report it")


def _allow(checked: Checked, library: Library) -> None:
    """Take out what comments allow, and tell which comments of the pack itself allow nothing."""
    base, modules = library.requirements(checked.folder)
    comments = comments_of(dict.fromkeys([base, *modules, str(checked.folder)]), checked.files)
    if not any(comments.values()):
        return
    sifted = sift(checked.problems, [comment for several in comments.values() for comment in several])
    checked.problems = sifted.problems
    if not any(problem.severity == "error" for problem in checked.problems):
        own = comments[str(checked.folder)]
        checked.problems += [unused(comment) for comment in sifted.unused if comment in own]


def _check(checked: Checked, library: Library) -> None:
    base, modules = library.requirements(checked.folder)
    composition = compose(*select(base, modules, checked.files))
    if not all(pack.whole for pack in composition.packs):
        checked.problems = list(composition.problems)
        return
    model = analyse(composition)
    checked.problems = list(model.problems)
    if checked.model is None or not composition.lost:
        checked.model = model
    if any(p.severity == "error" for p in checked.problems):
        return
    resolved = lower(model)
    for players in range(model.players[0], model.players[1] + 1):
        found = lay_out(resolved, players + model.automated).problems
        checked.problems.extend(p for p in found if p not in checked.problems)
    checked.sound = not any(p.severity == "error" for p in checked.problems)
