"""Notice that content files changed, by looking at their times again and again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from patolli.author.workspace.cache import is_checked
from patolli.language.sources.folders import paths_below

EVERY = 0.2
"""Seconds between two looks."""

Stamps = dict[Path, tuple[int, int]]


class Watch:
    """Knows the time and size of every file below some folders that a check opens."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Look at the folders, or archives, for the first time."""
        self.folders = sorted(set(folders))
        self._last = self._look()

    def detect_change(self) -> bool:
        """Return whether a file was written, added or removed since the last call."""
        now = self._look()
        if now == self._last:
            return False
        self._last = now
        return True

    def follow(self, folders: Iterable[Path]) -> None:
        """Watch these folders, or archives, from now on; those that were watched before go on as they were."""
        wanted = sorted(set(folders))
        if wanted != self.folders:
            self.folders = wanted
            self._last = self._look()

    def wait(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Wait until something changes."""
        while not self.detect_change():
            sleep(EVERY)

    def _look(self) -> Stamps:
        found: Stamps = {}
        for folder in self.folders:
            for path in [folder] if folder.is_file() else filter(is_checked, paths_below(folder)):
                try:
                    at = path.stat()
                except OSError:  # it went away in between
                    continue
                found[path] = (at.st_mtime_ns, at.st_size)
        return found


def folders_of(names: Iterable[str]) -> list[Path]:
    """Return where packs given by id or path lie, and the packs that they need; unknown ones are left out."""
    from patolli.author.workspace import requirements
    from patolli.language.packs.discovery import find
    from patolli.language.sources.archive import archive_of

    found: list[Path] = []
    for name in names:
        for each in (name, *requirements(name).names):
            folder = find(each)
            if folder is not None:
                found.append(archive_of(folder) or folder)
    return list(dict.fromkeys(found))
