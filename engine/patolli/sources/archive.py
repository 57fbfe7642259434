"""Packs in one file: read a zip archive in place, without trusting it.

A file in an archive has a path as if the archive were a folder: ``/packs/game.zip/rules.yaml``. Nothing is ever
unpacked to the disk. An archive is looked at as a whole before anything of it is read: names that lead outside,
links, secret or oddly packed files, and sizes beyond ``BOUNDS`` refuse all of it.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from patolli.diagnostics.problem import Problem, start_of

SUFFIX = ".zip"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large an archive may be: files, bytes packed and unpacked, bytes of one file, and how far one may swell."""

    files: int = 2_000
    packed: int = 20_000_000
    unpacked: int = 50_000_000
    one: int = 2_000_000
    ratio: int = 200


BOUNDS = Bounds()
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class BadArchive(OSError):
    """An archive that is not read; ``strerror`` says why."""

    def __init__(self, reason: str) -> None:
        """Keep the reason where other failures to read a file have it."""
        super().__init__(0, reason)


def archive_of(path: Path) -> Path | None:
    """Return the archive that a path leads into, or is, or None."""
    if SUFFIX not in str(path):
        return None  # no part of it can end so; most paths are of this kind
    for part in (path, *path.parents):
        if part.suffix == SUFFIX and part.is_file():
            return part
    return None


def is_there(path: Path) -> bool:
    """Tell whether there is a file, on the disk or in an archive."""
    archive = archive_of(path)
    if archive is None or archive == path:
        return path.is_file()
    try:
        return path.relative_to(archive).as_posix() in names(archive)
    except OSError:
        return False


def read_bytes(path: Path, most: int = BOUNDS.one) -> bytes:
    """Return the bytes of a file, on the disk or in an archive, at most *most* of them.

    Raises:
        OSError: It is not there, or stands in an archive that is refused.
    """
    archive = archive_of(path)
    if archive is None or archive == path:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(0, "not a file")  # a pipe or a device may never end
        with open(path, "rb") as file:
            return file.read(most)
    name = path.relative_to(archive).as_posix()
    if name not in names(archive):
        raise FileNotFoundError(2, "No such file or directory", str(path))
    try:
        with zipfile.ZipFile(archive) as opened, opened.open(name) as member:
            return member.read(most)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise BadArchive(f"the archive is damaged: {error}") from None


def yaml_files(folder: Path) -> list[Path]:
    """Return the YAML files below a folder, in the order of their names; none in an archive that is refused."""
    archive = archive_of(folder)
    if archive is None:
        return sorted(_yaml_below(folder))
    try:
        inside = names(archive)
    except OSError:
        return []
    files = (archive / name for name in inside if name.endswith(".yaml"))
    return sorted(path for path in files if path.is_relative_to(folder) and not is_hidden(path, folder))


def _yaml_below(folder: Path) -> Iterator[Path]:
    """Find what is called like a YAML file in a folder and its folders, without those that are hidden or linked."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        here = Path(place)
        yield from (here / name for name in (*folders, *files) if name.endswith(".yaml") and not name.startswith("."))


def is_hidden(path: Path, top: Path) -> bool:
    """Tell whether a file is one of a tool, not of the author: it, or a folder on its way, begins with a dot."""
    return any(part.startswith(".") for part in path.relative_to(top).parts)


def misnamed(folder: Path) -> list[Path]:
    """Return the files below a folder that hold a document, and are not read because of their names."""
    if archive_of(folder) is not None:
        return []
    found = []
    for path in folder.rglob("*"):
        name = path.name.lower()
        if name.endswith((".yml", ".yaml", ".yaml.txt", ".yml.txt")) and path.suffix != ".yaml" and path.is_file():
            with path.open("rb") as file:
                begins = re.match(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*document[ \t]*:", file.read(4096))
            if begins and not is_hidden(path, folder):
                found.append(path)
    return sorted(found)


def told_by_name(file: Path) -> Problem:
    """Say that a document is not read, and how its file should be called."""
    right = f"{file.name.partition('.')[0]}.yaml"
    message = f"a document in a file of this name is not read: {file.name!r}"
    return Problem("P0019", message, start_of(str(file)), f"rename it to {right!r}")


def refusal(path: Path) -> Problem | None:
    """Return the problem P0112 when an archive is refused."""
    archive = archive_of(path)
    if archive is None:
        return None
    try:
        names(archive)
    except OSError as error:
        reason = error.strerror or str(error)
        return Problem(
            "P0112",
            f"the archive is refused: {reason}",
            start_of(str(archive)),
            "make it anew with 'patolli pack build'",
        )
    return None


def names(archive: Path) -> frozenset[str]:
    """Return the names of the files in an archive that was looked at as a whole.

    Raises:
        BadArchive: It is not to be trusted.
        OSError: It cannot be read.
    """
    at = archive.stat()
    return _names(archive, at.st_mtime_ns, at.st_size)


@lru_cache(maxsize=64)
def _names(archive: Path, changed: int, size: int) -> frozenset[str]:
    if size > BOUNDS.packed:
        raise BadArchive(f"it has more than {BOUNDS.packed:,} bytes")
    try:
        with zipfile.ZipFile(archive) as opened:
            members = opened.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
        raise BadArchive(f"it is no zip archive: {error}") from None
    for reason in reasons(members, size):
        raise BadArchive(reason)
    return frozenset(member.filename for member in members if not member.is_dir())


def reasons(members: list[zipfile.ZipInfo], size: int) -> Iterator[str]:
    """Say what is wrong with the members of an archive of *size* bytes."""
    if size > BOUNDS.packed:
        yield f"it has more than {BOUNDS.packed:,} bytes"
    if len(members) > BOUNDS.files:
        yield f"it holds more than {BOUNDS.files:,} files"
    if sum(member.file_size for member in members) > BOUNDS.unpacked:
        yield f"it holds more than {BOUNDS.unpacked:,} bytes"
    seen: set[str] = set()
    for member in members:
        name = member.filename
        parts = PurePosixPath(name).parts
        kind = stat.S_IFMT(member.external_attr >> 16)
        outside = name.startswith("/") or ".." in parts or "\\" in name or ":" in name or "\0" in name
        if outside or name != member.orig_filename or not parts:
            yield f"the name {member.orig_filename!r} leads outside"
        if name in seen:
            yield f"{name!r} is there twice"
        seen.add(name)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            yield f"{name!r} is a link or a device"
        if member.flag_bits & 1 or member.compress_type not in _PLAIN:
            yield f"{name!r} is encrypted or packed in an unusual way"
        if member.file_size > BOUNDS.one:
            yield f"{name!r} has more than {BOUNDS.one:,} bytes"
        if member.file_size > BOUNDS.ratio * max(1, member.compress_size):
            yield f"{name!r} swells more than {BOUNDS.ratio} times"
