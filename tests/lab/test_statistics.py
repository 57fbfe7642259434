"""Intervals cover what they say, and tests are wrong as seldom as they say: confirmed by simulation."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from patolli.lab.statistics import (
    BURN,
    adjusted,
    as_normal,
    believed_of,
    correlation,
    effects,
    mean,
    never,
    outlier,
    sequence,
    share,
    together,
    twosided,
    wilson,
)

RUNS = 1000


def test_intervals_cover_19_of_20():
    random = np.random.default_rng(1)
    means = [mean(random.exponential(3, 200)) for _ in range(RUNS)]
    shares = [share((random.random(200) < 0.05).astype(float)) for _ in range(RUNS)]

    assert 0.92 < np.mean([one.low <= 3 <= one.high for one in means]) < 0.97
    assert 0.93 < np.mean([one.low <= 0.05 <= one.high for one in shares]) < 0.98


def test_interval_of_a_share_is_that_of_the_book():
    """10 of 100: 0.0552 to 0.1744 (R. G. Newcombe, Stat. Med. 17 (1998) 857, method 3)."""
    assert wilson(10, 100) == pytest.approx((0.0552, 0.1744), abs=1e-4)


def test_few_of_the_believed_of_are_false():
    """Of 50 tests 10 have something: of what is believed at most 5 of 100 is false, and most of it is found."""
    random = np.random.default_rng(2)
    false, found = [], []
    for _ in range(RUNS):
        z = random.normal(size=50) + np.array([3.5] * 10 + [0.0] * 40)
        believed = believed_of([twosided(one) for one in z])
        false.append(sum(believed[10:]) / max(1, sum(believed)))
        found.append(sum(believed[:10]) / 10)

    assert np.mean(false) <= 0.05
    assert np.mean(found) > 0.6


def test_adjusted_rates_say_what_the_believed_of_are():
    random = np.random.default_rng(3)
    chances = [float(one) for one in random.random(40) ** 3]

    assert [one <= 0.05 for one in adjusted(chances)] == believed_of(chances)


@pytest.mark.parametrize(("t", "freedom", "z"), [(3.182, 3, 1.96), (2.228, 10, 1.96), (4.587, 10, 3.29)])
def test_students_numbers_become_normal_ones(t, freedom, z):
    """Quantiles of Student's distribution from its table."""
    assert as_normal(t, freedom) == pytest.approx(z, abs=0.04)


def rows(random, effect, matches=300, things=6):
    """Return seats of matches with things: seat 2 takes more, and has more points, of a shared luck as well."""
    found = []
    luck = random.normal(size=matches)
    for match in range(matches):
        for seat in range(2):
            has = random.random(things) < (0.3, 0.6)[seat]
            y = 5 * seat + (1, -1)[seat] * luck[match] + effect * has[0]
            found += [(thing, has[thing], y, seat, match) for thing in range(things)]
    return [np.array(column) for column in zip(*found, strict=True)]


def effect_of(thing, has, y, stratum, match):
    return effects(thing, has, [y], stratum, match)[0]


def test_worth_is_what_was_put_in_and_seats_are_no_part_of_it():
    found = effect_of(*rows(np.random.default_rng(4), 0.8))

    assert found[0].interval()[0] < 0.8 < found[0].interval()[1]
    assert found[0].chance < 1e-6
    assert abs(found[1].value) < 0.4  # without strata it would be 1.5


def test_worth_of_nothing_is_believed_as_seldom_as_it_says():
    random = np.random.default_rng(5)
    chances = [one.chance for _ in range(60) for one in effect_of(*rows(random, 0.0, 120)).values()]

    assert 0.02 < np.mean(np.array(chances) < 0.05) < 0.08


def test_of_rows_that_have_no_counterpart_nothing_is_said():
    thing, has, y, stratum, match = rows(np.random.default_rng(6), 0.0)

    assert effect_of(thing, has | (thing == 2), y, stratum, match).keys() == {0, 1, 3, 4, 5}


def test_thing_stands_out_only_beyond_the_spread_of_its_kind():
    others = [(-3.0, 0.5), (2.0, 0.5), (0.0, 0.5), (4.0, 0.5), (-2.0, 0.5)]

    assert abs(outlier(5.0, 0.5, others)) < 2
    assert outlier(40.0, 0.5, others) > 3
    assert outlier(40.0, 0.5, others[:2]) == 0


def test_things_of_one_spread_stand_out_as_seldom_as_said():
    random = np.random.default_rng(7)
    found = []
    for _ in range(RUNS):
        values = random.normal(0, 2, 12) + random.normal(0, 1, 12)
        found.append(outlier(values[0], 1.0, [(one, 1.0) for one in values[1:]]))

    assert 0.03 < np.mean(np.abs(found) > 1.96) < 0.07


def test_whoever_looks_after_each_match_is_wrong_at_most_1_time_in_20():
    """A thousand runs without any difference, looked at after each of 2,000 pairs; most of the pairs are alike."""
    random = np.random.default_rng(8)
    wrong = 0
    for _ in range(RUNS):
        values = random.choice([-1.0, 0.0, 1.0], size=2000, p=[0.1, 0.8, 0.1])
        low, high = sequence(values, 500)
        wrong += bool((low > 0).any() or (high < 0).any())

    assert wrong / RUNS <= 0.05


def test_sequence_finds_what_is_there():
    random = np.random.default_rng(9)
    low, high = sequence(random.normal(0.3, 1, 2000), 500)
    ends = together(low, high)

    assert 0 < ends[0] < 0.3 < ends[1]
    assert low[BURN - 1] == -np.inf


def test_small_things_about_numbers():
    assert never(3000) == pytest.approx(3 / 3000, rel=0.01)
    assert correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])) == pytest.approx(1)
    assert correlation(np.array([1.0, 1.0]), np.array([2.0, 4.0])) == 0
    assert mean(np.array([1.0, np.nan, 3.0])).error == pytest.approx(sqrt(2) / sqrt(2))
