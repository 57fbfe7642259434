"""Counters that stand for things on the board: paying them is left to a rule of the pack."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems

MODEL = """# chips.yaml
document: model
grids:
  lot: {per: player, rows: 1, columns: 4, prefix: lot_, fields: {chips: bool = true}}
counters:
  chip: {per: player, start: 4, spend: take_chips}
groups:
  pot: [chip]
# chip_rules.yaml
document: rules
rules:
  spend_some(int n): pay n chip
"""
ONE_BY_ONE = """  take_chips(pot): |
    choose x in owned(lot) where x.chips "From where?"
    otherwise: stop
    set x.chips to false
    lose 1 pot
"""
AT_ONCE = """  take_chips(pot, int n): |
    if have(pot) == n:
      for x in owned(lot): set x.chips to false
    else:
      let left = n
      for x in owned(lot) where x.chips in any order "From where?":
        set x.chips to false
        set left to left - 1
        if left == 0: break
    lose n pot
"""


@pytest.mark.parametrize(
    ("rule", "amount", "asked"),
    [
        pytest.param(ONE_BY_ONE, 2, 2, id="carried out for each"),
        pytest.param(ONE_BY_ONE, 4, 3, id="for each, even when all are paid; the last answer is the only one"),
        pytest.param(AT_ONCE, 2, 2, id="told how many"),
        pytest.param(AT_ONCE, 4, 0, id="told that all are paid, so the rule need not ask"),
    ],
)
def test_rule_that_spends(tmp_path, rule, amount, asked):
    match = loaded(tmp_path, MODEL + rule).start(2, 1)
    questions = len(match.state[0])
    match.call("spend_some", 0, amount)
    prompts = []
    while len(match.state[0]) > questions:
        prompts.append(match.decision.prompt)
        match.pick(0)

    assert prompts == ["From where?"] * asked
    base, _ = match.program.layout.counters["chip"]
    assert match.state[base] == 4 - amount


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        pytest.param(ONE_BY_ONE, None, id="one parameter"),
        pytest.param(AT_ONCE, None, id="and a number"),
        pytest.param(ONE_BY_ONE.replace("(pot)", "(pot, bool b)"), "P0202", id="something else"),
        pytest.param(AT_ONCE.replace("int n)", "int n, int m)"), "P0202", id="too many"),
        pytest.param(ONE_BY_ONE.replace("    otherwise: stop\n", ""), "P0402", id="a choice that may be empty"),
    ],
)
def test_rule_that_may_spend(tmp_path, rule, code):
    found = [p.code for p in problems(tmp_path, MODEL + rule)]

    assert found == ([code] if code else [])


@pytest.mark.parametrize(
    ("second", "codes"),
    [
        pytest.param("pay 1 chip", ["P0401"], id="for sure"),
        pytest.param("if chip >= 1: pay 1 chip", [], id="when it is there"),
    ],
)
def test_nothing_is_sure_behind_what_a_rule_carries_out(tmp_path, second, codes):
    """What spends may take more, or ask and change something else."""
    found = problems(tmp_path, f"{MODEL}  twice: |\n    pay 1 chip\n    {second}\n{ONE_BY_ONE}")

    assert [p.code for p in found] == codes
