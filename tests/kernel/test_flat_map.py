"""Lists that stand for a dictionary know what was met; what is built on either finds what plain Python finds."""

from __future__ import annotations

from itertools import combinations as ways_to_take
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from patolli.kernel import flat_map, geometry, tuple_map
from patolli.kernel.regions import connected, distance, path, reachable
from patolli.kernel.several import count_values
from patolli.kernel.values import at_rest, combinations

items = st.recursive(st.integers(-1, 5), lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=4)
lists = st.lists(items, max_size=8)


@given(st.lists(items | st.integers(0, 10**15), max_size=300))
def test_what_was_met_is_known(keys):
    for module in (flat_map, tuple_map):
        met, known = module.nothing_met(), {}
        for number, key in enumerate(keys):
            assert module.is_met(met, key) == (key in known)
            if key not in known:
                known[key] = number
                module.meet(met, key, number)
        assert all(module.value_of(met, key) == number for key, number in known.items())
        assert [module.new_in(met, key) for key in (*known, (9, 9))] == [*(False for _ in known), True]


def test_many_that_were_met_are_found_soon():
    met = flat_map.nothing_met()
    for number in range(5000):
        flat_map.meet(met, (number // 71, number % 71), number)
    assert max(map(len, met[1])) < 100


@given(lists, st.integers(-1, 5), st.integers(-1, 9))
def test_combinations_are_in_order_and_different(found, least, most):
    sizes = range(max(0, least), min(most, len(found)) + 1)
    expected = dict.fromkeys(one for size in sizes for one in ways_to_take(at_rest(found), size))
    assert combinations(found, least, most) == tuple(expected)
    order, there = count_values(found)
    assert [(one, found.count(one)) for one in dict.fromkeys(found)] == list(zip(order, there, strict=True))


GRID = (4, 5, 1, 0)
CELLS = tuple(geometry.adjacent(GRID, cell) for cell in range(20))


@given(st.lists(st.integers(0, 19)), st.integers(-1, 19))
def test_connected(cells, start):
    found = {start} & set(cells)
    while more := {near for cell in found for near in CELLS[cell] if near in cells} - found:
        found |= more
    assert connected(CELLS, cells, start) == tuple(sorted(found))


graphs = st.lists(st.lists(st.integers(0, 11), max_size=4), min_size=12, max_size=12)


@given(graphs, st.integers(0, 11), st.integers(0, 11))
def test_relations(graph, start, end):
    near, far = graph.__getitem__, {start: 0}
    for here in (order := [start]):
        for other in graph[here]:
            if other not in far:
                far[other] = far[here] + 1
                order.append(other)
    assert reachable(near, 10, start) == tuple(order)
    assert distance(near, 10, start, end) == far.get(end, -1)
    way = path(near, 10, start, end)
    assert bool(way) == (end in far)
    assert all(two in graph[one] for one, two in pairwise(way))
