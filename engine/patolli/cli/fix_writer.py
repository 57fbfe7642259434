"""Apply fixes to files: ``patolli validate --fix``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from patolli.language.diagnostics import Edit, Problem, apply_edits
from patolli.language.diagnostics.fix_edits import sure_edits
from patolli.language.packs.discovery import find
from patolli.language.sources.atomic_files import write_whole

ROUNDS = 20
"""How often is looked again: behind what kept a file from being read there may be more to mend."""


def mend(packs: Sequence[str], check: Callable[[], Sequence[Problem]]) -> dict[Path, int]:
    """Apply all safe fixes in the folders of *packs*, including fixes that become possible by earlier ones.

    Returns:
        For each file that was written, the number of edits.

    Raises:
        OSError: A file cannot be written; earlier files have been written.
    """
    folders = [folder.resolve() for folder in map(find, packs) if folder is not None and folder.is_dir()]

    def own(path: str) -> bool:
        file = Path(path).resolve()
        return file.is_file() and any(file.is_relative_to(folder) for folder in folders)

    done: dict[Path, int] = {}
    for _ in range(ROUNDS):
        edits: dict[Path, list[Edit]] = {}
        found = check()
        tabbed = {problem.span.path for problem in found if problem.code == "P0002"}  # the width of a tab is unknown
        for edit in sure_edits([problem for problem in found if problem.span.path not in tabbed], own):
            if edit.span.path not in tabbed:
                edits.setdefault(Path(edit.span.path), []).append(edit)
        if not edits:
            break
        for file, made in edits.items():
            write_whole(file, apply_edits(file.read_bytes().decode("utf-8"), made))
            done[file] = done.get(file, 0) + len(made)
    return done
