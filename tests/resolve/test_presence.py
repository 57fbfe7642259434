"""A player, copy or piece of a player that some matches lack may be none; the author learns which matches these are.

Every text is a trigger of the sample pack, for two to four players, with some pieces whose copies depend on the match.
"""

from __future__ import annotations

import pytest
from packmaker import problems, trigger

PIECES = """
# pieces.yaml
document: pieces
kind: chip
place: purse
pieces:
  each: {copies: seats}
  more: {copies: bonus + 1}
  both: {copies: seats + bonus - 2}
  some: {copies: many}
  lone: {}
# dice.yaml
document: model
kinds:
  chip: {fields: {used: bool = false}}
  die: {per: player, copies: seats - 1, fields: {pips: int 1..6 = 1}}
places:
  purse: {of: chip, type: area}
constants:
  many: {type: int, value: {by: length, long: 3, short: 2}}
"""
MISSING = {
    "gain 1 point for player_3": "with 2 players there is no 'player_3': test it first, as in 'if player_3: ..'",
    "gain 1 point for player_4": "with 2 or 3 players there is no 'player_4': test it first, as in 'if player_4: ..'",
    "set each_4.used to true": "with 2 or 3 players there is no 'each_4': test it first, as in 'if each_4: ..'",
    "move each_3 to purse": "with 2 players there is no 'each_3': test it first, as in 'if each_3: ..'",
    "set more_3.used to true": ("with bonus 0 or 1 there is no 'more_3': test it first, as in 'if more_3: ..'"),
    "set both_5.used to true": (
        "in some matches, as with 2 players and bonus 0, there is no 'both_5': test it first, as in 'if both_5: ..'"
    ),
    "set some_3.used to true": ("with length short there is no 'some_3': test it first, as in 'if some_3: ..'"),
    "set player_1.die_2.pips to 3": (
        "with 2 players there is no 'player_1.die_2': test it first, as in 'if player_1.die_2: ..'"
    ),
    "let v = player_3.coin": "with 2 players there is no 'player_3': test it first, as in 'if player_3: ..'",
    "if seats > 2: gain 1 point for player_4": (
        "with 2 or 3 players there is no 'player_4': test it first, as in 'if player_4: ..'"
    ),
    "if length == long: nothing\nelse: set some_3.used to true": (
        "with length short there is no 'some_3': test it first, as in 'if some_3: ..'"
    ),
}
THERE = [
    "gain 1 point for player_2",
    "set each_2.used to true",
    "set more_1.used to true",
    "set some_2.used to true",
    "set lone.used to true",
    "set player_2.die_1.pips to 3",
    "if player_3: gain 1 point for player_3",
    "stop unless player_4\ngain 1 point\ngain 1 point for player_4\ngain 1 point for player_3",
    "if player_3 != none: gain 1 point; gain 1 point for player_3",
    "if seats > 3: gain 1 point for player_4",
    "if seats < 4: stop\nset each_4.used to true",
    "if bonus >= 2: set more_3.used to true",
    "if length == long: set some_3.used to true",
    "if seats == 4 and bonus == 3: set both_5.used to true",
    "if player_3 and player_1.die_2: set player_1.die_2.pips to 3",
    "for p in players: if player_3: gain 1 point for player_3",
    "let v = player_3 or player_1\ngain 1 point for v",
    "if player_1: gain 1 point",
]
NEVER = {
    "gain 1 point for player_5": "there are 2 to 4 players: player_1 to player_4",
    "set each_5.used to true": "its copies are each_1 to each_4",
    "set more_5.used to true": "its copies are more_1 to more_4",
    "set some_4.used to true": "its copies are some_1 to some_3",
    "set lone_1.used to true": "there is one, 'lone'",
    "set each_0.used to true": "its copies are each_1 to each_4",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("presence")


def found(folder, effect):
    return [p for p in problems(folder, trigger(effect) + PIECES) if p.severity == "error"]


@pytest.mark.parametrize(("effect", "help_"), MISSING.items())
def test_what_a_match_may_lack_must_be_tested(folder, effect, help_):
    assert [(p.code, p.help) for p in found(folder, effect)] == [("P0303", help_)]


@pytest.mark.parametrize("effect", THERE)
def test_what_every_match_has_needs_no_test(folder, effect):
    assert found(folder, effect) == []


@pytest.mark.parametrize(("effect", "help_"), NEVER.items())
def test_what_no_match_has_is_unknown(folder, effect, help_):
    assert [(p.code, p.help) for p in found(folder, effect)] == [("P0201", help_)]


def test_a_piece_of_a_player_is_named_with_a_number(folder):
    assert [p.code for p in found(folder, "set me.die_1.pips to 3")] == ["P0201"]


TABLES = [
    ("{by: seats, 2: [player_1], 3: [player_3], else: [player_4]}", []),
    ("{by: seats, 2: [player_3], else: [player_3]}", ["P0303"]),
    ("{by: seats, 2: [player_1], else: [player_4]}", ["P0303"]),
]


@pytest.mark.parametrize(("value", "codes"), TABLES)
def test_rows_of_a_table_are_for_their_number_of_players(folder, value, codes):
    constant = f"\n# order.yaml\ndocument: model\nconstants:\n  order: {{type: list of player, value: {value}}}\n"
    read = trigger("for p in order: gain 1 point for p")
    (folder / "sample" / "order.yaml").unlink(missing_ok=True)
    errors = [p for p in problems(folder, read + constant) if p.severity == "error"]
    (folder / "sample" / "order.yaml").unlink()

    assert [p.code for p in errors] == codes


RANDOM = {
    "random v in card\nset v.used to true": [],
    "random v in rare\nset v.used to true": ["P0303"],
    "random v in rare\nif v: set v.used to true": [],
    "if bonus > 0: random v in rare; set v.used to true": [],
    "random v in {plain_1, plain_2}\nset v.used to true": [],
    "random v in cell\nset v.owner to me": [],
    "random v in players\ngain 1 point for v": [],
    "random v in hand(me)\nset v.used to true": ["P0303"],
    "random v in 1..6\ngain v coin": [],
}
RARE = """
# rare.yaml
document: model
kinds:
  rare: {fields: {used: bool = false}}
places:
  vault: {of: rare, type: area}
# rarities.yaml
document: pieces
kind: rare
place: vault
pieces:
  gem: {copies: bonus}
"""


@pytest.mark.parametrize(("effect", "codes"), RANDOM.items())
def test_random_takes_one_of_what_is_surely_there(tmp_path, effect, codes):
    errors = [p.code for p in problems(tmp_path, trigger(effect) + RARE) if p.severity == "error"]

    assert errors == codes
