"""``--confirm``: a choice that ends a turn is asked about before it is made."""

from __future__ import annotations

import pytest
from packmaker import DATA
from sitting import sit

import patolli

ASKED = "Enter ends your turn, 'undo' cancels the choice> "


@pytest.fixture(scope="module")
def ticks() -> patolli.Ruleset:
    return patolli.load("tic_tac_toe")


@pytest.mark.parametrize(
    ("typed", "made"),
    [
        pytest.param(["b2", ""], [4], id="Enter"),
        pytest.param(["b2", "undo"], [], id="undone"),
        pytest.param(["b2", "undo", "a1", ""], [0], id="another one"),
        pytest.param(["b2", "show board", ""], [4], id="a look at the board meanwhile"),
        pytest.param(["b2", "what", ""], [4], id="something else typed"),
        pytest.param(["b2", "quit"], [], id="left"),
        pytest.param(["b2"], [], id="the input has ended"),
    ],
)
def test_end_of_a_turn_is_confirmed(ticks, typed, made):
    sat = sit(ticks, typed, confirm=True)

    assert sat.session.match.choices[:1] == made
    assert any(asked.endswith(ASKED) for asked in sat.asked)
    assert sat.text.count("The match ends here.") == 1


def test_no_player_is_asked_without(ticks):
    assert not any(asked.endswith(ASKED) for asked in sit(ticks, ["b2", "a1"]).asked)


def test_what_does_not_end_the_turn_needs_no_confirmation():
    rules = patolli.load("city_of_gods", ["first_game"])
    sat = sit(rules, ["1", "1", "1"], confirm=True)

    assert not sat.asked[1].endswith(ASKED)


@pytest.mark.deep
def test_seat_that_the_rules_play_is_another_player():
    rules = patolli.load("city_of_gods", ["solo", "first_game"])
    sat = sit(rules, ["4", "1", "undo"], "human rules", match=rules.start(None, 1), confirm=True)

    assert [asked.endswith(ASKED) for asked in sat.asked] == [False, False, True, False]
    assert len(sat.session.match.choices) == 1


def test_what_is_hidden_decides_nothing_here():
    """Whether the turn ends is looked up in worlds, never in the match."""
    rules = patolli.load(str(DATA / "hunt"))
    sat = sit(rules, ["cave_1", "", "rest", ""], "human random", confirm=True)

    assert len(sat.session.match.choices) > 2
