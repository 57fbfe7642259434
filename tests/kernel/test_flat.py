"""Functions of lists, regions and sets that are translated do the same as those of Python, draw by draw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel.twins import alike

from patolli.kernel import geometry
from patolli.kernel.flat.tuple_map import is_met, meet, nothing_met, value_of
from patolli.kernel.library import NATIVE
from patolli.kernel.regions import connected, path, reachable
from patolli.kernel.several import count_values
from patolli.kernel.values import LARGEST, combinations, product

items = st.recursive(st.integers(-1, 5), lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=4)
lists = st.lists(items, max_size=8)


@given(lists | lists.map(tuple) | st.builds(range, st.integers(0, 9)))
def test_counted(found):
    alike(count_values, lambda heard: (found,))


@given(lists | st.lists(st.lists(st.integers(0, 2), max_size=2), max_size=4), st.integers(-1, 5), st.integers(-1, 9))
def test_combinations(found, least, most):
    alike(combinations, lambda heard: (found, least, most))


numbers = st.integers(-(LARGEST - 1), LARGEST - 1) | st.sampled_from([0, 1, -1, 10**7, 10**8, 31622776, 31622777])


@given(numbers, numbers)
def test_product(left, right):
    alike(product, lambda heard: (left, right))
    if left:
        for right in ((LARGEST - 1) // left, LARGEST // left, -(LARGEST // left), LARGEST // left + 1):
            alike(product, lambda heard, right=right: (left, right))


GRID = (4, 5, 1, 0)
CELLS = tuple(geometry.adjacent(GRID, cell) for cell in range(20))


@given(st.lists(st.integers(-1, 19)), st.integers(-1, 19))
def test_connected(cells, start):
    alike(connected, lambda heard: (CELLS, cells, start))


graphs = st.lists(st.lists(st.integers(0, 11), max_size=4), min_size=12, max_size=12)


@given(graphs, st.integers(0, 400), st.integers(-1, 11), st.integers(-1, 11))
def test_relations(graph, steps, start, end):
    alike(reachable, lambda heard: (heard.of("near", graph.__getitem__), steps, start))
    alike(path, lambda heard: (heard.of("near", graph.__getitem__), steps, start, end))


@given(st.lists(items | st.integers(0, 10**15), max_size=300, unique=True))
def test_what_was_met_is_known(keys):
    met = nothing_met()
    for value, key in enumerate(keys):
        assert not is_met(met, key)
        meet(met, key, value)
    assert all(is_met(met, key) and value_of(met, key) == value for value, key in enumerate(keys))


def test_many_that_were_met_are_found_soon():
    met = nothing_met()
    for number in range(5000):
        meet(met, (number // 71, number % 71), number)
    assert max(map(len, met[1])) < 100


def test_a_twin_that_draws_otherwise_is_noticed(monkeypatch):
    monkeypatch.setitem(NATIVE, "connected", lambda near, cells, start: connected(near, [*cells, start], start))
    with pytest.raises(AssertionError):
        alike(connected, lambda heard: (CELLS, [1, 2], 3))


def test_a_twin_that_asks_otherwise_is_noticed(monkeypatch):
    monkeypatch.setitem(NATIVE, "reachable", lambda near, *rest: (near(0), reachable(near, *rest))[1])
    with pytest.raises(AssertionError):
        alike(reachable, lambda heard: (heard.of("near", CELLS.__getitem__), 10, 3))
