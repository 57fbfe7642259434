"""The small functions of lists, and ranges within bounds."""

from __future__ import annotations

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
    assert list(values.rotate(turned, -number)) == items


@given(st.lists(st.integers(0, 5), max_size=9), st.integers(-3, 12))
def test_list_functions(items, number):
    assert values.distinct(items) == sorted(set(items), key=items.index)
    assert values.reverse(values.reverse(items)) == items
    assert values.take(items, number) == items[: max(0, number)]
    assert values.whole_first(items) == (items[0] if items else -1)
    for item in items:
        assert items[values.position(items, item)] == item
    assert values.position(items, 77) == -1


@pytest.mark.parametrize("index", [-1, 3, 99])
def test_item_outside_a_list_is_a_fault(index):
    with pytest.raises(RuleFault, match="there is no item"):
        values.item_of([1, 2, 3], index)


def test_endless_range_is_a_fault():
    with pytest.raises(RuleFault, match="too long"):
        span(0, LONGEST + 1)
