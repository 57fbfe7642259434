"""The archives in the user's folder of packs: which are there, and how some are added or removed.

A change is complete in memory and checked before the first file is written. Then archives are written whole, each
behind those that it requires. So at any moment, also after a crash, the packs that are there can be used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from patolli.author.distribution.pack_index import Release, describe_archive, normalize_ranges
from patolli.author.distribution.refusal import Refusal
from patolli.author.distribution.resolution import Candidate, Wish, newest_first
from patolli.author.workspace import Request, check_pack, inspect, requirements
from patolli.language.diagnostics import ContentError, Problem, Span
from patolli.language.packs.discovery import Found, find, found_packs, installed, user_folder
from patolli.language.packs.manifest import Files, Kept, Pack, read_manifest
from patolli.language.packs.version_ranges import in_range, parse_version, split_named
from patolli.language.sources.archive import BOUNDS, archive_of, read_bytes
from patolli.language.sources.atomic_files import write_whole

LARGEST = 200_000_000
"""Bytes of all archives that one command may fetch."""
INSTALLED, FILE, INDEX = "installed", "file", "index"
"""Where a candidate is."""


def find_home() -> Path:
    """Return the user's folder of packs. Raises Refusal: the user has no home folder."""
    home = user_folder()
    if home is None:
        raise Refusal("you have no home folder; set XDG_DATA_HOME to a folder for your packs")
    return home


@contextmanager
def hold_home(home: Path) -> Iterator[None]:
    """Keep other commands from changing the user's folder of packs.

    Raises:
        Refusal: Another command is changing it.
        OSError: The folder above it cannot be written.
    """
    home.parent.mkdir(parents=True, exist_ok=True)
    with (home.parent / f"{home.name}.lock").open("ab") as file:
        try:
            _lock(file)
        except OSError:
            raise Refusal("another command is changing your packs; try again when it has ended") from None
        for left in home.glob(".*.part"):  # a command that was killed while it wrote
            with suppress(OSError):
                left.unlink()
        yield


def _lock(file: BinaryIO) -> None:
    """Lock a file until it is closed; the system unlocks it if the program is killed."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@dataclass(frozen=True, slots=True)
class Installed:
    """An installed pack with its manifest; ``archive`` is there if it lies in the user's folder as an archive."""

    found: Found
    pack: Pack
    archive: Path | None

    @property
    def candidate(self) -> Candidate:
        """The same as something that can be chosen."""
        needs = tuple(normalize_ranges(self.pack).items())
        return Candidate(self.found.id, self.pack.version, needs, INSTALLED, self.found.folder)


def list_installed(home: Path) -> list[Installed]:
    """Return all packs on the search path whose manifests can be read, in the order of the search path."""
    rows = []
    for found in found_packs():
        pack = read_manifest(found.folder)
        if pack is not None and pack.id == found.id:
            archive = archive_of(found.folder)
            rows.append(Installed(found, pack, archive if archive is not None and archive.parent == home else None))
    return rows


def read_files(paths: Iterable[Path]) -> list[Candidate]:
    """Return the packs in some archives. Raises Refusal: an archive is not a pack, or two are the same pack."""
    found: dict[str, Candidate] = {}
    for path in paths:
        release = describe_archive(path)
        if release.id in found:
            raise Refusal(f"{found[release.id].path} and {path} are both the pack {release.id!r}; name one of them")
        found[release.id] = Candidate(release.id, release.version, tuple(release.requires.items()), FILE, path, release)
    return list(found.values())


def collect_candidates(
    installed: Sequence[Installed],
    files: Sequence[Candidate],
    releases: Callable[[str], list[Release]],
    wishes: Iterable[Wish],
) -> Callable[[str], list[Candidate]]:
    """Return a function that says which versions of a pack could be chosen, the best first.

    Of a pack that is wished for, the newest is best; of one that is only required, one that is installed already. A
    file that was named is the only choice for its pack.
    """
    wished = {wish.id for wish in wishes}
    known: dict[str, list[Candidate]] = {}

    def find_candidates(id_: str) -> list[Candidate]:
        if id_ not in known:
            own = [file for file in files if file.id == id_]
            here = [one.candidate for one in installed if one.found.id == id_]
            away = [_candidate_of(release) for release in (releases(id_) if not own else ())]
            known[id_] = own or (newest_first([*here, *away]) if id_ in wished else [*here, *newest_first(away)])
        return known[id_]

    return find_candidates


