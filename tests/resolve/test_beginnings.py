"""Variables that begin as none, or as an empty list, have the type of what their rule sets them to."""

from __future__ import annotations

import pytest
from littlepacks import lay, scores, see_same_natively, told

MODEL = """kinds: {card: {per: player, copies: 3, fields: {used: bool = false, rank: int 0..9 = 2}}}
places: {hand: {of: card, per: player, type: area}}
counters: {point: {per: player}}
"""
RULES = """result: {score: point}
rules:
  setup: |
    for c in card: move c to hand(c.owner)
  any_card(): |
    for c in hand(me) where not c.used: return c
  match: |
    let trying = any_card()
    if trying: set trying.used to true
"""


def pack(folder, body: str) -> str:
    return lay(folder, MODEL, RULES + "".join(f"    {line}\n" for line in body.splitlines()))


RIGHT = {
    "a piece": ("let best = none\nfor c in hand(me): set best to c\nif best: gain best.rank point", 2),
    "a number": ("let n = none\nif point == 0: set n to 8\ngain (n or 0) point", 8),
    "a player": ("let who = none\nfor p in players: set who to p\ngain 1 point for (who or me)\ngain 1 point", 1),
    "none in the end": ("let best = none\nset best to first(hand(me))\nset best to none\nif not best: gain 1 point", 1),
    "what a rule returns": ("let best = none\nset best to any_card()\nif best and not best.used: gain 3 point", 3),
    "two of each other": (
        "let one = none\nlet other = none\nrepeat 2 times:\n  set other to one\n  set one to first(hand(me))\n"
        "if other: gain other.rank point",
        2,
    ),
    "read before it is set": (
        "let last = none\nfor c in hand(me):\n  if last and last.rank == c.rank: gain 1 point\n  set last to c",
        2,
    ),
    "a list": ("let xs = []\nfor c in hand(me): set xs to xs + {c}\nfor x in xs: gain x.rank point", 6),
    "a list of numbers": ("let ns = []\nfor n in 1..3: set ns to ns + {n}\ngain sum(ns) point", 6),
    "in an inner block": (
        "for p in players:\n  let first_one = none\n  for c in hand(p): set first_one to c\n"
        "  if first_one: gain first_one.rank point for p",
        2,
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_type_is_that_of_what_it_is_set_to(tmp_path, name):
    body, points = RIGHT[name]
    folder = pack(tmp_path, body)

    assert told(folder) == []
    assert scores(folder)[0] == points


WRONG = {
    "let best = none": "P0301: this is none, and nothing says which type it may have otherwise",
    "let best = none\nset best to none": "P0301: this is none, and nothing says which type it may have otherwise",
    "let best = none\nset best to me\nset best to first(hand(me))": "P0301: 'best' is a player or none, this is a card or none",
    "let best = none\nset best to first(hand(me))\ngain best.rank point": "P0303: this may be none, so it has no 'rank'",
    "let n = none\nrepeat 3 times: set n to (n or 1) * 2": "P0420: this may be below 0, and could not be distinguished from none",
    "let one = none\nlet two = one": "P0301: this is none, and nothing says which type it may have otherwise",
}


@pytest.mark.parametrize("body", WRONG)
def test_it_says_what_is_wrong(tmp_path, body):
    assert told(pack(tmp_path, body))[0] == WRONG[body]


def test_both_engines_agree(tmp_path):
    bodies = [body for body, _ in RIGHT.values()]
    text = "".join("if point < 99:\n" + "".join(f"  {line}\n" for line in body.splitlines()) for body in bodies)
    see_same_natively(pack(tmp_path, text))
