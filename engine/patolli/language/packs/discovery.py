"""Find packs by id or path.

A pack is a folder with a manifest, or a zip archive of one. It is looked for on the search path: the folders of
``PATOLLI_PATH``, the user's folder, the installed distributions that have an entry point in the group
``patolli.packs``, and the packs that are shipped. Each may hold packs one level deeper, too: modules in the folder of
the pack that they extend, or a collection in a folder of its own. A name with a separator, or one that is a pack
itself, is a path. A name with a range of versions, such as ``my_game>=1.0,<2.0``, is the first pack in that range.

Several versions of a pack may be installed, each as an archive. The newest one in a folder counts, unless a
requirement or a range asks for another.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

import patolli
from patolli.language.packs.version_ranges import in_range, parse_version, split_named
from patolli.language.sources.archive import SUFFIX, archive_of, names, read_bytes
from patolli.language.sources.home import folder_of_user

MANIFEST = "pack.yaml"
GROUP = "patolli.packs"
ListPacks = Callable[[], Mapping[str, Path]]
"""What returns the installed packs: id to its folder."""
HEAD = 4_000
"""Bytes of a manifest in which its id and version are looked for."""
_ID = re.compile(rb"^id: *[\"']?([a-z_][a-z0-9_]*)", re.M)
_VERSION = re.compile(rb"^version: *[\"']?([0-9.]+)", re.M)


@dataclass(frozen=True, slots=True)
class Found:
    """An installed pack: its id, the folder or archive, and how it came here."""

    id: str
    folder: Path
    origin: str


def find_content_folder() -> Path:
    """Return the folder of the packs that come with the program."""
    package = Path(patolli.__file__).resolve().parent
    inside = package / "_content"
    return inside if inside.is_dir() else package.parent.parent / "content"


def user_folder() -> Path | None:
    """Return the folder for packs of the user, or None for one without a home."""
    data = folder_of_user("XDG_DATA_HOME", ".local", "share")
    return data / "patolli" / "packs" if data is not None else None


def search_path() -> list[Path]:
    """Return the folders in which packs are looked for, first match first; distributions come before the last one."""
    own = [Path(part) for part in os.environ.get("PATOLLI_PATH", "").split(os.pathsep) if part]
    user = user_folder()
    return [*own, *([user] if user is not None else []), find_content_folder()]


def found_packs() -> Iterator[Found]:
    """Go through all packs in the order of the search path; an id may come more than once."""
    *own, last = search_path()
    for folder in own:
        yield from _in_folder(folder, "user" if folder == user_folder() else "PATOLLI_PATH")
    for entry in _entries():
        place = _package_folder(entry)
        if place is not None:
            yield Found(entry.name, place, f"distribution {_distribution_name(entry)}")
    yield from _in_folder(last, "bundled")


def _in_folder(folder: Path, origin: str) -> Iterator[Found]:
    """Find packs in a folder and one level below, where modules may lie; archives last, the newest first."""
    outer = _search_folders(folder)
    for below in sorted([*outer, *(inner for one in outer for inner in _search_folders(one))]):
        if os.path.exists(below / MANIFEST):
            yield Found(below.name, below, origin)
    archives = sorted(_packs_within(folder, lambda entry: entry.name.endswith(SUFFIX) and entry.is_file()))
    places = [(archive, place) for archive in archives if (place := inside(archive)) is not None]
    newest = sorted(places, key=lambda one: parse_version(_find_in_manifest(_VERSION, one[1])), reverse=True)
    yield from (Found(_id_of(place) or archive.stem, place, origin) for archive, place in newest)


def _search_folders(folder: Path) -> list[Path]:
    """Return the folders in a folder."""
    return _packs_within(folder, lambda entry: entry.is_dir())


def _packs_within(folder: Path, fits: Callable[[os.DirEntry[str]], bool]) -> list[Path]:
    """Return what lies in a folder; nothing when it cannot be looked into."""
    try:
        with os.scandir(folder) as entries:
            return [folder / entry.name for entry in entries if _matches_name(entry, fits)]
    except (OSError, ValueError):
        return []


def _matches_name(entry: os.DirEntry[str], fits: Callable[[os.DirEntry[str]], bool]) -> bool:
    try:
        return fits(entry)
    except OSError:
        return False  # a link in a circle, or one to what may not be looked at


def packs_in(folder: Path) -> list[Path]:
    """Return the folders in a folder that are packs, in the order of their names."""
    return sorted(inner for inner in _search_folders(folder) if os.path.isfile(inner / MANIFEST))


def inside(archive: Path) -> Path | None:
    """Return where the pack begins in an archive: at its top, or in its only folder; None when it holds none."""
    try:
        found = names(archive)
    except OSError:
        return archive  # reading it says why it is refused
    if MANIFEST in found:
        return archive
    tops = {name.partition("/")[0] for name in found if "/" in name}
    top = next(iter(tops)) if len(tops) == 1 else ""
    return archive / top if f"{top}/{MANIFEST}" in found else None


def list_renamed(folders: Iterable[Path]) -> dict[str, Path]:
    """Return by its id each pack that lies in a folder of another name, such as ``my_game-main``; the first counts."""
    found: dict[str, Path] = {}
    for folder in folders:
        if (id_ := _id_of(folder)) and folder.name != id_:
            found.setdefault(id_, folder)
    return found


def explain_folder_name(id_: str, holder: Path) -> str:
    """Say how a pack is found that lies in a folder of another name."""
    return f"the folder {str(holder)!r} holds the pack {id_!r}: rename it to {id_!r}"


def _id_of(folder: Path) -> str:
    return _find_in_manifest(_ID, folder)


def _find_in_manifest(wanted: re.Pattern[bytes], folder: Path) -> str:
    """Return what an expression finds at the beginning of the manifest in a folder; nothing if it cannot be read."""
    try:
        archive = archive_of(folder)
        at = archive.stat() if archive is not None else None
        found = wanted.search(
            _read_head(folder, at.st_mtime_ns, at.st_size) if at else read_bytes(folder / MANIFEST, HEAD)
        )
    except OSError:
        return ""
    return found[1].decode() if found else ""


@lru_cache(maxsize=1024)
def _read_head(folder: Path, changed: int, size: int) -> bytes:
    """Return the beginning of the manifest in an archive, which is opened again only if it has changed."""
    return read_bytes(folder / MANIFEST, HEAD)


@cache
def _entries() -> tuple[EntryPoint, ...]:
    return tuple(sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)))


def _package_folder(entry: EntryPoint) -> Path | None:
    """Return the folder of the package that an entry point names; a top package is not imported for that."""
    try:
        spec = find_spec(entry.module)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return next((Path(place) for place in places if os.path.isfile(Path(place) / MANIFEST)), None)


def _distribution_name(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "unknown"


def installed() -> dict[str, Path]:
    """Return the folder of each installed pack, also of modules in the folders of packs, by id in order.

    Of several packs with the same id, the first on the search path counts.
    """
    found: dict[str, Path] = {}
    for pack in found_packs():
        found.setdefault(pack.id, pack.folder)
    return dict(sorted(found.items()))


def list_bundled() -> dict[str, Path]:
    """Return the packs that come with the program: id to its folder, in order of id."""
    return dict(sorted((pack.id, pack.folder) for pack in found_packs() if pack.origin == "bundled"))


def find(name: str, there: ListPacks = installed) -> Path | None:
    """Return the folder or archive of a pack given by id, path or range; *there* lists the installed packs."""
    path = Path(name)
    if path.suffix == SUFFIX and os.path.isfile(path):
        return inside(path)
    if os.path.isfile(path / MANIFEST):
        return path
    id_, wanted = split_named(name)
    if id_ != name and id_:
        versions = (
            (found.folder, _find_in_manifest(_VERSION, found.folder)) for found in found_packs() if found.id == id_
        )
        return next((folder for folder, version in versions if in_range(version, wanted)), None)
    return there().get(name)
