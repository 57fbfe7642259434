"""What was tested just before is not tested again, and what is the same for all values is looked at once."""

from __future__ import annotations

import ast
from contextlib import nullcontext

import pytest
from compiler.test_once import counted
from packmaker import loaded

from patolli.compiler.passed import leave_out
from patolli.compiler.shortening import plainly

TESTS = """
def q1(s, a, b):
    for x in T[a]:
        if s[x] == b:
            return True
    return False
def e2(s, c, d):
    for y in T[c]:
        if s[y] == d:
            return True
    return False
def e3(s, c, d):
    for y in T[d]:
        if s[y] == c:
            return True
    return False
def r4(s, a, b, c):
    return {tested}
"""


@pytest.mark.parametrize(
    ("tested", "left"),
    [
        ("[a for a in K if q1(s, a, b) if e2(s, a, b)]", "[a for a in K if q1(s, a, b)]"),
        ("[a for a in K if q1(s, a, b) if e2(s, b, a)]", None),
        ("[a for a in K if q1(s, a, b) if e3(s, a, b)]", None),
        ("[a for a in K if q1(s, a, b) if s[a] if e2(s, a, b)]", "[a for a in K if q1(s, a, b) if s[a]]"),
        ("q1(s, a, b) and e2(s, a, b)", "q1(s, a, b)"),
        ("q1(s, a, b) and s[a] and e2(s, a, b) and e3(s, a, b)", "q1(s, a, b) and s[a] and e3(s, a, b)"),
        ("q1(s, a, b) or e2(s, a, b)", None),
    ],
)
def test_twice(tested, left):
    functions = ast.parse(TESTS.format(tested=tested)).body
    leave_out(functions)
    assert ast.unparse(functions[-1].body[0].value) == (left or tested)


@pytest.mark.parametrize(
    ("inner", "left"),
    [
        ("e2(s, a, b)", "if q1(s, a, b):\n    return True"),
        ("e2(s, a, b) and e3(s, a, b)", "if q1(s, a, b):\n    if e3(s, a, b):\n        return True"),
        ("e2(s, a, c)", "if q1(s, a, b):\n    if e2(s, a, c):\n        return True"),
    ],
)
def test_one_inside_the_other(inner, left):
    functions = ast.parse(TESTS.format(tested="s")).body
    functions[-1].body = ast.parse(f"if q1(s, a, b):\n    if {inner}:\n        return True").body
    leave_out(functions)
    assert ast.unparse(functions[-1].body[0]) == left


ASKED = """\
document: rules
functions:
  free(): "[c in cell where c.owner == none]"
rules:
  ask: |
    choose one "What?":
      "settle": settle()
      "fill": fill()
      "leave": gain 1 coin
  settle: |
    choose c in cell where c.owner == {wanted} "Which?"
    require size(free()) {enough}
    set c.owner to me
  fill: |
    for c in cell: set c.owner to me
"""


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(
    ("wanted", "enough", "labels", "times"),
    [
        pytest.param("none", "> 3", ["settle", "fill", "leave"], 1, id="it holds"),
        pytest.param("none", "> 9", ["fill", "leave"], 1, id="it does not"),
        pytest.param("me", "> 3", ["fill", "leave"], 0, id="no value leads on"),
    ],
)
def test_what_is_the_same_for_all_values(tmp_path, plain, wanted, enough, labels, times):
    with plainly() if plain else nullcontext():
        match = loaded(tmp_path, ASKED.format(wanted=wanted, enough=enough)).start(2, 1)
        calls, undo = counted(match, "f_free")
        match.call("ask", 0)
        assert (list(match.decision.labels), len(calls)) == (labels, times)
        if times and "settle" in labels:
            match.choose("settle")
            assert (len(match.pending), len(calls)) == (9, 2)
        undo()
