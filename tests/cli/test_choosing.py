"""Modules that do not go together: every command says why, at all places that have to do with it, and ends with its code."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples import module
from packmaker import spliced

ANY = '{sample: ">=1.0"}'
TWO = '{sample: ">=1.0", other: ">=1.0"}'


def change(name: str, *operations: str) -> str:
    return f"# {name}/change.yaml\ndocument: patch\nchange:\n" + "".join(f"  - {one}\n" for one in operations)


def changed(name: str, *operations: str, requires: str = ANY) -> str:
    return module(name, requires) + change(name, *operations)


CASES = [
    pytest.param(
        module("extra", ANY, "conflicts: [other]\n") + module("other", ANY),
        2, "P0115", ["extra/pack.yaml:7:13", "other/pack.yaml:2:5: 'other' is this pack"], "leave one of them out",
        id="conflict",
    ),
    pytest.param(
        module("extra", ANY, "conflicts: [other]\n") + module("middle", TWO) + module("other", ANY),
        2, "P0115", ["extra/pack.yaml:7:13", "middle/pack.yaml:6:29: 'middle' needs 'other'"], "leave one of them out",
        id="conflict with what another one needs",
    ),
    pytest.param(
        module("extra", '{sample: ">=1.0", gone: ">=1.0"}'),
        1, "P0113", ["extra/pack.yaml:6:29"], "'extra' needs 'gone', which is not installed", id="missing requirement",
    ),
    pytest.param(
        module("extra", '{sample: ">=2.0"}'),
        1, "P0114", ["extra/pack.yaml:6:12", "sample/pack.yaml:3:10: its version is here"], "found 1.2.0", id="version",
    ),
    pytest.param(
        module("extra", TWO) + module("other", '{sample: ">=1.0", extra: ">=1.0"}'),
        1, "P0116", ["extra/pack.yaml:6:29", "other/pack.yaml:6:29: 'other' needs 'extra'"], "extra -> other -> extra",
        id="circle",
    ),
    pytest.param(
        changed("extra", "{remove: triggers/bonus}") + changed("other", "{replace: triggers/bonus/do, with: gain 2 coin}")
        + "# sample/more.yaml\ndocument: rules\ntriggers:\n  bonus: {after: dig, do: gain 1 coin}\n",
        1, "P0121", ["other/change.yaml:3:15", "extra/change.yaml:3:14: 'extra' removes it here"],
        "leave 'extra' out, or require it", id="target that another module removes",
    ),
    pytest.param(
        changed("extra", "{remove: triggers/bonus/when}") + changed("other", "{replace: triggers/bonus/when, with: coin > 2}")
        + "# sample/more.yaml\ndocument: rules\ntriggers:\n  bonus: {after: dig, when: coin > 1, do: gain 1 coin}\n",
        1, "P0121", ["other/change.yaml:3:15", "extra/change.yaml:3:14: 'extra' removes 'triggers/bonus/when' here"],
        "'triggers/bonus' has no 'when'", id="part that another module removes",
    ),
    pytest.param(
        changed("extra", "{replace: rules/dig/text, with: Dig.}").replace("rules/dig/text", "pieces/rich/text")
        + changed("other", "{replace: pieces/rich, with: {copies: 4, number: 9, effect: gain 2 seed}}"),
        1, "P0123", ["other/change.yaml:3:15", "extra/change.yaml:3:15: 'extra' does it here"],
        "in a pack that requires both", id="two change the same",
    ),
]  # fmt: skip
COMMANDS = [
    ["show", "{pack}"],
    ["show", "{pack}", "dig", "--layers"],
    ["play", "{pack}", "--seat", "all=random"],
    ["simulate", "{pack}", "--players", "2", "--games", "1"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command))
@pytest.mark.parametrize(("modules", "status", "code", "places", "words"), CASES)
def test_modules_that_do_not_go_together(run, monkeypatch, tmp_path, modules, status, code, places, words, command):
    pack, paths = spliced(tmp_path, modules)
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    more = [part for path in paths for part in ("--with", Path(path).name)]
    result = run(*(part.format(pack=pack) for part in command), *more)

    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.startswith(f"{places[0]}: error[{code}]: ")
    for place in places[1:]:
        assert f"\n{place}\n" in result.stderr
    assert words in result.stderr
    assert result.stderr.endswith("\n1 error in 1 file\n")


@pytest.mark.parametrize("command", COMMANDS[:1] + COMMANDS[2:], ids=lambda command: command[0])
def test_unknown_module_names_the_nearest(run, monkeypatch, tmp_path, command):
    pack, _ = spliced(tmp_path, module("extra", ANY))
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    result = run(*(part.format(pack=pack) for part in command), "--with", "extar")

    assert result.exit_code == 2
    assert "there is no pack 'extar'" in result.stderr
    assert "did you mean 'extra'?" in result.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("play tic_tac_toe --seat 1=human --seat 1=random", "--seat gives seat 1 twice"),
        ("play tic_tac_toe --seat all=random --seat all=greedy", "--seat gives all seats twice"),
        ("show tic_tac_toe --layers --matrix --seams", "--layers and --matrix and --seams are separate pages"),
        ("show tic_tac_toe turn --code python --assumptions", "--assumptions and --code are separate pages"),
        ("pack build tic_tac_toe --out notes.txt", "'notes.txt' already exists, and its type is not 'archive'"),
        ("gallery tic_tac_toe --out notes.txt", "'notes.txt' already exists, and its type is not 'page of HTML'"),
        ("sheet tic_tac_toe --out notes.txt", "'notes.txt' already exists, and its type is not 'PDF'"),
    ],
)
def test_what_cannot_be_meant_is_refused(run, monkeypatch, tmp_path, command, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("My notes\n", "utf-8")
    result = run(*command.split())

    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert (tmp_path / "notes.txt").read_text("utf-8") == "My notes\n"


@pytest.mark.parametrize("seats", [("2=greedy", "all=random"), ("all=random", "2=greedy")])
def test_one_seat_goes_before_all(run, seats):
    told = run("play", "tic_tac_toe", "--seed", "1", "--seat", seats[0], "--seat", seats[1]).stdout
    assert "player 1 (random), player 2 (greedy)" in told.partition("\n")[0]


def test_pack_in_a_folder_of_another_name_is_reported_as_that(run, purse, monkeypatch):
    manifest = (purse / "pack.yaml").read_text()
    purse.rename(purse.parent / "purse-main")
    extra = purse.parent / "extra-1.0"
    extra.mkdir()
    (extra / "pack.yaml").write_text(
        manifest.replace("id: purse", "id: extra") + "requires: {purse: '>=1.0'}\nconflicts: [lost]\n"
    )
    (purse.parent / "lost-main").mkdir()
    (purse.parent / "lost-main" / "pack.yaml").write_text(manifest.replace("id: purse", "id: lost"))
    words = f"help: the folder '{purse.parent / 'purse-main'}' holds the pack 'purse': rename it to 'purse'"
    assert words in run("validate", extra).output
    monkeypatch.setenv("PATOLLI_PATH", str(purse.parent))
    assert words in run("validate", "purse").output
    monkeypatch.chdir(purse.parent)
    monkeypatch.delenv("PATOLLI_PATH")
    assert (
        "help: the folder 'purse-main' holds the pack 'purse': rename it to 'purse'" in run("validate", "purse").output
    )
    (purse.parent / "purse-main").rename(purse)
    assert "'lost-main' holds the pack 'lost': rename it" in run("validate", extra).output.replace(
        f"{purse.parent}/", ""
    )
