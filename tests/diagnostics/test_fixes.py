"""What a problem says can be written instead is data, and once it is written the problem is gone.

Every golden case is validated, mended in each way that its problems offer, and validated again.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from diagnostics.test_golden import CHECKED, QUICK_AND_DEEP, lay

from patolli.cli import main
from patolli.language.diagnostics import Edit, Span, apply_edits

FORM = re.compile(r"P00|P010")
"""Codes of what cannot be read."""


def told(call: str) -> list[dict[str, Any]]:
    """Give the problems of a command as programs get them."""
    result = CliRunner().invoke(main, [*shlex.split(call), "--format", "json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return json.loads(result.stdout)["problems"]


def same(problem: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(problem[key] for key in ("code", "message", "path", "line", "column"))


def span(place: dict[str, Any]) -> Span:
    return Span(*(place[key] for key in ("path", "line", "column", "end_line", "end_column")))


def mend(fix: dict[str, Any]) -> dict[Path, bytes]:
    """Carry out a fix on the files, and give them as they were."""
    before = {}
    for path in sorted({edit["path"] for edit in fix["edits"]}):
        file = Path(path)
        if not file.is_file():
            continue  # a word of the command is meant
        before[file] = file.read_bytes()
        edits = [Edit(span(edit), edit["text"]) for edit in fix["edits"] if edit["path"] == path]
        file.write_bytes(apply_edits(before[file].decode(), edits).encode())
    return before


@QUICK_AND_DEEP
def test_every_fix_makes_its_problem_vanish(subtests, names, tmp_path, monkeypatch):
    for name in names:
        if name in CHECKED:
            with subtests.test(name), monkeypatch.context() as patch:
                try_fixes(name, tmp_path / name, patch)


def try_fixes(name, tmp_path, monkeypatch):
    case = lay(name, tmp_path, monkeypatch)

    problems = told(case.call)
    all_ = {same(problem) for problem in problems}
    for problem in problems:
        assert problem["fixes"] or "did you mean" not in problem["help"], problem
        for fix in problem["fixes"]:
            before = mend(fix)
            if not before:
                continue
            after = {same(other): other for other in told(case.call)}
            assert same(problem) not in after, (problem, fix)
            lines = {edit["line"]: edit["column"] for edit in fix["edits"]}
            before_it = [p for p in after.values() if p["column"] <= lines.get(p["line"], 0) and same(p) not in all_]
            worse = [p for p in before_it if FORM.match(p["code"])]
            assert worse == [], (problem, fix)
            for file, content in before.items():
                file.write_bytes(content)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        pytest.param("ab\ncd\n", "xb\nc\n", id="in two lines"),
        pytest.param("ab\r\ncd\r\n", "xb\r\nc\r\n", id="with the ends of lines of Windows"),
        pytest.param("ab\r\ncd\n", "xb\r\nc\n", id="with ends of lines of both kinds"),
        pytest.param("ab\ncd\r\n", "xb\nc\r\n", id="with ends of lines of both kinds, the other way around"),
        pytest.param("\ufeffab\ncd\n", "\ufeffxb\nc\n", id="behind a byte order mark"),
    ],
)
def test_edits_are_made_where_they_are_said_to_be(text, mended):
    edits = [Edit(Span("f", 1, 1, 1, 2), "x"), Edit(Span("f", 2, 2, 2, 3), "")]

    assert apply_edits(text, edits) == mended
    assert apply_edits(text, reversed(edits)) == mended
