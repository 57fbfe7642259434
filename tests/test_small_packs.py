"""The small packs play by their rules: three of them like their versions by hand, move for move."""

from __future__ import annotations

from random import Random

import pytest

import patolli
from handwritten.breakthrough import Breakthrough
from handwritten.connect_four import ConnectFour
from handwritten.tic_tac_toe import TicTacToe

BY_HAND = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour, "breakthrough": Breakthrough}


def number(value):
    """The number that the version by hand gives to a move."""
    return 64 * value[0] + value[1] if isinstance(value, tuple) else value


@pytest.mark.parametrize("pack", BY_HAND)
def test_pack_plays_like_the_version_by_hand(pack):
    rules = patolli.load(pack)
    for seed in range(40):
        rng, match, game = Random(seed), rules.start(players=2, seed=seed), BY_HAND[pack]()
        while not game.over:
            legal = game.legal()
            if len(legal) == 1:  # the engine answers such a question by itself
                game.play(legal[0])
                continue
            options = [number(value) for value in match.options()]
            assert sorted(options) == sorted(legal)
            assert match.decision.player == game.turn
            index = rng.randrange(len(options))
            match.pick(index)
            game.play(options[index])

        assert match.options() is None
        assert match.winners == ([0, 1] if game.winner < 0 else [game.winner])


def play(pack, *labels):
    match = patolli.load(pack).start(players=2, seed=1)
    for label in labels:
        match.choose(label)
    return match


def test_three_in_a_row_win():
    match = play("tic_tac_toe", "a1", "a3", "b2", "b3", "c3")

    assert (match.over, match.scores, match.winners) == (True, [1, 0], [0])


def test_full_board_is_a_draw():
    match = play("tic_tac_toe", "a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3")  # c3 is the only cell left

    assert (match.over, match.scores, match.winners) == (True, [0, 0], [0, 1])


def test_four_in_a_diagonal_win():
    match = play("connect_four", "a", "b", "b", "c", "c", "d", "c", "d", "d", "g", "d")

    assert (match.over, match.winners) == (True, [0])


def test_full_column_is_not_offered():
    match = play("connect_four", *"aaaaaa")

    assert [option.label for option in match.decision.options] == list("bcdefg")


def test_pawn_captures_on_the_diagonal_only():
    match = play("breakthrough", "a2 -> a3", "b7 -> b6", "a3 -> a4", "a7 -> a6", "a4 -> a5", "h7 -> h6")
    labels = {option.label for option in match.decision.options}

    assert "a5 -> b6" in labels
    assert "a5 -> a6" not in labels
    match.choose("a5 -> b6")
    assert "b6 -> b5" not in {option.label for option in match.decision.options}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_patolli_ends(players):
    rules = patolli.load("patolli")
    for seed in range(30):
        match = patolli.playout(rules, players, seed)

        assert match.over
        assert sum(match.scores) == 6 * players
        assert len(match.choices) < 1000


def test_patolli_ends_when_a_player_has_lost_all_beads():
    rules = patolli.load("patolli", options={"stake": 1})
    match = patolli.playout(rules, 4, seed=3)

    assert 0 in match.scores
    assert sum(match.scores) == 4
