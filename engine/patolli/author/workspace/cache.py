"""Remember what was found in rulesets that have no errors.

A note is kept for a pack and the modules and options it was checked with. It lists every pack that took part with a
hash of everything that a check can see in its folder, and a hash of what else is installed. Its own name is a hash of
the program. When anything differs, the note does not count. A note holds the warnings that were found, and what
comments allow. What has errors is checked again every time. The folder can be deleted at any time, and when it cannot
be written nothing is remembered.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from patolli.author.workspace.findings import Findings, Request, as_data, from_data
from patolli.language.packs.discovery import MANIFEST, Found, ListPacks, find, found_packs, packs_in
from patolli.language.sources.archive import archive_of, read_bytes
from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.folders import may_be_document, paths_below
from patolli.language.sources.hashes import content_hash, program_hash
from patolli.language.sources.home import folder_of_user
from patolli.language.sources.pictures import TYPES

KEPT = 400
"""Notes that are kept; the oldest go first."""
_LARGEST = 4_000_000
"""Bytes of a note that are read."""


def cache_dir() -> Path | None:
    """Return the folder of the user's caches for this program; None for a user without a home."""
    folder = folder_of_user("XDG_CACHE_HOME", ".cache")
    return folder / "patolli" / "checks" if folder is not None else None


class Notes:
    """The notes of one run; each hash is computed once."""

    def __init__(self, folder: Path | None = None) -> None:
        """Use *folder*, or the user's; where there is none nothing is remembered."""
        self.folder = folder or cache_dir()
        self._hashes: dict[Path, str] = {}
        self._folders: dict[str, Path | None] = {}
        self._packs_in = cache(packs_in)

    def recall(self, request: Request) -> Findings | None:
        """Return what was found in a ruleset that has not changed; None where no intact note of our own says it."""
        if self.folder is None:
            return None
        try:
            note = json.loads(read_bytes(self._file(self.folder, request), _LARGEST))
            if note["around"] != self._hash_of_manifests or not all(
                self._hash_folder(pack) == seen for pack, seen in note["seen"]
            ):
                return None
            return from_data(note["found"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def look_at(self, request: Request) -> None:
        """Hash the packs of a request before they are checked, so that a later change does not go unnoticed."""
        from patolli.author.workspace.needs import requirements

        if self.folder is not None:
            for pack in (*requirements(request.pack).names, *request.modules):
                self._hash_folder(pack)

    def note(self, request: Request, findings: Findings) -> None:
        """Note what was found in a ruleset, unless it has errors."""
        if self.folder is None or not findings.sound:
            return
        seen = dict.fromkeys([*findings.packs, *findings.guests])
        data = {
            "seen": [[pack, self._hash_folder(pack)] for pack in seen],
            "around": self._hash_of_manifests,
            "found": as_data(findings),
        }
        file = self._file(self.folder, request)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if os.path.exists(file) and not os.path.isfile(file):
                return  # a pipe would block until it is read
            write_whole(file, json.dumps(data))
            delete_oldest(file.parent, "*.json")
        except OSError:
            return

    def _file(self, folder: Path, request: Request) -> Path:
        place = str((self._find_folder(request.pack) or Path(request.pack)).resolve())
        key = json.dumps([program_hash(), place, request.modules, sorted(request.options)], default=str)
        return folder / f"{sha256(key.encode()).hexdigest()[:40]}.json"

    @cached_property
    def _found_packs(self) -> list[Found]:
        return list(found_packs())

    @cached_property
    def _installed_packs(self) -> ListPacks:
        """What looks for installed packs once."""
        found = {pack.id: pack.folder for pack in reversed(self._found_packs)}  # the first of an id counts
        return lambda: found

    @cached_property
    def _hash_of_manifests(self) -> str:
        """A hash of the manifests of all installed packs: a check looks there for names and versions that may be meant.

        Archives are hashed as a whole, as any of several versions may be the one that is checked.
        """
        total = sha256()
        for pack in self._found_packs:
            content = content_hash(archive_of(pack.folder) or pack.folder / MANIFEST)
            total.update(f"{pack.id!r}{str(pack.folder)!r}{content}".encode())
        return total.hexdigest()

    def _find_folder(self, pack: str) -> Path | None:
        if pack not in self._folders:
            self._folders[pack] = find(pack, self._installed_packs)
        return self._folders[pack]

    def _hash_folder(self, pack: str) -> str:
        folder = self._find_folder(pack)
        if folder is None:
            return ""
        if folder not in self._hashes:
            self._hashes[folder] = folder_hash(folder, self._packs_in)
        return self._hashes[folder]


def folder_hash(folder: Path, list_packs: Callable[[Path], list[Path]] = packs_in) -> str:
    """Return a hash of everything that a check can see in the folder of a pack, or in an archive.

    That are the names of all files, where links lead, what cannot be read, the contents of the files that a check
    opens, and the packs beside the folder, which *list_packs* returns.
    """
    total = sha256(f"{str(folder)!r}{str(folder.resolve())!r}".encode())
    archive = archive_of(folder)
    unreadable: list[OSError] = []
    paths = [archive] if archive is not None else sorted(paths_below(folder, unreadable))
    for path in paths:
        link = os.path.realpath(path) if path.is_symlink() else ""
        content = content_hash(path) if archive is not None or is_checked(path) else ""
        total.update(f"{str(path)!r}{link!r}{content}".encode())
    total.update(repr(sorted(str(error.filename) for error in unreadable)).encode())
    total.update(repr([str(path) for path in list_packs(folder.resolve().parent)]).encode())
    return total.hexdigest()


def is_checked(path: Path) -> bool:
    """Return whether a check opens files of this name."""
    return may_be_document(path) or path.suffix in TYPES


def delete_oldest(folder: Path, pattern: str) -> None:
    """Delete the oldest notes of a kind, where there are too many. Raises OSError: reading or deleting fails."""
    found: list[tuple[float, Path]] = []
    for file in folder.glob(pattern):
        with suppress(FileNotFoundError):  # another process has deleted it meanwhile
            found.append((file.stat().st_mtime, file))
    for _, old in sorted(found)[:-KEPT]:
        old.unlink(missing_ok=True)
