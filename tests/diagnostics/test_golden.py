"""Golden cases: broken packs, and exactly what is printed about them.

Every file in ``golden/`` is a case: how its packs differ from those in ``bases/`` (``goldencases`` tells how that is
written), and below that the command, what it printed, and its exit status. Files that would be too large or too odd to
keep are made by a row of ``MADE``. A new case ends with ``-- expected --`` and the line of its command.

After a new case, or a change of the words of the checker, run this file with ``--update`` and read what changes.
"""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from collections.abc import Callable
from pathlib import Path

import golden
import pytest
from click.testing import CliRunner
from goldencases import Case, changed, read, write
from jsonschema import Draft202012Validator

from patolli.cli import main
from patolli.language.diagnostics.codes import CODES
from patolli.language.packs import discovery

GOLDEN = Path(__file__).parent / "golden"
CASES = {path.stem: read(path) for path in sorted(GOLDEN.iterdir())}
REPORTED = re.compile(r"^\S+: (?:error|warning)\[(P\d{4})\]: ", re.M)
MACHINES = ("json", "sarif", "github")
SARIF = Draft202012Validator(json.loads((Path(__file__).parents[1] / "data" / "sarif.json").read_text("utf-8")))
CHECKED = [name for name, case in CASES.items() if not name.startswith("format_") and "validate" in case.call]


def _archive(folder: Path) -> None:
    with zipfile.ZipFile(folder / "orchard.zip", "w") as archive:
        archive.writestr("orchard/pack.yaml", "document: pack\nid: orchard\n")
        archive.writestr("../../orchard.yaml", "document: model\n")


def _installed(folder: Path) -> None:
    """Let the packs of a case lie on the search path."""
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    for pack in folder.iterdir():
        (home / pack.name).unlink(missing_ok=True)
        (home / pack.name).symlink_to(pack)


MADE: dict[str, Callable[[Path], object]] = {
    "folder_of_another_name": _installed,
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


def lay(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """Write the files of a case, go there, and keep the packs of this machine out of what is printed."""
    case, home = CASES[name], folder / "home"
    for variable in ("PATOLLI_PATH", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(home))
    monkeypatch.setattr(discovery, "find_content_folder", lambda: home)
    case.lay(folder / "files")
    if name in MADE:
        MADE[name](folder / "files")
    monkeypatch.chdir(folder / "files")
    return case


def printed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...] = ()) -> str:
    """Run the command of a case on its files, and give all that it says."""
    case = lay(name, folder, monkeypatch)
    if name == "fault_of_the_program":
        monkeypatch.setattr("patolli.author.workspace.inspection.compose", lambda *packs: 1 // 0)
    result = CliRunner().invoke(main, [*shlex.split(case.call), *more])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    said = result.stdout if name == "fault_of_the_program" else result.output  # a traceback is of this machine
    output = re.sub(r"\(\d+\.\d+ s\)", "(0.00 s)", said)
    return output if more else f"$ patolli {case.call}\n{output}[exit status {result.exit_code}]\n"


def codes(case: Case) -> list[str]:
    """Give the codes that a case prints."""
    return REPORTED.findall(case.expected)


def one_per_code() -> list[str]:
    """Choose cases that print every code, and one of each other kind: a made one, one in another format."""
    chosen, shown = [], set[str]()
    for name, case in CASES.items():
        if name in MADE or name.startswith("format_") or not shown >= set(codes(case)):
            chosen.append(name)
            shown.update(codes(case))
    return chosen


ALONE = "fault_of_the_program"  # it needs both streams apart, which the oldest click does not give
FEW = [name for name in one_per_code() if name != ALONE]
QUICK_AND_DEEP = pytest.mark.parametrize(
    "names",
    [
        pytest.param(FEW, id="one per code"),
        pytest.param([ALONE], id=ALONE),
        pytest.param([name for name in CASES if name not in (*FEW, ALONE)], id="others", marks=pytest.mark.deep),
    ],
)


@QUICK_AND_DEEP
def test_golden_case(subtests, names, tmp_path, monkeypatch):
    for name in names:
        with subtests.test(name), monkeypatch.context() as patch:
            found = printed(name, tmp_path / name, patch)
            if golden.updating:
                write(GOLDEN / f"{name}.txt", found)

            assert found == read(GOLDEN / f"{name}.txt").expected


def test_every_code_has_a_golden_case():
    """Faults of a match are no findings about files: ``tests/runtime/test_fault_codes.py`` plays an example of each."""
    shown = {code for case in CASES.values() for code in codes(case)}
    findings = {code for code in CODES if not "P0800" < code < "P0900"}

    assert sorted(findings - shown) == []


def test_every_golden_case_prints_a_problem():
    assert [name for name, case in CASES.items() if not codes(case) and not name.startswith("format_")] == []


@pytest.mark.parametrize("name", CHECKED[:: len(CHECKED) // 12])
def test_machines_are_reported_all_of_it(name, tmp_path, monkeypatch):
    """Nothing is folded for programs, every code is there, and what is written keeps to its format."""
    texts = {form: printed(name, tmp_path / form, monkeypatch, ("--format", form)) for form in MACHINES}
    found = json.loads(texts["json"])["problems"]
    results = [one for one in json.loads(texts["sarif"])["runs"][0]["results"] if "suppressions" not in one]
    lines = texts["github"].splitlines()

    summary = re.findall(r"^(?:(\d+) errors?)?(?:, )?(?:(\d+) warnings?)? in \d+", CASES[name].expected, re.M)[-1]
    assert len(found) == len(results) == len(lines) == sum(int(number or 0) for number in summary)
    assert set(codes(CASES[name])) == {problem["code"] for problem in found} == {result["ruleId"] for result in results}
    assert [error.message for error in SARIF.iter_errors(json.loads(texts["sarif"]))] == []
    assert all(re.fullmatch(r"::(error|warning) file=[^:]+::.+", line) for line in lines)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("-- e\n", "exactly one place"),
        ("-- b\n", "exactly one place"),
        ("+- b\n", "exactly one place"),
        ("-a: 1\n\n", "begins with"),
    ],
    ids=["nowhere", "twice", "without a place", "without a sign"],
)
def test_change_of_a_case_that_does_not_fit(change, reason):
    with pytest.raises(ValueError, match=reason):
        changed("a: 1\n- b\n- b\nc: 2\n", change)


def test_changes_of_a_case_are_made_in_their_places():
    before = "a: 1\n- b\n- b\nc: 2\n"

    assert changed(before, "-a: 1\n+a: 2\n+b: 1\n@@\n - b\n c: 2\n+d: 3\n") == "a: 2\nb: 1\n- b\n- b\nc: 2\nd: 3\n"
    assert changed(before, "-a: 1\n") == "- b\n- b\nc: 2\n"
