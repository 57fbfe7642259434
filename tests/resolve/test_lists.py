"""Lists of the second version: joined, cut off, and of lists."""

from __future__ import annotations

import pytest
from packmaker import SAMPLE, loaded, problems

VALUES = [
    ("size(around(b2) + adjacent(b2))", 12),
    ("size({} + [])", 0),
    ("sum({1, 2} + {3} + {4})", 10),
    ("({1, 2} + {3})[2]", 3),
    ("1 if {1} + {2} == {1, 2} else 0", 1),
    ("size({{1}} + {{2, 3}})", 2),
    ("size(({{1}} + {{2, 3}})[1])", 2),
    ("count(c in adjacent(a1) + adjacent(c3) where c.owner == none)", 4),
    ("size(until(c in ray(a1, 0, 1) where c == c1))", 1),
    ("size(through(c in ray(a1, 0, 1) where c == c1))", 2),
    ("size(until(c in ray(a1, 0, 1) where c == a3))", 2),
    ("size(through(c in ray(a1, 0, 1) where c == a3))", 2),
    ("size(until(n in 1..9 where n * n > 20))", 4),
    ("max(n in through(n in 1..9 where n * n > 20))", 5),
    ("sum(size(until(d in ray(c, 1, 0) where d == b3)) for c in {a1, b1})", 3),
    ("(first(n in 3..5 where n > 3) or 0) + 1", 5),
    ("1 + (first(n in 3..5 where n > 9) or 7)", 8),
    ("(first(n in 3..5 where n > 9) or 7) * 2", 14),
    ("longest({{1}, {2, 3}})", 2),
    ("count(n in 1..3, m in 1..3 where n < m)", 3),
    ("count(n in 1..3, m in 1..n)", 6),
    ("1 if any(n in 1..3, m in n..3 where n + m == 6) else 0", 1),
    ("highest(n in 1..3, m in 1..2 where n != m by n * m) or 9", 2),
    ("longest({{1}} + {{2, 3}, {4, 5, 6}})", 3),
]
FUNCTIONS = "functions:\n  longest(list of list of int rows): max(size(row) for row in rows)\n"


@pytest.mark.parametrize(("asked", "value"), VALUES)
def test_values(tmp_path, asked, value):
    match = loaded(tmp_path, f"document: rules\n{FUNCTIONS}values: {{asked: '{asked}'}}\n").start(2, 1)

    assert match.value("asked", 0) == value


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("size({1} + 2)", "P0301"),
        ("size({1} + {a1})", "P0301"),
        ("1 + {1}", "P0301"),
        ("size(until(c in cell))", "P0302"),
        ("size(until(c in cell by number(c)))", "P0302"),
        ("size(through(c for c in cell where c.owner))", "P0302"),
        ("size(until(cell))", "P0302"),
        ("size(until(n in 0..3 where 4 div n > 1))", "P0414"),
        ("size(until(n in 1..3 where 4 div n > 1))", ""),
        ("({1} + {2})[1]", ""),
        ("({1} + {2})[2]", "P0415"),
        ("through(n in 1..3 where n > coin)[0]", ""),
        ("until(n in 1..3 where n > coin)[0]", "P0415"),
        ("top(deck) or 3", "P0301"),
    ],
)
def test_what_is_reported(tmp_path, asked, code):
    found = {p.code for p in problems(tmp_path, f"document: rules\nvalues: {{asked: '{asked}'}}\n")}

    assert found == ({code} if code else set())


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("max(number(c) for c in hand(me)) or 0", 0),
        ("max(number(c) for c in hand(me)) or 7", 7),
        ("max([number(c) for c in hand(me)]) or 7", 7),
        ("min(n in 3..5 where n > coin) or 7", 3),
        ("(max(n + m for n in 1..2, m in 1..3 where n > 9) or 2) + 1", 3),
        ("max(0 - n for n in 3..5 where n > coin) or 7", -3),
    ],
)
def test_greatest_of_nothing_is_said(tmp_path, asked, value):
    text = f"document: rules\nvalues: {{asked: '{asked}'}}\n"

    assert problems(tmp_path, text) == []
    assert loaded(tmp_path, text).start(2, 1).value("asked", 0) == value


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("max(number(c) for c in hand(me))", True),
        ("max(number(c) for c in hand(me)) if hand(me) else 3", False),
        ("max(hand(me)[0].number, 2) if hand(me) else 3", False),
        ("min([number(c) for c in hand(me) where c.used])", True),
        ("max(coin(p) for p in players)", False),
        ("max({1, 2})", False),
        ("max(n in 1..3 where n > 1)", None),
    ],
)
def test_greatest_of_nothing_is_reported(tmp_path, asked, told):
    found = [p.code for p in problems(tmp_path, f"document: rules\nvalues: {{asked: '{asked}'}}\n")]

    assert told is None or found == (["P0487"] if told else [])


def test_greatest_of_nothing_is_0_in_the_first_version(tmp_path):
    pack = (SAMPLE / "pack.yaml").read_text("utf-8").replace("language: 2", "language: 1")
    text = f"document: rules\nvalues: {{asked: 'max(number(c) for c in hand(me))'}}\n# pack.yaml\n{pack}"

    assert problems(tmp_path, text) == []
