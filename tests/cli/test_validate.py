"""``patolli validate``: status, streams, formats, and what it remembers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patolli.author.workspace import Findings, Request, pack_check
from patolli.author.workspace.cache import Notes, cache_dir, folder_hash
from patolli.author.workspace.findings import as_data, from_data
from patolli.language.diagnostics import Edit, Fix, Problem, Span
from patolli.language.diagnostics.machine import render_json
from patolli.language.diagnostics.suppression import Allowance, Allowed


def test_sound_pack_is_fine(run, purse):
    result = run("validate", purse)

    assert result.exit_code == 0
    assert result.stdout == f"{purse}: no problems\n"
    assert result.stderr == ""


def test_problem_is_printed_with_its_place(run, purse):
    (purse / "rules.yaml").write_text((purse / "rules.yaml").read_text().replace("gain n coin", "gain n coyn"))
    result = run("validate", purse)

    assert result.exit_code == 1
    assert "rules.yaml:8:16: error[P0201]: unknown counter 'coyn'" in result.stdout
    assert "did you mean 'coin'?" in result.stdout


def test_fix_writes_what_is_certain(run, purse):
    rules = purse / "rules.yaml"
    good = rules.read_text("utf-8")
    line = "gain n coin"
    assert line in good
    rules.write_text(good.replace(line, "if\u00a0n = = 1 && me == me: gain n coyn").replace("= =", "==="), "utf-8")

    result = run("validate", purse, "--fix")

    assert rules.read_text("utf-8") == good.replace(line, "if n == 1 and me == me: gain n coyn")  # a guess stays
    assert result.stderr == f"{rules}: 3 edits\n"
    assert "did you mean 'coin'?" in result.stdout
    assert result.exit_code == 1


def test_fix_leaves_what_is_right(run, purse):
    before = {file: file.read_bytes() for file in purse.rglob("*.yaml")}

    result = run("validate", purse, "--fix")

    assert (result.exit_code, result.stderr) == (0, "")
    assert {file: file.read_bytes() for file in purse.rglob("*.yaml")} == before


def test_fix_says_why_a_file_with_tabs_stays_as_it_is(run, purse):
    rules = purse / "rules.yaml"
    before = rules.read_text("utf-8").replace("gain n coin", "gain n\u00a0coin\t")
    rules.write_text(before, "utf-8")

    result = run("validate", purse, "--fix")

    assert result.stderr == f"{rules}: nothing was fixed, because the file contains tabs and their width is unclear\n"
    assert rules.read_text("utf-8") == before
    assert result.exit_code == 1


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_machines_get_json(run, purse, form):
    (purse / "rules.yaml").write_text("document: rules\nrules: 3\n")
    result = run("validate", purse, "--format", form)

    assert result.exit_code == 1
    assert "P0052" in json.dumps(json.loads(result.stdout))


def test_machines_get_json_when_all_is_well(run, purse):
    assert json.loads(run("validate", purse, "--format", "json").stdout)["problems"] == []


def test_github_gets_annotations(run, purse):
    (purse / "rules.yaml").write_text("document: rules\nrules: 3\n")

    assert run("validate", purse, "--format", "github").stdout.startswith("::error file=")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["tic_tac_to"], "did you mean 'tic_tac_toe'?", id="no such pack"),
        pytest.param(["tic_tac_toe", "--with", "nothing_like_it"], "nothing_like_it", id="no such module"),
        pytest.param(["patolli", "--set", "stakes=3"], "did you mean 'stake'?", id="no such option"),
        pytest.param(["patolli", "--set", "stake=99"], "a number from 1 to 12", id="option out of range"),
        pytest.param(["patolli", "--set", "stake"], "NAME=VALUE", id="option without a value"),
        pytest.param(["--with", "draft"], "--with needs a PACK", id="module without a pack"),
        pytest.param(["--fix"], "--fix needs a PACK", id="mending without a pack"),
        pytest.param(["patolli", "--format", "xml"], "xml", id="no such format"),
    ],
)
def test_wrong_call(run, arguments, words):
    result = run("validate", *arguments)

    assert result.exit_code == 2
    assert words in result.output


def test_warning_fails_only_when_strict(run, purse):
    (purse / "model.yaml").write_text((purse / "model.yaml").read_text() + "  unused: {per: player}\n")

    assert run("validate", purse).exit_code == 0
    assert run("validate", purse, "--strict").exit_code == 1


def test_module_is_checked_with_what_it_requires(run, purse, monkeypatch):
    module = purse.parent / "rich"
    module.mkdir()
    (module / "pack.yaml").write_text(
        "document: pack\nid: rich\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Rich\nauthors: [Tests]\n"
        "text: More coins.\nrequires: {purse: '>=1.0'}\n"
    )
    monkeypatch.setenv("PATOLLI_PATH", str(purse.parent))

    assert run("validate", "rich").stdout == "purse + rich: no problems\n"


def test_fault_of_a_check_is_reported_like_a_problem(run, purse, monkeypatch):
    monkeypatch.setattr("patolli.author.workspace.pack_check.inspect", lambda *_, **__: 1 // 0)
    result = run("validate", purse)

    assert result.exit_code == 4
    assert "error[P0900]" in result.stdout


# ---- what is remembered


def test_second_look_is_spared(run, purse, monkeypatch):
    assert run("validate", purse).exit_code == 0
    monkeypatch.setattr(
        "patolli.author.workspace.pack_check.check_pack", lambda *_: pytest.fail("it was checked again")
    )

    assert run("validate", purse).stdout == f"{purse}: no problems\n"


@pytest.mark.parametrize("name", ["rules.yaml", "model.yaml", "pack.yaml"])
def test_changed_file_is_looked_at(run, purse, name):
    assert run("validate", purse).exit_code == 0
    with (purse / name).open("a") as file:
        file.write("more: 1\n")

    assert run("validate", purse).exit_code == 1


def test_new_file_is_looked_at(run, purse):
    assert run("validate", purse).exit_code == 0
    (purse / "more.yaml").write_text("document: modle\n")

    assert run("validate", purse).exit_code == 1


# a picture, a warning and its comment
PANELS = "document: panels\nsymbols:\n  coin: {sign: c, art: coin.svg}\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="3" height="3"{}/></svg>'
UNUSED = "  silver: {per: player, text: Silver, source: assumed}\n"
ALLOWED = "  # patolli: allow P0420 for later\n  copper: {per: player, text: Copper, source: assumed}\n"


@pytest.fixture
def pictured(purse):
    (purse / "panels.yaml").write_text(PANELS)
    (purse / "coin.svg").write_text(SVG.format(""))
    (purse / "notes.yml").write_text("more: 1\n")
    return purse


def _harm(pack):
    (pack / "coin.svg").write_text(SVG.format(' onload="alert(1)"'))


def _link(pack):
    (pack / "rules.yaml").rename(pack.parent / "rules.yaml")
    (pack / "rules.yaml").symlink_to(pack.parent / "rules.yaml")


CHANGES = {
    "a picture that becomes harmful": (_harm, 1),
    "a picture that disappears": (lambda pack: (pack / "coin.svg").unlink(), 1),
    "a file that becomes a document": (lambda pack: (pack / "notes.yml").write_text("document: model\n"), 1),
    "a file that becomes a link out of the pack": (_link, 1),
}


@pytest.mark.parametrize(("change", "status"), CHANGES.values(), ids=CHANGES)
def test_what_a_check_reads_is_looked_at(run, pictured, change, status):
    assert run("validate", pictured).exit_code == 0
    change(pictured)

    assert run("validate", pictured).exit_code == status


def test_every_file_that_a_check_opens_is_hashed(run, pictured):
    opened = set()
    sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == "open" and watching else None)
    watching = True
    run("validate", pictured, "--no-cache")
    watching = False
    inside = {Path(name) for name in opened if Path(name).is_relative_to(pictured)}

    assert {path.name for path in inside} == {
        "pack.yaml",
        "model.yaml",
        "rules.yaml",
        "panels.yaml",
        "notes.yml",
        "coin.svg",
    }
    for path in inside:
        before = folder_hash(pictured)
        path.write_bytes(path.read_bytes() + b"#")
        assert folder_hash(pictured) != before, path


def test_file_that_changes_during_a_check_is_looked_at_again(run, purse, monkeypatch):
    check = pack_check.check_pack

    def edited(*given):
        found = check(*given)
        (purse / "rules.yaml").write_text("document: rules\nrules: 3\n")
        return found

    monkeypatch.setattr("patolli.author.workspace.pack_check.check_pack", edited)
    assert run("validate", purse).exit_code == 0
    monkeypatch.undo()

    assert run("validate", purse).exit_code == 1


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_warnings_are_remembered_and_told_again(run, purse, monkeypatch, form):
    with (purse / "model.yaml").open("a") as file:
        file.write(UNUSED + ALLOWED)
    first = run("validate", purse, "--format", form)
    assert "silver" in first.stdout
    monkeypatch.setattr(
        "patolli.author.workspace.pack_check.check_pack", lambda *_: pytest.fail("it was checked again")
    )

    assert run("validate", purse, "--format", form).stdout == first.stdout
    assert run("validate", purse, "--strict").exit_code == 1


@settings(max_examples=60)
@given(st.data())
def test_odd_note_counts_for_nothing(data):
    place = Span("a.yaml", 1, 2, 3, 4)
    problem = Problem("P0420", "unused", place, "", ((place, "here"),), "warning", (Fix((Edit(place, "x"),), True),))
    findings = Findings(["a"], [], [problem], [Allowed(problem, Allowance("P0420", "why", place, 1, 2))])
    written = json.loads(json.dumps(as_data(findings)))
    assert from_data(written) == findings
    key = data.draw(st.sampled_from(sorted(written)))
    written[key] = data.draw(st.recursive(st.none() | st.integers() | st.text(), st.lists))
    with contextlib.suppress(ValueError, TypeError, KeyError):
        render_json(from_data(written).problems)


def test_problems_are_not_remembered(own_cache, run, purse):
    (purse / "rules.yaml").write_text("document: rules\nrules: 3\n")
    first = run("validate", purse)

    assert not list(cache_dir().glob("*"))
    assert run("validate", purse).stdout == first.stdout


def test_other_options_are_other_results(run, purse):
    assert run("validate", purse, "--set", "goal=3").exit_code == 0
    assert run("validate", purse, "--set", "goal=33").exit_code == 2


@pytest.mark.parametrize(
    "text",
    ["[3]", "[" * 100_000, '{"packs":' * 100_000, "\0", '{"packs": [[1, 2]], "guests": []}'],
    ids=lambda text: text[:9],
)
def test_damaged_note_does_not_count(own_cache, run, purse, text):
    assert run("validate", purse).exit_code == 0
    for note in cache_dir().glob("*.json"):
        note.write_text(text)

    assert Notes().recall(Request(str(purse))) is None
    assert run("validate", purse).exit_code == 0


def test_pipe_among_the_notes_does_not_count(own_cache, run, purse):
    assert run("validate", purse).exit_code == 0
    for note in list(cache_dir().glob("*.json")):
        note.unlink()
        os.mkfifo(note)

    assert run("validate", purse).exit_code == 0


def test_no_folder_for_notes_is_no_fault(run, purse, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    assert run("validate", purse).exit_code == 0


def test_all_shipped_content_is_named(run):
    names = [name for name in ("tic_tac_toe", "connect_four", "breakthrough", "patolli")]
    result = run("validate", *names, "--strict")

    assert result.exit_code == 0, result.output
    assert result.stdout == f"{', '.join(names)}: no problems\n"


def test_paths_are_relative_to_the_folder_of_the_call(run, purse, monkeypatch):
    (purse / "rules.yaml").write_text("document: rules\nrules: 3\n")
    monkeypatch.chdir(purse.parent)

    assert run("validate", Path("purse").resolve()).stdout.startswith("purse/rules.yaml:2:8: ")


# ---- scenarios


SCENARIO = "document: scenarios\nscenarios:\n  it: {%s given: gain 1 coin, then: {%s: 1}}\n"


def test_scenarios_are_checked(run, purse):
    (purse / "scenarios.yaml").write_text(SCENARIO % ("", "coyn"))
    result = run("validate", purse)

    assert result.exit_code == 1
    assert "scenarios.yaml:3:36: error[P0201]: unknown name 'coyn'" in result.stdout


def test_module_that_a_scenario_asks_for_in_vain_is_a_fault_of_the_content(run, purse):
    (purse / "scenarios.yaml").write_text(SCENARIO % ("with: [rich],", "coin"))

    assert run("validate", purse).exit_code == 1


def test_packs_that_scenarios_ask_for_are_looked_at(run, purse, monkeypatch):
    """A clean result does not count any more when such a pack has changed."""
    rich = purse.parent / "rich"
    rich.mkdir()
    (rich / "pack.yaml").write_text(
        "document: pack\nid: rich\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Rich\nauthors: [Tests]\n"
        "text: More coins.\nrequires: {purse: '>=1.0'}\n"
    )
    (rich / "model.yaml").write_text("document: model\ncounters: {gem: {per: player, text: Gems, source: assumed}}\n")
    (purse / "scenarios.yaml").write_text(SCENARIO % ("with: [rich],", "gem") + "  own: {then: {coin: 0}}\n")
    monkeypatch.setenv("PATOLLI_PATH", str(purse.parent))
    assert run("validate", purse).stdout == f"{purse}: no problems\n"

    (rich / "model.yaml").write_text("document: model\ncounters: {pearl: {per: player, text: Gems, source: assumed}}\n")

    assert "unknown name 'gem'" in run("validate", purse).stdout


def test_several_processes_check_scenarios(run, purse, monkeypatch):
    """As many packs as are worth further processes; each says the same as alone."""
    for name in ("one", "two", "three"):
        folder = purse.parent / name
        shutil.copytree(purse, folder)
        (folder / "pack.yaml").write_text((purse / "pack.yaml").read_text().replace("id: purse", f"id: {name}"))
        (folder / "scenarios.yaml").write_text(SCENARIO % ("", f"coin_of_{name}"))
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1}, raising=False)

    result = run("validate", *(purse.parent / name for name in ("one", "two", "three")))

    assert [name for name in ("one", "two", "three") if f"'coin_of_{name}'" not in result.stdout] == []


def test_open_demands_are_counted_and_shown_when_asked_for(run, purse):
    manifest = purse / "pack.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("proofs: full", "proofs: open"), "utf-8")
    rules = (purse / "rules.yaml").read_text("utf-8").replace("gain n coin", "gain n coin; if coin > 3: pay n + 4 coin")
    (purse / "rules.yaml").write_text(rules, "utf-8")
    plain, shown, strict = run("validate", purse), run("validate", purse, "--open"), run("validate", purse, "--strict")

    counted = re.search(r"1 of (\d+) demands not proven", plain.stdout)
    assert counted, plain.stdout
    assert int(counted[1]) > 1
    assert (plain.exit_code, "P0401" in plain.stdout) == (0, False)
    assert (shown.exit_code, "open[P0401]: could not be proven" in shown.stdout) == (0, True)
    assert (strict.exit_code, "open[P0401]" in strict.stdout) == (1, True)
    assert run("validate", purse).stdout == plain.stdout  # remembered
    data = json.loads(run("validate", purse, "--format", "json").stdout)
    assert (data["summary"]["open"], [p["severity"] for p in data["problems"]]) == (1, ["open"])
    sarif = json.loads(run("validate", purse, "--format", "sarif").stdout)
    assert [one["level"] for one in sarif["runs"][0]["results"]] == ["note"]
    assert run("validate", purse, "--format", "github").stdout.startswith("::notice ")
    built = run("pack", "build", purse, "--out", purse.parent / "x.zip")
    assert (built.exit_code, "P0401" in built.stderr) == (1, True)
