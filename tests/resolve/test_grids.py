"""The geometry of grids: names, neighbours, rays, lines, stacks with half-cell offsets, connected cells."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packmaker import problems

from patolli.kernel import geometry
from patolli.kernel.regions import connected
from patolli.language.diagnostics import Span
from patolli.language.resolve import shapes
from patolli.language.resolve.model import Kind

GRIDS = st.tuples(st.integers(1, 7), st.integers(1, 7), st.just(1))


@st.composite
def cells(draw):
    grid = draw(GRIDS)
    return grid, draw(st.integers(0, grid[0] * grid[1] - 1))


def place(grid, cell):
    return divmod(cell, grid[1])


@pytest.mark.parametrize(("column", "name"), [(0, "a"), (25, "z"), (26, "aa"), (27, "ab"), (51, "az"), (52, "ba")])
def test_column_name(column, name):
    assert shapes.column_name(column) == name


@given(st.integers(1, 40), st.integers(1, 40))
def test_names_are_unique_and_in_order_of_rows(rows, columns):
    names, facts = shapes.grid_facts((rows, columns, 1), "", None)

    assert len(set(names)) == len(names) == rows * columns
    assert facts["row"][1] == sorted(facts["row"][1])
    assert names[0] == "a1"
    assert names[-1] == f"{shapes.column_name(columns - 1)}{rows}"


@given(cells(), st.integers(-8, 8), st.integers(-8, 8))
def test_shift_there_and_back(case, rows, columns):
    grid, cell = case
    there = geometry.shift(grid, cell, rows, columns)
    row, column = place(grid, cell)

    assert (there >= 0) == (0 <= row + rows < grid[0] and 0 <= column + columns < grid[1])
    if there >= 0:
        assert geometry.shift(grid, there, -rows, -columns) == cell


@given(cells())
def test_neighbours_are_mutual(case):
    grid, cell = case
    near, around = geometry.adjacent(grid, cell), geometry.around(grid, cell)

    assert set(near) <= set(around)
    assert cell not in around
    assert len(set(around)) == len(around)
    assert all(cell in geometry.adjacent(grid, other) for other in near)
    assert all(cell in geometry.around(grid, other) for other in around)
    for other in around:
        (r1, c1), (r2, c2) = place(grid, cell), place(grid, other)
        assert max(abs(r1 - r2), abs(c1 - c2)) == 1
        assert (other in near) == (abs(r1 - r2) + abs(c1 - c2) == 1)


@given(cells(), st.integers(-2, 2), st.integers(-2, 2))
def test_ray_runs_to_the_edge(case, rows, columns):
    grid, cell = case
    ray = geometry.ray(grid, cell, rows, columns)
    if not rows and not columns:
        assert ray == ()
        return

    assert all(geometry.shift(grid, cell, (i + 1) * rows, (i + 1) * columns) == other for i, other in enumerate(ray))
    assert geometry.shift(grid, ray[-1] if ray else cell, rows, columns) == -1


@given(cells(), st.integers(1, 5))
def test_lines(case, length):
    grid, cell = case
    lines = geometry.lines(grid, cell, length)

    for line in lines:
        assert cell in line
        assert len(set(line)) == length
        steps = {
            (place(grid, b)[0] - place(grid, a)[0], place(grid, b)[1] - place(grid, a)[1]) for a, b in pairwise(line)
        }
        assert len(steps) <= 1
        assert all(line in geometry.lines(grid, other, length) for other in line)
    assert len({frozenset(line) for line in lines}) == len(lines)


def test_number_of_lines_of_three_on_a_small_board():
    grid = (3, 3, 1)
    all_lines = {frozenset(line) for cell in range(9) for line in geometry.lines(grid, cell, 3)}

    assert len(all_lines) == 8


@given(GRIDS, st.data())
def test_connected(grid, data):
    number = grid[0] * grid[1]
    allowed = data.draw(st.sets(st.integers(0, number - 1)))
    start = data.draw(st.integers(0, number - 1))
    near = tuple(geometry.adjacent(grid, cell) for cell in range(number))
    found = connected(near, allowed, start)

    assert found == tuple(sorted(set(found)))
    assert set(found) <= allowed
    assert (start in found) == (start in allowed)
    assert all(other in found for cell in found for other in near[cell] if other in allowed)
    for cell in found:
        assert connected(near, allowed, cell) == found


# ---- stacks


def stack(side, levels):
    base = Kind("cell", Span("", 1, 1, 1, 1))
    base.grid = (side, side, 1)
    names, facts = shapes.grid_facts((0, 0, levels), "", base)
    return names, {name: values for name, (_, values) in facts.items()}


@pytest.mark.parametrize(("side", "levels", "number"), [(8, 4, 16 + 9 + 4 + 1), (8, 1, 16), (4, 2, 5), (6, 3, 14)])
def test_places_of_a_stack(side, levels, number):
    names, facts = stack(side, levels)

    assert len(set(names)) == len(names) == number
    assert set(facts["level"]) == set(range(1, levels + 1))


@given(st.integers(1, 5), st.integers(1, 5))
def test_stack_rests_on_four_places_that_share_its_cells(blocks, levels):
    levels = min(levels, blocks)
    side = 2 * blocks
    names, facts = stack(side, levels)
    for i in range(len(names)):
        cells_, supports = facts["cells"][i], facts["supports"][i]
        assert len(set(cells_)) == 4
        assert all(0 <= cell < side * side for cell in cells_)
        if facts["level"][i] == 1:
            assert supports == ()
            continue
        assert len(set(supports)) == 4
        assert all(facts["level"][s] == facts["level"][i] - 1 for s in supports)
        # half a block further in: each support shares exactly one cell with it
        assert sorted(len(set(cells_) & set(facts["cells"][s])) for s in supports) == [1, 1, 1, 1]


def test_one_level_covers_its_grid_without_overlap():
    _, facts = stack(8, 4)
    for level in range(1, 5):
        covered = [c for i, cells_ in enumerate(facts["cells"]) if facts["level"][i] == level for c in cells_]
        assert len(set(covered)) == len(covered)


def test_cells_run_clockwise_from_the_top_left():
    _, facts = stack(4, 2)

    assert facts["cells"][0] == (0, 1, 5, 4)
    assert facts["cells"][4] == (5, 6, 10, 9)


TILED = """
# tiled.yaml
document: model
shapes:
  bar: ["##"]
  bar_long: ["###"]
grids:
  field: {rows: 2, columns: 3, prefix: f_}
  garden: {per: player, rows: 2, columns: 2, prefix: g_}
"""
USE = """# use.yaml
document: rules
triggers:
  named_way:
    after: earn
    do: "for c in %s.cells: gain 1 coin"
"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("bar_f_a1_0", True, id="of a shared grid"),
        pytest.param("bar_long_f_a2_0", True, id="a shape whose name begins like another"),
        pytest.param("bar_f_c1_0", False, id="it would reach over the edge"),
        pytest.param("bar_f_a1_2", False, id="it has two turns"),
        pytest.param("bar_f_d1_0", False, id="no such cell"),
        pytest.param("player_2.bar_g_a1_1", True, id="of a grid of one's own"),
        pytest.param("player_2.bar_long_g_a1_1", False, id="too long for that grid"),
        pytest.param("player_2.bar_f_a1_0", False, id="no player owns the shared grid"),
        pytest.param("bar_g_a1_1", False, id="whose grid"),
    ],
)
def test_ways_to_lay_a_shape_have_names(tmp_path, name, found):
    codes = [p.code for p in problems(tmp_path, TILED.lstrip() + USE % name)]

    assert codes == ([] if found else ["P0201"])