def _candidate_of(release: Release) -> Candidate:
    return Candidate(release.id, release.version, tuple(release.requires.items()), INDEX, release=release)


class _Future(Files):
    """Packs as they will be found when some archives are in the user's folder."""

    def __init__(self, new: Iterable[tuple[Candidate, Path]], installed: Sequence[Installed]) -> None:
        rows = [(one.found.id, one.pack.version, one.found.folder, _rank(one)) for one in installed]
        rows += [(one.id, one.version, path, 2) for one, path in new]
        newest = sorted(rows, key=lambda row: parse_version(row[1]), reverse=True)
        own = [row for row in newest if row[3] == 2]
        self._rows = [*(r for r in rows if r[3] < 2), *own, *(r for r in rows if r[3] > 2)]

    def find(self, name: str, there: Callable[[], Mapping[str, Path]] = installed) -> Path | None:
        """Return the folder of a pack by id, path or named range."""
        id_, wanted = split_named(name)
        fits = (folder for row, version, folder, _ in self._rows if row == id_ and in_range(version, wanted))
        return find(name, there) if not id_ else next((find(str(folder)) for folder in fits), None)


def _rank(one: Installed) -> int:
    """Return where a pack is on the search path: before the user's archives, among them, or behind them."""
    if one.archive is not None:
        return 2
    return {"PATOLLI_PATH": 0, "user": 1}.get(one.found.origin, 3)


def add_packs(
    chosen: Sequence[Candidate], fetch: Callable[[Release], bytes], installed: Sequence[Installed], home: Path
) -> list[Path]:
    """Write the archives of packs that were chosen and are not installed; return their paths.

    Args:
        chosen: Each pack behind those that it requires.
        fetch: Returns the archive of a release of an index.
        installed: What is installed now.
        home: The user's folder of packs, which no other process may change meanwhile.

    Raises:
        Refusal: An archive is not what the index says, or other packs would not work any more.
        ContentError: A pack has errors.
        OSError: An archive cannot be read or written. Those before it may have been written.
    """
    new = [one for one in chosen if one.origin != INSTALLED]
    total = sum(one.release.size for one in new if one.release is not None)
    if total > LARGEST:
        raise Refusal(f"these packs have {total:,} bytes; more than {LARGEST:,} at once are refused")
    content = [_read_content(one, fetch) for one in new]
    with TemporaryDirectory(prefix="patolli-") as folder:
        archives = [
            (one, Path(folder) / f"{one.id}-{one.version}.zip", data) for one, data in zip(new, content, strict=True)
        ]
        for _, path, data in archives:
            write_whole(path, data)
        future = _Future([(one, path) for one, path, _ in archives], installed)
        with _shorten_paths(folder):
            for one, path, _ in archives:
                _refuse_other(one, path, home)
            for one, path, _ in archives:
                _refuse_errors(path, one, future)
            _refuse_breaking({one.id for one in new}, future, installed)
    home.mkdir(parents=True, exist_ok=True)
    written = []
    for _, path, data in archives:
        write_whole(home / path.name, data)
        written.append(home / path.name)
    return written


@contextmanager
def _shorten_paths(folder: str) -> Iterator[None]:
    """Leave a temporary folder out of what is reported: people know the archives in it by their names."""
    prefix = f"{folder}{os.sep}"

    def shorten(span: Span) -> Span:
        return replace(span, path=span.path.removeprefix(prefix))

    try:
        yield
    except Refusal as error:
        raise Refusal(str(error).replace(prefix, "")) from None
    except ContentError as error:
        places = [(one, tuple((shorten(span), words) for span, words in one.also)) for one in error.problems]
        raise ContentError(tuple(replace(one, span=shorten(one.span), also=also) for one, also in places)) from None


