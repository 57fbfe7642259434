"""Short rows are written out, each item in a place, and options are those of the list that was there."""

from __future__ import annotations

import ast
from random import Random

import pytest

from patolli.run.compiler.rolling_out import roll_out

BASE, CELLS = 3, 8
LISTS = (
    "[v for a in (X1[1][f1] if X1[0] is s else find(s, f1)) for b, t, v in G1[a] if s[b] != f1 and (t or not s[b] >= 0)]",
    "[v for a in (X1[1][f1] if X1[0] is s else find(s, f1)) for b, t, v in G1[a] if s[b] != f1 and (not t or s[b] < 0)]",
    "[(a, v) for a in range(8) for b, t, v in G1[a] if s[a + 3] == f1 and not t and s[b] != f[1] and not s[b] >= 0]",
    "[v + t for a in range(8) for t, b, v in G2[a] if s[b] != f1]",
    "[b for a in range(8) for b in G3[a] if s[b] != f1]",
)
"""Which items pass: of cells with a player or not, of one value or several, in an index or not."""


def rows(draw: Random, kinds: tuple[tuple[object, ...], ...]) -> tuple[object, ...]:
    """Return a table with a row of slots, each with what it is like and a value, for each cell."""
    cells = [slot + BASE for slot in range(CELLS)]
    return tuple(
        tuple((draw.choice(cells), kind, draw.randrange(100)) for kind in draw.choice(kinds)) for _ in range(CELLS)
    )


def tables(draw: Random) -> dict[str, object]:
    known = draw.choice([((1, 0, 1), (0, 1), (1, 0)), ((True, False), (False,), ()), ((1, 0), (0, 1), (1, 1, 1, 1))])
    first = rows(draw, known)
    second = tuple(tuple((kind, slot, value) for slot, kind, value in row) for row in first)
    return {"G1": first, "G2": second, "G3": tuple(tuple(slot for slot, _, _ in row) for row in first)}


def carried_out(code: ast.Module, space: dict[str, object], state: list[int]) -> object:
    lists = [[a for a in range(CELLS) if state[a + BASE] == seat] for seat in (0, 1)]
    space = {**space, "X1": [state, lists]}
    exec(compile(ast.fix_missing_locations(code), "<test>", "exec"), space)
    return space["b1"](state, [1, state[0]])


@pytest.mark.parametrize("list_", LISTS)
@pytest.mark.parametrize("seed", range(12))
def test_options_are_the_same(list_, seed):
    draw = Random(seed)
    space = tables(draw)
    source = f"def b1(s, f):\n    f1 = f[1]\n    o = {list_}\n    return o"
    code, made = ast.parse(source), dict(space)
    roll_out(code.body, made, lambda table: made.setdefault("U1", table) and "U1", {"X1": BASE})
    for _ in range(8):
        state = [draw.randrange(2), 0, 0, *(draw.randrange(-1, 2) for _ in range(CELLS))]
        assert carried_out(code, made, state) == carried_out(ast.parse(source), space, state)
