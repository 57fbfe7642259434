"""Each operation on intervals covers what it does to any of their numbers, and is as narrow as it can be."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patolli.check.proofs.intervals import ANY, NATURAL, UNKNOWN, Interval, Range, exactly, join_ranges

Two = Callable[[int, int], int | None]
Both = Callable[[Interval, Interval], Interval]
OPERATIONS: dict[str, tuple[Two, Both]] = {
    "plus": (lambda a, b: a + b, lambda x, y: x + y),
    "minus": (lambda a, b: a - b, lambda x, y: x - y),
    "times": (lambda a, b: a * b, lambda x, y: x * y),
    "div": (lambda a, b: a // b if b else None, lambda x, y: x.div(y)),
    "mod": (lambda a, b: a % b if b else None, lambda x, y: x.mod(y)),
    "min": (min, lambda x, y: x.least(y)),
    "max": (max, lambda x, y: x.greatest(y)),
}
ENDS = [None, -7, -3, -1, 0, 1, 2, 5]
SMALL = [Interval(low, high) for low in ENDS[1:] for high in ENDS[1:] if low <= high]


@st.composite
def intervals(draw):
    """An interval, open ones too, and a number in it."""
    low, number, high = sorted(draw(st.tuples(*[st.integers(-40, 40)] * 3)))
    ends = draw(st.sampled_from([(low, high), (None, high), (low, None), (None, None)]))
    return Interval(*ends), number + draw(st.sampled_from([0, 0, 10**9])) * (ends[1] is None)


def hull(numbers: list[int]) -> Interval:
    """Return the least interval around some numbers."""
    return Interval(min(numbers), max(numbers))


@pytest.mark.parametrize("name", OPERATIONS)
@given(one=intervals(), two=intervals())
def test_every_result_is_covered(name, one, two):
    of_numbers, of_intervals = OPERATIONS[name]
    result = of_numbers(one[1], two[1])

    assert result is None or result in of_intervals(one[0], two[0])


@given(one=intervals())
def test_every_result_of_one_number_is_covered(one):
    interval, number = one

    assert -number in -interval
    assert abs(number) in interval.absolute()


def test_absolute_numbers_are_covered_without_need():
    for one in SMALL:
        assert one.absolute() == hull([abs(number) for number in range(one.low, one.high + 1)]), one
    assert Interval(-3, None).absolute() == Interval(None, 2).absolute() == NATURAL
    assert Interval(2, None).absolute() == Interval(None, -2).absolute() == Interval(2, None)


@given(one=intervals(), two=intervals())
def test_meet_and_join_are_those_of_sets(one, two):
    for number in (one[1], two[1]):
        assert (number in one[0].meet(two[0])) == (number in one[0] and number in two[0])
        assert number in one[0].join(two[0])
    assert one[0].within(one[0].join(two[0]))
    assert one[0].meet(two[0]).within(one[0])


@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - {"mod"}))
def test_nothing_is_covered_without_need(name):
    of_numbers, of_intervals = OPERATIONS[name]
    for one, two in product(SMALL, SMALL):
        if name == "div" and 0 in two:
            continue
        numbers = [of_numbers(a, b) for a in range(one.low, one.high + 1) for b in range(two.low, two.high + 1)]
        assert of_intervals(one, two) == hull(numbers), (one, two)


FAR = 10_000
"""As good as no end: more than anything that small numbers come to."""


def far(interval: Interval) -> list[int]:
    """Return some of the numbers of an interval: the small ones, and some that are far away where it has no end."""
    low, high = (-8 if interval.low is None else interval.low), (8 if interval.high is None else interval.high)
    ends = [-FAR] * (interval.low is None) + [FAR] * (interval.high is None)
    return [*range(low, high + 1), *ends]


@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - {"mod"}))
def test_nothing_is_covered_without_need_where_there_is_no_end(name):
    of_numbers, of_intervals = OPERATIONS[name]
    ends = [(low, high) for low in ENDS for high in ENDS if None in (low, high) or low <= high]
    for one, two in product([Interval(*pair) for pair in ends], repeat=2):
        if name == "div" and 0 in two:
            continue
        numbers = [of_numbers(a, b) for a in far(one) for b in far(two)]
        low, high = min(numbers), max(numbers)
        wanted = Interval(None if low < -FAR // 8 else low, None if high > FAR // 8 else high)
        assert of_intervals(one, two) == wanted, (one, two)


@pytest.mark.parametrize(
    ("number", "divisor", "rest"),
    [
        (ANY, Interval(1, 4), Interval(0, 3)),
        (Interval(0, 2), exactly(4), Interval(0, 2)),
        (Interval(0, 9), Interval(1, 4), Interval(0, 3)),
        (Interval(-1, 2), exactly(4), Interval(0, 3)),
        (Interval(1, 2), exactly(4), Interval(0, 2)),
        (Interval(1, None), exactly(4), Interval(0, 3)),
        (Interval(0, 5), Interval(2, None), Interval(0, 5)),
        (Interval(0, None), Interval(2, None), NATURAL),
        (Interval(-3, 5), Interval(2, None), NATURAL),
        (Interval(None, 5), Interval(2, None), NATURAL),
        (Interval(-5, 9), Interval(-4, -2), Interval(-3, 0)),
        (Interval(-5, 9), Interval(None, -2), Interval(None, 0)),
        (Interval(-5, 9), exactly(-1), exactly(0)),
    ],
    ids=str,
)
def test_rest_has_the_sign_of_its_divisor(number, divisor, rest):
    assert number.mod(divisor) == rest


@pytest.mark.parametrize(
    ("one", "two", "result"),
    [
        (NATURAL, Interval(2, 3), NATURAL),
        (Interval(6, None), Interval(2, 3), Interval(2, None)),
        (Interval(None, 6), Interval(2, 3), Interval(None, 3)),
        (Interval(-6, 6), Interval(2, None), Interval(-3, 3)),
        (Interval(4, 6), Interval(2, None), Interval(0, 3)),
        (Interval(4, 6), Interval(None, -2), Interval(-3, -1)),
        (exactly(6), Interval(-3, -2), Interval(-3, -2)),
    ],
    ids=str,
)
def test_division_by_what_has_no_end(one, two, result):
    assert one.div(two) == result


@pytest.mark.parametrize("divisor", [Interval(0, 3), Interval(-2, 2), ANY, exactly(0)], ids=str)
def test_nothing_is_known_of_a_division_that_may_be_by_0(divisor):
    assert (exactly(6).div(divisor), exactly(6).mod(divisor)) == (ANY, ANY)


def test_nothing_is_known_of_a_division_by_what_cannot_be():
    assert exactly(6).div(Interval(3, 1)) == ANY


def test_nothing_times_anything_is_nothing():
    assert exactly(0) * ANY == ANY * exactly(0) == exactly(0)
    assert NATURAL * Interval(0, 0) == exactly(0)
    assert NATURAL * Interval(-1, None) == ANY


def test_within_looks_at_both_ends():
    ends = [Interval(low, high) for low, high in product(ENDS, ENDS) if low is None or high is None or low <= high]
    numbers = range(-9, 9)
    for one, two in product(ends, ends):
        inside = all(number in two for number in numbers if number in one)
        assert one.within(two) == inside, (one, two)


def test_only_number():
    assert (exactly(3).only, Interval(3, 4).only, ANY.only, Interval(3, None).only) == (3, None, None, None)


@pytest.mark.parametrize(
    ("ranges", "length", "item"),
    [
        pytest.param([], NATURAL, None, id="nothing is known of nothing"),
        pytest.param([Range(length=exactly(0)), Range(length=exactly(2), item=Range(exactly(7)))], Interval(0, 2), Range(exactly(7)), id="an empty list has no items"),
        pytest.param([Range(length=exactly(1), item=Range(exactly(3))), Range(length=exactly(1), item=Range(exactly(7)))], exactly(1), Range(Interval(3, 7)), id="items are joined"),
        pytest.param([Range(length=exactly(1)), Range(length=exactly(1), item=Range(exactly(7)))], exactly(1), None, id="unknown items stay unknown"),
    ],
)  # fmt: skip
def test_lists_are_joined(ranges, length, item):
    found = join_ranges(ranges)

    assert (found.length, found.item) == (length, item)
    assert found == join_ranges(reversed(ranges))
    assert join_ranges([found]) == found or not ranges
    assert UNKNOWN.join(found) == found.join(UNKNOWN)


@pytest.mark.parametrize(
    "grown", [exactly(10**15) + exactly(1), exactly(10**8) * exactly(10**8), -exactly(10**8) * exactly(10**8)]
)
def test_end_beyond_the_largest_number_of_a_match_is_open(grown):
    assert grown == ANY
