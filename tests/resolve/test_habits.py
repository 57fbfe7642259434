"""What is reported of names that nearly are those of the pack: which one is meant, as it is written."""

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
  honey: {copies: 2, family: %s}
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
        ("if honey in garden: nothing", "'honey' is what they have in common; its copies are honey_1 to honey_2"),
    ],
)
def test_help(tmp_path, effect, help_):
    found = problems(tmp_path, MODEL % "honeys" + trigger(effect))
    assert help_ in [problem.help for problem in found if problem.severity == "error"]


def test_member_whose_name_is_nearly_that_of_a_piece(tmp_path):
    found = problems(tmp_path, MODEL % "honey" + trigger("nothing"))
    (problem,) = [problem for problem in found if problem.severity == "error"]
    assert (problem.help, problem.fixes[0].edits[0].text) == ("did you mean 'honeys'?", "honeys")


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ("gain 1 any good for everyone", "one after the other: 'for p in players: gain 1 any good for p'"),
        ("lose all coin", "write 'set coin to 0'"),
        ("as players: gain 1 coin", "take one of the list, with 'for', 'choose' or 'first(..)'"),
        ("for p in others: gain 1 coin for p", "it is a function: write others(me)"),
        ("let n = charm.size", "write 'size(charm)'"),
        ("if card.number > 3: nothing", "its items have"),
        ("if any(c in card where card.number > 3): nothing", "'c' is one of them here"),
        ("let n = coin[me]", "write 'coin(me)'"),
        ("if bag is empty: gain 1 coin", "write 'not bag'"),
    ],
)
def test_what_is_written_elsewhere(tmp_path, effect, told):
    """What to write is reported in the names of the pack; a fact of the items of a list is not taken for their number."""
    found = [problem.help for problem in problems(tmp_path, trigger(effect)) if problem.severity == "error"]
    assert any(told in help_ for help_ in found), found


@pytest.mark.parametrize("effect", ["lose all any good", "pay all any good: nothing"])
def test_all_of_a_group_is_no_counter(tmp_path, effect):
    assert not any("set good" in p.help or "good good" in p.help for p in problems(tmp_path, trigger(effect)))
