"""Lift a pack to a later version of the language: what that takes as a word gets another name wherever it stands.

A migration is computed in memory first: nothing is written where the packs would not be valid afterwards, or where a
name cannot be changed because it belongs to a pack that is not open.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from patolli.author.lookup.index import Index
from patolli.author.lookup.name_uses import pause_collector, word_of
from patolli.author.lookup.references import Reference
from patolli.language.diagnostics import Edit, apply_edits
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import Kept, read_manifest
from patolli.language.sources import Mapping, read_yaml
from patolli.language.syntax.words import words
from patolli.serve.lsp.project import Project, type_pack
from patolli.serve.lsp.symbol_rename import Refused, rename


class Migration:
    """A pack as it would be in a later version of the language, with all files that change by it."""

    def __init__(self, folder: Path, language: int) -> None:
        """Open the pack in *folder*, and the packs beside it that may name what it declares."""
        self.folder = folder.resolve()
        self.language = language
        self.project = Project()
        self.project.library.add_root(self.folder.parent)
        self.renamed: dict[str, str] = {}  # what got another name
        self._before: dict[str, str] = {}  # by file: what is on the disk

    def work_out(self) -> None:
        """Work out all changes, in memory. Raises Refused: the pack has errors, or cannot be lifted; says why."""
        known = self.written_version
        if known >= self.language:
            return
        self._valid("fix its errors first: patolli validate lists them")
        for reference in self._in_the_way(known):
            self._rename(reference)
        self._say_version()
        self._valid(f"it would be invalid in language {self.language}")

    @property
    def written_version(self) -> int:
        """The version of the language that the pack says on the disk."""
        manifest = read_manifest(self.folder)
        if manifest is None:
            raise Refused(f"{self.folder / MANIFEST} cannot be read; run 'patolli validate' for details")
        return manifest.language

    @property
    def files(self) -> dict[Path, str]:
        """The new text of every file that changes."""
        return {Path(path): text for path, text in sorted(self.project.library.buffers.items())}

    def difference(self) -> Iterator[str]:
        """Show what changes, line by line, as ``diff -u`` does; files are named from the folder above the pack's."""
        for path, text in self.files.items():
            name = path.relative_to(self.folder.parent).as_posix()
            before = self._before[str(path)].splitlines(keepends=True)
            yield from unified_diff(before, text.splitlines(keepends=True), name, name, n=1)

    # -- the steps

    def _valid(self, otherwise: str) -> None:
        files = Kept(self.project.library)
        with pause_collector():
            for pack in self.project.users(self.folder):
                found = type_pack(pack, files)
                wrong = next(iter(found.errors), None)
                if wrong is not None:
                    place = f"{Path(wrong.span.path).name}, line {wrong.span.line}"
                    raise Refused(f"cannot migrate the pack {pack.name!r}: {otherwise}; {place}: {wrong.message}")

    def _in_the_way(self, known: int) -> Iterator[Reference]:
        """Yield what the pack declares under a name that the new version takes as a word, one at a time."""
        before, after = words(known), words(self.language)
        new = {*after.statements, *after.quantifiers, *after.joining, *after.fixed}
        new -= {*before.statements, *before.quantifiers, *before.joining, *before.fixed}
        while True:
            index = self.project.index(self.folder)
            assert index is not None
            found = next((one for one in self._list_declarations(index) if word_of((one.sort, one.id)) in new), None)
            if found is None:
                return
            yield found

    def _list_declarations(self, index: Index) -> Iterator[Reference]:
        """Yield what is declared in the files of the pack, in order."""
        for path in sorted(index.files):
            if Path(path).is_relative_to(self.folder):
                yield from (one for one in index.in_file(path) if one.declares)

    def _rename(self, reference: Reference) -> None:
        name = word_of((reference.sort, reference.id))
        for tail in ("_", *(f"_{number}" for number in range(2, 9))):
            try:
                edits = rename(self.project, self.folder, reference, f"{name}{tail}")
            except Refused as refused:
                reason = refused
                continue
            for path, changes in edits.items():
                self._apply_edits(path, [Edit(span, new) for span, new in changes])
            self.renamed[name] = f"{name}{tail}"
            return
        raise Refused(f"{name!r} is a word of language {self.language}; rename it by hand: {reason}")

    def _say_version(self) -> None:
        path = str(self.folder / MANIFEST)
        tree, _ = read_yaml(self._text(path), path)
        assert isinstance(tree, Mapping)
        said = tree.get("language")
        assert said is not None  # the schema asks for it
        self._apply_edits(path, [Edit(said.span, str(self.language))])

    def _text(self, path: str) -> str:
        text, _ = self.project.library.text(path)
        assert text is not None  # a pack without errors has been read
        return text

    def _apply_edits(self, path: str, edits: list[Edit]) -> None:
        before = self._text(path)
        self._before.setdefault(path, before)
        self.project.update_text(path, apply_edits(before, edits))
