"""Comments that allow a finding: what each of them silences, and what is said about those that are not right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from packmaker import spliced

from patolli.author.workspace import ValidationReport, check_packs
from patolli.cli import main
from patolli.language.diagnostics.codes import CODES
from patolli.language.sources.allowances import allowances
from patolli.language.syntax.formatter import format_text

OWN = [code for code in CODES.values() if code.code.startswith("P07")]
BECAUSE = "# patolli: allow P0430 for modules, which call it"
RULES = "document: rules\nrules:\n"


pytestmark = pytest.mark.usefixtures("own_cache")


def checked(folder: Path, example: str) -> ValidationReport:
    pack, modules = spliced(folder, example)
    return check_packs((pack, *modules))


def codes_of(folder: Path, example: str) -> list[str]:
    return [problem.code for problem in checked(folder, example).problems]


@pytest.mark.parametrize("code", OWN, ids=lambda code: code.code)
def test_examples(code, tmp_path):
    assert codes_of(tmp_path / "wrong", code.wrong) == [code.code]
    assert codes_of(tmp_path / "right", code.right) == []


@pytest.mark.parametrize(
    ("example", "codes"),
    [
        pytest.param(f"  polish: gain 1 point  {BECAUSE}\n", [], id="behind it"),
        pytest.param(f"  {BECAUSE}\n  polish: gain 1 point\n", [], id="on the line before"),
        pytest.param(f"  {BECAUSE}\n\n  # more words\n  polish: gain 1 point\n", [], id="before other comments"),
        pytest.param(f"{BECAUSE}\n  polish: gain 1 point\n", [], id="further out than what it means"),
        pytest.param("  # Patolli: Allow p0430 why not\n  polish: gain 1 point\n", [], id="in other letters"),
        pytest.param(f"  polish: gain 1 point\n  {BECAUSE}\n", ["P0430", "P0702"], id="on the line behind"),
        pytest.param(
            f"  {BECAUSE}\n  polish: gain 1 point\n  shine: gain 1 point\n", ["P0430"], id="before the first of two"
        ),
        pytest.param("  polish: gain 1 point  # patolli: allow\n", ["P0430", "P0701"], id="without a code"),
        pytest.param("  polish: gain 1 point  # patolli: allow P0430 ...\n", ["P0701"], id="a reason without words"),
        pytest.param("  polish: gain 1 point  # patolli: allow P0431 why not\n", ["P0430", "P0702"], id="other code"),
        pytest.param("  polish: gain 1 point  # patolli: allow P0702 why not\n", ["P0430", "P0703"], id="its own code"),
        pytest.param(
            f"  polish:\n    text: 'Why {BECAUSE}'\n    do: gain 1 point\n", ["P0430"], id="in a text, so no comment"
        ),
    ],
)
def test_what_is_left(example, codes, tmp_path):
    assert codes_of(tmp_path, RULES + example) == codes


def test_comment_before_an_entry_means_all_of_it_and_one_finding(tmp_path):
    text = (
        "document: pieces\nkind: charm\nplace: bag\npieces:\n  # patolli: allow P0440 the box says so, too\n  grace:\n"
    )
    one = "    effect: gain 3 coin\n    text: Gain 4 coins.\n"

    assert codes_of(tmp_path / "a", text + one) == []
    assert codes_of(tmp_path / "b", text + one + "  fortune:\n" + one) == ["P0440"]


def test_comment_in_an_effect(tmp_path):
    effect = "  shine:\n    after: dig\n    do: |\n      stop\n      # patolli: allow P0448 comes later\n"
    example = "document: rules\ntriggers:\n" + effect + "      gain 1 point\n"
    found = checked(tmp_path, example)

    assert [problem.code for problem in found.problems] == []
    assert [(one.problem.code, one.by.reason) for one in found.allowed] == [("P0448", "comes later")]


def test_error_is_not_silenced(tmp_path):
    assert codes_of(tmp_path, RULES + "  polish: gain 1 pont  # patolli: allow P0201 later\n") == ["P0201", "P0703"]


def test_unused_comment_waits_for_errors_to_be_mended(tmp_path):
    example = RULES + "  polish: gain 1 pont  # patolli: allow P0431 later\n"

    assert codes_of(tmp_path, example) == ["P0201"]


def test_comment_that_counts_only_with_a_module_is_not_unused(monkeypatch, tmp_path):
    module = "# extra/pack.yaml\ndocument: pack\nid: extra\nversion: 1.0.0\nlanguage: 1\ntitle: A module\n"
    module += "requires: {sample: '>=1.0'}\n# extra/change.yaml\ndocument: patch\nchange:\n"
    module += "  - {replace: pieces/grace/effect, with: gain 4 coin}\n"
    base = "# graces.yaml\ndocument: pieces\nkind: charm\nplace: bag\npieces:\n  grace:\n    effect: gain 3 coin\n"
    base += "    text: Gain 3 coins.  # patolli: allow P0440 a module changes it\n"

    assert codes_of(tmp_path / "a", base) == ["P0702"]
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path / "b"))
    assert codes_of(tmp_path / "b", base + module) == []


def test_allowed_findings_are_never_forgotten(tmp_path):
    pack, _ = spliced(tmp_path, RULES + f"  polish: gain 1 point  {BECAUSE}\n")
    twice = [check_packs((pack,)) for _ in range(2)]

    assert [len(found.allowed) for found in twice] == [1, 1]


def test_machines_are_reported(tmp_path):
    pack, _ = spliced(tmp_path, RULES + f"  polish: gain 1 point  {BECAUSE}\n")
    written, sarif, text = (
        CliRunner().invoke(main, ["validate", pack, "--strict", "--format", form]) for form in ("json", "sarif", "text")
    )
    data = json.loads(written.stdout)
    (result,) = json.loads(sarif.stdout)["runs"][0]["results"]

    assert (written.exit_code, sarif.exit_code, text.exit_code) == (0, 0, 0)
    assert (data["problems"], data["summary"]["allowed"]) == ([], 1)
    assert data["allowed"][0]["reason"] == "for modules, which call it"
    assert data["allowed"][0]["comment"]["line"] == data["allowed"][0]["line"] == 3
    assert result["ruleId"] == "P0430"
    assert result["suppressions"][0]["kind"] == "inSource"
    assert result["suppressions"][0]["justification"] == "for modules, which call it"
    assert text.stdout.endswith("no problems (1 allowed by comments)\n")


def test_formatting_keeps_comments_where_they_are():
    text = (
        RULES
        + f"  {BECAUSE}\n  polish:   gain 1   point\n  shine: |\n    # patolli: allow P0442 tested\n    gain 1 point\n"
    )
    kept = format_text(text, "rules.yaml")

    assert kept != text
    assert [(one.code, one.first, one.last) for one in allowances(kept, "x")] == [("P0430", 4, 4), ("P0442", 7, 7)]
