"""A lock file names the exact versions of a selection of packs, so that another machine gets the same ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from patolli.author.distribution.pack_index import ID, LARGEST, SHA256, VERSION, Release, parse_json_object
from patolli.author.distribution.pack_store import INDEX, Installed
from patolli.author.distribution.refusal import Refusal
from patolli.author.distribution.resolution import Candidate, sort_by_need
from patolli.language.packs.archive_writer import build_archive
from patolli.language.sources.archive import archive_of, read_bytes
from patolli.language.sources.atomic_files import write_whole

FORM = 1
_LOCK = {
    "type": "object",
    "properties": {
        "lock": {"const": FORM},
        "packs": {
            "type": "array",
            "maxItems": 1000,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "pattern": ID},
                    "version": {"type": "string", "pattern": VERSION},
                    "content": SHA256,
                    "sha256": SHA256,
                },
                "required": ["id", "version", "content"],
            },
        },
    },
    "required": ["lock", "packs"],
}


@dataclass(frozen=True, slots=True)
class Locked:
    """One pack of a lock: ``content`` is a hash of its files, ``sha256`` that of its archive, if it has one."""

    id: str
    version: str
    content: str
    sha256: str = ""


def write_lock(path: Path, folders: Sequence[Path]) -> None:
    """Write a lock file for packs in folders or archives, each behind those that it requires. Raises OSError."""
    rows = []
    for folder in folders:
        archive = archive_of(folder)
        built = build_archive(str(folder))
        id_, _, version = built.name.removesuffix(".zip").rpartition("-")
        row = {"id": id_, "version": version, "content": built.hash}
        rows.append(row | ({"sha256": sha256(archive.read_bytes()).hexdigest()} if archive is not None else {}))
    write_whole(path, json.dumps({"lock": FORM, "packs": rows}, indent=1) + "\n")


def read_lock(path: Path) -> list[Locked]:
    """Return the packs of a lock file. Raises Refusal: it is no lock file; OSError: it cannot be read."""
    data = read_bytes(path, LARGEST + 1)
    if len(data) > LARGEST:
        raise Refusal(f"{path} has more than {LARGEST:,} bytes, so it is not a lock file")
    advice = "name packs besides --lock to write it again"
    found = parse_json_object(data, _LOCK, str(path), "lock file", advice)
    return [Locked(row["id"], row["version"], row["content"], row.get("sha256", "")) for row in found["packs"]]


def choose_locked(
    locked: Sequence[Locked], installed: Sequence[Installed], releases: Callable[[str], list[Release]]
) -> list[Candidate]:
    """Return what a lock file names: the installed pack with the same content, or else the release of the index.

    Each pack comes behind those that it requires, whatever the order of the file.

    Raises:
        Refusal: One is not there, or is another one; or packs require each other in a circle.
    """
    return sort_by_need(_choose(one, installed, releases) for one in locked)


def _choose(one: Locked, installed: Sequence[Installed], releases: Callable[[str], list[Release]]) -> Candidate:
    name = f"{one.id} {one.version}"
    here = [row for row in installed if row.found.id == one.id and row.pack.version == one.version]
    for row in here:
        if build_archive(str(row.found.folder)).hash == one.content:
            return row.candidate
    if not one.sha256:
        others = ", ".join(row.pack.version for row in installed if row.found.id == one.id)
        found = "with other content" if here else f"in the versions {others}" if others else "not at all"
        words = f"{name} of the lock file has no archive to install, and is here {found}"
        raise Refusal(f"{words}; if it comes with Patolli, install the same version of Patolli")
    release = next((found for found in releases(one.id) if found.version == one.version), None)
    if release is None:
        raise Refusal(f"the index has no {name}, which the lock file names")
    if release.sha256 != one.sha256:
        words = f"the {name} of the index is another one than the lock file names"
        raise Refusal(f"{words}: SHA-256 {release.sha256} instead of {one.sha256}")
    return Candidate(one.id, one.version, tuple(release.requires.items()), INDEX, release=release)
