"""Find packs and read files as an editor sees them: unsaved text comes before what is on the disk."""

from __future__ import annotations

from pathlib import Path

from patolli.language.diagnostics import Problem
from patolli.language.packs.discovery import MANIFEST, ListPacks, installed
from patolli.language.packs.manifest import Files, understand

DEPTHS = ("", "*/", "*/*/", "*/*/*/")
"""Where manifests are looked for below a folder of the workspace."""


class Library(Files):
    """The packs of a workspace, then those that are installed; every path is absolute and resolved."""

    def __init__(self) -> None:
        self.roots: list[Path] = []
        self.buffers: dict[str, str] = {}
        self._packs: dict[str, Path] | None = None

    def forget(self) -> None:
        """Look for packs again; something may have been added or renamed."""
        self._packs = None

    def add_root(self, folder: Path) -> None:
        """Add a folder of the workspace."""
        if folder not in self.roots:
            self.roots.append(folder)
            self.forget()

    def packs(self) -> dict[str, Path]:
        """Return the folders of all packs in the workspace by id."""
        if self._packs is None:
            self._packs = {}
            for root in self.roots:
                for depth in DEPTHS:
                    for manifest in sorted(root.glob(f"{depth}{MANIFEST}")):
                        self._packs.setdefault(manifest.parent.name, manifest.parent)
        return self._packs

    def find(self, name: str, there: ListPacks = installed) -> Path | None:
        """Return the folder of a pack: of the workspace first, beside its packs, then of those installed."""
        if "/" in name or "\\" in name:
            return super().find(name, there)
        packs = self.packs()
        if name in packs:
            return packs[name]
        for folder in packs.values():
            if (folder.parent / name / MANIFEST).is_file():
                return folder.parent / name
        return super().find(name, there)

    def text(self, path: str) -> tuple[str | None, list[Problem]]:
        """Return the text of a file as it is being edited."""
        buffer = self.buffers.get(path)
        return (buffer, []) if buffer is not None else super().text(path)

    def lines(self, path: str) -> list[str]:
        """Return the lines of a file as places count them; none when it cannot be read."""
        text, _ = self.text(path)
        return (text or "").removeprefix("\ufeff").replace("\r\n", "\n").split("\n")

    def holds_scenarios(self, path: str) -> bool:
        """Return whether a file is one of scenarios."""
        text, _ = self.text(path)
        return text is not None and understand(text, path)[1] == "scenarios"

    def pack_of(self, path: str) -> Path | None:
        """Return the folder of the pack that a file belongs to."""
        folders = Path(path).parents
        return next((folder for folder in folders if (folder / MANIFEST).is_file()), None)

    def is_open(self, path: str) -> bool:
        """Return whether a file belongs to the workspace, so that it may be changed."""
        return any(Path(path).is_relative_to(root) for root in self.roots)
