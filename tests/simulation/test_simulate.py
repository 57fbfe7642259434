"""Many games: the same result for any number of processes, and statistics that are right."""

from __future__ import annotations

import statistics
import tracemalloc
from hashlib import sha256
from random import Random

import pytest

import patolli
from patolli import load
from patolli.measure.simulation import Plan, game_seed, simulate
from patolli.measure.simulation.report import Spread, spread


@pytest.fixture(scope="module")
def rules():
    return patolli.load("patolli")


@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_change_nothing(rules, jobs):
    plan = Plan(3, 40, seed=9)
    one, many = simulate(rules, plan), simulate(rules, plan, jobs)

    assert many.digest == one.digest
    assert many.games == one.games
    assert [game.index for game in many.games] == list(range(40))


@pytest.mark.deep
def test_a_search_in_several_processes_plays_the_same_in_one_of_several():
    rules = patolli.load("tic_tac_toe")
    plan = Plan(2, 4, seed=3, bots="mcts:30x2")
    one, many = simulate(rules, plan), simulate(rules, plan, 2)

    assert not many.faults
    assert many.games == one.games


def test_games_are_those_of_their_seeds(rules):
    report = simulate(rules, Plan(2, 5, seed=3))

    for game in report.games:
        match = patolli.playout(rules, 2, game_seed(3, game.index))
        assert (game.digest, game.scores, game.winners) == (
            match.digest(),
            tuple(match.scores),
            tuple(match.winners),
        )


def test_a_longer_simulation_begins_with_a_shorter_one(rules):
    assert simulate(rules, Plan(2, 8, seed=1)).games[:5] == simulate(rules, Plan(2, 5, seed=1)).games


def test_progress_counts_all_games(rules):
    told = []
    simulate(rules, Plan(2, 30), 2, told.append)

    assert sum(told) == 30


def test_game_without_an_end_is_given_up(rules):
    report = simulate(rules, Plan(2, 3, limit=3))

    assert report.finished == []
    faults = {game.fault for game in report.faults}
    assert {fault.splitlines()[-1] for fault in faults} == {
        "error[P0812]: no end after 3 choices; the next question is 'Which counter?'"
    }
    assert all("rules.yaml:" in fault for fault in faults)
    assert report.scores == [Spread(), Spread()]


def test_wrong_number_of_players_is_refused(rules):
    with pytest.raises(ValueError, match="2 to 4 players, not 5"):
        simulate(rules, Plan(5, 3))


def test_wins_are_those_of_the_games(rules):
    report = simulate(rules, Plan(4, 50))

    assert sum(report.wins) == sum(len(game.winners) for game in report.games)
    assert report.winning.max == max(max(game.scores) for game in report.games)


def test_spread_agrees_with_the_library():
    draw = Random(1)
    numbers = [draw.randrange(-50, 200) for _ in range(999)]
    found = spread(numbers)

    assert found.mean == pytest.approx(statistics.mean(numbers), abs=0.001)
    assert found.sd == pytest.approx(statistics.stdev(numbers), abs=0.001)
    assert (found.min, found.max) == (min(numbers), max(numbers))
    assert spread(numbers[::-1]) == found


@pytest.mark.parametrize(("numbers", "expected"), [([], Spread()), ([7], Spread(7.0, 0.0, 7, 7))])
def test_spread_of_few(numbers, expected):
    assert spread(numbers) == expected


def test_seeds_of_games_differ():
    seeds = {game_seed(seed, index) for seed in range(100) for index in range(100)}

    assert len(seeds) == 10_000
    assert all(0 <= seed < 1 << 62 for seed in seeds)


@pytest.mark.parametrize("jobs", [1, 3])
def test_report_says_the_same_without_its_games(jobs):
    rules, plan = load("pig"), Plan(3, 40, seed=2, bots=("random", "greedy", "random"))
    whole, counted = simulate(rules, plan, 1), simulate(rules, plan, jobs, keep=False)
    timed = ("seconds", "games_per_second", "decisions_per_second", "jobs")

    assert counted.games == []
    assert {**counted.as_data(), **dict.fromkeys(timed)} == {**whole.as_data(), **dict.fromkeys(timed)}
    assert counted.scores == [spread([game.scores[seat] for game in whole.games]) for seat in range(3)]
    assert counted.digest == sha256("".join(f"{game.digest}\n" for game in whole.games).encode()).hexdigest()


def test_memory_does_not_grow_with_the_games():
    rules = load("tic_tac_toe")

    def kept(games):
        tracemalloc.start()
        simulate(rules, Plan(2, games), 1, engine="python", keep=False)
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return size

    kept(20)
    assert kept(400) < kept(40) + 20_000  # a game is some 700 bytes
