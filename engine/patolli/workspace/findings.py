"""What is asked of a check, and what it gives: plain data that travels between processes."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from patolli.diagnostics.records import dataclass

if TYPE_CHECKING:
    from patolli.diagnostics import Problem
    from patolli.diagnostics.allowing import Allowance, Allowed
    from patolli.diagnostics.fault import EngineFault


@dataclass(frozen=True, slots=True)
class Request:
    """A pack to check, by id or path, with the modules and options of the call."""

    pack: str
    modules: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(slots=True)
class Findings:
    """What checking one pack gave: its packs, the base first, and what is left after the comments counted.

    ``guests`` are further packs that its scenarios ask for.
    ``unused`` holds those comments of the checked pack itself that silenced nothing here.
    ``fault`` is there when the checker itself failed; then P0900 among the problems says so.
    """

    packs: list[str]
    guests: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    allowed: list[Allowed] = field(default_factory=list)
    unused: list[Allowance] = field(default_factory=list)
    fault: EngineFault | None = None

    @property
    def clean(self) -> bool:
        """Tell whether there is nothing to say, not even that something is allowed."""
        return not (self.problems or self.allowed or self.unused)
