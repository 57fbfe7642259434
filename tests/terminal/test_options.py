"""Lines of options that are longer than the screen is wide."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from sitting import sit

import patolli
from patolli.play.scene.hints import Hints
from patolli.play.scene.seat_scene import Scene

WORDS = "worship for the Discovery tile of waived cocoa at the worship space of the Gold Deposits"
RULES = f"""\
document: rules
rules:
  match: |
    choose one "What now?":
      "{WORDS}": gain 1 coin
      "nothing": gain 2 coin
    end match
result: {{score: coin}}
"""


@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_word_of_an_option_is_lost(tmp_path, width):
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: long\nversion: 1.0.0\nlanguage: 1\ntitle: Long\nplayers: {min: 1, max: 1}\n"
    )
    (tmp_path / "model.yaml").write_text("document: model\ncounters:\n  coin: {per: player, max: 9, text: Coins}\n")
    (tmp_path / "rules.yaml").write_text(RULES)
    shown = sit(patolli.load(str(tmp_path)), [], "human", width=width).asked[0]
    listed = shown.partition("What now?\n")[2].partition("\n  2 ")[0]

    assert " ".join(listed.split()) == f"1 {WORDS} +1 coin"
    assert max(map(cell_len, shown.splitlines())) <= width


def test_changes_that_are_left_out_have_a_sign(tmp_path):
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: many\nversion: 1.0.0\nlanguage: 1\ntitle: Many\nplayers: {min: 1, max: 1}\n"
    )
    counters = "".join(f"  c{n}: {{per: player, max: 9, text: C{n}}}\n" for n in range(6))
    (tmp_path / "model.yaml").write_text(f"document: model\ncounters:\n{counters}")
    every = "; ".join(f"gain 1 c{n}" for n in range(6))
    (tmp_path / "rules.yaml").write_text(
        'document: rules\nrules:\n  match: |\n    choose one "What now?":\n'
        f'      "all": {every}\n      "five": {every.rpartition(";")[0]}\n    end match\nresult: {{score: c0}}\n'
    )
    told = " ".join(sit(patolli.load(str(tmp_path)), [], "human", width=120).asked[0].split())

    assert "+1 C4, … 2 five" in told
    assert told.count("…") == 1


ASKING = """\
document: rules
rules:
  match: |
    repeat 2 times: turn()
    end match
  turn: |
    choose one "What do you do?":
      "buy": buy()
      "rest": gain 1 coin
      "wait": nothing
  buy: |
    gain 2 coin
    choose n in 1..3 "How many? They are cheap."
    gain n coin
result: {score: coin}
"""


def test_option_tells_what_it_asks_next(tmp_path):
    """What comes of it ends there for now, and so its preview says that there is more; not what comes after it."""
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: asking\nversion: 1.0.0\nlanguage: 1\ntitle: Asking\nplayers: {min: 1, max: 1}\n"
    )
    (tmp_path / "model.yaml").write_text("document: model\ncounters: {coin: {per: player, noun: [coin, coins]}}\n")
    (tmp_path / "rules.yaml").write_text(ASKING)
    sat = sit(patolli.load(str(tmp_path)), ["?1", "?2"], "human")

    assert "  1 buy   +2 coins  then asks: How many?\n  2 rest  +1 coin\n  3 wait\n" in sat.asked[0]
    assert "Then you are asked: How many?" in sat.asked[1]
    assert "asked" not in sat.asked[2].partition("You ")[0]


def test_options_that_begin_alike_are_distinguished_where_they_have_commas(tmp_path):
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: alike\nversion: 1.0.0\nlanguage: 1\ntitle: Alike\nplayers: {min: 1, max: 1}\n"
    )
    (tmp_path / "model.yaml").write_text("document: model\ncounters:\n  coin: {per: player, max: 9, text: Coins}\n")
    lines = "".join(f'      "1 wood, {n} stone": gain {n} coin\n' for n in range(2, 8))
    (tmp_path / "rules.yaml").write_text(
        f'document: rules\nrules:\n  match: |\n    choose one "Pay?":\n{lines}    end match\nresult: {{score: coin}}\n'
    )
    said = sit(patolli.load(str(tmp_path)), ["1 w"], "human", width=140).text

    assert "begin with '1 w': 'a' 1 wood, 2 stone; 'b' 1 wood, 3 stone; 'c' 1 wood, 4 stone; 'd' 1 wood, 5" in said
    assert "; and 2 more" in said


def test_what_is_paid_is_not_told_in_part_behind_the_words_that_say_it(tmp_path):
    """What a rule takes for a good, as wood from a wall, is taken behind the question; other goods are gone at once."""
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: paid\nversion: 1.0.0\nlanguage: 2\ntitle: Paid\nplayers: {min: 1, max: 1}\n"
    )
    (tmp_path / "model.yaml").write_text(
        "document: model\ncounters:\n"
        "  wood: {per: player, start: 3, max: 9, noun: [wood], spend: take_off}\n"
        "  gold: {per: player, start: 3, max: 9, noun: [gold]}\n  point: {per: player, noun: [point, points]}\n"
        "groups: {good: [wood, gold], stock: [wood]}\n"
    )
    (tmp_path / "rules.yaml").write_text(
        'document: rules\nrules:\n  match: |\n    choose one "What?":\n      "buy": buy()\n      "rest": nothing\n'
        "    end match\n  buy: |\n    pay 2 any good\n    gain 4 point\n"
        '  take_off(stock, int n): |\n    choose wall in 1..2 "Which wall?"\n    lose n stock\nresult: {score: point}\n'
    )
    listed = sit(patolli.load(str(tmp_path)), ["buy"], "human").asked[1].splitlines()

    assert [" ".join(line.split()) for line in listed if line.startswith("  ")][-3:] == [
        "a 2 wood",
        "b 1 wood, 1 gold",
        "c 2 gold +4 points",
    ]


def test_a_promise_brings_no_tricks():
    match = patolli.load(str(Path(__file__).parents[2] / "content" / "gallery" / "promises")).start(3, 1)
    while "will you take" not in match.decision.prompt:
        match.choose(0)
    hints = Hints(Scene(match, match.decision.player), match.decision)

    assert [hints.describe(option).plain for option in match.decision.options[1:3]] == ["", ""]  # nor is it told twice
