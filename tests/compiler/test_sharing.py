"""What several tests ask for is worked out once, and only what is worked out in any case."""

from __future__ import annotations

import ast
from itertools import count

import pytest

from patolli.compiler import build as b
from patolli.compiler.sharing import shared


def conditions(*texts: str) -> list[ast.expr]:
    return [ast.parse(text, mode="eval").body for text in texts]


def made(*texts: str) -> str:
    numbers = count(1)
    body = shared(conditions(*texts), lambda: f"h{next(numbers)}")
    return "\n".join(ast.unparse(ast.fix_missing_locations(line)) for line in body)


def test_a_part_of_several_tests_has_a_name():
    assert made("s[1] == far(s[9])", "s[2] == far(s[9])", "s[3] == near(s[9])") == (
        "h1 = far(s[9])\nreturn s[1] == h1 and s[2] == h1 and (s[3] == near(s[9]))"
    )


def test_parts_of_shared_parts_come_first():
    assert made("f(g(s[1])) == 1", "f(g(s[1])) == 2", "g(s[1]) == 3") == (
        "h1 = g(s[1])\nh2 = f(h1)\nreturn h2 == 1 and h2 == 2 and (h1 == 3)"
    )


def test_what_excuses_all_of_them_is_asked_first():
    assert made("s[0] == 0 or s[1] == f(s[9])", "s[0] == 0 or s[2] == f(s[9])") == (
        "if s[0] == 0:\n    return True\nh1 = f(s[9])\nreturn s[1] == h1 and s[2] == h1"
    )


@pytest.mark.parametrize(
    "tests",
    [
        ("s[0] == 0 or f(s[9]) == 1", "s[1] == 0 or f(s[9]) == 1"),
        ("s[1] == 0 if s[0] else f(s[9]) == 1", "s[2] == 0 if s[0] else f(s[9]) == 1"),
        ("s[1] < s[2] < f(s[9])", "s[3] < s[4] < f(s[9])"),
        ("[f(x) + x for x in s[0]] == 1", "[f(x) + x for x in s[1]] == 2"),
        ("default(s[0], lambda: f(s[9])) == 1", "default(s[1], lambda: f(s[9])) == 2"),
    ],
)
def test_what_may_not_be_reached_stays_where_it_is(tests):
    assert made(*tests).startswith("return ")


@pytest.mark.parametrize(
    ("parts", "both", "either"),
    [
        (("True", "x"), "x", "True"),
        (("x", "False", "y"), "x and False", "x or y"),
        (("x", "True", "y"), "x and y", "x or True"),
        ((), "True", "False"),
    ],
)
def test_known_conditions_are_left_out(parts, both, either):
    assert (ast.unparse(b.both(conditions(*parts))), ast.unparse(b.either(conditions(*parts)))) == (both, either)
