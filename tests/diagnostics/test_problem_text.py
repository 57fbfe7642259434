"""What people see: the place, the words, the line of the file, a caret under the exact letters."""

from __future__ import annotations

import pickle

import pytest

from patolli.language.diagnostics.problem import ContentError, Problem, Span, start_of
from patolli.language.diagnostics.text import from_disk, render_text

FILES = {
    "demo/pieces.yaml": "document: pieces\npieces:\n  red:\n    effect: gain 2 cion\n",
    "demo/counters.yaml": "document: model\r\ncounters:\r\n  coin: {max: 9}\r\n",
    "tabs.yaml": "a:\n\tb: x\ty\n",
    "wide.yaml": "text: 漢字 e\u0301 coin\n",
    "block.yaml": "a: |\n  one\n  two\n  three\n  four\n  five\nb: 1\n",
    "evil.yaml": "a: \x1b[31m\u202e x\n",
    "long.yaml": "a: " + "x" * 200 + " coin " + "y" * 200 + "\n",
    "again.yaml": "coin coin coin coin coin coin coin coin\n",
    "mark.yaml": "\ufeffa: coin\n",
}

GOLDEN = """\
demo/pieces.yaml:4:20: error[P0201]: unknown counter 'cion'
    4 |     effect: gain 2 cion
      |                    ^^^^
demo/counters.yaml:3:3: declared here
    3 |   coin: {max: 9}
      |   ^^^^
help: did you mean 'coin'?

1 error in 1 file
"""


def on_line(path: str, line: int, column: int, end_column: int) -> Span:
    return Span(path, line, column, line, end_column)


def shown(span: Span) -> list[str]:
    """Give the lines of a file, with carets, that are shown for *span*."""
    lines = render_text([Problem("P0001", "x", span)], FILES.get).split("\n")
    return lines[1 : lines.index("")]


def test_whole_problem() -> None:
    problem = Problem(
        "P0201",
        "unknown counter 'cion'",
        on_line("demo/pieces.yaml", 4, 20, 24),
        "did you mean 'coin'?",
        ((on_line("demo/counters.yaml", 3, 3, 7), "declared here"),),
    )

    assert render_text([problem], FILES.get) == GOLDEN


@pytest.mark.parametrize(
    ("span", "lines"),
    [
        pytest.param(
            on_line("tabs.yaml", 2, 7, 8),
            ["    2 |     b: x    y", "      |             ^"],
            id="tabs count as four cells",
        ),
        pytest.param(
            on_line("wide.yaml", 1, 7, 9),
            ["    1 | text: 漢字 e\u0301 coin", "      |       ^^^^"],
            id="wide letters",
        ),
        pytest.param(
            on_line("wide.yaml", 1, 13, 17),
            ["    1 | text: 漢字 e\u0301 coin", "      |              ^^^^"],
            id="behind wide and combining letters",
        ),
        pytest.param(on_line("mark.yaml", 1, 4, 8), ["    1 | a: coin", "      |    ^^^^"], id="byte order mark"),
        pytest.param(on_line("mark.yaml", 1, 8, 8), ["    1 | a: coin", "      |        ^"], id="point at the end"),
        pytest.param(on_line("mark.yaml", 1, 90, 99), ["    1 | a: coin", "      |        ^"], id="behind the end"),
        pytest.param(
            Span("block.yaml", 2, 4, 3, 5),
            ["    2 |   one", "      |    ^^", "    3 |   two", "      |   ^^"],
            id="two lines",
        ),
        pytest.param(
            Span("block.yaml", 2, 3, 3, 1),
            ["    2 |   one", "      |   ^^^"],
            id="a line with its end is one line",
        ),
        pytest.param(
            Span("block.yaml", 2, 3, 6, 7),
            [
                "    2 |   one",
                "      |   ^^^",
                "    3 |   two",
                "      |   ^^^",
                "  ... |",
                "    6 |   five",
                "      |   ^^^^",
            ],
            id="many lines",
        ),
        pytest.param(
            on_line("evil.yaml", 1, 4, 5),
            ["    1 | a: \ufffd[31m\ufffd x", "      |    ^"],
            id="made harmless",
        ),
        pytest.param(on_line("none.yaml", 1, 1, 2), [], id="file not at hand"),
        pytest.param(on_line("mark.yaml", 7, 1, 2), [], id="line not there"),
    ],
)
def test_carets(span: Span, lines: list[str]) -> None:
    assert shown(span) == lines


