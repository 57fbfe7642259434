"""Selection files: a game for one table, with modules, their order and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import check_packs, inspect, load, requirements
from patolli.language.diagnostics import ContentError
from patolli.serve.studio.catalogue import catalogue
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.table_requests import parse_setup

PACK = """\
document: pack
id: little
version: 1.0.0
language: 2
title: Little
players: {min: 1, max: 1}
options: {start: {range: [0, 9], default: 0, text: Coins at the start.}}
"""
RULES = """\
document: rules
rules:
  match: {do: earn(); end match, text: A match., category: Coins}
  earn(): {do: gain 1 coin, text: Earn., category: Coins}
result: {score: coin + start}
"""
MODEL = "document: model\ncounters:\n  coin: {per: player, text: Coins}\n"
MODULE = 'document: pack\nid: {0}\nversion: 1.0.0\nlanguage: 2\ntitle: T\nrequires: {{little: ">=1.0,<2.0"}}\n'
CHANGE = "document: patch\nchange:\n  - {{instead: rules/earn, do: gain {0} coin}}\n"
BOTH = "document: selection\npack: little\nmodules: [aa, bb]\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Write a pack with two modules and only one change that counts; return how a selection file is written."""
    files = {"little/pack.yaml": PACK, "little/rules.yaml": RULES, "little/model.yaml": MODEL}
    for name, number in (("aa", 5), ("bb", 6)):
        files |= {f"{name}/pack.yaml": MODULE.format(name), f"{name}/change.yaml": CHANGE.format(number)}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))

    def write(text: str, name: str = "table.yaml") -> str:
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return write


def score(rules) -> int:
    match = rules.start(1, 0)
    assert match.decision is None
    return match.scores[0]


@pytest.mark.parametrize(("order", "wanted"), [("aa, bb", 6), ("bb, aa", 5)])
def test_the_player_decides_which_module_wins(table, order, wanted):
    name = table(f"{BOTH}order: [{order}]\noptions: {{start: 3}}\n")
    rules = load(name)

    assert score(rules) == wanted + 3
    assert score(load("little", [name])) == wanted + 3
    assert score(load(name, options={"start": 0})) == wanted  # what is said in the call is stronger
    assert not check_packs((name,), remember=False).problems


def test_without_an_order_the_conflict_stays(table):
    assert {problem.code for problem in inspect(table(BOTH)).errors} == {"P0123"}


def test_saves_keep_the_order(table):
    first, second = (load(table(f"{BOTH}order: [{order}]\n")) for order in ("aa, bb", "bb, aa"))
    again = load("little", first.module_ids, first.chosen)

    assert again.content_hash == first.content_hash != second.content_hash
    assert score(again) == 6


def test_a_command_that_reads_requirements_finds_the_game(table):
    name = table(BOTH)

    assert requirements(name).names == ["little", name]


def test_a_scenario_takes_a_selection_that_lies_beside_it(table):
    table(f"{BOTH}order: [bb, aa]\n", "little/ours.yaml")
    table(
        "document: scenarios\nscenarios:\n  it: {with: [ours.yaml], call: earn(), then: {coin: 5}}\n", "little/s.yaml"
    )
    result = run_scenarios(Plan(("little",), smoke=False, search=0))

    assert [(one.id, one.problems) for one in result.outcomes] == [("it", [])]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("document: selection\nmodules: [aa]\n", "P0051", "pack"),
        ("document: selection\npack: litle\n", "P0110", "no pack 'litle'"),
        (f"{BOTH}order: [aa, cc]\n", "P0118", "'cc' is put in an order"),
        ("document: selection\npack: little\nmodules: [aa, cc]\n", "P0110", "no pack 'cc'"),
        ("document: selection\npack: little\noptions: {stort: 1}\n", "P0130", "no option 'stort'"),
        ("document: selection\npack: little\nmoduls: [aa]\n", "P0050", "moduls"),
        ("- a\n", "P0052", ""),
    ],
)
def test_what_is_wrong_with_a_selection(table, text, code, words):
    found = inspect(table(text)).errors

    assert code in {one.code for one in found}, found
    assert any(words in one.message for one in found)


def test_the_studio_offers_a_selection_and_a_table_keeps_what_it_says(table):
    name = table(f"{BOTH}order: [bb, aa]\noptions: {{start: 3}}\n")
    (offered,) = (one for one in catalogue(name) if one["id"] == name)
    setup, _ = parse_setup({"pack": name, "players": 1, "seed": 1}, paths=True)

    assert (offered["title"], offered["modules"], offered["options"]) == ("Little (table)", [], [])
    assert (setup.pack, setup.modules) == ("little", ("aa", "bb"))
    assert setup.options == {"start": 3, "modules.order": "bb,aa"}


def test_the_studio_refuses_a_wrong_selection(table):
    with pytest.raises(Refused, match="unknown key 'moduls'"):
        parse_setup({"pack": table("document: selection\npack: little\nmoduls: []\n"), "players": 1}, paths=True)


def test_a_selection_for_another_game(table):
    name = table("document: selection\npack: other\n")

    with pytest.raises(ContentError, match="this selection is for 'other', not for 'little'"):
        load("little", [name])


def test_a_selection_that_is_not_there(table, tmp_path):
    assert [one.code for one in inspect(str(Path(tmp_path, "none.yaml"))).errors] == ["P0010"]
