"""Golden cases: broken packs, and exactly what is printed about them.

Every folder in ``golden/`` is a case. It holds the files of a pack, or a folder for each of several packs, and
``expected.txt``: the command, what it printed, and its exit status. The command is ``validate .``, or what the file
``call`` says. Files that would be too large or too odd to keep are made by a row of ``MADE``.

After a change of the words of the checker, read what changes::

    PATOLLI_GOLDEN=write python -m pytest tests/diagnostics/test_golden.py -n 0
    git diff tests/diagnostics/golden
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from patolli.cli import main
from patolli.diagnostics.codes import CODES
from patolli.packs import discovery

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(folder.name for folder in GOLDEN.iterdir())
WRITE = os.environ.get("PATOLLI_GOLDEN") == "write"
REPORTED = re.compile(r"^\S+: (?:error|warning)\[(P\d{4})\]: ", re.M)


def call(case: str) -> str:
    """Give the command of a case."""
    file = GOLDEN / case / "call"
    return file.read_text("utf-8").strip() if file.exists() else "validate ."


MACHINES = ("json", "sarif", "github")
SARIF = Draft202012Validator(json.loads((Path(__file__).parents[1] / "data" / "sarif.json").read_text("utf-8")))
CHECKED = [case for case in CASES if not case.startswith("format_") and "validate" in call(case)]


def _archive(folder: Path) -> None:
    with zipfile.ZipFile(folder / "orchard.zip", "w") as archive:
        archive.writestr("orchard/pack.yaml", "document: pack\nid: orchard\n")
        archive.writestr("../../orchard.yaml", "document: model\n")


MADE: dict[str, Callable[[Path], object]] = {
    "archive_that_leads_outside": _archive,
    "file_not_there": lambda folder: (folder / "baskets.yaml").symlink_to("lost.yaml"),
    "file_too_large": lambda folder: (folder / "notes.yaml").write_text("document: model\n" + "# apples\n" * 250_000),
    "too_many_values": lambda folder: (folder / "notes.yaml").write_text(
        "document: model\nenums:\n  row:\n" + "    - a\n" * 200_000
    ),
    "value_too_long": lambda folder: (folder / "notes.yaml").write_text(
        'document: model\ncounters:\n  apple: {text: "' + "apples " * 9_500 + '"}\n'
    ),
}


@pytest.fixture(autouse=True)
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the packs of this machine out of what is printed."""
    for name in ("PATOLLI_PATH", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setattr(discovery, "shipped", lambda: tmp_path / "home")


def printed(case: str, folder: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...] = ()) -> str:
    """Run the command of a case in a copy of it, and give all that it says."""
    shutil.copytree(GOLDEN / case, folder)
    if case in MADE:
        MADE[case](folder)
    monkeypatch.chdir(folder)
    if case == "fault_of_the_program":
        monkeypatch.setattr("patolli.workspace.inspecting.compose", lambda *packs: 1 // 0)
    result = CliRunner().invoke(main, [*shlex.split(call(case)), *more])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    said = result.stdout if case == "fault_of_the_program" else result.output  # a traceback is of this machine
    output = re.sub(r"\(\d+\.\d+ s\)", "(0.00 s)", said)
    return output if more else f"$ patolli {call(case)}\n{output}[exit status {result.exit_code}]\n"


@pytest.mark.parametrize("case", CASES)
def test_golden_case(case, tmp_path, monkeypatch):
    found = printed(case, tmp_path / case, monkeypatch)
    expected = GOLDEN / case / "expected.txt"
    if WRITE:
        expected.write_text(found, "utf-8", newline="\n")

    assert found == expected.read_text("utf-8")


def codes(case: str) -> list[str]:
    """Give the codes that a case prints."""
    return REPORTED.findall(text_of(case))


def text_of(case: str) -> str:
    """Give what a case prints."""
    return (GOLDEN / case / "expected.txt").read_text("utf-8")


def test_every_code_has_a_golden_case():
    shown = {code for case in CASES for code in codes(case)}

    assert sorted(set(CODES) - shown) == []


def test_every_golden_case_prints_a_problem():
    assert [case for case in CASES if not codes(case) and not case.startswith("format_")] == []


@pytest.mark.parametrize("case", CHECKED)
def test_machines_are_told_all_of_it(case, tmp_path, monkeypatch):
    """Nothing is folded for programs, every code is there, and what is written keeps to its format."""
    texts = {form: printed(case, tmp_path / form, monkeypatch, ("--format", form)) for form in MACHINES}
    found = json.loads(texts["json"])["problems"]
    results = [one for one in json.loads(texts["sarif"])["runs"][0]["results"] if "suppressions" not in one]
    lines = texts["github"].splitlines()

    summary = re.findall(r"^(?:(\d+) errors?)?(?:, )?(?:(\d+) warnings?)? in \d+", text_of(case), re.M)[-1]
    assert len(found) == len(results) == len(lines) == sum(int(number or 0) for number in summary)
    assert set(codes(case)) == {problem["code"] for problem in found} == {result["ruleId"] for result in results}
    assert [error.message for error in SARIF.iter_errors(json.loads(texts["sarif"]))] == []
    assert all(re.fullmatch(r"::(error|warning) file=[^:]+::.+", line) for line in lines)
