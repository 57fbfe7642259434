"""The small functions of lists, and ranges within bounds."""

from __future__ import annotations

from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patolli.kernel import values
from patolli.kernel.budget import LONGEST, span
from patolli.kernel.faults import RuleFault


@given(st.lists(st.integers(), max_size=9), st.integers(-12, 12))
def test_rotate_turns_the_list(items, number):
    turned = list(values.rotate(items, number))

    assert sorted(turned) == sorted(items)
    assert all(turned[(i + number) % len(items)] == item for i, item in enumerate(items))
    assert values.rotate(turned, -number) == tuple(items)


@given(st.lists(st.integers(0, 5), max_size=9), st.integers(-3, 12))
def test_list_functions(items, number):
    assert values.distinct(items) == tuple(sorted(set(items), key=items.index))
    assert values.reverse(values.reverse(items)) == tuple(items)
    assert values.take(items, number) == tuple(items[: max(0, number)])
    assert values.whole_first(items) == (items[0] if items else -1)
    for item in items:
        assert items[values.position(items, item)] == item
    assert values.position(items, 77) == -1


def shaped(value, shapes):
    """A nested tuple as rules may come by it: lists and ranges of Python, and tuples, in which there are only tuples."""
    if not isinstance(value, tuple):
        return value
    shape = next(shapes)
    if shape == "range" and value == tuple(range(2, 2 + len(value))):
        return range(2, 2 + len(value))
    return [shaped(item, shapes) for item in value] if shape == "list" else value


NESTED = st.recursive(
    st.lists(st.integers(0, 3), max_size=3).map(tuple) | st.integers(0, 3).map(lambda n: tuple(range(2, 2 + n))),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)
SHAPES = st.lists(st.sampled_from(["list", "tuple", "range"]), min_size=1).map(cycle)


@given(NESTED, SHAPES)
def test_list_at_rest_is_the_same_however_it_was_made(value, shapes):
    rested = values.at_rest(shaped(value, shapes))

    assert rested == value
    assert hash(rested) == hash(value)


@given(st.lists(NESTED, min_size=1, max_size=4).map(tuple), SHAPES, SHAPES)
def test_lists_of_lists_compare_by_their_items(items, one, other):
    for item in items:
        assert values.position(shaped(items, one), shaped(item, other)) == items.index(item)
    assert values.position(shaped(items, one), shaped((9, 9), other)) == -1
    assert values.distinct(shaped(items, one)) == tuple(dict.fromkeys(items))
    assert values.reverse(shaped(items, one)) == items[::-1]
    assert values.take(shaped(items, one), 2) == items[:2]
    assert values.rotate(shaped(items, one), 1) == (*items[-1:], *items[:-1])
    assert values.by_key(list(enumerate(shaped(items, one)))) == items


@pytest.mark.parametrize("index", [-1, 3, 99])
def test_item_outside_a_list_is_a_fault(index):
    with pytest.raises(RuleFault, match="there is no item"):
        values.item_of([1, 2, 3], index)


def test_endless_range_is_a_fault():
    with pytest.raises(RuleFault, match="too long"):
        span(0, LONGEST + 1)
