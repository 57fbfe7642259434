"""Make fixes, and carry them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from patolli.diagnostics.problem import Edit, Fix, Problem, Span


def instead(span: Span, text: str | None, *, sure: bool = False) -> tuple[Fix, ...]:
    """Give the fix that writes *text* in place of what stands at *span*; none where there is no text."""
    return (Fix((Edit(span, text),), sure),) if text is not None else ()


def behind(span: Span, text: str, *, sure: bool = False) -> tuple[Fix, ...]:
    """Give the fix that writes *text* behind what stands at *span*."""
    return instead(Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column), text, sure=sure)


def sure_edits(problems: Iterable[Problem], may_change: Callable[[str], bool]) -> list[Edit]:
    """Return the edits of all fixes that are sure, in files that may be changed; of two at one place, the first."""
    found: list[Edit] = []
    for problem in problems:
        fix = next((fix for fix in problem.fixes if fix.sure), None)
        if fix is None or not all(may_change(edit.span.path) for edit in fix.edits):
            continue
        if not any(_touch(edit.span, other.span) for edit in fix.edits for other in found):
            found += fix.edits
    return found


def _touch(one: Span, other: Span) -> bool:
    """Tell whether two places share a letter, or one begins where the other ends."""
    if one.path != other.path:
        return False
    starts = (one.line, one.column), (other.line, other.column)
    ends = (one.end_line, one.end_column), (other.end_line, other.end_column)
    return starts[0] <= ends[1] and starts[1] <= ends[0]


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return the text of a file after *edits*, of which all are in this file and none overlaps another.

    Ends of lines stay what they are: places count a Windows one as one letter, and what is written gets the same.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = text.removeprefix(mark).replace("\r\n", "\n").split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    whole = "\n".join(lines)
    for edit in sorted(edits, reverse=True):
        first = starts[edit.span.line - 1] + edit.span.column - 1
        last = starts[edit.span.end_line - 1] + edit.span.end_column - 1
        whole = f"{whole[:first]}{edit.text}{whole[last:]}"
    return mark + whole.replace("\n", end)
