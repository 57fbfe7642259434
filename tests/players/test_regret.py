"""Answers that are mixed, on games whose equilibria are known."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from toygames import Coins, Nim
from twins import twin

import patolli
from patolli.play.players import Budget, SearchBot, make_bot
from patolli.play.players.bots import BOTS
from patolli.play.players.search import Search
from patolli.play.players.search.matches import Asked, Impossible, Matches, restart_match
from patolli.play.players.search.regret import LONG, PROBE, Information, RegretSearch

ROOT = Path(__file__).parents[2]
KUHN, LEDUC = str(ROOT / "tests/data/kuhn"), str(ROOT / "content/gallery/leduc_poker")
GALLERY = ROOT / "content/gallery"


class Pennies(Coins):
    """Matching pennies, in which the second seat gets so much for heads that are guessed, and one for tails."""

    opposed = True

    def __init__(self, heads=1, sealed=False):
        super().__init__(0, sealed)
        self.heads = heads

    def beginning(self, draw):
        return []

    def is_sealed(self, position):
        return self._sealed and len(position) < 2

    def visible_choice(self, position, index):
        return "ht"[index] if self._sealed else "a coin"

    def outcome(self, position):
        won = (self.heads if position[0] == "h" else 1) if position[0] == position[1] else 0
        return [-won, won]


class Rounds(Pennies):
    """Matching pennies twice over, all under seal; what was laid in the first round all see in the second."""

    def __init__(self):
        super().__init__(sealed=True)

    def world(self, draw):
        return []

    def open_question(self, position):
        return Asked(len(position), len(position) % 2, "ht") if len(position) < 4 else None

    def is_sealed(self, position):
        return len(position) < 4

    def outcome(self, position):
        won = sum(position[n] == position[n + 1] for n in (0, 2)) / 2
        return [1 - won, won]


def test_what_was_under_seal_is_known_when_the_next_is_asked():
    """Also where one question under seal follows another at once."""
    search = RegretSearch(Rounds(), 1)
    search.run(200)
    assert {asked: sum(one == asked for one, _, _ in search.sets) for asked, _, _ in search.sets} == {
        0: 1, 1: 1, 2: 4, 3: 4,
    }  # fmt: skip
    tree = Search(Rounds(), 1)
    tree.run(400)
    (first,) = tree.roots[0].asks.values()
    assert all(len(behind.asks) == 1 for own in first.children.values() for behind in next(iter(own.asks.values())).children.values())  # fmt: skip
    assert {len(next(iter(own.asks.values())).children) for own in first.children.values()} == {2}


def shares(search, key):
    (found,) = [one for (asked, _, _), one in search.sets.items() if asked == key]
    return found.average()


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("heads", [1, 3])
def test_matching_pennies_are_mixed_as_the_stakes_want_it(heads, sealed):
    """Who hides a coin hides that more rarely which costs more, until both cost the same; who guesses does likewise."""
    search = RegretSearch(Pennies(heads, sealed), 1)
    search.run(8000)

    assert len(search.sets) == 2  # the player who guesses sees nothing of the coin
    assert shares(search, 0)[0] == pytest.approx(1 / (1 + heads), abs=0.05)
    assert shares(search, 1)[0] == pytest.approx(1 / (1 + heads), abs=0.05)


def test_one_answer_at_a_time_comes_to_the_same(monkeypatch):
    monkeypatch.setattr("patolli.play.players.search.regret.BRANCHES", 1.0)
    search = RegretSearch(Pennies(3), 1)
    search.run(12_000)

    assert search.traversals == search.simulations
    assert shares(search, 0)[0] == pytest.approx(0.25, abs=0.05)
    assert shares(search, 1)[0] == pytest.approx(0.25, abs=0.05)


def test_regret_does_not_fall_below_zero():
    found = Information(3)
    found.regret([0.0, 1.0, 3.0], 1.0)
    assert found.regrets == [0.0, 0.0, 2.0]
    assert found.policy() == [0.0, 0.0, 1.0]
    found.regret([4.0, 1.0, 0.0], 2.0)
    assert found.regrets == [2.0, 0.0, 0.0]


def test_traces_of_the_beginning_are_left_out():
    found = Information(3)
    found.given = [1.0, 30.0, 69.0]

    assert found.average() == pytest.approx([0, 30 / 99, 69 / 99])


def kuhn(card, *words, seed=0):
    """Return a match of Kuhn poker in which the player who is asked after some choices holds a card."""
    for number in range(seed, 1000):
        match = patolli.load(KUHN).start(2, number)
        for word in words:
            match.choose(word)
        seat = match.decision.player
        if match.view(seat)["places"]["hand"][f"player_{seat + 1}"] == [card]:
            return match
    raise AssertionError


def betting(card, *words, simulations=4000, seed=1):
    match = kuhn(card, *words)
    found = SearchBot(seed, Budget(simulations)).mixture(match)
    return found[match.decision.labels.index("bet")]


@pytest.mark.deep
def test_kuhn_poker_is_played_as_in_the_equilibrium():
    """What all equilibria share (Kuhn, A Simplified Two-Person Poker, 1950): a bluff comes off once in three times.

    That to win counts besides how much, makes a call a little more likely than there.
    """
    assert betting("king", "bet") == betting("king", "pass") == 1
    assert betting("jack", "bet") == 0
    assert betting("queen", "bet", simulations=20_000) == pytest.approx(0.4, abs=0.12)
    assert betting("jack", "pass") == pytest.approx(0.33, abs=0.12)
    assert betting("queen") < 0.1
    assert betting("jack") <= 0.45


@pytest.mark.deep
def test_bluffs_come_and_go_with_the_draw():
    match = kuhn("jack", "pass")
    made = {SearchBot(seed, Budget(1000)).decide(match) for seed in range(12)}

    assert len(made) == 2


def test_same_seed_same_answers():
    made = []
    for _ in range(2):
        match = patolli.load(LEDUC).start(2, 5)
        bots = [make_bot("mcts:300", 7, seat) for seat in range(2)]
        while not match.over:
            match.pick(bots[match.decision.player].decide(match))
        made.append(match.choices)

    assert made[0] == made[1]


@pytest.mark.deep
@pytest.mark.parametrize("words", [(), ("call",), ("call", "raise"), ("raise", "call")])
def test_it_knows_no_more_than_its_seat(words):
    match = patolli.load(LEDUC).start(2, 3)
    for word in words:
        match.choose(word)
    seat, others = match.decision.player, 0
    budget = Budget(2000 if len(words) > 1 else 400)
    mixed = SearchBot(1, budget).mixture(match)
    for seed in range(3000):  # matches that went alike, with other cards where the seat does not look
        other = patolli.load(LEDUC).start(2, seed)
        for word in words:
            other.choose(word)
        if other.view(seat) == match.view(seat) and other.state != match.state:
            assert SearchBot(1, budget).mixture(other) == mixed
            others += 1
            if others == 3:
                break

    assert mixed is not None
    assert others == 3


def test_twins_are_mixed_alike():
    from random import Random

    match = patolli.load(LEDUC).start(2, 3)
    mixed = SearchBot(1, Budget(400)).mixture(match)
    for seed in range(4):
        other = twin(match, 0, Random(seed))
        other.pending = match.pending
        assert SearchBot(1, Budget(400)).mixture(other) == mixed


@pytest.mark.parametrize(
    ("pack", "players", "small"),
    [
        (KUHN, 2, True), (LEDUC, 2, True), (str(GALLERY / "goofspiel"), 2, False),
        (str(GALLERY / "promises"), 3, False), ("city_of_gods", 2, False),
    ],
)  # fmt: skip
def test_what_is_small(pack, players, small):
    search = RegretSearch(Matches(patolli.load(pack).start(players, 1)), 1)

    assert search.small() is small
    assert search._questions <= PROBE * LONG


def test_long_line_is_given_up():
    class Endless(Pennies):
        def open_question(self, position):
            found = super().open_question([])
            return found._replace(key=len(position))

    search = RegretSearch(Endless(), 1)

    assert not search.small()
    assert search._questions == LONG + 1


def test_nothing_is_mixed_where_nothing_is_hidden():
    assert SearchBot(1, Budget(50)).mixture(patolli.load("tic_tac_toe").start(2, 1)) is None
    assert RegretSearch(Nim(4), 1).small() is False  # a game that cannot say how it begins


@pytest.mark.deep
def test_pairs_of_every_game_are_compared(monkeypatch):
    """A few of those that ``tools/bench/alike.py`` compares; a bot that looks at the state is found out."""
    monkeypatch.syspath_prepend(str(ROOT / "tools/bench"))
    from alike import PACKS, compared

    class Peeking(SearchBot):
        def decide(self, match):
            return hash(str(match.state[2:])) % len(match.pending)

    small = [pack for pack in PACKS if "leduc" in pack or "goofspiel" in pack]
    assert [(done, unlike) for _, done, unlike in compared(small, "mcts:30", 12, 60)] == [(6, 0), (6, 0)]
    monkeypatch.setitem(BOTS, "random", Peeking)
    assert sum(unlike for _, _, unlike in compared(small, "random", 40, 60)) > 0


def test_what_is_hardly_ever_met_is_for_a_search():
    match = kuhn("king", "pass", "bet")
    bot = SearchBot(1, Budget(2))

    assert bot.mixture(match) is None
    assert 0 <= bot.decide(match) < 2


def test_match_put_together_by_hand_is_not_taken_for_another():
    match = kuhn("king")
    search = RegretSearch(Matches(match), 1)
    search.run(300)
    assert search.find_information(restart_match(match, match.state[1]), match.choices, match) is not None
    other = kuhn("jack")
    assert search.find_information(restart_match(match, match.state[1]), match.choices, other) is None


def test_world_that_cannot_be_teaches_nothing():
    class Broken(Pennies):
        def pick(self, position, index):
            raise Impossible

    search = RegretSearch(Broken(), 1)
    assert search.run(10) == 10
    assert all(one.regrets == [0.0, 0.0] for one in search.sets.values())


def test_little_can_be_won_from_it_in_kuhn_poker():
    pytest.importorskip("pyspiel")
    sys.path[:0] = [str(ROOT / "tools/bench"), str(ROOT / "tools")]
    try:
        from search import exploited
    finally:
        del sys.path[:2]
    won, chance = exploited("kuhn_poker", KUHN, 1000, 0)

    assert chance == pytest.approx(0.458, abs=0.001)
    assert won < chance / 3


def test_average_of_many_answers_that_are_all_given_seldom():
    found = Information(80)
    found.given = [1.0] * 79 + [0.1]
    assert found.average() == pytest.approx([1 / 79] * 79 + [0.0])
