"""So many positions are reached in so many moves, as others have counted them."""

from __future__ import annotations

import pytest
from perft import from_scenario, perft

import patolli

pytestmark = pytest.mark.deep


@pytest.mark.parametrize(("moves", "positions"), [(1, 20), (2, 400), (3, 8_902)])
def test_chess_from_the_beginning(moves, positions):
    assert perft(patolli.load("chess").start(2, 0), moves, "half_moves") == positions


@pytest.mark.parametrize(("scenario", "positions"), [("kiwipete", 2_039), ("endgame", 191), ("promotions", 264)])
def test_chess_with_all_that_moves_can_be(scenario, positions):
    assert perft(from_scenario("chess", scenario), 2, "half_moves") == positions


def test_every_answer_is_a_move_unless_something_counts_moves():
    rules = patolli.load("tic_tac_toe")

    assert [perft(rules.start(2, 0), answers) for answers in range(4)] == [1, 9, 72, 504]


def test_what_is_forced_is_a_move_too():
    """With the last cell but one, the last one is filled without a question: still one position each."""
    match = patolli.load("goofspiel", options={"ranks": 2}).start(2, 1)

    assert perft(match, 2) == 4


@pytest.mark.parametrize(("counter", "scenario"), [("nothing", ""), ("half_moves", "nowhere")])
def test_what_is_not_there_is_reported(counter, scenario):
    with pytest.raises(LookupError, match=counter if counter == "nothing" else scenario):
        perft(from_scenario("chess", scenario) if scenario else patolli.load("chess").start(2, 0), 1, counter)
