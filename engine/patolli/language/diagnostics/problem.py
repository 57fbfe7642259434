"""What the other rooms report with: places, problems, and the exception that carries them.

Everything here is data. How a problem is shown on a terminal or in a file is the
business of ``diagnostics.text`` and ``diagnostics.machine``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "open"]
"""How bad a problem is. ``open`` is a demand that could not be proven: matches check it, and validation passes."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file.

    Lines and columns count from 1; a column is a code point, not a cell of the
    screen. The end is exclusive, so a span with equal ends is a point between
    two letters.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """Give ``path:line:column``, which terminals and editors make clickable."""
        return f"{self.path}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """Give the stretch from the start of this span to the end of *other*, in the same file."""
        return Span(self.path, self.line, self.column, other.end_line, other.end_column)


def start_of(path: str) -> Span:
    """Give the place that stands for a whole file: the point before its first letter."""
    return Span(path, 1, 1, 1, 1)


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A text to be written in place of what stands at ``span``; where that is a point, nothing is taken away."""

    span: Span
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Fix:
    """One way to mend a problem: edits that are made together, and do not overlap.

    A ``sure`` one writes what is there in the way in which it must be written, such as a plain blank for another one;
    the others may not be what was meant. After either the problem is gone.
    """

    edits: tuple[Edit, ...]
    sure: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a pack.

    Attributes:
        code: The code, such as ``P0201``; ``patolli explain`` describes it.
        message: What is wrong: a phrase without a capital and without a full stop.
        span: Where it is: file, line and column.
        help: How to fix it; may be empty.
        also: Further places, each with a few words, such as "first declared here".
        severity: ``error``, ``warning`` or ``open`` (a demand that is not proven).
        fixes: What ``help`` says, as changes of text; the most likely first.
        missing: The name that nothing declares: all problems with it follow from one mistake.
    """

    code: str
    message: str
    span: Span
    help: str = ""
    also: tuple[tuple[Span, str], ...] = ()
    severity: Severity = "error"
    fixes: tuple[Fix, ...] = ()
    missing: str = dataclasses.field(default="", compare=False, repr=False)


class ContentError(Exception):
    """Content that cannot be used, with everything that was found wrong in it.

    ``problems`` is in the order of the files and may hold warnings; at least
    one of them is an error.
    """

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep *problems*, at least one."""
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __reduce__(self) -> tuple[type[ContentError], tuple[tuple[Problem, ...]]]:
        """Let the exception travel between processes."""
        return (type(self), (self.problems,))

    @property
    def first(self) -> Problem:
        """The first error, or the first problem when all are warnings."""
        errors = (problem for problem in self.problems if problem.severity == "error")
        return next(errors, self.problems[0])

    @property
    def code(self) -> str:
        """The code of the first error."""
        return self.first.code

    @property
    def line(self) -> int:
        """The line of the first error."""
        return self.first.span.line

    @property
    def column(self) -> int:
        """The column of the first error."""
        return self.first.span.column

    def __str__(self) -> str:
        return "\n".join(
            f"{problem.span}: {problem.severity}[{problem.code}]: {problem.message}"
            + (f" ({problem.help})" if problem.help else "")
            for problem in self.problems
        )
