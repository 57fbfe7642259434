"""Chance is a function of seed, stream and count, and fair."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patolli.kernel.chance import below, shuffle


@given(st.integers(0, 2**32), st.integers(0, 12))
def test_shuffle_is_a_permutation_that_depends_on_the_seed_alone(seed, number):
    one = [[], seed, 0, {}, list(range(number))]
    two = [[], seed, 0, {}, list(range(number))]
    shuffle(one, 4, "s")
    shuffle(two, 4, "s")

    assert sorted(one[4]) == list(range(number))
    assert one == two


def test_shuffle_reaches_every_order_about_equally_often():
    found: dict[tuple[int, ...], int] = {}
    for seed in range(6000):
        state = [[], seed, 0, {}, [0, 1, 2]]
        shuffle(state, 4, "s")
        found[tuple(state[4])] = found.get(tuple(state[4]), 0) + 1

    assert len(found) == 6
    assert all(850 < count < 1150 for count in found.values())


@given(st.integers(0, 99), st.integers(0, 5), st.integers(1, 9))
def test_streams_do_not_shift_each_other(seed, others, number):
    alone, mixed = [[], seed, 0, {}], [[], seed, 0, {}]
    for _ in range(others):
        below(mixed, 6, "dice")

    assert [below(alone, number, "shuffle.deck") for _ in range(9)] == [
        below(mixed, number, "shuffle.deck") for _ in range(9)
    ]


@given(st.integers(0, 2**64), st.integers(1, 1000))
def test_draws_lie_below_the_bound(seed, number):
    state = [[], seed, 0, {}]

    assert all(0 <= below(state, number, "s") < number for _ in range(20))
    assert state[3] == {"s": 20}
