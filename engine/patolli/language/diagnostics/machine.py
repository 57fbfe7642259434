"""Write problems for programs: JSON, SARIF 2.1.0, and annotations of GitHub.

Nothing is folded here; exact repeats are dropped, the order is that of the
files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from patolli.language.diagnostics.order import in_order
from patolli.language.diagnostics.problem import Edit, Fix, Problem, Span
from patolli.language.diagnostics.suppression import Allowed

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"open": "note"}
"""The levels of SARIF that are called otherwise."""


def render_json(problems: Iterable[Problem], allowed: Iterable[Allowed] = ()) -> str:
    """Write one JSON object with ``problems``, ``allowed`` and ``summary``.

    Lines and columns count from 1, in code points; ends are exclusive. Each of the ``fixes`` of a problem is a way to
    mend it: edits that are made together. What comments in the content allow stands
    under ``allowed``, with the ``reason`` and the place of the ``comment``.
    """
    found = in_order(problems)
    silent = [
        {**_as_json(one.problem), "reason": one.by.reason, "comment": _place(one.by.span)}
        for one in dict.fromkeys(allowed)
    ]
    severities = [problem.severity for problem in found]
    counts = {
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "open": severities.count("open"),
        "files": len({problem.span.path for problem in found}),
        "allowed": len(silent),
    }
    return _dump({"version": 1, "problems": describe_problems(found), "allowed": silent, "summary": counts})


def describe_problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return problems in order as plain data, as ``render_json`` writes them."""
    return [_as_json(problem) for problem in in_order(problems)]


def _as_json(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        **_place(problem.span),
        "help": problem.help,
        "also": [{"message": words, **_place(span)} for span, words in problem.also],
        "fixes": [
            {"sure": fix.sure, "edits": [{**_place(edit.span), "text": edit.text} for edit in fix.edits]}
            for fix in problem.fixes
        ],
    }


def _place(span: Span) -> dict[str, Any]:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def render_sarif(problems: Iterable[Problem], allowed: Iterable[Allowed] = (), version: str = "") -> str:
    """Write one SARIF log with one run.

    Args:
        problems: What was found.
        allowed: What comments in the content allow; it becomes results that are suppressed.
        version: The version of Patolli, left out when empty.

    Source:
        OASIS, Static Analysis Results Interchange Format (SARIF) 2.1.0.
    """
    found = in_order(problems)
    silent = list(dict.fromkeys(allowed))
    codes = sorted({problem.code for problem in found} | {one.problem.code for one in silent})
    driver: dict[str, Any] = {"name": "patolli", "rules": [_rule(code) for code in codes]}
    if version:
        driver["version"] = version
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [
            *(_result(problem, codes.index(problem.code)) for problem in found),
            *(_format_suppression(one, codes.index(one.problem.code)) for one in silent),
        ],
    }
    return _dump({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(code: str) -> dict[str, Any]:
    from patolli.language.diagnostics.codes import CODES

    entry = CODES.get(code)
    if entry is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.meaning},
        "help": {"text": entry.why},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(problem: Problem, index: int) -> dict[str, Any]:
    text = problem.message + (f" ({problem.help})" if problem.help else "")
    result = {
        "ruleId": problem.code,
        "ruleIndex": index,
        "level": _LEVELS.get(problem.severity, problem.severity),
        "message": {"text": text},
        "locations": [{"physicalLocation": _physical(problem.span)}],
    }
    if problem.also:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _physical(span), "message": {"text": words}}
            for number, (span, words) in enumerate(problem.also, 1)
        ]
    if problem.fixes:
        result["fixes"] = [_fix(problem, fix) for fix in problem.fixes]
    return result


def _fix(problem: Problem, fix: Fix) -> dict[str, Any]:
    """Write one way to mend a problem; SARIF wants its edits by file."""
    edits: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        edits.setdefault(edit.span.path, []).append(edit)
    changes = []
    for found in edits.values():
        places = [_physical(edit.span) for edit in found]
        replacements = [
            {"deletedRegion": place["region"], "insertedContent": {"text": edit.text}}
            for place, edit in zip(places, found, strict=True)
        ]
        changes.append({"artifactLocation": places[0]["artifactLocation"], "replacements": replacements})
    return {"description": {"text": problem.help}, "artifactChanges": changes}


def _format_suppression(one: Allowed, index: int) -> dict[str, Any]:
    suppression: dict[str, Any] = {"kind": "inSource", "location": {"physicalLocation": _physical(one.by.span)}}
    if one.by.reason:
        suppression["justification"] = one.by.reason
    return {**_result(one.problem, index), "suppressions": [suppression]}


def _physical(span: Span) -> dict[str, Any]:
    path = span.path.replace("\\", "/")
    if path.startswith("/"):
        uri = "file://" + quote(os.fsencode(path))
    else:
        uri = quote(os.fsencode(path)) if path[1:3] != ":/" else "file:///" + quote(path, safe="/:")
    return {
        "artifactLocation": {"uri": uri},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        },
    }


def render_github(problems: Iterable[Problem], allowed: Iterable[Allowed] = ()) -> str:
    """Write one workflow command of GitHub Actions per problem, so that it shows at its line.

    What is allowed is not reported.

    Source:
        GitHub Docs, "Workflow commands for GitHub Actions", and the escapes of
        ``actions/toolkit``, ``packages/core/src/command.ts``.
    """
    return "".join(_command(problem) for problem in in_order(problems))


def _command(problem: Problem) -> str:
    span, message, also = _within(problem)
    fields = {"file": span.path, "line": span.line, "endLine": span.end_line, "title": problem.code}
    if span.line == span.end_line:
        # GitHub's last column is inclusive, and it shows columns on single lines only.
        fields |= {"col": span.column, "endColumn": max(span.column, span.end_column - 1)}
    properties = ",".join(f"{name}={_escape_text(str(value), property=True)}" for name, value in fields.items())
    lines = [message, *(f"{where}: {words}" for where, words in also)]
    lines += [f"help: {problem.help}"] if problem.help else []
    command = "notice" if problem.severity == "open" else problem.severity
    return f"::{command} {properties}::{_escape_text(chr(10).join(lines))}\n"


def _within(problem: Problem) -> tuple[Span, str, list[tuple[Span, str]]]:
    """Return where a problem is to be shown, with its words: GitHub shows nothing in files outside of the repository.

    What a module makes wrong in a pack that is installed is shown at the line of the module that did it.
    """
    also = list(problem.also)
    own = next((place for place in also if not _outside(place[0])), None) if _outside(problem.span) else None
    if own is None:
        return problem.span, problem.message, also
    rest = [(problem.span, problem.message), *(place for place in also if place is not own)]
    return own[0], own[1], rest


def _outside(span: Span) -> bool:
    return span.path.startswith(("/", "../")) or span.path[1:2] == ":"


def _escape_text(text: str, *, property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if property else text


def _dump(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "replace").decode() + "\n"
