"""What came of one scenario: plain data that travels between processes."""

from __future__ import annotations

from dataclasses import field

from patolli.diagnostics import Problem, Span
from patolli.diagnostics.fault import EngineFault
from patolli.diagnostics.records import dataclass
from patolli.runtime import MatchError


def fault_places(error: MatchError) -> list[tuple[Span, str]]:
    """Return where the rules were that could not go on, outermost first, and where their steps went."""
    found = [
        (Span(path, line, 1, line, 1), f"in {rule}")
        for path, line, rule in error.stack
        if path.endswith((".yaml", ".yml"))
    ]
    if error.spent is not None:
        path, line = error.spent
        found.append((Span(path, line, 1, line, 1), "most of the steps went into this"))
    return found


@dataclass(frozen=True, slots=True)
class Change:
    """A recorded value that is to be replaced: where it stands, and the YAML text that belongs there."""

    span: Span
    text: str


@dataclass(slots=True)
class Outcome:
    """The result of one scenario; it passed when there are no problems.

    ``log`` tells what happened, in sentences. ``changes`` are what ``--update`` would write.
    ``fault`` is there when the program itself failed; then P0900 among the problems says so.
    """

    pack: str
    id: str
    path: str
    line: int
    text: str = ""
    problems: list[Problem] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    seconds: float = 0.0
    fault: EngineFault | None = None

    @property
    def passed(self) -> bool:
        """Whether everything was as expected."""
        return not self.problems

    @property
    def name(self) -> str:
        """The name under which it can be selected: pack and id."""
        return f"{self.pack}::{self.id}"
