"""Every example of the register of codes is run: the wrong one gives its code and no other, the right one nothing.

An example is added to the sample pack in ``tests/data/sample``; see ``patolli.language.diagnostics.codes``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packmaker import SAMPLE, spliced

import patolli
from patolli.author.workspace import inspect
from patolli.language.diagnostics.codes import CODES, UNUSED
from patolli.language.sources.documents import KINDS

ENGINE = Path(patolli.__file__ or "").parent
SHOWN = [code for code in CODES.values() if code.wrong and "P0100" < code.code < "P0600"]
HIDDEN = {
    "P0010", "P0011", "P0013", "P0015", "P0016", "P0019", "P0054", "P0056", "P0058",  # tests/sources
    "P0110", "P0130", "P0131",  # below: they speak of the call
    "P0112", "P0133",  # tests/packs
    "P0462",  # tests/diagnostics/golden
}  # fmt: skip


def codes_of(folder: Path, example: str) -> list[str]:
    pack, modules = spliced(folder, example)
    return [problem.code for problem in inspect(str(pack), modules).problems]


def test_sample_has_no_problem(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "") == []


def test_wrong_example_gives_its_code_and_no_other(subtests, tmp_path):
    for code in SHOWN:
        with subtests.test(code.code):
            pack, modules = spliced(tmp_path / code.code, code.wrong)
            problems = [
                p for p in inspect(str(pack), modules).problems if code.severity == "warning" or p.code not in UNUSED
            ]

            assert [problem.code for problem in problems] == [code.code]
            assert {problem.severity for problem in problems} == {code.severity}


@pytest.mark.deep
def test_right_example_gives_nothing(subtests, tmp_path):
    for code in SHOWN:
        with subtests.test(code.code):
            found = codes_of(tmp_path / code.code, code.right)
            if code.severity == "error":  # an excerpt may declare what it does not use
                found = [other for other in found if other not in UNUSED]

            assert found == []


def test_shape_examples(subtests):
    for code in [code for code in CODES.values() if "P0050" <= code.code < "P0100" and code.wrong]:
        with subtests.test(code.code):
            from patolli.language.sources import read_yaml
            from patolli.language.sources.schema import check_schema, document_kind

            def found(text: str) -> list[str]:
                tree, problems = read_yaml(text, "x.yaml")
                kind, more = document_kind(tree)
                assert kind in (None, *KINDS)
                return [p.code for p in [*problems, *more, *(check_schema(tree, kind) if kind else [])]]

            assert found(code.wrong) == [code.code]
            assert set(found(code.right)) <= {"P0051"}


def reported() -> dict[str, str]:
    """Every code that stands in the engine outside the register, with a file."""
    found = {}
    for path in sorted(ENGINE.rglob("*.py")):
        if path.parent.name != "codes":
            for code in re.findall(r'"(P\d{4})"', path.read_text("utf-8")):
                found.setdefault(code, path.relative_to(ENGINE).as_posix())
    return found


def test_every_reported_code_is_registered():
    unknown = {code: path for code, path in reported().items() if code not in CODES}

    assert unknown == {}


def test_every_registered_code_is_reported():
    assert sorted(CODES.keys() - reported().keys()) == []


def test_every_code_has_an_example_or_a_test_of_its_own():
    assert sorted(code for code, entry in CODES.items() if not entry.wrong and code < "P0600") == sorted(HIDDEN)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"lenght": "short"}, "P0130"),
        ({"length": "endless"}, "P0131"),
        ({"bonus": 9}, "P0131"),
        ({"bonus": "x"}, "P0131"),
    ],
)
def test_option_is_refused(options, code):
    found = inspect(str(SAMPLE), (), options).problems

    assert [problem.code for problem in found] == [code]


def test_unknown_pack_is_refused():
    found = inspect("sampel_of_nothing").problems

    assert [problem.code for problem in found] == ["P0110"]


def test_folder_without_a_manifest_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()

    assert [problem.code for problem in inspect(str(tmp_path / "empty")).problems] == ["P0110"]
