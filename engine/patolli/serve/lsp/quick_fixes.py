"""Say how problems can be mended by a change of the text: what an editor offers beside them.

In:     the problems of a file, and its lines.
Out:    offers, each with a title and the edits of one way to mend a problem. An open demand can be promised: an
        ``expect`` with the condition that the demand needs is written above its statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from patolli.author.lookup.library import Library
from patolli.language.diagnostics import Edit, Fix, Problem, Span
from patolli.language.packs.manifest import language_of

LONGEST = 40
"""Letters up to which a title says what is taken away and what is written."""
PROMISES = {
    "P0401": (r"pay (?P<amount>[\w.()]+) (?P<counter>\w+)", "{counter} >= {amount}"),
    "P0402": (r"choose (?P<choice>\w+ in [^\"]+ where [^\"]+?) *(\".*)?", "any({choice})"),
    "P0404": (r"(?P<call>\w+\(.*\))", "can({call})"),
    "P0414": (r"(?P<divisor>.+)", "{divisor} != 0"),
    "P0415": (r"(?P<index>.+)", "0 <= {index} < size({list})"),
    "P0416": (r"(?P<spot>.+)", "not {spot}"),
    "P0486": (r"(?P<call>\w+\(.*\))", "can({call})"),
}
"""By code of an open demand, the text of its place, and the condition that it needs."""
REASON = "why this holds"
"""What stands for the reason of a promise until the author writes one."""


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


def promises(library: Library, problems: Iterable[Problem], first: int, last: int) -> Iterator[Mend]:
    """Yield how open demands of the lines from *first* to *last* can be promised, where a statement begins its line."""
    for problem in problems:
        path, line = problem.span.path, problem.span.line
        if problem.severity == "open" and first <= line <= last and library.is_open(path):
            condition = _condition(library, problem)
            text = library.lines(path)[line - 1]
            indent = text[: len(text) - len(text.lstrip())]
            alone = ":" not in text[: problem.span.column - 1]
            if condition and alone and language_of(Path(path)) >= 3:
                point = Span(path, line, 1, line, 1)
                edit = Edit(point, f'{indent}expect {condition} "{REASON}"\n')
                yield Mend(f"Promise that {condition}", problem, Fix((edit,)), False)


def _condition(library: Library, problem: Problem) -> str:
    """Return the condition that an open demand needs, or nothing if its text does not say it."""
    pattern, condition = PROMISES.get(problem.code, ("", ""))
    lines = library.lines(problem.span.path)
    found = re.fullmatch(pattern, _text(lines, problem.span)) if problem.span.line == problem.span.end_line else None
    if found is None or problem.code not in PROMISES:
        return ""
    parts = {name: f"({text})" if " if " in text else text for name, text in found.groupdict().items()}
    if problem.code == "P0415":
        before = re.search(r"[\w.]+(\([^()]*\))?(?=\[$)", lines[problem.span.line - 1][: problem.span.column - 1])
        if before is None:
            return ""
        parts["list"] = before.group()
    return condition.format(**parts)


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
