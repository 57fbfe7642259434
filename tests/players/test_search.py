"""The search by itself, on games that are fully known."""

from __future__ import annotations

from itertools import count

import pytest
from toygames import Coins, Dice, Nim, Prize

from patolli.play.players.search import Search
from patolli.play.players.search import search as tree_search
from patolli.play.players.search.history import History
from patolli.play.players.search.tree import Ask, Node, order, prove_bounds


def root(search):
    (ask,) = search.root.asks.values()
    return ask


def visits(search):
    return [node.visits for node in root(search).nodes]


def everything(node):
    """All that a tree holds, as plain data."""
    return (
        node.visits, node.total, node.bounds, node.available,
        [(key, ask.visits, [(value, everything(one)) for value, one in ask.children.items()])
         for key, ask in node.asks.items()],
    )  # fmt: skip


@pytest.mark.parametrize("left", range(1, 15))
def test_nim_is_proved(left):
    """Who is to move loses with a heap of 4, 8, 12; elsewhere takes what leaves such a heap."""
    search = Search(Nim(left), 1)
    search.run(30_000)

    if left == 1:  # a single answer is no question
        assert search.root.bounds is None
        return
    assert search.is_decided
    assert search.root.bounds[0][0] == float(left % 4 > 0)
    if left % 4:
        assert root(search).options[order(root(search), 0, 1.0)[0]] == left % 4


def forced(left, seat, seats=3):
    """What each seat can force alone in Nim, by looking at everything: all others want it to lose."""
    if not left:
        return [float(one == (seat - 1) % seats) for one in range(seats)]
    after = [forced(left - n, (seat + 1) % seats) for n in range(1, min(3, left) + 1)]
    return [max(one[s] for one in after) if s == seat else min(one[s] for one in after) for s in range(seats)]


@pytest.mark.parametrize("left", range(2, 10))
def test_with_three_seats_what_is_proved_can_be_forced(left):
    search = Search(Nim(left, 3), 1)
    search.run(5_000)
    low, high = search.root.bounds or ((0.0,) * 3, (1.0,) * 3)

    assert search.is_decided or left > 3
    assert all(one <= sure for one, sure in zip(low, forced(left, 0), strict=True))
    if left <= 3:
        assert (low[0], high[0]) == (1.0, 1.0)


