"""Packs in one file: read a zip archive in place, without trusting it.

A file in an archive has a path as if the archive were a folder: ``/packs/game.zip/rules.yaml``. Nothing is ever
unpacked to the disk. An archive is looked at as a whole before anything of it is read: names that lead outside,
links, secret or oddly packed files, and sizes beyond ``BOUNDS`` refuse all of it.
"""

from __future__ import annotations

import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path, PurePosixPath

from patolli.language.diagnostics.problem import Problem, start_of
from patolli.language.sources.folders import IGNORE, ignoring, yaml_below
from patolli.language.sources.signs import BAD_SIGN

SUFFIX = ".zip"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large an archive may be.

    Files, bytes packed and unpacked, bytes of one file, how far one may swell, letters of a name and folders in it.
    """

    files: int = 2_000
    packed: int = 20_000_000
    unpacked: int = 50_000_000
    one: int = 2_000_000
    ratio: int = 200
    name: int = 240
    depth: int = 16


BOUNDS = Bounds()
_ENTRY = b"PK\x01\x02"
"""What an entry of the list of files in an archive begins with."""
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
        if part.suffix == SUFFIX and os.path.isfile(part):
            return part
    return None


def is_there(path: Path) -> bool:
    """Return whether there is a file, on the disk or in an archive."""
    archive = archive_of(path)
    if archive is None or archive == path:
        return os.path.isfile(path)
    try:
        return path.relative_to(archive).as_posix() in names(archive)
    except OSError:
        return False


def read_bytes(path: Path, most: int = BOUNDS.one) -> bytes:
    """Return at most *most* bytes of a file on the disk or in an archive. Raises OSError: it is missing or refused."""
    archive = archive_of(path)
    if archive is None or archive == path:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(0, "not a file", str(path))  # a pipe or a device may never end
        with open(path, "rb") as file:
            return file.read(most)
    name = path.relative_to(archive).as_posix()
    if name not in names(archive):
        raise FileNotFoundError(2, "No such file or directory", str(path))
    try:
        with zipfile.ZipFile(archive) as opened:
            member = next(one for one in opened.infolist() if _path_of(one) == name)
            with opened.open(member) as file:
                return file.read(most)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise BadArchive(f"the archive is damaged: {error}") from None


def yaml_files(folder: Path) -> list[Path]:
    """Return the YAML files of a pack by name, without ignored ones; none in an archive that is refused."""
    is_ignored = ignored_in(folder)
    return [path for path in _yaml_files(folder) if not is_ignored(path.relative_to(folder).as_posix())]


def ignored_in(folder: Path) -> Callable[[str], bool]:
    """Return a test for the paths that a pack ignores; see :func:`patolli.language.sources.folders.ignoring`."""
    try:
        patterns = read_bytes(folder / IGNORE).decode("utf-8", "replace")
    except OSError:
        return lambda path: False
    is_ignored = ignoring(patterns)
    return lambda path: path != "pack.yaml" and is_ignored(path)


def _yaml_files(folder: Path) -> list[Path]:
    archive = archive_of(folder)
    if archive is None:
        return yaml_below(folder)
    try:
        inside = names(archive)
    except OSError:
        return []
    return sorted(path for name in inside if name.endswith(".yaml") and (path := archive / name).is_relative_to(folder))


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
            "build it again with 'patolli pack build'",
        )
    return None


def names(archive: Path) -> frozenset[str]:
    """Return the names of an archive's files, without tools' own. Raises BadArchive: do not trust it; OSError."""
    at = archive.stat()
    if not stat.S_ISREG(at.st_mode):
        raise BadArchive("it is not a file")  # a pipe or a device may never end
    return _names(archive, at.st_mtime_ns, at.st_size)


@lru_cache(maxsize=64)
def _names(archive: Path, changed: int, size: int) -> frozenset[str]:
    if size > BOUNDS.packed:
        raise BadArchive(f"it has more than {BOUNDS.packed:,} bytes")
    try:
        data = archive.read_bytes()
        if data.count(_ENTRY) > BOUNDS.files:  # each takes memory before anything is known of it
            raise BadArchive(f"it contains more than {BOUNDS.files:,} files")
        with zipfile.ZipFile(BytesIO(data)) as opened:
            members = opened.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
        raise BadArchive(f"it is not a zip archive: {error}") from None
    for reason in reasons(members, size):
        raise BadArchive(reason)
    return frozenset(name for name in map(_path_of, members) if not name.endswith("/") and not is_of_a_tool(name))


def _path_of(member: zipfile.ZipInfo) -> str:
    """Return the path of a member of an archive; some programs for Windows write it with backslashes."""
    return member.orig_filename.replace("\\", "/")


def is_of_a_tool(name: str) -> bool:
    """Return whether a file in an archive is not the author's: its path has a hidden part, or macOS added it."""
    return any((part.startswith(".") and part != IGNORE) or part == "__MACOSX" for part in name.split("/"))


def reasons(members: list[zipfile.ZipInfo], size: int) -> Iterator[str]:
    """Say what is wrong with the members of an archive of *size* bytes."""
    if size > BOUNDS.packed:
        yield f"it has more than {BOUNDS.packed:,} bytes"
    if len(members) > BOUNDS.files:
        yield f"it contains more than {BOUNDS.files:,} files"
    if sum(member.file_size for member in members) > BOUNDS.unpacked:
        yield f"it contains more than {BOUNDS.unpacked:,} bytes"
    seen: dict[str, str] = {}
    files: set[str] = set()
    for member in members:
        yield from _name_reasons(member, seen)
        name = _path_of(member)
        kind = stat.S_IFMT(member.external_attr >> 16)
        if not name.endswith("/"):
            files.add(name)
        if is_of_a_tool(name):
            continue  # it is never opened
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            yield f"{name!r} is a link or a device"
        if member.flag_bits & 1 or member.compress_type not in _PLAIN:
            yield f"{name!r} is encrypted or packed in an unusual way"
        if member.file_size > BOUNDS.one:
            yield f"{name!r} has more than {BOUNDS.one:,} bytes"
        if member.file_size > BOUNDS.ratio * max(1, member.compress_size):
            yield f"{name!r} swells more than {BOUNDS.ratio} times"
    for name in seen.values():
        if above := next((str(folder) for folder in PurePosixPath(name).parents if str(folder) in files), ""):
            yield f"{above!r} is a file, and {name!r} lies in it"


def _name_reasons(member: zipfile.ZipInfo, seen: dict[str, str]) -> Iterator[str]:
    """Say what is wrong with the name of a member; *seen* holds those before, by what some systems make of them."""
    name = _path_of(member)
    if len(name) > BOUNDS.name or name.count("/") > BOUNDS.depth:
        yield f"the name {name[:40] + '...'!r} has more than {BOUNDS.name} letters or {BOUNDS.depth} folders"
        return  # to look at its parts costs more than it is worth
    parts = name.removesuffix("/").split("/")
    if {"", ".", ".."}.intersection(parts) or ":" in name or "\0" in name:
        yield f"the name {name!r} leads outside"
    if BAD_SIGN.search(name) or "\n" in name:
        yield f"the name {name!r} contains a control character"
    alike = unicodedata.normalize("NFKC", name.removesuffix("/")).casefold()
    if alike in seen:
        twice = seen[alike] == name
        yield f"{name!r} is there twice" if twice else f"{seen[alike]!r} and {name!r} are one name to some systems"
    seen[alike] = name
