"""The table of checks, and what each of them is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from patolli.analysis.lints.usage import Usage, usage_of
from patolli.analysis.model import Model
from patolli.analysis.traits import Traits
from patolli.diagnostics import Problem


@dataclass(frozen=True)
class Checked:
    """A typed model, the traits of its rules, and what it uses of what it declares."""

    model: Model
    traits: Traits

    @cached_property
    def usage(self) -> Usage:
        """Return what the model uses of what it declares."""
        return usage_of(self.model)

    def blamed(self, section: str, id_: str) -> bool:
        """Tell whether an entry may be reported as unused.

        Entries of a pack below are not: a module may have taken away what used them.
        """
        packs = self.model.composition.packs
        entry = self.model.composition.sections[section].get(id_)
        return entry is not None and (len(packs) == 1 or entry.pack != packs[0].id)


Check = Callable[[Checked], Iterator[Problem]]
CHECKS: dict[str, Check] = {}


def check(code: str) -> Callable[[Check], Check]:
    """Enter a function into the table under the code that it reports."""

    def entered(function: Check) -> Check:
        if code in CHECKS:
            raise ValueError(f"the check {code} is taken")
        CHECKS[code] = function
        return function

    return entered
