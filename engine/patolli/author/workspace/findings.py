"""What a check is for, and what it gives: plain data that travels between processes."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from typing import Any

from patolli.language.diagnostics import Edit, Fix, Problem, Span
from patolli.language.diagnostics.fault import EngineFault
from patolli.language.diagnostics.suppression import Allowance, Allowed


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
    ``demands`` counts what has to hold in matches, proven or not.
    """

    packs: list[str]
    guests: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    allowed: list[Allowed] = field(default_factory=list)
    unused: list[Allowance] = field(default_factory=list)
    fault: EngineFault | None = None
    demands: int = 0

    @property
    def sound(self) -> bool:
        """Whether there are no errors, neither in the content nor in the checker."""
        return self.fault is None and all(problem.severity != "error" for problem in self.problems)


# ---- findings without errors, as JSON


def as_data(findings: Findings) -> dict[str, Any]:
    """Return findings without errors as data for JSON; :func:`from_data` makes them findings again."""
    return {
        "packs": findings.packs,
        "guests": findings.guests,
        "problems": [astuple(problem) for problem in findings.problems],
        "allowed": [astuple(one) for one in findings.allowed],
        "unused": [astuple(comment) for comment in findings.unused],
        "demands": findings.demands,
    }


def from_data(data: dict[str, Any]) -> Findings:
    """Return the findings that :func:`as_data` has written. Raises ValueError, TypeError, KeyError: other data."""
    return Findings(
        [_read_text(pack) for pack in data["packs"]],
        [_read_text(pack) for pack in data["guests"]],
        [_read_problem(*one) for one in data["problems"]],
        [Allowed(_read_problem(*problem), _read_allowance(*by)) for problem, by in data["allowed"]],
        [_read_allowance(*one) for one in data["unused"]],
        demands=_read_number(data["demands"]),
    )


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _read_number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("not a number")
    return value


def _read_span(path: object, *numbers: object) -> Span:
    line, column, end_line, end_column = map(_read_number, numbers)
    return Span(_read_text(path), line, column, end_line, end_column)


def _read_problem(
    code: str, message: str, span: Any, help: str, also: Any, severity: str, fixes: Any, missing: object
) -> Problem:
    if severity not in ("warning", "open"):
        raise ValueError("no warning, and no open demand")
    return Problem(
        _read_text(code),
        _read_text(message),
        _read_span(*span),
        _read_text(help),
        tuple((_read_span(*place), _read_text(words)) for place, words in also),
        "open" if severity == "open" else "warning",
        tuple(
            Fix(tuple(Edit(_read_span(*place), _read_text(text)) for place, text in edits), sure is True)
            for edits, sure in fixes
        ),
        _read_text(missing),
    )


def _read_allowance(code: object, reason: object, span: Any, first: object, last: object) -> Allowance:
    return Allowance(_read_text(code), _read_text(reason), _read_span(*span), _read_number(first), _read_number(last))
