"""Cells that are hexagons: neighbours, lines, rays, and the ways to lay a shape."""

from __future__ import annotations

import pytest

from patolli.kernel import geometry
from patolli.kernel.regions import border

FIVE, SQUARES = (5, 5, 1, 1), (5, 5, 1, 0)
MIDDLE = 12


def test_beside_a_hexagon_are_six_which_lie_around_it():
    assert geometry.adjacent(FIVE, MIDDLE) == (7, 8, 13, 17, 16, 11)
    assert geometry.around(FIVE, MIDDLE) == geometry.adjacent(FIVE, MIDDLE)
    assert len(geometry.adjacent(SQUARES, MIDDLE)) == 4


def test_the_acute_corners_have_two_neighbours_and_the_obtuse_three():
    assert [len(geometry.adjacent(FIVE, corner)) for corner in (0, 4, 20, 24)] == [2, 3, 3, 2]


def test_each_lies_beside_those_that_lie_beside_it():
    for cell in range(25):
        near = geometry.adjacent(FIVE, cell)
        assert all(cell in geometry.adjacent(FIVE, other) for other in near)
        # around an inner cell each neighbour touches the next one
        if len(near) == 6:
            assert all(near[n - 1] in geometry.adjacent(FIVE, near[n]) for n in range(6))


def test_a_ray_goes_on_to_the_edge_in_six_directions():
    rays = [geometry.ray(FIVE, MIDDLE, *step) for step in geometry.HEXAGON]

    assert rays == [(7, 2), (8, 4), (13, 14), (17, 22), (16, 20), (11, 10)]


def test_lines_go_three_ways():
    assert len(geometry.lines(FIVE, MIDDLE, 5)) == 3
    assert len(geometry.lines(SQUARES, MIDDLE, 5)) == 4


@pytest.mark.parametrize(
    ("shape", "number"),
    [
        (((0, 0), (0, 1)), 3),
        (((0, 0), (0, 1), (0, 2)), 3),
        (((0, 0), (0, 1), (1, 0)), 2),
        (((0, 0), (0, 1), (1, 1)), 6),
    ],
    ids=["two", "a line", "a triangle", "bent"],
)
def test_shapes_turn_by_a_sixth(shape, number):
    """There are eleven fixed pieces of three hexagons: a line lies in 3 ways, a triangle in 2, a bend in 6."""
    turned = geometry.turns(shape, hexagons=True)

    assert len(turned) == number
    sizes = {len(border((9, 9, 1, 1), tuple((r + 3) * 9 + c + 3 for r, c in one))) for one in turned}
    assert len(sizes) == 1  # a turn changes nothing about what lies around
