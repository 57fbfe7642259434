"""Files are read within bounds, and only as UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patolli.language.sources.read import Limits, read_file

if TYPE_CHECKING:
    from pathlib import Path


def test_text_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes("a: é\r\n".encode())

    assert read_file(file) == ("a: é\r\n", [])


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        pytest.param(b"a: \xe9\n", "P0011", 1, 4, id="Latin 1"),
        pytest.param("a: é\r\nb: ".encode() + b"\xff", "P0011", 2, 4, id="second line"),
        pytest.param(b"\xff\xfea\x00", "P0011", 1, 1, id="UTF-16"),
        pytest.param(b"x" * 101, "P0013", 1, 1, id="too large"),
    ],
)
def test_refused(tmp_path: Path, data: bytes, code: str, line: int, column: int) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes(data)
    text, (problem,) = read_file(file, "x.yaml", Limits(bytes=100))

    assert text is None
    assert (problem.code, problem.span.path) == (code, "x.yaml")
    assert (problem.span.line, problem.span.column) == (line, column)


def test_missing_file(tmp_path: Path) -> None:
    text, (problem,) = read_file(tmp_path / "none.yaml")

    assert text is None
    assert problem.code == "P0010"
    assert problem.message == "the file cannot be read: no such file or directory"


def test_folder(tmp_path: Path) -> None:
    assert [problem.code for problem in read_file(tmp_path)[1]] == ["P0010"]
