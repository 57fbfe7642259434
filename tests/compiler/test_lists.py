"""Lists compare by their items, nested ones too, however they were made, and are what they were when they were named."""

from __future__ import annotations

import pytest
from packmaker import loaded, trigger


def begun(rules):
    """A match of the sample pack in which both have said their bids, behind which the examples stand."""
    match = rules.start(2, 1)
    match.pick(0)
    match.pick(0)
    return match


TRUE = [
    "{1, 2} == [x for x in 1..2]",
    "[x for x in 1..2] == 1..2",
    "[x for x in 1..2] in {{1, 2}, {3, 4}}",
    "{1, 2} in [{x, 2} for x in 1..2]",
    "1..2 in {{1, 2}}",
    "{2, 1} not in {{1, 2}}",
    "position({{1, 2}}, [x for x in 1..2]) == 0",
    "size(distinct([x for x in 1..2] for y in 1..2)) == 1",
    "count(distinct([x for x in 1..2] for y in 1..2)) == 1",
    "reverse({2, 1}) == {1, 2}",
    "rotate({2, 1}, 1) == [x for x in 1..2]",
    "{{1, 2}} == [[x for x in 1..2] for y in 1..1]",
    "first([x for x in 1..2] for y in 1..1) == {1, 2}",
    "({1, 2} if coin(player_1) >= 0 else {}) == [x for x in 1..2]",
    "[x for x in 1..2] == (1..2 if coin(player_1) >= 0 else none)",
    "first([x for x in 1..2] for y in 1..1)",
    "({1, 2} if seats > 1 else none) != none",
    "(first([x for x in 1..2] for y in 1..1) or {3}) == {1, 2}",
    "(({1, 2} if seats > 1 else none) or {3}) == {1, 2}",
    "(first([x for x in 1..2] for y in 1..0) or {3}) == {3}",
]


@pytest.mark.parametrize("condition", TRUE)
def test_equal_lists(tmp_path, condition):
    example = trigger(f"as player_1:\n  set coin to 0\n  if {condition}: gain 1 coin", "setup")
    match = begun(loaded(tmp_path, example))

    assert match.view(0)["counters"]["coin"]["player_1"] == 1


def test_list_of_lists_across_a_question_and_a_save(tmp_path):
    example = trigger(
        "as player_1:\n"
        "  set coin to 0\n"
        "  let seen = {[n + 1 for n in 1..2], 5..6}\n"
        '  choose n in 1..2 "Which?"\n'
        "  if [n + 1 for n in 1..2] in seen: gain 1 coin\n"
        "  if {5, 6} in seen: gain 2 coin",
        "setup",
    )
    rules = loaded(tmp_path, example)
    match = begun(rules)
    again = rules.restore(match.to_json())

    assert again == match
    for one in (match, again):
        one.pick(0)
        assert one.view(0)["counters"]["coin"]["player_1"] == 3
    assert again == match


def test_named_list_is_what_it_was(tmp_path):
    example = trigger(
        "as player_1:\n"
        "  set coin to 0\n"
        "  let before = deck\n"
        "  draw 1 from deck to hand(me)\n"
        "  gain (size(before) - size(deck)) coin",
        "setup",
    )
    match = begun(loaded(tmp_path, example))

    assert match.view(0)["counters"]["coin"]["player_1"] == 1
