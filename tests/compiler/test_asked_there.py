"""A search through rows is put where it is asked for, and says the same there."""

from __future__ import annotations

import ast

import pytest

from patolli.compiler.asked_there import ask_there

LOOKS = """
def f_line(s, me, c):
    for a, b in ROWS[c]:
        if s[a] == me and s[b] != me:
            return True
    return False
"""
BLOCK = """
def b1(s, f):
    f1 = f[1]
    f3 = f[3]
    if f_line(s, f1, f3):
        s[0] = 5
        return 1
    a = 7
    return a
"""
ROWS = (((1, 2), (3, 4)), ((2, 1),))


def carried_out(code, state, frame):
    space = {"ROWS": ROWS}
    exec(compile(ast.fix_missing_locations(code), "<test>", "exec"), space)
    return space["b1"](state, frame), state


@pytest.mark.parametrize("state", [[0, 1, 2, 3, 3], [0, 2, 1, 1, 2], [0, 1, 1, 1, 1], [0, 2, 1, 2, 2]])
@pytest.mark.parametrize("cell", [0, 1])
@pytest.mark.parametrize("me", [1, 2])
def test_it_says_the_same(state, cell, me):
    made = ast.parse(LOOKS + BLOCK)
    ask_there(made.body)
    assert "f_line(" not in ast.unparse(made.body[1])
    frame = [0, me, 0, cell]
    assert carried_out(made, [*state], frame) == carried_out(ast.parse(LOOKS + BLOCK), [*state], frame)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("        return 1\n    a", "    a", id="what follows goes on"),
        pytest.param("f_line(s, f1, f3):", "f_line(s, f1, f[3]):", id="what is given is worked out"),
        pytest.param("s[a] == me", "seen(s[a])", id="a call inside"),
        pytest.param("            return True", "            return me", id="another value"),
        pytest.param("    return False", "    return True", id="all of them"),
    ],
)
def test_it_stays_a_call(one, other):
    made = ast.parse((LOOKS + BLOCK).replace(one, other))
    before = ast.unparse(made)
    ask_there(made.body)
    assert ast.unparse(made) == before
