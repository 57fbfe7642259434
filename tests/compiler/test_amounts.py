"""All amounts of one gain, loss or payment count what was there before it, however its parts are ordered."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems, trigger

CHANGES = [
    ("gain 1 coin and coin nut", {"coin": 4, "nut": 8}),
    ("gain coin nut and 1 coin", {"coin": 4, "nut": 8}),
    ("lose 1 coin and coin nut", {"coin": 2, "nut": 2}),
    ("gain coin coin and coin coin", {"coin": 9}),
    ("if coin >= 1 and nut >= coin: pay 1 coin and coin nut", {"coin": 2, "nut": 2}),
    ("if coin >= 1 and nut >= 8 - coin: pay 1 coin and 8 - coin nut", {"coin": 2, "nut": 0}),
    ("if coin >= 1 and nut >= more(coin): pay 1 coin and more(coin) nut", {"coin": 2, "nut": 1}),
    ("for g in good:\n  gain 2 g and nut g and nut coin", {"coin": 13, "seed": 5, "nut": 12}),
    ("for g in good:\n  lose 1 g and have(g) mod 3 nut", {"seed": 0, "nut": 2}),
    ("gain 1 coin and 1 tally(moods[min(1, max(0, coin - 3))])", {"coin": 4, "tally": [1, 0]}),
]
MORE = "# more.yaml\ndocument: rules\nfunctions:\n  more(int n): n + 1\n"
MOODS = (
    "# moods.yaml\ndocument: model\nenums:\n  mood: [calm, wild]\ncounters:\n  tally: {per: [player, mood]}\n"
    "constants:\n  moods: {type: list of mood, value: [calm, wild]}\n"
)


def behind(tmp_path, effect, narrate):
    """A match of the sample pack after an effect of the first player, who has 3 coins and 5 nuts."""
    body = "".join(f"\n  {line}" for line in effect.splitlines())
    example = trigger(f"as player_1:\n  set coin to 3\n  set nut to 5{body}", "setup") + MORE + MOODS
    match = loaded(tmp_path, example).start(2, 1, narrate=narrate)
    match.pick(0)
    match.pick(0)
    return match


@pytest.mark.parametrize("narrate", [False, True])
@pytest.mark.parametrize(("effect", "wanted"), CHANGES)
def test_amounts_count_what_was_there_before(tmp_path, effect, wanted, narrate):
    counters = behind(tmp_path, effect, narrate).view(0)["counters"]
    found = {name: counters[name]["player_1"] for name in wanted}

    assert {name: list(v.values()) if isinstance(v, dict) else v for name, v in found.items()} == wanted


def test_mix_counts_what_was_there_before(tmp_path):
    """Three of two goods, then five more: four ways, and six."""
    match = behind(tmp_path, "gain 1 coin and coin any good and nut any good", False)

    assert len(match.options()) == 4
    match.pick(0)
    assert len(match.ruleset.restore(match.to_json()).options()) == 6


def test_what_is_gained_is_proven_of_what_was_there_before(tmp_path):
    """One nut less than coins: with three coins there are four, and three nuts."""
    found = problems(tmp_path, trigger("set nut to 0\ngain 1 coin and coin nut\npay coin nut"))

    assert [problem.code for problem in found] == ["P0401"]
