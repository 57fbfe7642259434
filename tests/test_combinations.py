"""Modules in combination: a sample of all valid ones, and what waits for modules of other boxes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tools_by_name import tool as tool_of

from patolli.author.scenarios import Plan, run_scenarios
from patolli.cli import main

pytestmark = pytest.mark.deep

ROOT = Path(__file__).resolve().parent.parent
tool = tool_of("combinations")
SAMPLE = tool.sample("city_of_gods", 6)


@pytest.mark.parametrize("modules", SAMPLE, ids="+".join)
def test_combination_plays_to_its_end(modules):
    assert list(tool.faults("city_of_gods", modules, 1)) == []


ALONE = [("solo", "obsidian"), ("solo", "bot_movement", "obsidian", "mansion", "altars", "empire")]


@pytest.mark.parametrize("modules", ALONE, ids="+".join)
def test_no_player_asks_the_bot(modules):
    assert list(tool.faults("city_of_gods", modules, 5)) == []


def test_bot_that_is_asked_is_found(tmp_path):
    pack = tmp_path / "alone"
    pack.mkdir()
    (pack / "pack.yaml").write_text(
        "document: pack\nid: alone\nversion: 1.0.0\nlanguage: 2\ntitle: Alone\nplayers: {min: 1, max: 1}\nautomated: 1\n",
        "utf-8",
    )
    (pack / "model.yaml").write_text("document: model\ncounters: {vp: {per: player}}\n", "utf-8")
    (pack / "rules.yaml").write_text(
        "document: rules\nresult: {score: vp}\nrules:\n  match: |\n"
        '    for p in players:\n      as p:\n        choose n in 1..3 "How much?"\n        gain n vp\n',
        "utf-8",
    )

    assert list(tool.faults(str(pack), (), 1)) == [
        "1 players, seed 0: 'How much?' asks player 2, a seat that the rules play, after 1 choices"
    ]
    (found,) = [p for outcome in run_scenarios(Plan((str(pack),))).smoke for p in outcome.problems]
    assert (found.code, found.span.line, found.help) == ("P0608", 7, "patolli explain P0815 says more")
    assert "'How much?' asks player 2" in found.message


def test_sample_is_worth_its_name():
    found = tool.valid("city_of_gods")
    assert len(SAMPLE) == len(set(SAMPLE)) == 6 < len(found)
    assert {module for modules in SAMPLE for module in modules} == {module for modules in found for module in modules}


WITH_THE_OTHER_BOX = [
    ("late", "obsidian", "mansion", "altars", "empire", "increased_workforce", "draft"),
    ("late", "solo", "bot_movement", "obsidian", "mansion", "altars", "empire"),
]


@pytest.fixture
def other_box(monkeypatch):
    """Packs that stand in for another box, with priests, seasons and a fourth temple."""
    monkeypatch.setenv("PATOLLI_PATH", str(ROOT / "tests" / "data" / "boxes"))


@pytest.mark.parametrize(("player", "players"), [("solo", 1), ("increased_workforce", 5)])
def test_sample_has_everything_on(player, players):
    full = max((modules for modules in SAMPLE if player in modules), key=len)
    assert {"obsidian", "mansion", "altars", "empire", player} <= set(full)
    assert tool.load("city_of_gods", full).players[1] == players


@pytest.mark.parametrize("modules", WITH_THE_OTHER_BOX, ids="+".join)
def test_parts_of_another_box_play_to_their_end(other_box, modules):
    assert list(tool.faults("city_of_gods", modules, 1)) == []


@pytest.mark.parametrize("modules", WITH_THE_OTHER_BOX, ids="+".join)
def test_parts_of_another_box_have_no_problems(other_box, modules):
    chosen = [part for module in modules for part in ("--with", module)]
    ran = CliRunner().invoke(main, ["validate", "city_of_gods", *chosen, "--format", "json"])
    assert ran.exit_code == 0, ran.output
    assert [p for p in json.loads(ran.output)["problems"] if p["code"] != "P0432"] == []
