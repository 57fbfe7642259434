"""Make fixes, and carry them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from patolli.language.diagnostics.problem import Edit, Fix, Problem, Span


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
    """Return whether two places share a letter, or one begins where the other ends."""
    if one.path != other.path:
        return False
    starts = (one.line, one.column), (other.line, other.column)
    ends = (one.end_line, one.end_column), (other.end_line, other.end_column)
    return starts[0] <= ends[1] and starts[1] <= ends[0]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text of a file after *edits*, which do not overlap; new lines get the end that most lines have."""
    end, start = line_end(text), len(text) - len(text.removeprefix("\ufeff"))
    starts = [start]
    for line in text[start:].split("\n"):
        start += len(line) + 1
        starts.append(start)
    for edit in sorted(edits, reverse=True):
        first = starts[edit.span.line - 1] + edit.span.column - 1
        last = starts[edit.span.end_line - 1] + edit.span.end_column - 1
        text = f"{text[:first]}{edit.text.replace(chr(10), end)}{text[last:]}"
    return text


def line_end(text: str) -> str:
    """Return what most lines of a text end with: a Windows line end or a line feed."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
