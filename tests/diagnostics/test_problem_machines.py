"""What programs read: JSON, SARIF 2.1.0, annotations of GitHub."""

from __future__ import annotations

import json

import pytest

from patolli.language.diagnostics.codes import CODES
from patolli.language.diagnostics.fix_edits import instead
from patolli.language.diagnostics.machine import render_github, render_json, render_sarif
from patolli.language.diagnostics.problem import Problem, Span
from patolli.language.diagnostics.render import FORMATS, render

ERROR = Problem(
    "P0003",
    "the key 'coin' is given twice",
    Span("demo/a b.yaml", 3, 1, 3, 5),
    "keep one of them",
    ((Span("demo/a b.yaml", 1, 1, 1, 5), "first given here"),),
    fixes=instead(Span("demo/a b.yaml", 3, 1, 3, 5), "coins"),
)
WARNING = Problem("P9999", "100% odd: a, b\nc", Span("demo/z,1.yaml", 2, 3, 4, 5), severity="warning")
BOTH = [WARNING, ERROR, ERROR]


def test_json() -> None:
    written = json.loads(render_json(BOTH))

    assert written["version"] == 1
    assert written["summary"] == {"errors": 1, "warnings": 1, "open": 0, "files": 2, "allowed": 0}
    assert written["problems"][0] == {
        "code": "P0003",
        "severity": "error",
        "message": "the key 'coin' is given twice",
        "path": "demo/a b.yaml",
        "line": 3,
        "column": 1,
        "end_line": 3,
        "end_column": 5,
        "help": "keep one of them",
        "also": [
            {
                "message": "first given here",
                "path": "demo/a b.yaml",
                "line": 1,
                "column": 1,
                "end_line": 1,
                "end_column": 5,
            }
        ],
        "fixes": [
            {
                "sure": False,
                "edits": [
                    {
                        "path": "demo/a b.yaml",
                        "line": 3,
                        "column": 1,
                        "end_line": 3,
                        "end_column": 5,
                        "text": "coins",
                    }
                ],
            }
        ],
    }


def test_sarif() -> None:
    log = json.loads(render_sarif(BOTH, version="1.2.3"))
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    first, second = run["results"]

    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["version"] == "1.2.3"
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in rules] == ["P0003", "P9999"]
    assert rules[0]["shortDescription"]["text"] == CODES["P0003"].title
    assert rules[0]["defaultConfiguration"]["level"] == "error"
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("P0003", 0, "error")
    assert first["message"]["text"] == "the key 'coin' is given twice (keep one of them)"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "demo/a%20b.yaml"
    assert place["region"] == {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 5}
    (change,) = first["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "demo/a%20b.yaml"
    assert change["replacements"] == [{"deletedRegion": place["region"], "insertedContent": {"text": "coins"}}]
    assert "fixes" not in second
    assert first["relatedLocations"][0]["message"]["text"] == "first given here"
    assert (second["level"], "relatedLocations" in second) == ("warning", False)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a/b.yaml", "a/b.yaml"),
        ("a\\b.yaml", "a/b.yaml"),
        ("/a/b c.yaml", "file:///a/b%20c.yaml"),
        ("C:\\a\\b.yaml", "file:///C:/a/b.yaml"),
        ("a/é#1.yaml", "a/%C3%A9%231.yaml"),
    ],
)
def test_path_becomes_address(path: str, uri: str) -> None:
    log = json.loads(render_sarif([Problem("P0001", "x", Span(path, 1, 1, 1, 1))]))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]

    assert place["artifactLocation"]["uri"] == uri


def test_github() -> None:
    assert render_github(BOTH).splitlines() == [
        "::error file=demo/a b.yaml,line=3,endLine=3,title=P0003,col=1,endColumn=4"
        "::the key 'coin' is given twice%0Ademo/a b.yaml:1:1: first given here%0Ahelp: keep one of them",
        "::warning file=demo/z%2C1.yaml,line=2,endLine=4,title=P9999::100%25 odd: a, b%0Ac",
    ]


def test_github_shows_the_line_of_the_repository() -> None:
    """What a module does to a pack that is installed elsewhere stands at the line of the module."""
    there, here = Span("/site/base/rules.yaml", 4, 3, 4, 7), Span("demo/changes.yaml", 2, 5, 2, 9)
    moved = Problem("P0201", "unknown rule 'dig'", there, "", ((here, "'demo' removes it here"),))
    alone = Problem("P0201", "unknown rule 'dig'", there)

    assert render_github([moved, alone]).splitlines() == [
        "::error file=demo/changes.yaml,line=2,endLine=2,title=P0201,col=5,endColumn=8"
        "::'demo' removes it here%0A/site/base/rules.yaml:4:3: unknown rule 'dig'",
        "::error file=/site/base/rules.yaml,line=4,endLine=4,title=P0201,col=3,endColumn=6::unknown rule 'dig'",
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_the_same_in_any_order(form: str) -> None:
    assert render(BOTH, form, lambda path: None) == render(BOTH[::-1], form, lambda path: None)
    assert render(BOTH, form, lambda path: None).endswith("\n")


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_nothing_found_is_still_a_document(form: str) -> None:
    assert json.loads(render([], form))
    assert render([], "text") == render([], "github") == ""


def test_half_a_letter_does_not_break_writing() -> None:
    render_json([Problem("P0001", "\ud83d", Span("a", 1, 1, 1, 1))]).encode()
