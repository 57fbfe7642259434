"""What came of one scenario: plain data that travels between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from patolli.language.diagnostics import Problem, Span
from patolli.language.diagnostics.fault import EngineFault
from patolli.run.runtime import MatchError
from patolli.run.runtime.errors import Place, ends_of, read_line


def fault_places(error: MatchError) -> list[tuple[Span, str]]:
    """Return where the rules that failed were, outermost first: repeated calls once, of a long stack the ends."""
    rows: list[tuple[Place, int]] = []
    for place, same in groupby(place for place in error.stack if place[0].endswith((".yaml", ".yml"))):
        rows.append((place, len(list(same))))
    first, left_out, last = ends_of(rows)
    found = [
        (_line_text(path, line), f"in {rule}{_format_times(times)}") for (path, line, rule), times in (*first, *last)
    ]
    if left_out:
        span, words = found[len(first) - 1]
        found[len(first) - 1] = span, f"{words}, and {left_out} more calls"
    if error.spent is not None:
        found.append((_line_text(*error.spent), "most of the steps went into this"))
    return found


def _line_text(path: str, line: int) -> Span:
    """Give the place of a line of a file: what is written there, without its margin."""
    text = read_line(path, line).rstrip()
    start = len(text) - len(text.lstrip()) + 1
    return Span(path, line, start, line, max(start, len(text) + 1))


def _format_times(times: int) -> str:
    return f", {times} times in a row" if times > 1 else ""


@dataclass(frozen=True, slots=True)
class Change:
    """A recorded value that is to be replaced: where it stands, and the YAML text that belongs there."""

    span: Span
    text: str


@dataclass(slots=True)
class Outcome:
    """The result of one scenario; it passed when there are no problems.

    ``log`` says what happened, in sentences, below a ``heading``. ``changes`` are what ``--update`` would write.
    ``stopped`` is a match of the smoke run that was not played to its end, because all together take long;
    ``spent`` is one whose rules ran too long.
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
    heading: str = "what happened:"
    fault: EngineFault | None = None
    stopped: bool = False
    spent: bool = False

    @property
    def is_passed(self) -> bool:
        """Whether everything was as expected."""
        return not self.problems

    @property
    def name(self) -> str:
        """The name under which it can be selected: pack and id."""
        return f"{self.pack}::{self.id}"
