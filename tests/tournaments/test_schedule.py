"""Units of a tournament: everybody sits everywhere equally often, against the same seed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest

from patolli.measure.tournaments.schedule import unit_of, unit_size

SIZES = [(bots, seats) for bots in range(2, 8) for seats in range(1, 6)]


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_every_bot_has_every_seat_equally_often_in_every_unit(bots, seats):
    for number in range(20):
        unit = unit_of(bots, seats, 5, number)
        counts = Counter((bot, seat) for line_up in unit for seat, bot in enumerate(line_up))
        assert set(counts) == {(bot, seat) for bot in range(bots) for seat in range(seats)}
        assert len(set(counts.values())) == 1
        assert len(unit) == unit_size(bots, seats)
        assert len(set(unit)) == len(unit)


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_no_bot_has_two_seats_more_than_another(bots, seats):
    for line_up in unit_of(bots, seats, 1, 3):
        held = Counter(line_up)
        assert max(held.values()) - min((held[bot] for bot in range(bots)), default=0) <= 1


def test_two_bots_swap_seats():
    assert sorted(unit_of(2, 2, 0, 0)) == [(0, 1), (1, 0)]


def test_three_at_a_table_sit_in_all_orders():
    assert sorted(unit_of(3, 3, 0, 0)) == sorted(permutations(range(3)))


def test_all_pairs_meet_over_the_units():
    met = {frozenset(line_up) for number in range(40) for line_up in unit_of(6, 2, 0, number)}

    assert met == {frozenset(pair) for pair in combinations(range(6), 2)}


def test_who_sits_twice_does_not_always_sit_opposite():
    assert {line_up for number in range(60) for line_up in unit_of(2, 4, 0, number)} == {
        line_up for line_up in permutations((0, 0, 1, 1))
    }


def test_bots_play_apart():
    assert unit_of(3, 4, 0, 0, apart=True) == [(0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2)]
