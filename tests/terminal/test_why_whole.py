"""``why`` about a line or an anytime action without its value, and with one that cannot be chosen; ``show`` of the like."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from sitting import sit

import patolli
from patolli.cli.main import main

FILES = {
    "pack.yaml": "document: pack\nid: stalls\nversion: 1.0.0\nlanguage: 2\ntitle: Stalls\nplayers: {min: 2, max: 2}\n",
    "model.yaml": """document: model
constants:
  most: {type: int, value: 2, text: What a rest costs.}
kinds:
  tile: {noun: [tile, tiles]}
  chart: {facts: {at: int}, name: "chart of {at}"}
groups:
  good: [grain, clay]
counters:
  grain: {per: player, start: 3, noun: [grain], text: Grain}
  clay: {per: player, start: 3, noun: [clay], text: Clay}
  coin: {per: player, noun: [coin, coins], text: Coins}
places:
  table: {of: chart, type: area, name: the table}
  market: {of: tile, type: area, name: the market}
  bag: {of: tile, type: area, name: the bag}
  mine: {of: tile, per: player, type: area, name: your tiles}
""",
    "tiles.yaml": "document: pieces\nkind: tile\nplace: market\npieces: {mill: {copies: 2}}\n",
    "more.yaml": "document: pieces\nkind: tile\nplace: bag\npieces: {kiln: {copies: 2}}\n",
    "charts.yaml": "document: pieces\nkind: chart\nplace: table\npieces: {to_ayr: {at: 7}}\n",
    "rules.yaml": """document: rules
rules:
  match: |
    repeat 6 times:
      for p in players: as p: turn()
  turn(): |
    choose one "What?":
      "rest": nothing
      "toll": pay most grain as toll
      for r in good "sell": pay 1 r: gain 2 coin
      for t in market "buy": move t to mine
anytime:
  barter: {label: barter, each: r in good, when: have(r) > 0, do: lose 1 r; gain 1 coin}
discounts:
  friendly_miller: {on: toll, less: 1 grain}
active: players
result: {score: coin + size(mine)}
""",
}


@pytest.fixture
def stalls(tmp_path):
    folder = tmp_path / "stalls"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    return patolli.load(str(folder))


def told(rules, typed):
    return " ".join(sit(rules, [typed]).text.split())


def test_line_of_the_question_is_not_said_to_be_of_another_one(stalls):
    text = told(stalls, "why sell")

    assert "which is not asked now" not in text
    assert "'sell' is offered to you true it is possible with one of these true grain" in text
    assert "true clay true pay 1 of clay" in text


def test_anytime_action_is_asked_about_without_its_value(stalls):
    text = told(stalls, "why barter")

    assert "'barter' is offered to you true it is possible with one of these true grain" in text
    assert "true you are among all players" in text
    assert stalls.start(2, 1).why("barter").offered


def test_value_that_is_not_among_those_to_choose_from_is_reported_so(stalls):
    text = told(stalls, "why buy kiln")

    assert "'buy kiln' is not offered to you false kiln is among the market there: mill, mill" in text


def test_what_nothing_is_called_is_reported_so_still(stalls):
    assert "there is no option and no rule 'buy oven'" in told(stalls, "why buy oven")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("show barter", "barter, an action At any time, for a good"),
        ("show friendly_miller", "friendly miller, a discount 1 grain less is paid as toll"),
        ("show most", "what a rest costs, a fixed value it is 2"),
    ],
)
def test_whatever_is_met_is_looked_up_without_a_text_too(stalls, typed, said):
    assert said in told(stalls, typed)


def test_show_fills_in_what_things_are_called(stalls, tmp_path):
    result = CliRunner().invoke(main, ["show", str(tmp_path / "stalls"), "to_ayr"])

    assert "to_ayr, a piece of the kind chart, called 'chart of 7'" in result.output
