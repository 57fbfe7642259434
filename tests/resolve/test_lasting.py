"""What lasts as long as a rule is set back when that ends: fields of any piece, counters of everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from patolli.author.workspace import inspect, load
from patolli.run.runtime import Match

PACK = "document: pack\nid: brief\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Brief\nplayers: {min: 2, max: 2}\ncomponents: {mill: 2}\n"
MODEL = """\
document: model
kinds:
  mill: {fields: {used: {type: bool, lasts: turn}, by: {type: player or none, lasts: turn}}}
counters:
  strength: {per: player, start: 2, lasts: turn}
  seen: {per: [player, mill], lasts: turn}
  storm: {start: 1, lasts: round}
  point: {per: player}
"""
PIECES = "document: pieces\nkind: mill\npieces:\n  red: {}\n  blue: {}\n"
RULES = """\
document: rules
rules:
  match: |
    repeat 2 times: round()
  round(): |
    for p in players: as p: turn()
    choose n in 1..2 "Round over"
  turn():
    do: |
      choose m in mill where not m.used "Use which?"
      otherwise: stop
      set m.used to true
      set m.by to me
      gain 3 strength
      gain 1 seen(m)
      gain 1 storm
      choose n in 1..2 "And now?"
      stop if n == 1
      gain strength point
result: {score: point}
"""


def put(folder: Path, model: str = MODEL, rules: str = RULES) -> Path:
    pack = folder / "brief"
    pack.mkdir()
    for name, text in (("pack", PACK), ("model", model), ("pieces", PIECES), ("rules", rules)):
        (pack / f"{name}.yaml").write_text(text)
    return pack


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return load(str(put(tmp_path))).start(2, 1, narrate=True)


def counters(match: Match) -> dict[str, Any]:
    return match.view(0)["counters"]


def test_it_lasts_until_the_rule_ends(match: Match):
    match.choose("red")
    assert counters(match)["strength"]["player_1"] == 5
    assert match.view(0)["pieces"]["mill"]["red"] == {"used": True, "by": "player_1"}
    assert counters(match)["seen"]["player_1"]["red"] == 1
    match.choose("2")
    assert match.decision is not None
    assert match.decision.player == 1
    assert counters(match)["strength"]["player_1"] == 2
    assert counters(match)["seen"]["player_1"]["red"] == 0
    assert list(match.decision.labels) == ["red", "blue"]  # nothing is used any more
    assert counters(match)["storm"] == 2  # the round goes on


def test_also_where_the_rule_is_left_early(match: Match):
    match.choose("red")
    match.choose("1")
    assert counters(match)["strength"]["player_1"] == 2
    match.choose("blue")
    match.choose("1")
    assert counters(match)["storm"] == 3
    match.choose("1")
    assert counters(match)["storm"] == 1


def test_no_player_reads_it(match: Match):
    for label in ("red", "2", "blue", "2"):
        match.choose(label)
    assert not [line for line in match.log if "used" in line or "loses" in line]


def test_unknown_rule(tmp_path: Path):
    found = inspect(
        str(put(tmp_path, MODEL.replace("storm: {start: 1, lasts: round}", "storm: {start: 1, lasts: rund}")))
    )
    (problem,) = [one for one in found.problems if one.severity == "error"]
    assert (problem.code, problem.span.line, problem.help) == ("P0201", 7, "did you mean 'round'?")


def test_checker_has_nothing_to_say_about_what_is_set_back(tmp_path: Path):
    assert [one.code for one in inspect(str(put(tmp_path)), warnings=True).problems if one.severity == "error"] == []
