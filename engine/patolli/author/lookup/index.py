"""Look up references: what stands at a place, where it is declared, and who names it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from patolli.author.lookup.mentions import document_references
from patolli.author.lookup.name_uses import Key, in_scenarios
from patolli.author.lookup.references import Reference, owners, references_of
from patolli.author.lookup.rehearsals import scenario_references
from patolli.language.diagnostics import Span
from patolli.language.resolve.model import Model


class Index:
    """All references of one model, by file and by meaning; those in scenarios are added on the first request."""

    def __init__(self, model: Model, folder: Path) -> None:
        """Collect the references of *model*, which belongs to the pack in *folder*."""
        self.model = model
        self.folder = folder
        self._by_file: dict[str, list[Reference]] = {}
        self._by_key: dict[Key, list[Reference]] = {}
        self._seen: set[tuple[Span, str]] = set()
        self._owners = owners(model)
        self._with_scenarios = False
        self._in_scenarios: dict[Key, list[Reference]] = {}
        self._add_mentions(document_references(model))
        self._add_mentions(references_of(model.uses))

    def _add_mentions(self, references: Iterable[Reference]) -> None:
        for reference in references:
            if reference.sort == "variable" and not reference.declares:
                reference = self._owned_by(reference)
            if not reference.span.path or (reference.span, reference.sort) in self._seen:
                continue
            self._seen.add((reference.span, reference.sort))
            self._by_file.setdefault(reference.span.path, []).append(reference)
            self._by_key.setdefault((reference.sort, reference.id), []).append(reference)

    def _owned_by(self, reference: Reference) -> Reference:
        """Give the variable of a trigger to the rule that it follows, unless the trigger names it itself."""
        owner, _, name = reference.id.rpartition("'")
        known = self._by_key.get(("variable", reference.id), [])
        outer = self._owners.get(owner)
        if outer is None or any(other.declares for other in known):
            return reference
        return replace(reference, id=f"{outer}'{name}")

    def add_scenarios(self) -> None:
        """Add the references in the scenarios of the pack; each pack that it requires has an index of its own."""
        if not self._with_scenarios:
            self._with_scenarios = True
            self._add_mentions(scenario_references(self.model, self.folder))

    def at(self, path: str, line: int, column: int) -> Reference | None:
        """Return what a place names, or None; right behind a name counts as well."""
        for reference in self.in_file(path):
            span = reference.span
            if span.line == line and span.column <= column <= span.end_column:
                return reference
        return None

    @property
    def files(self) -> frozenset[str]:
        """All files in which something is named."""
        return frozenset(self._by_file)

    def in_file(self, path: str) -> list[Reference]:
        """Return all places of a file that name something, as they were found."""
        return self._by_file.get(path, [])

    def declarations(self, key: Key) -> list[Span]:
        """Return where something is declared; the members of a grid stand where the grid does."""
        found = [reference.span for reference in self._by_key.get(key, []) if reference.declares]
        if not found and key[1] in self.model.spans and key[0] not in ("variable", "builtin"):
            found = [self.model.spans[key[1]]]
        return found

    def references(self, key: Key) -> list[Reference]:
        """Return all places that name something, those that declare it among them."""
        return self._by_key.get(key, [])

    def references_and_scenarios(self, key: Key) -> list[Reference]:
        """Return all places that name something, those in the scenarios of the pack among them."""
        if self._with_scenarios or key[0] == "variable":  # a scenario has variables of its own
            return self.references(key)
        if key not in self._in_scenarios:
            self._in_scenarios[key] = in_scenarios(self.model, self.folder, key)
        return [*self.references(key), *self._in_scenarios[key]]
