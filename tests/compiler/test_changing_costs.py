"""A cost that a piece holds and that depends on the match: its payer pays the present amount."""

from __future__ import annotations

import pytest
from packmaker import loaded

EXAMPLE = """document: rules
rules:
  get: |
    choose c in tool "Which?"
    pay c.price
    gain 1 point
  trade: |
    choose one:
      "get": get()
      "rest": nothing
# tools.yaml
document: model
kinds: {tool: {facts: {price: cost}}}
places: {shed: {of: tool, type: area}}
# tool_pieces.yaml
document: pieces
kind: tool
place: shed
pieces:
  axe: {price: point + 1 coin, text: An axe.}
  saw: {price: 2 nut, text: A saw.}
"""


def traded(folder, **amounts):
    match = loaded(folder, EXAMPLE).start(2)
    for name in ("coin", "nut", "point"):
        match.state[match.program.layout.counters[name][0]] = amounts.get(name, 0)
    match.call("trade")
    return match


DEARER = """# dear/pack.yaml
document: pack
id: dear
version: 1.0.0
language: 1
title: Dear
requires: {sample: ">=0.1"}
# dear/changes.yaml
document: patch
change: [{replace: pieces/saw/price, expects: 2 nut, with: point + 2 coin}]
"""


def labels(match):
    return [option.label for option in match.decision.options]


def amount(match, name):
    return match.state[match.program.layout.counters[name][0]]


@pytest.mark.parametrize(
    ("have", "offered"),
    [
        ({"coin": 1}, True), ({}, False), ({"coin": 1, "point": 1}, False), ({"coin": 3, "point": 2}, True),
        ({"nut": 2, "point": 9}, True),
    ],
)  # fmt: skip
def test_offered_when_the_present_amount_is_there(tmp_path, have, offered):
    assert ("get" in labels(traded(tmp_path, **have))) == offered


def test_present_amount_is_paid(tmp_path):
    match = traded(tmp_path, coin=5, nut=2, point=2)

    match.choose("get")
    match.choose("axe")

    assert (amount(match, "coin"), amount(match, "point")) == (2, 3)


def test_only_what_can_be_paid_is_chosen_from_also_after_a_restore(tmp_path):
    match = traded(tmp_path, coin=5, nut=2, point=2)
    match.choose("get")

    again = match.ruleset.restore(match.to_json())

    assert labels(again) == labels(match) == ["axe", "saw"]
    match.state[match.program.layout.counters["point"][0]] = 5
    match.run()
    assert amount(match, "nut") == 0


@pytest.mark.parametrize(
    ("have", "offered"), [({"nut": 2}, False), ({"coin": 2}, True), ({"coin": 2, "point": 1}, False)]
)
def test_amount_that_a_module_puts_in_its_place(tmp_path, have, offered):
    match = loaded(tmp_path, EXAMPLE.replace("axe: {price: point + 1 coin", "axe: {price: 9 coin") + DEARER).start(2)
    for name in ("coin", "nut", "point"):
        match.state[match.program.layout.counters[name][0]] = have.get(name, 0)
    match.call("trade")

    assert ("get" in labels(match)) == offered
    if offered:
        match.choose("get")
        assert (amount(match, "coin"), amount(match, "nut")) == (0, 0)
