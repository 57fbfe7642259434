"""A number that stands where there may be none is never one that would be taken for none."""

from __future__ import annotations

import pytest
from packmaker import problems, trigger

MAY_BE_BELOW = [
    pytest.param("choose v in {coin - 9, 1} or none\nif v: gain v point", id="a choice"),
    pytest.param("choose v in [coin(p) - 1 for p in players] or none\nif v: gain v point", id="a list"),
    pytest.param("let v = first(coin(p) - 5 for p in players) or 0\ngain v point", id="first"),
    pytest.param("let v = lowest(coin(p) - 5 for p in players) or 0\ngain v point", id="lowest"),
    pytest.param("let v = first({0 - 3})\nif v: gain 1 point", id="the first item"),
]
NEVER_BELOW = [
    pytest.param("choose v in {coin, 1} or none\nif v: gain v point", id="a counter"),
    pytest.param("choose v in 1..3 or none\nif v: gain v point", id="a range"),
    pytest.param("choose v in 1..3, p in players or none\nif v: gain v point", id="beside something else"),
    pytest.param("choose v in {max(0, coin - 9), 1} or none\nif v: gain v point", id="kept above"),
    pytest.param("let v = highest(coin(p) for p in players) or 0\ngain v point", id="highest"),
    pytest.param("for k in 1..5:\n  let v = first(i for i in k..5) or 0\n  gain v point", id="from a variable"),
    pytest.param("let v = max(coin(p) - 9 for p in players)\ngain max(0, v) point", id="always a number"),
]


@pytest.mark.parametrize("effect", MAY_BE_BELOW)
def test_refused(tmp_path, effect):
    assert [p.code for p in problems(tmp_path, trigger(effect))] == ["P0420"]


@pytest.mark.parametrize("effect", NEVER_BELOW)
def test_accepted(tmp_path, effect):
    assert problems(tmp_path, trigger(effect)) == []
