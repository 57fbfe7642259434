"""Find what a pack needs, from manifests alone.

In:     a pack by id or path.
Out:    the base pack at the bottom, the modules in between, the pack itself among them, and what is not there.
Errors: none; what is wrong with a manifest, or with the versions in it, is found when the packs are put together.
"""

from __future__ import annotations

from dataclasses import dataclass

from patolli.language.diagnostics import Problem
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import DISK, Files, Pack, understand
from patolli.language.packs.selection import absent
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
    """Return the base pack that a module needs, and the modules that go with it; a base pack stands alone."""
    modules: list[str] = []
    bases: list[str] = []
    missing: list[Problem] = []

    def visit(wanted: str) -> None:
        if wanted in modules or wanted in bases:
            return
        pack = _read_manifest(wanted, files)
        needs = list(pack.requires) if pack is not None else []
        (modules if needs else bases).append(wanted)
        for needed in needs:
            place = needed if pack is None or files.find(needed) is not None else _find_near(pack, needed, files)
            if pack is not None and place is None:
                missing.append(absent(pack, needed))
            visit(place or needed)

    visit(name)
    return Requirements(bases[0], tuple(modules), tuple(missing)) if bases else Requirements(name)


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
