"""What lies on the desk: open files, the rulesets that they belong to, and what was found in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from patolli.diagnostics import ContentError, Problem
from patolli.diagnostics.order import in_order
from patolli.scenarios.checking import Rehearsals
from patolli.server.checking import Checked, check, fault
from patolli.server.index import Index
from patolli.server.library import Library


class Desk:
    """The state of a session with an editor."""

    def __init__(self) -> None:
        """Begin with nothing open."""
        self.library = Library()
        self.rulesets: dict[Path, Checked] = {}
        self._stale: set[Path] = set()
        self._indexes: dict[Path, Index] = {}
        self._told: dict[str, list[Problem]] = {}
        self.rehearsals: dict[Path, Rehearsals] = {}
        self._rehearsed: dict[Path, list[Problem]] = {}
        self._unrehearsed: set[Path] = set()

    # -- files

    def put(self, path: str, text: str) -> None:
        """Take over the text of an open file."""
        if path not in self.library.buffers and self.library.pack_of(path) not in self.library.packs().values():
            self.library.forget()
        self.library.buffers[path] = text
        self.touch(path)

    def close(self, path: str) -> None:
        """Go back to what is on the disk."""
        self.library.buffers.pop(path, None)
        self.touch(path)

    def touch(self, path: str) -> None:
        """Note that a file has changed: every ruleset that it may be part of is out of date."""
        folder = self.library.pack_of(path)
        if folder is not None:
            self._stale.update(self.rulesets)
            self._stale.add(folder)

    # -- checking

    def problems(self, path: str, always: bool = True) -> dict[str, list[Problem]]:
        """Check the pack of a file anew; its scenarios only when the file holds some, see :meth:`rehearse`.

        Returns:
            The problems of each file in which they are not the same as last time, and of this one *always*.
        """
        folder = self.library.pack_of(path)
        if folder is None:
            return {}
        self.checked(folder)
        if self.library.holds_scenarios(path):
            for _ in self.rehearse(folder):
                pass
        now: dict[str, list[Problem]] = {}
        for own, checked in self.rulesets.items():
            for problem in in_order([*checked.problems, *self._rehearsed.get(own, ())]):
                if own in self._stale and self.library.pack_of(problem.span.path) != own:
                    continue  # what it said of another pack may have been mended there
                there = now.setdefault(problem.span.path, [])
                if problem not in there:
                    there.append(problem)
        changed = {name: found for name, found in now.items() if self._told.get(name) != found}
        changed.update({name: [] for name in self._told if name not in now})
        if always:
            changed.setdefault(path, now.get(path, []))
        self._told = now
        return changed

    def checked(self, folder: Path) -> Checked:
        """Return the ruleset of a pack as the files are now."""
        before = self.rulesets.get(folder)
        if before is None or folder in self._stale:
            self._stale.discard(folder)
            self.rulesets[folder] = before = check(folder, self.library, before)
            self._unrehearsed.add(folder)
            if not before.sound:
                self._rehearsed.pop(folder, None)
        return before

    def is_stale(self, folder: Path) -> bool:
        """Tell whether a pack may have changed since it was checked."""
        return folder in self._stale

    def must_rehearse(self, folder: Path) -> bool:
        """Tell whether the scenarios of a pack have still to be checked against the rules as they are now."""
        return folder in self._unrehearsed and folder not in self._stale and self.rulesets[folder].sound

    def rehearse(self, folder: Path) -> Iterator[None]:
        """Check the scenarios of a pack in small parts; it ends early when something changes in between."""
        if not self.must_rehearse(folder):
            return
        checked = self.rulesets[folder]
        rehearsals = self.rehearsals.setdefault(folder, Rehearsals())
        if checked.model is not None:
            rehearsals.know(checked.model)
        base, modules = self.library.requirements(folder)
        found: list[Problem] = []
        try:
            for part in rehearsals.check(str(folder), base, modules, checked.files):
                found += part
                yield
                if folder in self._stale or self.rulesets[folder] is not checked:
                    return
        except ContentError as error:
            found += error.problems
        except Exception as error:  # a fault of ours must not end the session
            found.append(fault(error, folder))
        self._rehearsed[folder] = found
        self._unrehearsed.discard(folder)

    # -- names

    def index(self, folder: Path) -> Index | None:
        """Return the index of the newest model of a pack; None when it could never be read."""
        model = self.checked(folder).model
        if model is None:
            return None
        index = self._indexes.get(folder)
        if index is None or index.model is not model:
            index = self._indexes[folder] = Index(model, folder)
        return index

    def users(self, folder: Path) -> list[Path]:
        """Return the packs of the workspace whose rulesets hold the pack in a folder, that one first."""
        found = [folder]
        for other in self.library.packs().values():
            base, modules = self.library.requirements(other)
            folders = [self.library.find(name) for name in (base, *modules)]
            if other not in found and folder in folders:
                found.append(other)
        return found
