"""Shapes on grids against naive oracles: turns and mirrors, all ways to lay a shape, borders, everybody's own grid."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patolli.kernel import geometry
from patolli.kernel.regions import border, connected
from patolli.language.resolve import shapes

GRIDS = st.tuples(st.integers(1, 5), st.integers(1, 5))
CELLS = st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=5)


def alike(one, other):
    """Return whether two sets of cells can be laid upon each other: some pairing keeps all distances."""

    def distances(cells):
        return sorted((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in combinations(cells, 2))

    if distances(one) != distances(other):
        return False
    return any(
        {(y + sy * (r if straight else c), x + sx * (c if straight else r)) for r, c in one} == set(other)
        for sy, sx, straight in product((1, -1), (1, -1), (True, False))
        for y, x in product(range(-9, 10), repeat=2)
    )


@settings(max_examples=30)
@given(CELLS)
def test_turns_are_all_figures_that_look_the_same(cells):
    found = geometry.turns(tuple(cells))
    width = 3
    corner = [
        frozenset(figure)
        for figure in combinations(tuple(product(range(width), repeat=2)), len(cells))
        if min(r for r, _ in figure) == 0 and min(c for _, c in figure) == 0
    ]

    assert len(set(found)) == len(found)
    assert all(list(turn) == sorted(turn) for turn in found)
    assert {frozenset(turn) for turn in found} == {figure for figure in corner if alike(cells, figure)}


@pytest.mark.parametrize(
    ("rows", "number"),
    [
        pytest.param(["#"], 1, id="one cell"),
        pytest.param(["##", "##"], 1, id="square"),
        pytest.param(["###"], 2, id="bar"),
        pytest.param(["##", "#."], 4, id="corner"),
        pytest.param([".##", "##."], 4, id="zigzag"),
        pytest.param(["#..", "###", "#.."], 4, id="T"),
        pytest.param(["##.", ".##", "..#"], 4, id="stairs"),
        pytest.param(["###", "#.."], 8, id="hook"),
        pytest.param(["#.", ".#"], 2, id="two that touch at a corner"),
    ],
)
def test_number_of_turns(rows, number):
    assert len(geometry.turns(shapes.parse_shape(rows))) == number


@settings(max_examples=40)
@given(GRIDS, CELLS)
def test_placements_are_all_ways_to_lay_a_shape(grid, cells):
    found = geometry.placements((*grid, 1), tuple(cells))
    places = list(product(range(grid[0]), range(grid[1])))
    wanted = {
        frozenset(figure)
        for figure in combinations(places, len(cells))
        if max(r for r, _ in figure) - min(r for r, _ in figure) < 3
        and max(c for _, c in figure) - min(c for _, c in figure) < 3
        and alike(cells, figure)
    }
    laid = [frozenset(divmod(cell, grid[1]) for cell in covered) for _, _, covered in found]

    assert len(set(laid)) == len(laid)
    assert set(laid) == wanted
    for (corner, turn, _), figure in zip(found, laid, strict=True):
        top, left = min(r for r, _ in figure), min(c for _, c in figure)
        assert divmod(corner, grid[1]) == (top, left)
        assert {(r - top, c - left) for r, c in figure} == set(geometry.turns(tuple(cells))[turn])


@given(GRIDS, st.data())
def test_border_is_what_touches_an_edge(grid, data):
    every = range(grid[0] * grid[1])
    cells = data.draw(st.sets(st.sampled_from(every)))
    place = {cell: divmod(cell, grid[1]) for cell in every}
    wanted = [
        cell
        for cell in every
        if cell not in cells
        and any(abs(place[cell][0] - place[c][0]) + abs(place[cell][1] - place[c][1]) == 1 for c in cells)
    ]

    assert list(border((*grid, 1), tuple(cells))) == wanted


@given(GRIDS, st.data())
def test_regions_part_the_cells(grid, data):
    """Cells hang together as often as walking from one to the next shows."""
    every = range(grid[0] * grid[1])
    cells = data.draw(st.sets(st.sampled_from(every), min_size=1))
    near = tuple(geometry.adjacent((*grid, 1), cell) for cell in every)
    names = {cell: cell for cell in cells}
    for _ in cells:
        for cell in cells:
            names[cell] = min([names[cell], *(names[c] for c in near[cell] if c in cells)])

    for cell in cells:
        assert connected(near, cells, cell) == tuple(sorted(c for c in cells if names[c] == names[cell]))


@given(GRIDS, st.integers(1, 3), st.data())
def test_everybodys_own_grid_is_apart(grid, seat, data):
    """What lies around a cell of a later player is the same, so much further on, and never on another's grid."""
    size, one = grid[0] * grid[1], (*grid, 1)
    cell = data.draw(st.integers(0, size - 1))
    rows, columns = data.draw(st.integers(-6, 6)), data.draw(st.integers(-6, 6))
    there = cell + seat * size

    def moved(found):
        return tuple(c + seat * size for c in found)

    assert geometry.adjacent(one, there) == moved(geometry.adjacent(one, cell))
    assert geometry.around(one, there) == moved(geometry.around(one, cell))
    assert geometry.ray(one, there, rows, columns) == moved(geometry.ray(one, cell, rows, columns))
    assert geometry.lines(one, there, 3) == tuple(moved(line) for line in geometry.lines(one, cell, 3))
    step = geometry.shift(one, cell, rows, columns)
    assert geometry.shift(one, there, rows, columns) == (step + seat * size if step >= 0 else -1)


@pytest.mark.parametrize("length", [-1, 0, 6, 10**15])
def test_no_line_is_longer_than_the_grid(length):
    assert geometry.lines((5, 4, 1), 7, length) == ()
