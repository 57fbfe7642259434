"""The model of strengths: its likelihood, its intervals, and what is certain, on games drawn from known strengths."""

from __future__ import annotations

from itertools import combinations
from math import exp, log
from random import Random

import pytest

from patolli.measure.tournaments.certainty import ERROR, find_unsettled, looks, order_of, quantile
from patolli.measure.tournaments.plackett_luce import stages, strengths
from patolli.measure.tournaments.schedule import unit_of


def drawn(line_up, logs, ties, draw):
    """The order in which bots finish, by the model: groups, best first. A seat is distinguished from others of its bot."""
    left, groups = list(enumerate(line_up)), []
    while left:
        sets = [one for size in range(1, len(left) + 1) if size in ties for one in combinations(left, size)]
        weights = [ties[len(one)] * exp(sum(logs[bot] for _, bot in one) / len(one)) for one in sets]
        chosen = draw.choices(sets, weights)[0]
        groups.append([bot for _, bot in chosen])
        left = [one for one in left if one not in chosen]
    return groups


def simulated(logs, ties, seats, units, draw, luck=0.0):
    """Units of games; *luck* moves the strengths of a whole unit, as a seed may that suits one bot."""
    found = []
    for number in range(units):
        moved = [one + draw.gauss(0, luck) for one in logs]
        unit = unit_of(len(logs), seats, draw.randrange(1 << 30), number)
        found.append([one for line_up in unit for one in stages(drawn(line_up, moved, ties, draw))])
    return found


def test_two_bots_have_the_odds_of_their_wins():
    """Bradley and Terry: 300 wins of 400 are odds of three to one, but for the imagined games."""
    units = [stages([[0], [1]])] * 300 + [stages([[1], [0]])] * 100

    found = strengths(2, units)

    assert found.logs[0] - found.logs[1] == pytest.approx(log(3), abs=0.01)
    assert found.error(0, 1) == pytest.approx((1 / 300 + 1 / 100) ** 0.5, rel=0.02)


def test_ties_of_two_follow_davidson():
    """Davidson (1970): the weight of a draw is the number of draws over the root of wins times losses."""
    units = [stages([[0], [1]])] * 200 + [stages([[1], [0]])] * 100 + [stages([[0, 1]])] * 150

    found = strengths(2, units)

    assert found.logs[0] - found.logs[1] == pytest.approx(log(2), abs=0.02)
    assert exp(found.ties[2]) == pytest.approx(150 / (200 * 100) ** 0.5, rel=0.02)


def test_an_order_is_a_row_of_choices():
    assert stages([[2], [0, 1], [3]]) == [((0, 1, 2, 3), (2,)), ((0, 1, 3), (0, 1))]
    assert stages([[2], [0, 1, 3]], whole=False) == [((0, 1, 2, 3), (2,))]
    assert stages([[1, 1, 0]]) == [((0, 1, 1), (0, 1, 1))]


def test_the_summit_is_flat_in_every_direction():
    from patolli.measure.tournaments.plackett_luce import _Model

    draw = Random(4)
    units = simulated([0.7, 0.0, -0.7], {1: 1.0, 2: 0.5, 3: 0.2}, 3, 30, draw)
    total = {}
    for unit in units:
        for stage in unit:
            total[stage] = total.get(stage, 0) + 1
    model = _Model(3, sorted({len(chosen) for _, chosen in total} - {1}), total)
    at = model.summit()
    slope, bend = model.slopes(at)
    for n in range(len(at)):
        step = 1e-4
        up, down = ([one + sign * step * (m == n) for m, one in enumerate(at)] for sign in (1, -1))
        assert (model.height(up) - model.height(down)) / (2 * step) == pytest.approx(slope[n], abs=1e-4)
        curve = (model.height(up) - 2 * model.height(at) + model.height(down)) / step**2
        assert -curve == pytest.approx(bend[n][n], rel=0.01)
        assert slope[n] == pytest.approx(0, abs=1e-6)


CASES = [
    pytest.param([0.5, -0.5], {1: 1.0}, 2, 15, 0.0, id="few pairs"),
    pytest.param([0.5, -0.5], {1: 1.0, 2: 0.6}, 2, 60, 0.0, id="pairs with draws"),
    pytest.param([0.8, 0.0, -0.8], {1: 1.0, 2: 0.4, 3: 0.3}, 3, 40, 0.0, id="three at a table"),
    pytest.param([0.6, 0.2, -0.8], {1: 1.0}, 2, 40, 0.8, id="seeds that suit a bot"),
    pytest.param([0.4, -0.4], {1: 1.0, 2: 0.3}, 4, 40, 0.0, id="two bots on four seats"),
]


@pytest.mark.deep
@pytest.mark.parametrize(("logs", "ties", "seats", "units", "luck"), CASES)
def test_intervals_cover_at_their_rate(logs, ties, seats, units, luck):
    """The intervals of 95 % hold the true difference in 95 of 100 tournaments: 150 of them are 92 to 99, or so."""
    draw, covered, tried = Random(f"{logs} {seats}"), 0, 150
    truth = expected(logs, ties, luck) if luck else logs
    for _ in range(tried):
        found = strengths(len(logs), simulated(logs, ties, seats, units, draw, luck))
        wide = quantile(0.975, found.units - 1)
        covered += abs(found.logs[0] - found.logs[-1] - (truth[0] - truth[-1])) <= wide * found.error(0, -1)

    assert covered / tried >= 0.91


def expected(logs, ties, luck):
    """What strengths come to with very many units: luck that is not known makes bots look more alike."""
    return strengths(len(logs), simulated(logs, ties, 2, 6_000, Random(99), luck)).logs


@pytest.mark.deep
def test_equal_bots_are_seldom_called_different():
    """The whole procedure, with all its looks: its error is the one that is promised, for bots that are all alike."""
    draw, wrong, tried, units = Random(11), 0, 120, 60
    for _ in range(tried):
        games = simulated([0.0, 0.0, 0.0], {1: 1.0, 2: 0.5}, 2, units, draw)
        wrong += any(not find_unsettled(strengths(3, games[:look]), units) for look in looks(units))

    assert wrong / tried <= ERROR + 0.03


def test_bots_that_differ_are_distinguished_early():
    draw, units = Random(3), 400
    games = simulated([1.0, 0.0, -1.0], {1: 1.0}, 2, units, draw)
    ended = next(look for look in looks(units) if not find_unsettled(strengths(3, games[:look]), units))

    assert ended < units / 4
    assert order_of(strengths(3, games[:ended])) == [0, 1, 2]


def test_a_bot_that_never_lost_has_a_finite_rating():
    found = strengths(2, [stages([[0], [1]])] * 12)

    assert 1 < found.logs[0] - found.logs[1] < 6
    assert found.error(0, 1) > 0.5


def test_without_games_all_are_alike():
    found = strengths(3, [])

    assert found.logs == [0, 0, 0]
    assert find_unsettled(found, 10) == [(0, 1), (1, 2)]


def test_quantiles_of_student():
    """From the table in W. S. Gosset's paper as it is printed in every textbook."""
    table = {(0.975, 1): 12.706, (0.975, 2): 4.303, (0.975, 5): 2.571, (0.975, 30): 2.042, (0.995, 10): 3.169}

    assert {key: round(quantile(*key), 2) for key in table} == {key: round(one, 2) for key, one in table.items()}


def test_looks_end_with_the_last_unit():
    assert looks(7) == [7]
    assert looks(30) == [10, 14, 20, 28, 30]
