"""Make an archive of a pack: the same files give the same bytes, on every machine and at any time."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import read_pack
from patolli.language.sources.archive import BadArchive, archive_of, ignored_in, names, read_bytes, reasons, yaml_files
from patolli.language.sources.folders import is_utf8
from patolli.language.sources.pictures import TYPES

ALSO = ("README*", "LICENSE*", "LICENCE*", "CHANGELOG*", "NOTICE*")
"""Files that go into an archive beside the content."""
_THEN = (1980, 1, 1, 0, 0, 0)
_PLAIN_FILE = 0o100644 << 16
_UNIX = 3


@dataclass(frozen=True, slots=True)
class Archive:
    """A pack as one file: its bytes, how many files are in it, and a hash of their names and contents."""

    name: str
    data: bytes
    files: tuple[str, ...]
    hash: str


def build_archive(name: str) -> Archive:
    """Make an archive of the pack with this id or path.

    Raises:
        ContentError: There is no such pack, or its manifest cannot be read.
        BadArchive: The archive would be larger than what is read, or a file of the pack is a link.
    """
    pack = read_pack(name)
    for path in yaml_files(pack.folder):
        inside = path.relative_to(pack.folder)
        if not any(part.startswith(".") for part in inside.parts) and path.is_symlink():
            raise BadArchive(
                f"{inside.as_posix()!r} is a link, and archives must not contain links; put the file itself there"
            )
    odd = next((path for path in content_files(pack.folder) if not is_utf8(path)), None)
    if odd is not None:
        name = str(odd.relative_to(pack.folder))
        raise BadArchive(f"the name {name!r} is not UTF-8; rename the file")
    files = {path.relative_to(pack.folder).as_posix(): read_bytes(path) for path in content_files(pack.folder)}
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for inner, data in sorted(files.items()):
            info = zipfile.ZipInfo(inner, _THEN)
            info.external_attr, info.create_system = _PLAIN_FILE, _UNIX
            archive.writestr(info, data)
    with zipfile.ZipFile(buffer) as archive:
        for reason in reasons(archive.infolist(), len(buffer.getvalue())):
            raise BadArchive(f"the archive would be unreadable: {reason}")
    return Archive(f"{pack.id}-{pack.version}.zip", buffer.getvalue(), tuple(sorted(files)), content_hash(files))


def content_files(folder: Path) -> list[Path]:
    """Return what belongs to the pack in a folder, without the packs and hidden files inside of it."""
    found = set(yaml_files(folder))
    if archive_of(folder) is None:
        found.update(path for form in ALSO for path in folder.glob(form) if path.is_file())
        found.update(path for suffix in TYPES for path in folder.rglob(f"*{suffix}") if path.is_file())
    inner = {path.parent for path in found if path.name == MANIFEST} - {folder}
    is_ignored = ignored_in(folder)
    return sorted(
        path
        for path in found
        if not is_ignored(path.relative_to(folder).as_posix())
        and not any(parent in inner for parent in path.parents)
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not path.is_symlink()
    )


def content_hash(files: dict[str, bytes]) -> str:
    """Return a hash of files by name, which does not depend on how they are packed."""
    total = sha256()
    for name, data in sorted(files.items()):
        total.update(f"{name}\0{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()


__all__ = ["Archive", "BadArchive", "build_archive", "content_files", "content_hash", "names"]
