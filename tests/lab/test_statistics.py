"""Intervals cover what they say, and tests are wrong as seldom as they say: confirmed by simulation."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patolli.measure.lab.statistics import (
    BURN,
    CARRIERS,
    SEEN,
    adjust_p_values,
    as_normal,
    believed_of,
    correlation,
    effects,
    mean,
    never,
    outlier,
    sequence,
    share,
    two_sided_p,
    wilson,
)
from patolli.measure.lab.worth import STEPS, steps

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
        believed = believed_of([two_sided_p(one) for one in z])
        false.append(sum(believed[10:]) / max(1, sum(believed)))
        found.append(sum(believed[:10]) / 10)

    assert np.mean(false) <= 0.05
    assert np.mean(found) > 0.6


def test_adjusted_rates_say_what_the_believed_of_are():
    random = np.random.default_rng(3)
    chances = [float(one) for one in random.random(40) ** 3]

    assert [one <= 0.05 for one in adjust_p_values(chances)] == believed_of(chances)


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
    return effects(thing, has, [y], stratum, match, np.ones(len(thing)))[0]


def repeated(random, worth, matches=400):
    """Return seats that may use an option again and again; who is asked more often plays longer, and has more points."""
    offers = random.integers(1, 60, 2 * matches)
    uses = random.binomial(offers, 0.15)
    seat, match = np.tile([0, 1], matches), np.repeat(np.arange(matches), 2)
    y = worth * uses + 0.7 * offers + 4 * seat + random.normal(0, 3, 2 * matches)
    return uses, y, seat * STEPS + steps(offers), match, offers


@pytest.mark.parametrize("worth", [0.0, 0.5, -0.5])
def test_worth_per_use_is_adjusted_for_how_often_it_was_offered(worth):
    """Nearly everybody has used it, and those who have not were seldom asked."""
    inside, runs = 0, 40
    for seed in range(runs):
        uses, y, stratum, match, offers = repeated(np.random.default_rng(seed), worth)
        (found,) = effects(np.zeros(len(y), np.int64), uses, [y], stratum, match, offers)[0].values()
        inside += found.interval()[0] < worth < found.interval()[1]

    assert inside >= 35
    unadjusted = effects(np.zeros(len(y), np.int64), uses > 0, [y], np.zeros(len(y), np.int64), match, 0 * offers)[0]
    assert unadjusted[0].interval()[0] > 5


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


def rare(chance, size):
    """Return values that are 0 but for a few of one size, and their mean."""
    return lambda random, shape: (random.random(shape) < chance) * float(size), chance * size


def drawn(values, chances):
    mean = float(np.dot(values, chances))
    return lambda random, shape: random.choice(np.array(values, dtype=float), shape, p=chances), mean


NUMBERS = {
    "normal": (lambda random, shape: random.normal(size=shape), 0.0),
    "exponential": (lambda random, shape: random.exponential(size=shape), 1.0),
    "lognormal": (lambda random, shape: random.lognormal(size=shape), float(np.exp(0.5))),
    "three degrees of freedom": (lambda random, shape: random.standard_t(3, shape), 0.0),
    "no fourth moment": (lambda random, shape: random.standard_t(2.2, shape), 0.0),
    "ties": drawn([-1, 0, 1], [0.1, 0.8, 0.1]),
    "1 in 10": rare(0.1, 5),
    "1 in 20": rare(0.05, 30),
    "1 in 50": rare(0.02, 100),
    "1 in 100": rare(0.01, 100),
    "1 in 1,000": rare(0.001, 1000),
    "rare exponential": (
        lambda random, shape: (random.random(shape) < 0.05) * random.exponential(size=shape), 0.05,
    ),
    "all alike but 1 in 50": drawn([1, -200], [0.98, 0.02]),
    "all alike but 1 in 500": drawn([1, -200], [0.998, 0.002]),
    "noise and 1 in 20": drawn([-1, 1, 20], [0.5, 0.45, 0.05]),
}  # fmt: skip
SHARES = {
    "ties": drawn([-1, 0, 1], [0.1, 0.8, 0.1]),
    "all but 1 in 100": rare(0.99, 1),
    "halves": drawn([-0.5, 0, 0.5, 1], [0.1, 0.7, 0.1, 0.1]),
    **{f"{chance:g}": rare(chance, 1) for chance in (0.001, 0.003, 0.01, 0.02, 0.05, 0.3)},
    "both ways": drawn([-1, 0, 1], [0.005, 0.975, 0.02]),
}


def excluded(of, risks, reach, runs, matches=2000):
    """Return by risk in which share of the runs an interval excludes the mean, looked at after each of the matches."""
    (draw, true), random, wrong = of, np.random.default_rng(8), dict.fromkeys(risks, 0)
    for _ in range(runs):
        values = draw(random, matches)
        means = np.cumsum(values) / np.arange(1, matches + 1)
        for risk in risks:
            low, high = sequence(values, 500, risk, reach)
            wrong[risk] += bool((low > true).any() or (high < true).any())
            assert bool(((low <= means + 1e-9) & (means - 1e-9 <= high)).all())
    return {risk: number / runs for risk, number in wrong.items()}


def most(risk, runs):
    """Return the greatest share that so many runs may show at random, in 999 of 1,000 tests."""
    return risk + 3.1 * sqrt(risk * (1 - risk) / runs)


@pytest.mark.parametrize("name", NUMBERS)
def test_number_is_excluded_at_most_1_time_in_20_after_any_match(name):
    assert excluded(NUMBERS[name], [0.05], None, 150)[0.05] <= most(0.05, 150)


@pytest.mark.parametrize("name", SHARES)
def test_share_is_excluded_at_most_1_time_in_20_after_any_match(name):
    assert excluded(SHARES[name], [0.05], 2.0, 150)[0.05] <= most(0.05, 150)


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["number", "share"])
def test_risks_are_kept_in_a_thousand_runs(kind):
    cases, reach = (NUMBERS, None) if kind == "number" else (SHARES, 2.0)
    found = {name: excluded(of, [0.05, 0.0125], reach, RUNS) for name, of in cases.items()}

    assert {name: shares for name, shares in found.items() if any(s > most(r, RUNS) for r, s in shares.items())} == {}


def test_large_rare_changes_in_noise_are_missed_at_most_1_time_in_20_once_they_were_seen():
    """No method knows of what has not happened yet: by :data:`SEEN` matches 1 in 50 has, in 95 of 100 runs."""
    draw, true = drawn([-1, 1, 100], [0.5, 0.48, 0.02])
    random, wrong = np.random.default_rng(4), 0
    for _ in range(400):
        low, high = sequence(draw(random, 400), 500)
        wrong += bool((low > true).any() or (high < true).any())

    assert wrong / 400 <= most(0.05, 400)


def test_agreement_of_the_first_matches_excludes_nothing():
    """A change that matters late is not excluded by the matches before it, however many there are."""
    for first in (0.0, 3.0):
        values = np.concatenate([np.full(900, first), np.full(100, first + 40)])
        low, high = sequence(values, 500)
        assert np.isinf(low[:900]).all()
        assert np.isinf(high[:900]).all()
        assert low[-1] < first + 4 < high[-1]


def test_interval_waits_until_enough_matches_carry_the_spread():
    """Of 1,000 matches k differ alike: the interval begins with the k that is wanted."""
    for k in (CARRIERS // 2, 2 * CARRIERS):
        values = np.zeros(1000)
        values[5 : 5 + k] = 1.0
        assert np.isfinite(sequence(values, 500)[0][-1]) == (k > CARRIERS)
    one = np.append(np.tile([0.0, 1.0], 200), 1e6)  # the last one carries all the spread
    assert np.isfinite(sequence(one, 500)[0][-2])
    assert np.isinf(sequence(one, 500)[0][-1])


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]) | st.floats(-1e6, 1e6), min_size=1, max_size=60))
def test_no_interval_excludes_its_estimate(block):
    values = np.tile(np.array(block), 8)
    means = np.cumsum(values) / np.arange(1, len(values) + 1)
    scale = 1e-9 * (1 + np.abs(values).max())
    for reach in (None, 2.0):
        low, high = sequence(values, 500, 0.05, reach)
        assert bool(((low <= means + scale) & (means <= high + scale)).all())


def test_sequence_finds_what_is_there():
    random = np.random.default_rng(9)
    low, high = sequence(random.normal(0.3, 1, 2000), 500)

    assert 0 < low[-1] < 0.3 < high[-1]
    assert low[max(BURN, SEEN) - 2] == -np.inf


def test_small_things_about_numbers():
    assert never(3000) == pytest.approx(3 / 3000, rel=0.01)
    assert correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])) == pytest.approx(1)
    assert correlation(np.array([1.0, 1.0]), np.array([2.0, 4.0])) == 0
    assert mean(np.array([1.0, np.nan, 3.0])).error == pytest.approx(sqrt(2) / sqrt(2))
