"""Counters that are changed as members of a group keep within their own bounds."""

from __future__ import annotations

import pytest
from packmaker import loaded

EXAMPLE = """# model2.yaml
document: model
counters:
  cup: {per: player, max: 3, text: Cups}
  debt: {per: player, min: -2, text: Debts}
  secret: {per: player, visible: owner, text: Secrets}
groups:
  thing: [cup, debt]
  cups: [cup]
  secrets: [secret]
# rules2.yaml
document: rules
rules:
  change(thing, int n): gain n thing
  drop(thing, int n): lose n thing
  fill(int n): gain n any cups
  spend: pay 1 any secrets
"""


@pytest.mark.parametrize(
    ("rule", "start", "amount", "now"),
    [
        pytest.param("fill", 2, 2, 3, id="any: no more than the maximum"),
        pytest.param("change", 2, 2, 3, id="a member: no more than the maximum"),
        pytest.param("change", 2, -5, 0, id="less than nothing: no less than the minimum"),
        pytest.param("drop", 2, 3, 0, id="loss: no less than the minimum"),
        pytest.param("drop", 2, -3, 3, id="loss of less than nothing"),
    ],
)
def test_cups(tmp_path, rule, start, amount, now):
    assert changed(tmp_path, "cup", rule, start, amount) == now


@pytest.mark.parametrize(
    ("rule", "start", "amount", "now"),
    [
        pytest.param("drop", 1, 2, -1, id="below 0"),
        pytest.param("drop", -1, 5, -2, id="down to the minimum, and never up"),
        pytest.param("change", -1, -5, -2, id="gain of less than nothing"),
        pytest.param("change", -2, 3, 1, id="gain"),
    ],
)
def test_debts(tmp_path, rule, start, amount, now):
    assert changed(tmp_path, "debt", rule, start, amount) == now


def changed(tmp_path, counter, rule, start, amount):
    match = loaded(tmp_path, EXAMPLE).start(2)
    base, _ = match.program.layout.counters[counter]
    match.state[base + 1] = start
    match.call(rule, 1, *([base] if rule != "fill" else []), amount)
    return match.state[base + 1]


def narrated(tmp_path):
    """A match in which no secret choice is open any more."""
    match = loaded(tmp_path, EXAMPLE).start(2, narrate=True)
    while match.decision.simultaneous:
        match.pick(0)
    return match


def test_what_is_reported_is_what_was_gained(tmp_path):
    match = narrated(tmp_path)
    told = len(match.log)
    for _ in range(3):
        match.call("fill", 1, 2)

    assert match.log[told:] == ["Player 2 gains 2 cups", "Player 2 gains 1 cup"]


def test_secret_payment_is_not_told(tmp_path):
    match = narrated(tmp_path)
    match.state[match.program.layout.counters["secret"][0]] = 2
    told = len(match.log)
    match.call("spend", 0)

    assert match.log[told:] == ["Player 1 has decided"], "and not whether there was another way to pay"
