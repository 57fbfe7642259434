"""Undo at a terminal: past bots when alone, to the beginning of the turn, and never past what stays."""

from __future__ import annotations

import pytest
from packmaker import DATA
from sitting import sit

import patolli


@pytest.fixture(scope="module")
def ticks() -> patolli.Ruleset:
    return patolli.load("tic_tac_toe")


def test_what_bots_did_since_is_undone_with_ones_own_choice(ticks):
    sat = sit(ticks, ["b2", "undo", "a1"])

    assert "undone: b2, and what player 2 did since\n" in sat.text
    assert sat.session.match.choices[0] == 0
    assert len(sat.session.match.choices) == 2


def test_what_another_person_decided_is_not(ticks):
    sat = sit(ticks, ["b2", "a1", "undo"], "human human")

    assert "cannot undo: player 2 has decided since\n" in sat.text
    assert len(sat.session.match.choices) == 2


def test_nothing_was_decided(ticks):
    sat = sit(ticks, ["undo"], "greedy human")

    assert "cannot undo: you have not decided anything yet\n" in sat.text


def test_match_from_a_save_can_be_gone_back_in(ticks):
    match = ticks.start(2, 1)
    match.choose("b2")
    match.choose("a1")

    assert "undone: b2, and what player 2 did since" in sit(ticks, ["undo"], match=match).text


def test_chance_stays():
    sat = sit(patolli.load("patolli"), ["1", "undo"], seed=3)

    assert "cannot undo: chance has taken part\n" in sat.text


TURNS = """\
document: rules
rules:
  match: |
    loop:
      repeat 3 times:
        choose n in 1..3 "How many?"
        gain n coin
        if coin > 20: end match
      pass to next(me)
result: {score: coin}
"""


@pytest.fixture
def turns(tmp_path) -> patolli.Ruleset:
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: turns\nversion: 1.0.0\nlanguage: 1\ntitle: Turns\nplayers: {min: 2, max: 3}\n"
    )
    (tmp_path / "model.yaml").write_text("document: model\ncounters:\n  coin: {per: player, max: 30, text: Coins}\n")
    (tmp_path / "rules.yaml").write_text(TURNS)
    return patolli.load(str(tmp_path))


@pytest.mark.parametrize(
    ("typed", "left", "words"),
    [
        pytest.param(["c", "b", "undo turn"], 0, "undone: 2 choices, starting with '3'", id="in the middle of it"),
        pytest.param(["c", "undo turn"], 0, "undone: 3\n", id="behind its first choice"),
        pytest.param(
            ["c", "b", "a", "undo turn"],
            0,
            "starting with '3', and what player 2 and player 3 did since",
            id="past bots",
        ),
        pytest.param(["c", "b", "a", "c", "undo turn"], 9, "undone: 3\n", id="no further than this turn"),
        pytest.param(["c", "b", "undo trun"], 2, "'undo' undoes your last choice, 'undo turn'", id="misspelt"),
    ],
)
def test_whole_turn_is_undone(turns, typed, left, words):
    sat = sit(turns, typed, "human greedy greedy")

    assert len(sat.session.match.choices) == left
    assert words in sat.text


def test_turn_begins_with_the_choice_that_stands_below_its_heading(tmp_path):
    headed = "  match: |\n    repeat 4 times:\n      turn()\n    end match\n  turn:\n    heading: A turn\n    do: |\n"
    asked = '      repeat 3 times:\n        choose n in 1..3 "How many?"\n        gain n coin\nresult: {score: coin}\n'
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: turns\nversion: 1.0.0\nlanguage: 1\ntitle: Turns\nplayers: {min: 1, max: 1}\n"
    )
    (tmp_path / "model.yaml").write_text("document: model\ncounters: {coin: {per: player, max: 90, text: Coins}}\n")
    (tmp_path / "rules.yaml").write_text(f"document: rules\nrules:\n{headed}{asked}")
    rules = patolli.load(str(tmp_path))

    again = sit(rules, ["c", "b", "a", "b", "c", "undo turn"], "human")
    assert again.session.match.choices == [2, 1, 0]
    assert "undone: 2 choices, starting with '2'\n" in again.text
    assert sit(rules, ["c", "b", "undo turn"], "human").session.match.choices == []


def test_turn_is_undone_as_far_as_it_may_be(turns, tmp_path):
    thrown = "        if n == 3:\n          random x in 1..2\n          gain x coin\n"
    (tmp_path / "rules.yaml").write_text(TURNS.replace("        gain n coin\n", f"        gain n coin\n{thrown}"))
    sat = sit(patolli.load(str(tmp_path)), ["c", "b", "undo turn"], "human greedy")

    assert sat.session.match.choices == [2]
    assert "undone: 2\ncannot undo more: chance has taken part\n" in sat.text


def test_what_a_player_has_learned_stays():
    sat = sit(patolli.load(str(DATA / "hunt")), ["cave_1", "dig cave 1, player 2", "undo"], "human random")

    assert "cannot undo: a player has learned something\n" in sat.text
    assert len(sat.session.match.choices) > 2
