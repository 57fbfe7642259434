"""What takes least is looked at first, and one instance needs no loop, where nobody can tell."""

from __future__ import annotations

import ast

import pytest

from patolli.compiler.ordering import put_in_order
from patolli.compiler.singles import unroll

SPACE = {"K_one": (0,), "K_two": (0, 1), "F_owner": (1, 0), "draw": print}
FUNCTIONS = """
def f_free(s, p):
    for x in K_two:
        if F_owner[x] == p:
            return True
    return False
def f_has(s, p):
    return s[p + 3] > 1
def f_fails(s, p):
    return draw(s)
def r1(s, me):
    {body}
"""


def made(body: str) -> list[ast.FunctionDef]:
    return ast.parse(FUNCTIONS.format(body=body.replace("\n", "\n    "))).body


@pytest.mark.parametrize(
    ("tests", "ordered"),
    [
        ("f_free(s, me) and s[3]", "s[3] and f_free(s, me)"),
        ("f_free(s, me) and f_has(s, me)", "f_has(s, me) and f_free(s, me)"),
        ("(s[1] and (not f_free(s, me))) and s[3]", "s[1] and s[3] and (not f_free(s, me))"),
        ("f_fails(s, me) and s[3]", None),
        ("f_free(s, me) and f_fails(s, me) and s[3]", None),
        ("s[4] and f_free(s, f_fails(s, me)) and s[3]", None),
        ("f_free(s, me) or s[3]", None),
    ],
)
def test_order(tests, ordered):
    functions = made(f"if {tests}:\n    return [x for x in K_two if {tests}]\nreturn [] if {tests} else [1]")
    put_in_order({"a": functions[:1], "b": functions[1:]}, SPACE)
    wanted = ordered or tests
    apart = wanted if " or " in wanted else wanted.replace(" and ", " if ")
    found = ast.unparse(functions[-1].body)
    assert found.startswith(f"if {wanted}:\n    return [x for x in K_two if "), found
    assert found.endswith(f"return [] if {wanted} else [1]"), found
    assert apart in found or tests in found


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("for x in K_one:\n    s[x + 4] = 1", "s[4] = 1"),
        ("for x in [x for x in K_one if s[x + 4] != 2]:\n    s[x + 4] = 2", "if s[4] != 2:\n    s[4] = 2"),
        ("for x in K_two:\n    s[x + 4] = 1", None),
        ("for x in K_one:\n    if s[4]:\n        break", None),
        ("for x in K_one:\n    s[4] = 1\nelse:\n    s[5] = 1", None),
    ],
)
def test_one_instance(body, left):
    functions = made(body)
    unroll(functions, SPACE)
    assert ast.unparse(functions[-1].body) == (left or body)


@pytest.mark.parametrize(
    ("called", "argument", "left"),
    [
        ("s[p + 4] = 2\n    return 0", "me", "s[me + 4] = 2"),
        ("if s[p]:\n        s[p] = 2\n    return 0", "f[1]", "if s[f[1]]:\n    s[f[1]] = 2"),
        ("s[4] = 2\n    s[p] = 1\n    return 0", "s[4]", None),  # the argument would be another one by then
        ("s[4] = draw(s)\n    return 0", "me", None),
        ("if s[p]:\n        return 1\n    return 0", "me", None),
        ("s[4] = 2\n    return f_has(s, p)", "me", None),
    ],
)
def test_what_only_sets(called, argument, left):
    source = f"def r2(s, p):\n    {called}\ndef b3(s, f):\n    r2(s, {argument})\n    return None"
    functions = ast.parse(source).body
    unroll(functions, SPACE)
    assert ast.unparse(functions[-1].body) == f"{left or f'r2(s, {argument})'}\nreturn None"
