"""What a report says when nothing stands out, and of lines that never came up."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from patolli import load
from patolli.cli.main import main
from patolli.measure.lab.content import Content

PACK = "document: pack\nid: stalls\nversion: 1.0.0\nlanguage: 2\ntitle: Stalls\nplayers: {min: 2, max: 2}\n"
MODEL = """document: model
groups:
  good: [grain, clay]
counters:
  grain: {per: player, start: 3}
  clay: {per: player, start: 3}
  coin: {per: player}
"""
RULES = """document: rules
rules:
  match: |
    repeat 6 times:
      for p in players: as p: turn()
  turn(): |
    choose one "What?":
      "rest": nothing
      "retire" when coin > 90: gain 1 coin
      for r in good "sell": pay 1 r: gain 2 coin
    choose x in 1..coin or "keep" "Waste?"
    if x: lose x coin
result: {score: coin}
"""


@pytest.fixture
def stalls(tmp_path):
    folder = tmp_path / "stalls"
    folder.mkdir()
    for name, text in (("pack", PACK), ("model", MODEL), ("rules", RULES)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder


def test_only_lines_of_menus_and_actions_can_be_missed(stalls):
    """A payment that can be made in one way is made without being offered, and is no line."""
    content = Content(load(str(stalls)), 2)

    assert {"turn: pay", "turn: keep"} <= content.lines.keys(), "they have a place all the same"
    assert content.menus == {"turn: rest": "turn", "turn: retire": "turn", "turn: sell": "turn"}


def lab(*given):
    return CliRunner().invoke(main, ["lab", *map(str, given)])


@pytest.mark.parametrize(
    ("games", "told"),
    [
        (5, "nothing stands out yet: 5 matches are too few; seats are tested from 100 matches on; "
             "1 line of a menu was never offered\n"),
        (120, "never offered: turn: retire was never offered, though turn asked in 120 matches\n"),
    ],
)  # fmt: skip
def test_report_says_what_it_can_tell(stalls, tmp_path, games, told):
    run, page = tmp_path / "run", tmp_path / "page.html"
    assert lab("run", stalls, "--games", games, "--jobs", 1, "--out", run).exit_code == 0

    result = lab("report", run, "--out", page)

    assert result.exit_code == 0, result.output
    assert told in result.output
    assert "matches \n" not in result.output, "no list of matches where none is named"
    assert "turn: pay" not in result.output


def test_too_few_games_are_refused_before_they_are_played(stalls, tmp_path):
    out = tmp_path / "worth"

    result = lab("worth", stalls, "--without", "sell", "--games", 20, "--out", out)

    assert result.exit_code == 2
    assert "Invalid value for '--games': 20 is too few: the minimum is 30." in " ".join(result.output.split())
    assert not out.exists()


def test_coverage_of_no_scenario_is_not_all(stalls):
    result = CliRunner().invoke(main, ["test", str(stalls), "--coverage"])

    assert "100" not in result.output
    assert "no scenario ran, so there is no coverage" in result.output
