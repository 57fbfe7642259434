"""Find what a pack needs, from manifests alone.

In:     a pack by id or path.
Out:    the base pack at the bottom, the modules in between, the pack itself among them, and what is not there.
Errors: none; what is wrong with a manifest, or with the versions in it, is found when the packs are put together.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from patolli.language.diagnostics import ContentError, Problem
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import DISK, Files, Kept, Pack, understand
from patolli.language.packs.selection import absent
from patolli.language.packs.selection_file import is_selection, read_selection
from patolli.language.packs.version_ranges import in_range, join_named
from patolli.language.sources import Mapping


@dataclass(frozen=True, slots=True)
class Requirements:
    """The names, ids or paths, of the packs with which one is checked and tested.

    A pack that requires nothing is its own ``base`` and has no ``modules``. ``missing`` reports each required pack
    that is not installed, and does not lie beside the pack that requires it or around it.
    """

    base: str
    modules: tuple[str, ...] = ()
    missing: tuple[Problem, ...] = ()

    @property
    def names(self) -> list[str]:
        """All packs, the base first."""
        return [self.base, *self.modules]


def requirements(name: str, files: Files = DISK) -> Requirements:
    """Return the base pack that a module needs, and the modules that go with it; a base pack stands alone.

    Where the installed version that comes first is not in the range that is required, a named range stands for a pack.
    """
    if is_selection(name):
        with suppress(ContentError):  # who reads it reports what is wrong
            return Requirements(read_selection(name, files).pack.value, (name,))
    files = files if isinstance(files, Kept) else Kept(files)
    walk = _Walk(files, {})
    walk.visit(name)
    for _ in range(ROUNDS):
        more = walk.find_better_names()
        if not more:
            break
        walk = _Walk(files, walk.names | more)
        walk.visit(name)
    bases = [known for known, needs in walk.needs.items() if not needs]
    modules = tuple(known for known, needs in walk.needs.items() if needs)
    return Requirements(bases[0], modules, tuple(walk.missing)) if bases else Requirements(name)


ROUNDS = 8
"""How often versions are chosen; each choice may lead to packs with other requirements."""


class _Walk:
    """A walk from a pack to all that it requires; ``names`` says by which name a required id is looked up."""

    def __init__(self, files: Files, names: dict[str, str]) -> None:
        self.files, self.names = files, names
        self.needs: dict[str, list[str]] = {}
        self.missing: list[Problem] = []
        self.ranges: dict[str, list[str]] = {}
        self.versions: dict[str, str] = {}

    def visit(self, wanted: str) -> None:
        """Go to a pack, and on to what it requires."""
        if wanted in self.needs:
            return
        pack = _read_manifest(wanted, self.files)
        self.needs[wanted] = list(pack.requires) if pack is not None else []
        if pack is None:
            return
        self.versions[wanted] = pack.version
        before, gone = len(self.missing), list[str]()
        for needed, wanted_range in pack.requires.items():
            self.ranges.setdefault(needed, []).append(wanted_range)
            name = self.names.get(needed, needed)
            place = name if self.files.find(name) is not None else _find_near(pack, needed, self.files)
            if place is None:
                gone.append(needed)
            self.visit(place or needed)
        self.missing[before:before] = absent(pack, gone) if gone else ()

    def find_better_names(self) -> dict[str, str]:
        """Return a named range for each installed pack that is not in a range, if another version of it is."""
        found = {}
        for id_, ranges in self.ranges.items():
            version = self.versions.get(self.names.get(id_, id_))
            name = join_named(id_, ranges)
            if version is None or all(in_range(version, wanted) for wanted in ranges) or name == self.names.get(id_):
                continue
            if self.files.find(name) is not None:
                found[id_] = name
        return found


def _find_near(pack: Pack, id_: str, files: Files) -> str | None:
    """Return the path of a pack that is not installed and lies where a module lies, or around it."""
    around = pack.folder.resolve().parent
    for folder in (around / id_, around):
        if folder.name == id_ and files.find(str(folder)) is not None:
            return str(folder)
    return None


def _read_manifest(name: str, files: Files) -> Pack | None:
    """Read the manifest of a pack alone; None when it cannot be read."""
    folder = files.find(name)
    path = str(folder / MANIFEST) if folder is not None else ""
    text = files.text(path)[0] if path else None
    tree = understand(text, path, "pack")[0] if text is not None else None
    return Pack(name, folder, tree) if folder is not None and isinstance(tree, Mapping) else None
