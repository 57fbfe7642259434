"""The same packs as they were: at another commit of their repository, or in another folder."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path

from patolli.language.packs.discovery import MANIFEST
from patolli.language.sources.archive import is_there
from patolli.measure.lab.plans import PlanError, Variant
from patolli.run.runtime import Ruleset


def earlier(variant: Variant, rules: Ruleset, against: str, home: Path) -> Variant:
    """Return a variant with its packs as they are elsewhere.

    Args:
        variant: What is played now.
        rules: The same, loaded: where its packs are.
        against: A folder or an archive, which is the pack or holds it and its modules by the names of their folders;
            else a commit of the repository in which the pack lies.
        home: Where packs of a commit are written.

    Raises:
        PlanError: There is no such folder or commit, or a pack is not there.
        OSError: Packs of a commit cannot be written.
    """
    folders = [Path(pack.folder).resolve() for pack in rules.packs]
    there = Path(against)
    found = _in_folder(folders, there.resolve()) if there.exists() else _at_commit(folders, against, home)
    base, *modules = found
    return Variant("before", str(base), tuple(map(str, modules)), variant.options, variant.vary)


def _in_folder(folders: Sequence[Path], there: Path) -> list[Path]:
    if is_there(there / MANIFEST):  # the pack alone: its modules are where they were
        return [there, *(_beside(one, there.parent) or one for one in folders[1:])]
    found = [_beside(one, there) for one in folders]
    if found[0] is None:
        raise PlanError(f"{there} is not a pack, and has no pack in a folder {folders[0].name!r}")
    return [new or old for new, old in zip(found, folders, strict=True)]


def _beside(folder: Path, there: Path) -> Path | None:
    """Return the folder of the same name in another one, or in one of its folders; None where there is none."""
    places = [there / folder.name, there / folder.parent.name / folder.name]
    return next((one for one in places if is_there(one / MANIFEST)), None)


def _at_commit(folders: Sequence[Path], commit: str, home: Path) -> list[Path]:
    base = folders[0]
    if commit.startswith("-") or not base.is_dir():
        raise PlanError(f"unknown folder {commit!r}")
    top = Path(_git(base, "rev-parse", "--show-toplevel", why=f"{base} is not in a git repository"))
    why = f"unknown folder or commit {commit!r} of {top}; a shallow clone may need to fetch more"
    name = _git(base, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}", why=why)
    inside = {one: one.relative_to(top.resolve()) for one in folders if one.is_relative_to(top.resolve())}
    place = home / name[:12]
    for folder, path in inside.items():
        if not is_there(place / path / MANIFEST):
            why = f"the pack in {folder} does not exist at {commit!r}"
            _unpack(_archive(top, name, path.as_posix(), why), place)
    return [place / inside[one] if one in inside else one for one in folders]


def _git(folder: Path, *words: str, why: str) -> str:
    return _call_git(folder, words, why).decode(errors="replace").strip()


def _archive(top: Path, name: str, path: str, why: str) -> bytes:
    return _call_git(top, ("archive", "--format=tar", name, "--", path), why)


def _call_git(folder: Path, words: Sequence[str], why: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise PlanError("cannot compare with a commit, because git is not installed") from None
    if done.returncode:
        raise PlanError(why)
    return done.stdout


def _unpack(data: bytes, place: Path) -> None:
    place.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(place, filter="data")
