"""Find packs by id or path.

A pack is looked for on the search path: the folders of ``PATOLLI_PATH``, the user's folder, and the packs that are
shipped. A name with a separator, or one that is a folder with a manifest, is a path.
"""

from __future__ import annotations

import os
from pathlib import Path

MANIFEST = "pack.yaml"


def shipped() -> Path:
    """Return the folder of the packs that come with the program."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_content"
    return inside if inside.is_dir() else package.parent.parent / "content"


def search_path() -> list[Path]:
    """Return the folders in which packs are looked for, first match first."""
    own = [Path(part) for part in os.environ.get("PATOLLI_PATH", "").split(os.pathsep) if part]
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return [*own, data / "patolli" / "packs", shipped()]


def installed() -> dict[str, Path]:
    """Return every installed pack: id (the name of its folder) to folder, in order of id.

    Modules may lie beside the packs or in a folder ``modules`` of the pack that they extend.
    """
    found: dict[str, Path] = {}
    for folder in search_path():
        for manifest in sorted([*folder.glob(f"*/{MANIFEST}"), *folder.glob(f"*/*/{MANIFEST}")]):
            found.setdefault(manifest.parent.name, manifest.parent)
    return dict(sorted(found.items()))


def find(name: str) -> Path | None:
    """Return the folder of a pack given by id or path, or None."""
    path = Path(name)
    if (os.sep in name or (path / MANIFEST).is_file()) and (path / MANIFEST).is_file():
        return path
    return installed().get(name)
