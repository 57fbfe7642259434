"""What a match was worth."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load
from patolli.measure.environments.rewards import check, rewards, sums_to_zero


class Ended:
    """A match that has ended in some way."""

    def __init__(self, scores, ranks, winners, pack="high_water"):
        self.scores, self.ranks, self.winners, self.players = scores, ranks, winners, len(scores)
        self.ruleset = load(pack)


@pytest.mark.parametrize(
    ("ranks", "worth"),
    [
        ([1, 2], [1, -1]),
        ([1, 1], [0, 0]),
        ([3, 1, 2], [-1, 1, 0]),
        ([1, 1, 3], [0.5, 0.5, -1]),
        ([1, 2, 2, 4], [1, 0, 0, -1]),
        ([1, 1, 1], [0, 0, 0]),
    ],
)
def test_ranks_are_worth_equal_steps(ranks, worth):
    found = rewards(Ended([0] * len(ranks), ranks, []), "rank")

    assert found == pytest.approx(worth)
    assert sum(found) == pytest.approx(0)


def test_winners_are_reported_where_there_are_no_ranks():
    assert rewards(Ended([5, 0, 0], [], [0, 2]), "rank") == [1, -1, 1]
    assert rewards(Ended([5, 0], [], []), "rank") == [-1, -1]
    assert rewards(Ended([5], [1], [0]), "rank") == [1]


@pytest.mark.parametrize(("winners", "worth"), [([0], [1, -1]), ([1], [-1, 1]), ([], [0, 0]), ([0, 1], [0, 0])])
def test_of_two_who_are_against_each_other_one_has_what_the_other_has_not(winners, worth):
    """Also where the pack says who has won and no more."""
    match = Ended([0, 0], [], winners, "hex")

    assert rewards(match, "rank") == worth
    assert rewards(match, "win") == [1 if seat in winners else -1 for seat in range(2)]


def test_win_and_margin():
    match = Ended([9, 4, 7], [1, 3, 2], [0])

    assert rewards(match, "win") == [1, -1, -1]
    assert rewards(match, "margin") == [2, -5, -2]


def test_what_cannot_be_rewarded_is_said():
    with pytest.raises(ValueError, match="unknown reward 'points'; use one of rank, win, margin"):
        check(load("tic_tac_toe"), "points")


@pytest.mark.parametrize(
    ("pack", "modules", "players", "kind", "zero"),
    [
        ("tic_tac_toe", [], 2, "rank", True),
        ("tic_tac_toe", [], 2, "win", False),
        ("high_water", [], 2, "rank", False),
        ("hex", [], 2, "rank", True),
        ("hex", [], 2, "win", False),
        ("chess", [], 2, "rank", True),
        ("curios", [], 3, "rank", True),
        ("city_of_gods", ["solo"], 1, "rank", False),
    ],
)
def test_rewards_that_add_up_to_0_are_known(pack, modules, players, kind, zero):
    assert sums_to_zero(load(pack, modules), players, kind) is zero
