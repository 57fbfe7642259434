"""What is said of common mistakes, in words that their authors know; and one mistake is reported once."""

from __future__ import annotations

import pytest
from littlepacks import lay, told

from patolli.author.workspace import inspect
from patolli.language.diagnostics.order import summary
from patolli.language.diagnostics.text import render_text

MODEL = """kinds: {card: {facts: {worth: int 0..9}}}
places: {deck: {of: card, type: pile}, hand: {of: card, per: player, type: area}, shelf: {of: card, type: row, size: 3}}
counters: {point: {per: player}, nut: {per: player, max: 9}}
"""
CARDS = "document: pieces\nkind: card\nplace: deck\npieces: {baths: {copies: 2, worth: 2}, inn: {worth: 1}}\n"
RULES = """result: {score: point + nut}
rules:
  take(card c): move c to hand(me)
  setup: draw 3 from deck to hand(player_1)
  match: |
"""


def pack(folder, body: str) -> str:
    return lay(folder, MODEL, RULES + "".join(f"    {line}\n" for line in body.splitlines()), cards=CARDS)


INDEX = {
    "gain hand(me)[0].worth point": "the list may be empty, and this takes its first item (index 0)",
    "gain hand(me)[2].worth point": "the list may have fewer than 3 items, and this takes item 2, counted from 0",
    "gain hand(me)[nut].worth point": "the list may be empty or too short for this index, which may be 0 to 9",
    "gain [4, 5][2] point": "the list has 2 items (index 0 to 1); the index is 2",
    "gain [4][1] point": "the list has 1 item (index 0); the index is 1",
    "gain [4, 5][nut] point": "the list has 2 items (index 0 to 1); the index may be 0 to 9",
    "gain [4, 5][0 - 1] point": "the index is -1, and the first item of a list has the index 0",
    "if shelf(3): gain 1 point": "the row has 3 spots (index 0 to 2); the index is 3",
}


@pytest.mark.parametrize("body", INDEX)
def test_index(tmp_path, body):
    turns = "if point > 50:\n  gain 1 nut\n  for c in hand(me): move c to deck\n"
    assert f"P0415: {INDEX[body]}" in told(pack(tmp_path, turns + body))


COPIES = {
    "take(baths)": "baths_1",
    "move baths to hand(me)": "baths_1",
    "if baths in hand(me): gain 1 point": "baths_1",
    "gain count(c in hand(me) where c == baths) point": "baths_1",
    "if top(deck) != baths: gain 1 point": "baths_1",
    "gain baths.worth point": "baths_1",
}


@pytest.mark.parametrize("body", COPIES)
def test_piece_with_several_copies(tmp_path, body):
    (first, *_) = inspect(pack(tmp_path, body)).errors
    assert COPIES[body] in first.help


def test_name_that_nothing_declares_is_one_error(tmp_path):
    body = "gain 1 pont\nif pont > 2: gain pont(next(me)) nut\nlose 1 pont"
    found = inspect(pack(tmp_path, body)).problems
    page = render_text(found)

    assert len([one for one in found if "'pont'" in one.message]) > 2  # an editor marks each place
    assert page.count("unknown") == 1
    assert "and 3 more like this" in page
    assert summary(found).startswith("1 error")


def test_two_names_are_two_errors(tmp_path):
    found = inspect(pack(tmp_path, "gain 1 pont\ngain 1 mut\ngain 1 pont")).problems
    assert summary(found).startswith("2 errors")


def test_too_few_to_choose_from(tmp_path):
    (first, *_) = inspect(pack(tmp_path, "choose 2 of c in hand(me) as cs\nfor c in cs: move c to deck")).errors
    assert first.message == "there may be too few to choose here"
