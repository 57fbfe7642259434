"""The table of checks, and what each of them is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from patolli.check.lints.usage import Usage, usage_of
from patolli.language.diagnostics import Problem, Span
from patolli.language.packs.composition import Entry
from patolli.language.program.model import Design, Program
from patolli.language.program.summaries import Summaries
from patolli.language.sources import Scalar


@dataclass(frozen=True)
class Reviewed:
    """A program under review, what its rules do, and what it uses of what it declares."""

    program: Program
    summaries: Summaries

    @cached_property
    def usage(self) -> Usage:
        """Return what the program uses of what it declares."""
        return usage_of(self.program)

    @cached_property
    def _files(self) -> frozenset[str]:
        """The files of the packs that are looked at: of the modules where there are any."""
        base, *modules = self.program.composition.packs
        return frozenset(document.path for pack in modules or [base] for document in pack.documents)

    def written_here(self, span: Span) -> bool:
        """Return whether something stands in a file of the packs that are looked at.

        What a module leaves of an effect of the required pack may look odd there, and is no mistake of that pack.
        """
        return span.path in self._files

    def looked_at(self, entry: Entry) -> bool:
        """Return whether a lint looks at an entry of this ruleset; in a required pack, only if a module changed it."""
        packs = self.program.composition.packs
        return len(packs) == 1 or entry.pack != packs[0].id or bool(entry.changed)

    def list_texts(self, section: str) -> Iterator[tuple[Entry, Scalar]]:
        """Yield the entries of a section that are looked at and have a text for people, with that text."""
        for entry in self.program.composition.all(section):
            text = entry.get("text")
            if isinstance(text, Scalar) and self.looked_at(entry):
                yield entry, text

    def list_piece_texts(self) -> Iterator[tuple[Design, Scalar]]:
        """Yield the pieces that are looked at and have a text for people, with that text."""
        for entry, text in self.list_texts("pieces"):
            if (design := self.program.designs.get(entry.id)) is not None:
                yield design, text

    def may_report_unused(self, section: str, id_: str) -> bool:
        """Return whether an entry may be reported as unused.

        Entries of a required pack are not: a module may have taken away what used them.
        """
        packs = self.program.composition.packs
        entry = self.program.composition.sections[section].get(id_)
        return entry is not None and (len(packs) == 1 or entry.pack != packs[0].id)


Check = Callable[[Reviewed], Iterator[Problem]]
CHECKS: dict[str, Check] = {}


def check(code: str) -> Callable[[Check], Check]:
    """Enter a function into the table under the code that it reports."""

    def register_check(function: Check) -> Check:
        if code in CHECKS:
            raise ValueError(f"the check {code} is taken")
        CHECKS[code] = function
        return function

    return register_check