def test_what_is_proved_of_answers():
    def ask(*bounds):
        found = Ask()
        found.offer(range(len(bounds)))
        for index, one in enumerate(bounds):
            node = found.grow(index)
            node.bounds = one
        return found

    won, lost, drawn = ((1.0, 0.0),) * 2, ((0.0, 1.0),) * 2, ((0.5, 0.5),) * 2
    assert prove_bounds(ask(lost, won, None), 0, 2, True) == won
    assert prove_bounds(ask(lost, lost), 0, 2, True) == lost
    assert prove_bounds(ask(lost, drawn), 0, 2, True) == drawn
    assert prove_bounds(ask(lost, drawn, None), 0, 2, True) == ((0.5, 0.0), (1.0, 0.5))
    first, second, third = ((one,) * 2 for one in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assert prove_bounds(ask(second, third), 0, 3, False) == (
        (0, 0, 0),
        (0, 1, 1),
    )  # who gets it is the choice of seat 0
    assert prove_bounds(ask(second, second), 0, 3, False) == second
    assert prove_bounds(ask(first, None), 0, 3, False) == ((1, 0, 0), (1, 1, 1))


def test_best_answer_of_hand_made_nodes():
    def node(visits, total, bounds=None):
        found = Node()
        found.visits, found.total = visits, total
        found.bounds = bounds and (bounds, bounds)
        return found

    ask = Ask()
    ask.options = range(5)
    ask.nodes = [node(50, 30), node(10, 9), node(3, 0, (1.0, 0.0)), node(99, 80, (0.0, 1.0)), None]

    assert order(ask, 0) == [2, 0, 1, 4, 3]  # a victory, the most visits, what was never tried, a defeat
    ask.nodes = [node(50, 1, (0.0, 1.0)), node(70, 1, (0.0, 1.0)), node(2, 1, (0.5, 0.5)), node(9, 9), node(1, 0)]
    assert order(ask, 0, 0.5)[0] == 2  # the draw that is all there is
    ask.nodes = [node(50, 1, (0.0, 1.0)), node(70, 1, (0.0, 1.0)), node(60, 1, (0.0, 1.0)), None, None]
    assert order(ask, 0)[2] == 1  # of defeats the one that took longest to prove


def test_of_equal_answers_each_is_tried_as_often():
    """The first one was tried more often, all over the tree."""
    search, ask, tried = Search(Nim(3), 1), Ask(), [0] * 4
    ask.offer(range(4))
    for index, total in enumerate([1.0, 2.0, 2.0, 2.0]):
        node = ask.grow(index)
        node.visits, node.total, node.mean, node.rare = 4, total, total / 4, 0.5
    ask.visits = 16
    for _ in range(300):
        tried[search._promising(ask, 0, 0.0)] += 1

    assert tried[0] == 0
    assert all(70 < number < 130 for number in tried[1:])


@pytest.mark.parametrize(
    ("among", "index"), [pytest.param(2, 1, id="best of two"), pytest.param(4, 2, id="best of four")]
)
def test_answer_beyond_the_tree_is_the_best_of_a_few(among, index):
    history, drawn = History(), iter([0.0, 0.3, 0.6, 0.1])
    for answer, payoff in (("a", 0.2), ("b", 0.5), ("c", 0.9), ("d", 1.0)):
        history.note(7, answer, payoff)

    assert history.guess(7, ["a", "b", "c", "d"], lambda: next(drawn), among) == index


def test_answer_beyond_the_tree_that_was_never_given_comes_first():
    history, drawn = History(), iter([0.0, 0.9, 0.6])
    history.note(7, "a", 1.0)
    history.note(7, "c", 1.0)

    assert history.guess(7, ["a", "b", "c", "d"], lambda: next(drawn), 3) == 3


@pytest.mark.parametrize(("sure", "best"), [(3, "throw"), (4, "take")])
def test_chance_is_what_it_is_on_average(sure, best):
    search = Search(Dice(sure), 5)
    search.run(3000)
    ask = root(search)

    assert ask.options[order(ask, 0)[0]] == best
    throw = ask.children["throw"]
    if best == "throw":  # else it is tried too seldom to tell
        assert throw.total / throw.visits == pytest.approx(3.5 / 6, abs=0.05)


@pytest.mark.parametrize("seat", [0, 1])
def test_no_player_learns_in_the_tree_what_is_hidden(seat):
    search = Search(Coins(seat), 3)
    search.run(6000)

    assert [one.total / one.visits for one in root(search).nodes] == pytest.approx([0.5, 0.5], abs=0.06)


def test_one_tree_for_all_would_see_the_coin():
    """The game of the last test can tell the difference."""
    game = Coins(1)
    game.hides = False
    search = Search(game, 3)
    search.run(6000)
    game = Coins(0)
    game.hides = False
    first = Search(game, 3)
    first.run(6000)

    assert max(one.total / one.visits for one in root(first).nodes) < 0.3  # as if the other looked


def test_an_answer_that_is_seldom_there_is_measured_by_the_times_it_was():
    search = Search(Prize(), 2)
    search.run(2000)
    ask = root(search)
    rare = ask.children["rare"]

    assert 150 < rare.available + ask.since * (rare in ask.nodes) < 250
    assert rare.visits > 0.8 * 190
    assert ask.children["sure"].visits > ask.children["risky"].visits


@pytest.mark.parametrize("game", [Nim(23), Dice(3), Coins(1)], ids=["nim", "dice", "coins"])
def test_to_go_on_is_the_same_as_not_to_stop(game):
    once, twice = Search(game, 7), Search(game, 7)
    once.run(400)
    twice.run(150)
    twice.run(250)

    assert everything(once.root) == everything(twice.root)


def test_a_clock_is_looked_at_after_every_simulation():
    ticks = count()
    search = Search(Dice(3), 1)

    assert search.run(1000, 20, lambda: next(ticks)) == 21
    assert search.run(1000, 0, lambda: next(ticks)) == 1  # one at least


def test_a_proved_game_costs_nothing_more():
    search = Search(Nim(5), 1)
    search.run(1000)

    assert search.simulations < 1000
    assert search.run(1000) == 0


def test_wide_questions_are_tried_a_few_answers_at_a_time(monkeypatch):
    monkeypatch.setattr(tree_search, "WIDE", 1)
    narrow = Search(Nim(40), 1)
    narrow.run(2)
    assert sum(node is not None for node in root(narrow).nodes) < 3
    narrow.run(200)
    assert all(node is not None for node in root(narrow).nodes)


def test_equal_seeds_make_equal_trees_and_others_do_not():
    trees = []
    for seed in (1, 1, 2):
        search = Search(Nim(30), seed)
        search.run(100)
        trees.append(everything(search.root))

    assert trees[0] == trees[1] != trees[2]


class Ladder(Nim):
    """A game without end: the player who is asked climbs; a value is always best for who has just climbed."""

    certain = False

    def __init__(self):
        super().__init__(1000)
        self.ends = []

    def value(self, position):
        self.ends.append(len(position.line))
        return [1.0, 0.0] if position.seat else [0.0, 1.0]


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_all_simulations_are_cut_off_after_as_many_turns(rounds, monkeypatch):
    """Else lines that are searched deeper would end in the turn of another, where they look worse."""
    game = Ladder()
    monkeypatch.setattr(tree_search, "ROUNDS", rounds)
    Search(game, 1).run(300)

    assert set(game.ends) == {2 * rounds + 1}


def test_without_a_value_nothing_is_cut_off():
    game = Nim(9)
    game.certain = False
    search = Search(game, 1)
    search.run(100)

    assert search.root.visits == 0 < root(search).visits
