"""Searches by a relation: what they find does not depend on how the relation is written, or became part of them."""

from __future__ import annotations

from random import Random

import pytest

from patolli.author.workspace import load

RULES = """document: rules
functions:
  short(cell c): "[d in around(c) where d.mark == c.mark]"
  long(cell c): "[d in around(c) where alike(c, d)]"
  alike(cell c, cell d): c.mark == d.mark
  twice(cell c): "[e for d in adjacent(c), e in adjacent(d) where e.mark == c.mark]"
  mine(cell c): "[d in adjacent(c) where d.mark == number(me)]"
  by_short(cell c): reachable(c, short)
  by_long(cell c): reachable(c, long)
  by_twice(cell c): reachable(c, twice)
  by_mine(cell c): reachable(c, mine)
  far(cell a, cell b): distance(a, b, short)
rules:
  match: |
    choose n in 1..2 "How many?"
    gain n + size(by_short(a1)) + size(by_long(a1)) + size(by_twice(a1)) + size(by_mine(a1)) point
    if far(a1, b2): gain 1 point
result: {score: point}
"""
SIDE = 4


@pytest.fixture
def rules(tmp_path):
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: small\nversion: 1.0.0\nlanguage: 2\ntitle: Small\nplayers: {min: 2, max: 2}\n"
    )
    (tmp_path / "model.yaml").write_text(
        "document: model\ncounters:\n  point: {per: player}\ngrids:\n"
        f"  cell: {{rows: {SIDE}, columns: {SIDE}, fields: {{mark: int 0..2 = 0}}}}\n"
    )
    (tmp_path / "rules.yaml").write_text(RULES)
    return load(str(tmp_path))


def spread(start, near):
    found = [start]
    for here in found:
        found += [other for other in dict.fromkeys(near(here)) if other not in found]
    return tuple(found)


def around(cell):
    row, column = divmod(cell, SIDE)
    steps = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
    return [
        (row + r) * SIDE + column + c for r, c in steps if 0 <= row + r < SIDE and 0 <= column + c < SIDE
    ]  # fmt: skip


def adjacent(cell):
    return [other for other in around(cell) if abs(cell - other) in (1, SIDE)]


@pytest.mark.parametrize("seed", range(6))
def test_all_ways_to_write_it_find_the_same(rules, seed):
    random, match = Random(seed), rules.start(2, 1)
    first, space = match.program.layout.fields["cell", "mark"], match.program.space
    match.state[first : first + SIDE**2] = marks = [random.randrange(3) for _ in range(SIDE**2)]

    for me in (0, 1):
        for cell in range(SIDE**2):
            alike = spread(cell, lambda here: [d for d in around(here) if marks[d] == marks[here]])
            assert space["f_by_short"](match.state, me, cell) == space["f_by_long"](match.state, me, cell) == alike
            twice = spread(
                cell, lambda here: [e for d in adjacent(here) for e in adjacent(d) if marks[e] == marks[here]]
            )
            assert space["f_by_twice"](match.state, me, cell) == twice
            mine = spread(cell, lambda here, own=me + 1: [d for d in adjacent(here) if marks[d] == own])
            assert space["f_by_mine"](match.state, me, cell) == mine
            for other in range(SIDE**2):
                assert (space["f_far"](match.state, me, cell, other) >= 0) == (other in alike)


def test_relation_that_calls_functions_becomes_part_of_the_search(rules):
    """Its neighbors were listed for each thing that is met."""
    assert {"short", "long", "mine"} <= rules.program(2).space["SPREADING"].keys()