def test_long_line_is_cut_around_its_caret() -> None:
    line, carets = shown(on_line("long.yaml", 1, 205, 209))

    assert len(line) < 140
    assert line.startswith("    1 | ... x")
    assert line.endswith("y ...")
    start = carets.index("^")
    assert line[start : start + 4] == "coin"
    assert carets.count("^") == 4


def test_repeats_are_folded() -> None:
    problems = [Problem("P0001", "x", on_line("again.yaml", 1, column, column + 4)) for column in (36, 11, 6, 1, 6)]
    problems += [Problem("P0001", "x", on_line("again.yaml", 1, column, column + 4)) for column in (16, 21, 26, 31)]
    problems.append(Problem("P0001", "x", on_line("block.yaml", 2, 3, 6)))
    problems.append(Problem("P0001", "x", on_line("mark.yaml", 1, 4, 8)))
    text = render_text(problems, FILES.get)

    assert text.splitlines() == [
        "again.yaml:1:1: error[P0001]: x",
        "    1 | coin coin coin coin coin coin coin coin",
        "      | ^^^^",
        "and 8 more like this: 1:6, 1:11, 1:16, 1:21, 1:26, 1:31, ...",
        "",
        "block.yaml:2:3: error[P0001]: x",
        "    2 |   one",
        "      |   ^^^",
        "",
        "10 errors in 3 files",
    ]


def test_repeats_in_other_files_name_them() -> None:
    places = [("mark.yaml", 1, 4), ("again.yaml", 1, 6), ("again.yaml", 1, 1)]
    problems = [Problem("P0001", "x", on_line(path, line, column, column + 4)) for path, line, column in places]

    assert render_text(problems, FILES.get).splitlines()[3] == "and 2 more like this: 1:6, mark.yaml:1:4"


def test_long_numbers_of_lines_stay_in_line() -> None:
    text = render_text([Problem("P0001", "x", on_line("far", 100_000, 1, 2))], lambda path: "\n" * 99_999 + "abc")

    assert text.splitlines()[1:3] == ["100000 | abc", "       | ^"]


def test_bytes_are_not_shown(tmp_path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\0\1")

    assert render_text([Problem("P0112", "x", start_of(str(tmp_path / "a.zip")))]).splitlines() == [
        f"{tmp_path / 'a.zip'}: error[P0112]: x",
        "",
        "1 error in 1 file",
    ]


def test_message_is_made_harmless() -> None:
    text = render_text([Problem("P0001", "a\x1b[2Jb\nc", on_line("none", 1, 1, 1))], FILES.get)

    assert text.splitlines()[0] == "none: error[P0001]: a\ufffd[2Jb c"


def test_colour_changes_nothing_but_colour() -> None:
    import re

    problems = [
        Problem("P0201", "x", on_line("demo/pieces.yaml", 4, 20, 24), "why"),
        Problem("P0202", "y", on_line("demo/pieces.yaml", 4, 20, 24), severity="warning"),
    ]
    plain = render_text(problems, FILES.get)
    coloured = render_text(problems, FILES.get, colour=True)

    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_nothing_found_is_nothing_shown() -> None:
    assert render_text([], FILES.get) == ""


def test_file_that_cannot_be_had() -> None:
    assert from_disk("/no/such/file") is None
    assert from_disk("a\0b") is None


def test_content_error_tells_its_first_error() -> None:
    warning = Problem("P0401", "w", on_line("a", 1, 2, 3), severity="warning")
    problem = Problem("P0201", "e", on_line("a", 4, 5, 6), "h")
    error = ContentError([warning, problem])

    assert (error.code, error.line, error.column) == ("P0201", 4, 5)
    assert str(error) == "a:1:2: warning[P0401]: w\na:4:5: error[P0201]: e (h)"
    assert pickle.loads(pickle.dumps(error)).problems == error.problems
    assert ContentError([warning]).code == "P0401"


def test_span_reaches_to_another() -> None:
    assert Span("a", 1, 2, 1, 3).to(Span("a", 4, 5, 6, 7)) == Span("a", 1, 2, 6, 7)
