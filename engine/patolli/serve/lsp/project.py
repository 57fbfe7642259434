"""What an editor has open: its files, the packs that they belong to, and what was found in them.

A pack is checked as ``patolli validate`` does, in two parts, so that an answer comes soon: its rules at once, its
scenarios when nothing else is to be done. What is slow about checking, reading files and parsing their texts, is
remembered by those who do it (``packs.manifest.understand``, ``language.parser``), so after an edit only that file is
read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from patolli.author.lookup.index import Index
from patolli.author.lookup.library import Library
from patolli.author.lookup.name_uses import Names, pause_collector
from patolli.author.workspace import Inspection, PackCheck, Request, inspect, requirements, resolve_folder
from patolli.language.diagnostics import Problem
from patolli.language.diagnostics.fault import EngineFault
from patolli.language.diagnostics.order import in_order
from patolli.language.diagnostics.suppression import report_unused
from patolli.language.packs.manifest import Kept
from patolli.language.resolve.model import Model


class Project:
    """The state of a session with an editor."""

    def __init__(self) -> None:
        self.library = Library()
        self.checks: dict[Path, PackCheck] = {}
        self.scenarios_seen: set[Path] = set()
        self._models: dict[Path, Model] = {}
        self._indexes: dict[Path, Index] = {}
        self._stale: set[Path] = set()
        self._typed: dict[Path, Names] = {}
        self._renewed: set[Path] = set()
        self._waiting: set[Path] = set()
        self._sent: dict[str, list[Problem]] = {}
        self._changes = 0  # how often a file was touched
        self.faults: list[EngineFault] = []  # of the program itself, not reported yet

    # -- files

    def update_text(self, path: str, text: str) -> None:
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
        self._changes += 1
        folder = self.library.pack_of(path)
        if folder is not None:
            self._stale.update(self.checks)
            self._stale.add(folder)
            self._renewed.update(self._typed)

    # -- checking

    def problems(self, path: str, always: bool = True) -> dict[str, list[Problem]]:
        """Check the pack of a file again; its scenarios only when the file holds some, see :meth:`check_scenarios`.

        Returns:
            The problems of each file in which they are not the same as last time, and of this one *always*.
        """
        folder = self.library.pack_of(path)
        if folder is None:
            return {}
        self.check_pack(folder)
        if self.library.holds_scenarios(path):
            for _ in self.check_scenarios(folder):
                pass
        found: dict[str, dict[Problem, None]] = {}
        for own, check in self.checks.items():
            for problem in found_by(check):
                if own in self._stale and self.library.pack_of(problem.span.path) != own:
                    continue  # what it said of another pack may have been mended there
                found.setdefault(problem.span.path, {})[problem] = None
        now = {name: list(problems) for name, problems in found.items()}
        changed = {name: problems for name, problems in now.items() if self._sent.get(name) != problems}
        changed.update({name: [] for name in self._sent if name not in now})
        if always:
            changed.setdefault(path, now.get(path, []))
        self._sent = now
        return changed

    def shown_problems(self, path: str) -> list[Problem]:
        """Return the problems of a file that the editor knows; none when the file has changed since it was reported."""
        folder = self.library.pack_of(path)
        return self._sent.get(path, []) if folder is not None and folder not in self._stale else []

    def check_pack(self, folder: Path) -> PackCheck:
        """Return the check of a pack as the files are now."""
        before = self.checks.get(folder)
        if before is None or folder in self._stale:
            self._stale.discard(folder)
            check = self.checks[folder] = self._rules_checked(folder, before)
            model = check.inspection.model
            known = self._models.get(folder)
            if model is not None and model.program is None and known is not None:
                model.program = known.program  # the last one that could be made
            if model is not None and (known is None or not model.composition.lost_words):
                self._models[folder] = model
            self._waiting.add(folder)
        return self.checks[folder]

    def _rules_checked(self, folder: Path, before: PackCheck | None) -> PackCheck:
        """Check the rules of a pack; when the program fails at it, nothing is known of them."""
        try:
            return check_rules(folder, self.library, before)
        except Exception as error:
            self.faults.append(EngineFault.of(error, pack=str(folder)))
            return PackCheck(Request(str(folder)), self.library)

    def is_stale(self, folder: Path) -> bool:
        """Return whether a pack may have changed since it was checked."""
        return folder in self._stale

    def scenarios_wait(self, folder: Path) -> bool:
        """Return whether the scenarios of a pack have still to be checked against the rules as they are now."""
        return folder in self._waiting and folder not in self._stale and self.checks[folder].sound

    def check_scenarios(self, folder: Path) -> Iterator[None]:
        """Check the scenarios of a pack in small parts; it ends early when something changes in between."""
        if not self.scenarios_wait(folder):
            return
        check = self.checks[folder]
        self.scenarios_seen.add(folder)
        try:
            for _ in check.scenarios():
                yield
                if folder in self._stale or self.checks[folder] is not check:
                    return
        except Exception as error:
            self.faults.append(EngineFault.of(error, pack=str(folder)))
        self._waiting.discard(folder)

    # -- names

    def model(self, folder: Path) -> Model | None:
        """Return the newest model of a pack; it is older than its text where a file cannot be read."""
        self.check_pack(folder)
        return self._models.get(folder)

    def index(self, folder: Path) -> Index | None:
        """Return the index of the newest model of a pack; None when it could never be read."""
        model = self.model(folder)
        if model is None:
            return None
        index = self._indexes.get(folder)
        if index is None or index.model is not model:
            index = self._indexes[folder] = Index(model, folder)
        return index

    def names(self, folder: Path, files: Kept) -> Names | None:
        """Return the names in the files of a pack without proofs; None when it could never be read.

        Of a pack that has just been checked they come from there. One that cannot be read now keeps its older names.
        """
        if folder in self.checks and folder not in self._stale:
            model = self._models.get(folder)
        elif folder in self._typed and folder not in self._renewed:
            return self._typed[folder]
        else:
            self._renewed.discard(folder)
            model = named_model(folder, files)
        known = self._typed.get(folder)
        if model is not None and (known is None or (known.model is not model and not model.composition.lost_words)):
            self._typed[folder] = Names(model, folder)
        return self._typed.get(folder)

    def prepare(self, folder: Path) -> Iterator[None]:
        """Read the packs that depend on one, a pack at a time, so that no later look-up has to wait for it.

        It ends early when something changes in between.
        """
        files, changes = Kept(self.library), self._changes
        for pack in self.users(folder):
            if changes != self._changes:
                return
            if pack != folder:
                with pause_collector():
                    self.names(pack, files)
                yield

    def users(self, folder: Path) -> list[Path]:
        """Return the packs of the workspace whose rulesets hold the pack in a folder, that one first."""
        found = [folder]
        for other in self.library.packs().values():
            folders = [self.library.find(name) for name in requirements(str(other), self.library).names]
            if other not in found and folder in folders:
                found.append(other)
        return found


def check_rules(folder: Path, library: Library, before: PackCheck | None = None) -> PackCheck:
    """Check the rules of the pack in *folder*; of scenarios it knows what was found *before*."""
    check = PackCheck(Request(str(folder)), library, before.scenario_checks if before is not None else None)
    check.rules()
    if check.sound and before is not None:
        check.in_scenarios = before.in_scenarios
    return check


def named_model(folder: Path, files: Kept) -> Model | None:
    """Return a model of the pack in *folder* in which the names in its own files are looked up."""
    needs = requirements(str(folder), files)
    return resolve_folder(needs.base, needs.modules, files, folder)


def type_pack(folder: Path, files: Kept) -> Inspection:
    """Look whether everything in the pack in *folder* has its type; nothing is proved."""
    needs = requirements(str(folder), files)
    return inspect(needs.base, needs.modules, files=files, proofs=False)


def found_by(check: PackCheck) -> list[Problem]:
    """Return what a check has found so far, in order."""
    findings = check.findings()
    return in_order([*findings.problems, *map(report_unused, findings.unused)])
