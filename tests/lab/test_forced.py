"""Answers that the program gives by itself are in the facts, and so are turns that have no others."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from patolli import load
from patolli.measure.lab.observer import Observer
from patolli.measure.simulation import game_seed, playout
from patolli.measure.simulation.games import kept_game

PACK = """
document: pack
id: laps
version: 1.0.0
language: 2
title: Laps
text: The player with more pebbles after seven laps wins.
players: {min: 2, max: 3}
---
document: model
counters:
  lap: {told: false, text: Laps so far}
  pebble: {per: player, noun: [pebble, pebbles], text: Pebbles}
---
document: rules
rules:
  match:
    text: Go round seven times.
    do: |
      loop:
        gain 1 lap
        for p in players: as p: turn()
        if lap == 7: end match
  turn():
    text: Find a pebble, or pay one for three, which no player can in the first lap.
    do: |
      TURN
result:
  score: SCORE
"""
TURN = """choose one "What do you do?":
        "find": gain 1 pebble
        "trade" when lap == 2 or lap == 5: pay 1 pebble; gain 3 pebble"""
LAPS = 7


def recorded(folder, turn=TURN, score="pebble", players=2, games=12, bots=None, first=0):
    for number, text in enumerate(PACK.replace("TURN", turn).replace("SCORE", score).split("---\n")):
        (folder / ("pack.yaml" if number == 0 else f"{number}.yaml")).write_text(text)
    rules = load(folder)
    observer = Observer(rules, players)
    for number in range(first, first + games):
        play = partial(playout, rules, players, game_seed(3, number), bots, 10_000, True, observer.watch(), True)
        observer.keep(kept_game(number, 0, 10_000, play), lambda: 0.0)
    rows = observer.rows()
    assert len(rows) == games
    assert all(row["digest"] for row in rows), rows[0]["fault"]
    return rows


@pytest.mark.parametrize("bots", [None, "greedy"])
@pytest.mark.parametrize("players", [2, 3])
def test_turns_and_rounds_are_those_that_the_rules_count(tmp_path, players, bots):
    """In the first lap no player has a choice, nor in most others; bots that try things on copies do not count."""
    for row in recorded(tmp_path, players=players, bots=bots):
        assert dict(zip(row["counter_id"], row["counter_value"], strict=True))["lap"] == LAPS
        assert (row["turns"], row["rounds"]) == (players * LAPS, LAPS)
        assert row["seat_turns"] == [LAPS] * players
        assert row["seat_dead_turns"] == [LAPS - 2] * players
        assert row["seat_choices"] == [2] * players
        assert row["seat_forced"] == [LAPS - 2] * players
        assert row["choices"] + row["forced"] == row["turns"]


@pytest.mark.parametrize("score", ["pebble", "max(pebble, 0)"])
def test_scores_are_noted_before_turns_that_have_no_choice(tmp_path, score):
    """Also where the score is no sum of counters, and before the first choice."""
    row = recorded(tmp_path, score=score, games=1)[0]
    course = list(zip(row["course_score"][::2], row["course_score"][1::2], strict=True))

    assert row["course_turn"] == list(range(2 * LAPS))
    assert course[:3] == [(0, 0), (1, 0), (1, 1)]
    moved = [[new - old for old, new in zip(*two, strict=True)] for two in pairwise(course)]
    assert all(step[1 - at % 2] == 0 < step[at % 2] for at, step in enumerate(moved))


OTHERS = [
    pytest.param('pause "look"', 0, id="a pause"),
    pytest.param("choose x in 1..2 where x > 9\n      otherwise: gain 1 pebble", 0, id="no option at all"),
    pytest.param('choose x in 1..2 where x > 9 or "pass"', 1, id="only to pass"),
    pytest.param("choose x in 1..2 where x > 1\n      gain x pebble", 1, id="one thing alone"),
    pytest.param("choose any number of x in 1..2 where x > 9 as xs", 1, id="of nothing any number"),
    pytest.param("choose 2 of x in 1..2 as xs", 2, id="two of two, and no more"),
    pytest.param("for x in 1..1 in any order: gain x pebble", 0, id="the order of one"),
]


@pytest.mark.parametrize(("before", "answers"), OTHERS)
def test_answers_that_are_forced(tmp_path, before, answers):
    row = recorded(tmp_path, turn=f"{before}\n      {TURN}", games=1)[0]

    assert row["forced"] == 2 * (LAPS - 2 + answers * LAPS)
    assert (row["choices"], row["dead_turns"], row["turns"]) == (4, 2 * (LAPS - 2), 2 * LAPS)


SETUPS = {
    "nothing random": "gain 3 pebble",
    "a forced answer": "choose x in 1..2 where x > 1\n        gain x pebble",
    "a random number": "random x in 1..6\n        gain x pebble",
}


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_set_up_is_recorded_in_each_match(tmp_path, setup):
    """A set-up that draws nothing is carried out once, and yet what it reports belongs to every match."""
    turn = f"{TURN}\n  setup:\n    do: |\n      for p in players: as p: prepare()\n  prepare():\n    do: |\n        {setup}"
    together = recorded(tmp_path, turn, games=4)
    alone = [recorded(tmp_path, turn, games=1, first=number)[0] for number in range(4)]

    assert [{**row, "seconds": 0} for row in together] == [{**row, "seconds": 0} for row in alone]
    assert together[0]["forced"] == 2 * (LAPS - 2 + ("choose" in setup))
