"""Silence findings that an author has looked at: a comment that allows one, with its reason.

In:     what was found, and the comments of the files that were looked at.
Out:    what is left, what a comment silenced, and the comments that silenced something.
Errors: P0701 a comment that is not complete, P0702 one that silences nothing, P0703 one that means an error.

A comment silences one finding: the first with its code on the line where it stands, or in the node that begins on the
line below it. Only warnings can be silenced; a pack with an error cannot be run, whatever a comment says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from patolli.language.diagnostics.fix_edits import instead
from patolli.language.diagnostics.problem import Problem, Span

SIGN = re.compile(r"#[ ]*patolli:[ ]*allow\b[ ]*(?P<code>[^\s]*)[ ]*(?P<reason>.*)", re.I)
"""How such a comment is written: ``# patolli: allow P0440 the box says so, too``."""
FORM = "write '# patolli: allow CODE reason'"
OF_COMMENTS = ("P0701", "P0702", "P0703")
"""The codes that speak of these comments; they cannot be silenced."""

BY_TRIAL = frozenset({"P0614"})
"""The codes that only trying the rules can find; only that trial shows whether their comments mean something."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """A comment that allows a finding: in the lines from *first* to *last* of its file."""

    code: str
    reason: str
    span: Span
    first: int
    last: int

    def covers(self, problem: Problem) -> bool:
        """Return whether a finding is of the kind and at a place that this comment means.

        Its other places count, too: what a module causes in a required pack is reported at the module, and may be meant
        there.
        """
        if problem.code != self.code or problem.severity != "warning":
            return False
        places = (problem.span, *(place for place, _ in problem.also))
        return any(one.path == self.span.path and self.first <= one.line <= self.last for one in places)


@dataclass(frozen=True, slots=True)
class Allowed:
    """A finding that a comment silenced."""

    problem: Problem
    by: Allowance


@dataclass(slots=True)
class Sifted:
    """What is left of the findings, and what became of the others."""

    problems: list[Problem]
    allowed: list[Allowed] = field(default_factory=list)
    unused: list[Allowance] = field(default_factory=list)


def sift(problems: Sequence[Problem], comments: Iterable[Allowance]) -> Sifted:
    """Take out what *comments* allow, and say what is wrong with a comment.

    Comments that silenced nothing are returned, not reported: a finding may come with other modules only, and the code
    that checks knows what was looked at.
    """
    left = sorted(dict.fromkeys(problems), key=lambda problem: problem.span)
    sifted = Sifted([])
    wrong: list[Problem] = []
    for comment in sorted(comments, key=lambda comment: (comment.last - comment.first, comment.span)):
        fault = _fault(comment)
        if fault is not None:
            wrong.append(fault)
        found = next((problem for problem in left if comment.covers(problem)), None)
        if found is not None:
            left.remove(found)
            sifted.allowed.append(Allowed(found, comment))
        elif fault is None and comment.code not in BY_TRIAL:
            sifted.unused.append(comment)
    taken = {allowed.problem for allowed in sifted.allowed}
    sifted.problems = [*(problem for problem in problems if problem not in taken), *wrong]
    sifted.allowed.sort(key=lambda allowed: allowed.problem.span)
    sifted.unused.sort(key=lambda comment: comment.span)
    return sifted


def report_unused(comment: Allowance) -> Problem:
    """Report a comment that silenced nothing."""
    words = f"nothing here has the code {comment.code}, which this comment allows"
    return Problem(
        "P0702",
        words,
        comment.span,
        "delete the comment",
        severity="warning",
        fixes=instead(comment.span, "", sure=True),
    )


def _fault(comment: Allowance) -> Problem | None:
    """Return what is wrong with a comment by itself."""
    from patolli.language.diagnostics.codes import CODES  # the register is read when it is needed

    code = comment.code
    known = CODES.get(code)
    if known is None:
        words = f"there is no code {code!r} to allow" if code else "this comment does not say which code it allows"
        help_ = f"{FORM}, with the code that 'patolli validate' prints in brackets"
        return Problem("P0701", words, comment.span, help_, severity="warning")
    if known.severity == "error":
        words = f"{code} is an error ({known.title}), and errors cannot be allowed"
        help_ = "fix the error, and delete the comment"
        return Problem("P0703", words, comment.span, help_, severity="warning")
    if code in OF_COMMENTS:
        words = f"{code} speaks of comments like this one, and cannot be allowed"
        fixes = instead(comment.span, "", sure=True)
        return Problem("P0703", words, comment.span, "delete the comment", severity="warning", fixes=fixes)
    if not re.search(r"\w", comment.reason):
        words = f"this comment does not say why {code} is allowed"
        return Problem("P0701", words, comment.span, FORM, severity="warning")
    return None