def _read_content(one: Candidate, fetch: Callable[[Release], bytes]) -> bytes:
    assert one.release is not None
    return one.path.read_bytes() if one.path is not None else fetch(one.release)


def _refuse_other(one: Candidate, path: Path, home: Path) -> None:
    """Refuse an archive that is another pack than was said, or another one than is installed in the same version."""
    found = describe_archive(path)
    for what, wanted, there in (
        ("id", one.id, found.id),
        ("version", one.version, found.version),
        ("requirements", dict(one.requires), found.requires),
    ):
        if wanted != there:
            words = (
                f"the archive of {one.id} {one.version} is not what the index says: {what} {there!r}, not {wanted!r}"
            )
            raise Refusal(f"{words}; nothing was installed")
    same = home / path.name
    if one.origin == INDEX and same.exists() and read_bytes(same, BOUNDS.packed) != path.read_bytes():
        raise Refusal(f"{same} differs from the {one.id} {one.version} of the index; delete that file first")


def _refuse_errors(path: Path, one: Candidate, future: Files) -> None:
    """Refuse an archive with errors; problems of a file that was named are reported in that file."""
    shown = str(one.path) if one.path is not None else str(path)
    errors = [p for p in check_pack(Request(shown), Kept(future)).problems if p.severity == "error"]
    if errors:
        raise ContentError(tuple(errors))


def _refuse_breaking(new: set[str], future: Files, installed: Sequence[Installed]) -> None:
    """Refuse new packs with which installed modules that worked would not work any more."""
    before, after = Kept(tests=False), Kept(future, tests=False)
    for id_ in dict.fromkeys(one.found.id for one in installed if one.found.id not in new):
        needs = requirements(id_, after)
        if new.isdisjoint(split_named(name)[0] for name in needs.names):
            continue
        problems = _find_errors(id_, after)
        if problems and not _find_errors(id_, before):
            first = problems[0]
            words = f"{id_!r}, which is installed, would not work any more: {first.code}: {first.message}"
            raise Refusal(f"{words}; update or remove {id_!r} first, or name an older version")


def _find_errors(id_: str, files: Files) -> list[Problem]:
    needs = requirements(id_, files)
    return inspect(needs.base, needs.modules, warnings=False, files=files, remember=True).errors


def remove_packs(wishes: Iterable[Wish], home: Path) -> list[Path]:
    """Delete the archives of some packs in the user's folder; return what was deleted.

    Raises:
        Refusal: There is no such archive, or another pack requires it.
        OSError: An archive cannot be deleted. Those before it are deleted.
    """
    installed = list_installed(home)
    gone: list[Installed] = []
    for wish in wishes:
        known = [one for one in installed if one.found.id == wish.id]
        fits = [one for one in known if one.archive is not None and in_range(one.pack.version, wish.wanted)]
        if not fits:
            there = ", ".join(f"{one.pack.version} in {one.found.folder}" for one in known)
            words = f"no {wish.id!r}{'' if wish.wanted == '*' else f' {wish.wanted}'} was installed in {home}"
            raise Refusal(f"{words}; there is {there}" if there else words)
        gone += [one for one in fits if one not in gone]
    left = [one for one in installed if one not in gone]
    for by in left:
        for id_, wanted in normalize_ranges(by.pack).items():
            fits = [one for one in gone if one.found.id == id_ and in_range(one.pack.version, wanted)]
            if fits and not any(one.found.id == id_ and in_range(one.pack.version, wanted) for one in left):
                words = f"{by.found.id} {by.pack.version} requires {id_} {wanted}"
                raise Refusal(f"{words}, and this is its last version; remove {by.found.id!r} too, or first")
    deleted = [one.archive for one in reversed(_sort_by_need(gone)) if one.archive is not None]
    for archive in deleted:
        archive.unlink()
    return deleted


def _sort_by_need(packs: list[Installed]) -> list[Installed]:
    """Sort packs, each behind those that it requires."""
    done: list[Installed] = []
    while len(done) < len(packs):
        left = [one for one in packs if one not in done]
        ids = {one.found.id for one in left}
        done += [one for one in left if ids.isdisjoint(one.pack.requires)] or left
    return done
