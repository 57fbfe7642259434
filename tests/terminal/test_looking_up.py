"""What is reported about pieces whose names follow what they are now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sitting import Sat, sit

import patolli

FILES = {
    "pack": "document: pack\nid: dice\nversion: 1.0.0\nlanguage: 2\ntitle: Dice\nplayers: {min: 2, max: 2}\n",
    "model": """\
document: model
kinds:
  room: {facts: {title: text}, name: "the {title}"}
  die: {per: player, name: "die of {eyes}", fields: {eyes: {type: int = 1}}}
counters:
  point: {per: player}
places:
  area: {name: "the area of {room}", of: die, per: room, type: area}
""",
    "pieces": """\
document: pieces
kind: die
pieces:
  cube: {copies: 3, text: A die of a player.}
""",
    "rooms": "document: pieces\nkind: room\npieces:\n  hall: {title: hall, text: Hall.}\n  yard: {title: yard}\n",
    "rules": """\
document: rules
rules:
  setup: |
    for d in die: move d to area(hall)
  match: |
    for p in players:
      as p: turn()
    repeat 2 times: wait()
    end match
  turn: |
    choose d in die where d.owner == me and d.eyes == 1 "Which?"
    otherwise: return
    set d.eyes to 4
    move d to area(yard)
  wait: |
    choose n in 1..2 "And now?"
result: {score: point}
""",
}


@pytest.fixture
def dice(tmp_path: Path) -> patolli.Ruleset:
    for name, text in FILES.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return patolli.load(str(tmp_path))


def told(sat: Sat, number: int) -> str:
    """What was printed behind the line with a number, up to the question that comes again."""
    return re.split("\n\n(?:You|Player [0-9]) ", sat.asked[number].partition("\n")[2])[0]


def test_copies_that_have_become_unlike_are_distinguished(dice):
    sat = sit(dice, ["1", "show cube", "show die of 1"], "human human")

    assert told(sat, 2) == (
        "die, a piece (die)\nA die of a player.\n"
        "  player 1's die of 4: the area of the yard\n"
        "  player 1's die of 1: the area of the hall (2 of them)\n"
        "  player 2's die of 1: the area of the hall (3 of them)"
    )
    assert "player 1's die of 1: the area of the hall (2 of them)" in told(sat, 3)
    assert "yard" not in told(sat, 3)


def test_name_of_now_finds_the_piece_that_has_it(dice):
    sat = sit(dice, ["1", "show die of 4", "1", "show die of 4"], "human human")

    assert told(sat, 2) == "player 1's die of 4, a piece (die)\nA die of a player.\n  now: the area of the yard"
    assert "player 2's die of 4: the area of the yard" in told(sat, 4)


@pytest.mark.deep
def test_kind_lists_the_names_that_there_are_now():
    """All that are called so on the board, also those of other players."""
    city = patolli.load("city_of_gods", ["first_game"])
    match = city.start(2, 1)
    kind = "worker"
    while len(names := _seen(match, kind)) < 5:
        match.choose(0)
    said = " ".join(told(sit(city, ["", f"show {kind}"], "human human", match=match), 2).split())

    assert {name for name in names if name not in said} == set()


def _seen(match: patolli.Match, kind: str) -> set[str]:
    called = match.naming(match.decision.player)
    every = range(len(match.program.layout.instances[kind]))
    return {called.about(called.owner(kind, one)).piece(kind, one) for one in every}


def test_piece_that_has_places_tells_what_lies_there(dice):
    sat = sit(dice, ["show hall"], "human human")

    assert told(sat, 1) == "the hall, a piece (room)\n  the area of the hall: 3 dies of 1 and player 2's 3 dies of 1"
