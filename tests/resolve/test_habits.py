"""What is told of names that nearly are those of the pack: which one is meant, as it is written."""

from __future__ import annotations

import pytest
from packmaker import problems, trigger

MODEL = """\
document: model
enums:
  family: [honeys, mosses]
kinds:
  plant: {facts: {family: family}}
  spy: {per: player, facts: {at: family}}
places:
  garden: {of: plant, type: pile}
  camp: {of: spy, per: player, type: area}
# plants.yaml
document: pieces
kind: plant
place: garden
pieces:
  honey: {copies: 1, family: %s}
# spies.yaml
document: pieces
kind: spy
pieces:
  scout: {copies: 2, at: mosses}
# rules2.yaml
"""


@pytest.mark.parametrize(
    ("effect", "help_"),
    [
        ("let s = player_1.scout", "did you mean 'scout_1'?"),
        ("let s = player_1.scuot_1", "did you mean 'scout_1'?"),
        ("let n = me.coins", "did you mean 'coin'?"),
        ("if honey in garden: nothing", "'honey' is what they have in common; its one copy is honey_1"),
    ],
)
def test_help(tmp_path, effect, help_):
    found = problems(tmp_path, MODEL % "honeys" + trigger(effect))
    assert help_ in [problem.help for problem in found if problem.severity == "error"]


def test_member_whose_name_is_nearly_that_of_a_piece(tmp_path):
    found = problems(tmp_path, MODEL % "honey" + trigger("nothing"))
    (problem,) = [problem for problem in found if problem.severity == "error"]
    assert (problem.help, problem.fixes[0].edits[0].text) == ("did you mean 'honeys'?", "honeys")
