"""Save a match in a file, and notice when another window has continued it there.

In:     a match after every choice.
Out:    its file, complete. If the file contains something else than this window has read or written, it is not
overwritten unless the user asks for it, and the other content is saved beside it.
"""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from itertools import count
from pathlib import Path

from patolli.language.sources.atomic_files import write_whole
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.saves import name_save, read_text, write_save

Stamp = tuple[int, int, int]
"""When a file was written, its size, and which one it is."""


class Keeper:
    """Writes one match to one file, after every choice.

    Attributes:
        path: The file.
        failed: Whether it could not be written when it should have been.
    """

    def __init__(self, path: Path, text: str | None = None) -> None:
        """Keep a match in *path*, which held *text* when the match was read from it; None for a new match."""
        self.path = path
        self.failed = False
        self._stamp: Stamp | None = None
        self._hash = None if text is None else sha256(text.encode()).digest()

    def is_changed(self) -> bool:
        """Return whether the file has other content than this window has last read or written; no file, no change."""
        stamp = _stamp(self.path)
        if stamp is None or stamp == self._stamp:
            return False
        try:
            now = sha256(self.path.read_bytes()).digest()
        except OSError:
            return False  # writing will report why
        if now != self._hash:
            return True
        self._stamp = stamp
        return False

    def write(self, match: Match) -> None:
        """Write the match to the file. Raises OSError: it cannot be written."""
        self.failed = True
        text = write_save(match, self.path)
        self.failed, self._stamp, self._hash = False, _stamp(self.path), sha256(text.encode()).digest()

    def read_match(self, rules: Ruleset) -> Match:
        """Return the match that another window saved. Raises SaveError: no save of this match; OSError: unreadable."""
        text = read_text(self.path)
        with name_save(self.path):
            match = rules.restore(text)
        self.failed, self._stamp, self._hash = False, None, sha256(text.encode()).digest()
        return match

    def aside(self, match: Match) -> Path:
        """Write a match to a new file beside this one, and return its path. Raises OSError: it cannot be written."""
        path = self._beside()
        write_save(match, path)
        return path

    def set_aside(self) -> Path:
        """Copy what another window has written to a new file; return its path. Raises OSError: copying fails."""
        path = self._beside()
        write_whole(path, self.path.read_bytes())
        return path

    def _beside(self) -> Path:
        """Return a name that no file has: ``match-2.json`` beside ``match.json``."""
        names = (self.path.with_name(f"{self.path.stem}-{number}{self.path.suffix}") for number in count(2))
        return next(path for path in names if not os.path.lexists(path))


def _stamp(path: Path) -> Stamp | None:
    """Return a mark that changes when a file is written; None where there is no regular file."""
    try:
        known = os.stat(path)
    except OSError:
        return None
    return (known.st_mtime_ns, known.st_size, known.st_ino) if stat.S_ISREG(known.st_mode) else None
