"""What takes least is looked at first, where nobody can tell."""

from __future__ import annotations

import ast

import pytest

from patolli.run.compiler.condition_order import put_in_order

SPACE = {"K_two": (0, 1), "F_owner": (1, 0), "draw": print}
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
