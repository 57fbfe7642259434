"""The comments in packs that allow a finding."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from patolli.language.diagnostics.suppression import Allowance
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import DISK, Files
from patolli.language.sources.allowances import allowances
from patolli.language.sources.archive import is_there, yaml_files


def comments_in(folder: Path, files: Files = DISK) -> list[Allowance]:
    """Return the comments of all files of the pack in *folder* that allow something, in the order of the files."""
    found: list[Allowance] = []
    for path in yaml_files(folder):
        inner = any(is_there(parent / MANIFEST) for parent in path.parents if folder in parent.parents)
        text = None if inner else files.text(str(path))[0]
        found.extend(allowances(text, str(path)) if text is not None else ())
    return found


def comments_of(names: Iterable[str], files: Files = DISK) -> dict[str, list[Allowance]]:
    """Return the comments of several packs that allow something, by the names of the packs: ids or paths."""
    folders = {name: files.find(name) for name in names}
    return {name: comments_in(folder, files) for name, folder in folders.items() if folder is not None}
