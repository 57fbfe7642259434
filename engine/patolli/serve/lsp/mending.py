"""Say how problems can be mended by a change of the text: what an editor offers beside them.

In:     the problems of a file, and its lines.
Out:    offers, each with a title and the edits of one way to mend a problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from patolli.author.lookup.library import Library
from patolli.language.diagnostics import Fix, Problem, Span

LONGEST = 40
"""Letters up to which a title tells what is taken away and what is written."""


@dataclass(frozen=True, slots=True)
class Mend:
    """One way to mend a problem."""

    title: str
    problem: Problem
    fix: Fix
    likely: bool


def mends(library: Library, problems: Iterable[Problem], first: int, last: int) -> Iterator[Mend]:
    """Yield how the problems of the lines from *first* to *last* can be mended, where all that changes is open."""
    for problem in problems:
        if problem.span.line > last or problem.span.end_line < first:
            continue
        for fix in problem.fixes:
            if all(library.is_open(edit.span.path) for edit in fix.edits):
                yield Mend(_title(library, problem, fix), problem, fix, fix.sure or len(problem.fixes) == 1)


def _title(library: Library, problem: Problem, fix: Fix) -> str:
    """Say what a fix does: from its one edit, or in the words of the problem."""
    if len(fix.edits) == 1:
        (edit,) = fix.edits
        span, new = edit.span, edit.text
        old = _text(library.lines(span.path), span)
        if len(old) <= LONGEST and len(new) <= LONGEST and "\n" not in old + new:
            if old.strip() and new.strip():
                return f"Replace {old!r} with {new!r}"
            if new.strip():
                return f"Add {new.strip()!r}"
            if old.strip() and not new:
                return f"Delete {old.strip()!r}"
    return f"{problem.help[:1].upper()}{problem.help[1:]}" or "Fix this"


def _text(lines: Sequence[str], span: Span) -> str:
    """Return what stands at a place of one line; of more lines, their ends as well."""
    if span.line > len(lines):
        return ""
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    return "\n".join(lines[span.line - 1 : span.end_line])
