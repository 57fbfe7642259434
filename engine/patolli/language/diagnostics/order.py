"""Put problems into order, fold repeats, and count.

The order depends on the problems alone, never on which stage found them first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from patolli.language.diagnostics.problem import Problem, Span


@dataclass(frozen=True, slots=True)
class Folded:
    """A problem that stands for all of its kind.

    ``more`` holds the places of the others, in order; ``count`` says how often
    it was reported at all, exact repeats at one place included.
    """

    problem: Problem
    count: int
    more: tuple[Span, ...]


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Sort by file, place, severity (errors first), code and message, and drop exact repeats."""
    return sorted(dict.fromkeys(problems), key=_rank)


_SEVERITIES = ("error", "warning", "open")


def _rank(problem: Problem) -> tuple[Span, int, str, str, str]:
    return (problem.span, _SEVERITIES.index(problem.severity), problem.code, problem.message, problem.help)


def fold(problems: Iterable[Problem], marked: Callable[[Span], str] | None = None) -> list[Folded]:
    """Join problems that say the same about the same thing, each group at its first place.

    Args:
        problems: What was found.
        marked: Gives the text in a file that a problem is about; the same words about another text are not joined.
    """
    groups: dict[tuple[str, ...], list[Problem]] = {}  # what uses a name that nothing declares is one slip
    for problem in sorted(problems, key=_rank):
        about = marked(problem.span) if marked else ""
        whole = (problem.severity, problem.code, problem.message, problem.help, about)
        key: tuple[str, ...] = (problem.severity, problem.missing) if problem.missing else whole
        groups.setdefault(key, []).append(problem)
    folded = []
    for group in groups.values():
        first = group[0]
        places = dict.fromkeys(_place(problem, first) for problem in group[1:])
        places.pop(first.span, None)
        folded.append(Folded(first, len(group), tuple(places)))
    return folded


def _place(problem: Problem, first: Problem) -> Span:
    """Return where a problem shows: beside the first one of its group, not at a cause that both have."""
    return problem.also[0][0] if problem.span == first.span and problem.also else problem.span


def summary(problems: Iterable[Problem], files: int | None = None) -> str:
    """Say how many problems there are: ``2 errors, 1 warning in 3 files``.

    Args:
        problems: As reported; exact repeats count once, and so does a name that nothing declares.
        files: How many files were looked at; ``None`` counts those with problems.
    """
    found = set(problems)
    slips = {(problem.severity, problem.missing) if problem.missing else problem for problem in found}
    severities: list[str] = [slip[0] if isinstance(slip, tuple) else slip.severity for slip in slips]
    parts = []
    for severity, noun in (("error", "error"), ("warning", "warning"), ("open", "open demand")):
        if count := severities.count(severity):
            parts.append(_number(count, noun))
    if files is None:
        files = len({problem.span.path for problem in found})
    where = f" in {_number(files, 'file')}" if files else ""
    return (", ".join(parts) or "no problems") + where


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
