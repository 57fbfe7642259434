"""``--update`` writes what was found over what was expected, and nothing else."""

from __future__ import annotations

import pytest

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.scenarios.value_writer import apply_changes, quote_scalar
from patolli.language.diagnostics import Edit, Span, apply_edits

BEFORE = """\
# What a card costs.
scenarios:
  buying:   # the dear one
    given: set coin to 5
    call: buy()
    choose: [buy blue]
    then:
      coin:   2      # 5 - 3 + 1
      hand(me): [red]
      dear(red): true
      top(deck):
        blue
    scores: [1, 1]
    winners: [player_2]
  asked:
    given: set coin to 1
    call: buy()
    pending:
      - work
      - play
  fine: {then: {coin: 0}}
"""
AFTER = """\
# What a card costs.
scenarios:
  buying:   # the dear one
    given: set coin to 5
    call: buy()
    choose: [buy blue]
    then:
      coin:   3      # 5 - 3 + 1
      hand(me): [blue]
      dear(red): false
      top(deck):
        red
    scores: [3, 0]
    winners: [player_1]
  asked:
    given: set coin to 1
    call: buy()
    pending:
      [buy red, work]
  fine: {then: {coin: 0}}
"""


def test_update_writes_in_place(run, market):
    result = run(BEFORE)
    file = market(BEFORE)

    written = apply_changes(change for outcome in result.outcomes for change in outcome.changes)

    assert file.read_text(encoding="utf-8") == f"document: scenarios\n{AFTER}"
    assert list(written.values()) == [7]
    assert run_scenarios(Plan((str(file.parent),))).failed_outcomes == []


def test_update_keeps_the_ends_of_lines_and_the_mark_of_a_file(run, market):
    found = run(BEFORE)
    file = market(BEFORE)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))

    apply_changes(change for outcome in found.outcomes for change in outcome.changes)

    after = f"\ufeffdocument: scenarios\n{AFTER}"
    assert file.read_bytes().decode() == after.replace("\n", "\r\n")


def test_update_in_the_first_line_counts_no_mark():
    assert apply_edits("\ufeffa: b\n", [Edit(Span("f", 1, 4, 1, 5), "c")]) == "\ufeffa: c\n"


def test_update_leaves_conditions_alone(run):
    result = run("scenarios:\n  it: {then: [coin == 2]}\n")

    (outcome,) = result.failed_outcomes
    assert outcome.changes == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("work", "work"),
        ("buy red -> blue", "buy red -> blue"),
        ("1 wood, 2 nut", '"1 wood, 2 nut"'),
        ("no", '"no"'),
        ("none", "none"),
        ("true", '"true"'),
        ("what: now", '"what: now"'),
        ("-3", "-3"),
        ("1..2", '"1..2"'),
    ],
)
def test_labels_are_quoted_where_needed(text, written):
    assert quote_scalar(text) == written
