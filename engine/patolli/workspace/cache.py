"""Remember which rulesets were found to be without any problem.

A note is kept for a pack and the modules and options it was checked with. It lists every pack that took part
with a hash of all its files, and its own name is a hash of the program: when anything differs, the note does
not count. Only clean results are noted, so nothing that is printed ever comes from here. The folder can be
deleted at any time, and when it cannot be written nothing is remembered.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from patolli.sources.home import folder_of_user
from patolli.sources.writing import write_whole
from patolli.workspace.findings import Request

KEPT = 400
"""Notes that are kept; the oldest go first."""


def cache_dir() -> Path | None:
    """Return the folder of the user's caches for this program; None for a user without a home."""
    folder = folder_of_user("XDG_CACHE_HOME", ".cache")
    return folder / "patolli" / "checks" if folder is not None else None


class Notes:
    """The notes of one run; hashes are worked out once."""

    def __init__(self, folder: Path | None = None) -> None:
        """Use *folder*, or the user's; where there is none nothing is remembered."""
        self.folder = folder or cache_dir()
        self._hashes: dict[Path, str] = {}
        self._folders: dict[str, Path | None] = {}

    def recall(self, request: Request) -> list[str] | None:
        """Return the packs of a ruleset that was found clean, as it is now; None when that is not known.

        A note that somebody has written by hand is not trusted: whatever is odd about it makes it count for nothing.
        """
        from patolli.sources.archive import read_bytes

        if self.folder is None:
            return None
        try:
            note = json.loads(read_bytes(self._file(self.folder, request)))
            names = [str(pack) for pack, _ in note["packs"]]
            good = all(self._hash(pack) == files for pack, files in (*note["packs"], *note["guests"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return names if good else None

    def note(self, request: Request, packs: list[str], guests: list[str]) -> None:
        """Note that a ruleset of *packs* is clean, with its scenarios, some of which ask for *guests*."""
        if self.folder is None:
            return
        file = self._file(self.folder, request)
        further = [guest for guest in guests if guest not in packs]
        data = {
            "packs": [[pack, self._hash(pack)] for pack in packs],
            "guests": [[pack, self._hash(pack)] for pack in further],
        }
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if os.path.exists(file) and not os.path.isfile(file):
                return  # a pipe would take the note only when somebody reads
            write_whole(file, json.dumps(data))
            tidied(file.parent, "*.json")
        except OSError:
            return

    def _file(self, folder: Path, request: Request) -> Path:
        place = str((self._find(request.pack) or Path(request.pack)).resolve())
        key = json.dumps([program_hash(), place, request.modules, sorted(request.options)], default=str)
        return folder / f"{sha256(key.encode()).hexdigest()[:40]}.json"

    @cached_property
    def _installed(self) -> dict[str, Path]:
        from patolli.packs.discovery import installed

        return installed()

    def _find(self, pack: str) -> Path | None:
        from patolli.packs.discovery import find

        if pack not in self._folders:
            self._folders[pack] = find(pack, self._installed)
        return self._folders[pack]

    def _hash(self, pack: str) -> str:
        from patolli.sources.archive import yaml_files

        folder = self._find(pack)
        if folder is None:
            return ""
        if folder not in self._hashes:
            self._hashes[folder] = _files_hash(folder, yaml_files(folder))
        return self._hashes[folder]


def tidied(folder: Path, pattern: str) -> None:
    """Delete the oldest notes of a kind, where there are too many.

    Raises:
        OSError: The folder cannot be read, or one of them not be deleted.
    """
    found: list[tuple[float, Path]] = []
    for file in folder.glob(pattern):
        with suppress(FileNotFoundError):  # another process has deleted it meanwhile
            found.append((file.stat().st_mtime, file))
    for _, old in sorted(found)[:-KEPT]:
        old.unlink(missing_ok=True)


@cache
def program_hash() -> str:
    """Return a hash of the program itself, its schemas and the version of Python."""
    from patolli.sources.schema import schema_dir

    package = Path(__file__).resolve().parents[1]
    files = [Path(place, name) for place, _, names in os.walk(package) for name in names]
    return (
        _files_hash(package, sorted(file for file in files if file.suffix in (".py", ".lark")))
        + _files_hash(schema_dir(), sorted(schema_dir().glob("*.json")))
        + sys.version
    )


def _files_hash(folder: Path, files: list[Path]) -> str:
    """Return a hash of names and contents."""
    from patolli.sources.archive import read_bytes

    total = sha256(str(folder.resolve()).encode())
    top = len(folder.as_posix()) + 1
    for path in files:
        data = read_bytes(path)
        total.update(f"\0{path.as_posix()[top:]}\0{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()
