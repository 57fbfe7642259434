"""A player who decides for another one: who is asked, what that player sees, and what is known afterwards."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from twins import told_the_same

from patolli.author.workspace import load
from patolli.cli import main
from patolli.run.runtime import Match, Ruleset
from patolli.serve.studio.states import _decision

FILES = {
    "pack": "document: pack\nid: sway\nversion: 1.0.0\nlanguage: 3\ntitle: Sway\nauthors: [x]\ntext: x\nplayers: {min: 3, max: 3}\n",
    "model": """document: model
kinds:
  card: {noun: [card, cards], facts: {number: int}}
counters:
  point: {per: player}
  bid: {per: player, max: 5, visible: owner}
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: owner}
  laid: {of: card, type: area}
""",
    "cards": "document: pieces\nkind: card\nplace: deck\npieces:\n  card: {copies: 20, number: copy}\n",
    "rules": """document: rules
rules:
  match:
    do: |
      shuffle deck
      for p in players:
        draw 3 from deck to hand(p)
        as p: set bid to 2
      repeat 3 times:
        act()
        as next(me) by me:
          act()
          as next(me) by me: act()
        as next(me): act()
        pass to next(me)
  act():
    do: |
      choose c in hand(me) or none "Lay which card?"
      if c:
        move c to laid
        gain c.number point
        for p in others(me): as p: give_up()
        draw 1 from deck to hand(me)
  give_up():
    do: |
      choose one "Lose what?":
        "a point" when point > 0: lose 1 point
        for d in hand(me) where size(hand(me)) > 2 "card": move d to deck bottom
        otherwise: nothing
result: {score: point}
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a small game in which each player decides for the next one."""
    folder = tmp_path_factory.mktemp("sway")
    for name, text in FILES.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def rules(folder) -> Ruleset:
    """Return the rules of that game."""
    return load(str(folder))


def play_until(rules: Ruleset, seed: int, narrate: bool = False) -> Match:
    """Return a match at the first question that one player answers for another."""
    match, draw = rules.start(3, seed, narrate=narrate), Random(seed)
    while match.decision.player == match.decision.acts:
        match.pick(draw.randrange(len(match.pending)))
    return match


def test_screens_say_for_whom_a_player_decides(folder, rules):
    match = play_until(rules, 1)
    typed = "1\n" * 8
    played = CliRunner().invoke(
        main, ["play", str(folder), "--seed", "1", "--seat", "all=human", "--quiet"], input=typed
    )

    assert _decision(match, match.decision.player, True)["prompt"] == "For player 2: Lay which card?"
    assert "for player 2: Lay which card?" in played.output


def test_another_player_is_asked_and_sees_what_the_acting_player_sees(rules):
    match = play_until(rules, 1)
    decision = match.decision
    assert (decision.player, decision.acts) == (0, 1)
    seen, own = match.view(0), match.view(1)
    assert seen["to_move"] == 0
    assert seen["places"]["hand"]["player_2"] == own["places"]["hand"]["player_2"]
    assert isinstance(seen["places"]["hand"]["player_1"], list)
    assert list(seen["places"]["hand"]["player_3"]) == ["hidden"]
    assert seen["counters"]["bid"] == {"player_1": 2, "player_2": 2, "player_3": None}
    assert set(decision.labels) == {*own["places"]["hand"]["player_2"], "none"}
    assert match.view(2)["places"]["hand"]["player_2"] == {"hidden": len(decision.labels) - 1}


def test_own_decisions_stay_their_own_and_all_ends_with_the_block(rules):
    match = play_until(rules, 1)
    asked = []
    for _ in range(60):
        if match.decision is None:
            break
        asked.append((match.decision.player, match.decision.acts, match.decision.prompt))
        match.pick(0)
    pairs = {(player, acts) for player, acts, prompt in asked if player != acts}
    assert pairs >= {(0, 1), (1, 2)}
    assert {player for player, acts, prompt in asked if acts == 0 and prompt == "Lose what?"} == {0, 2}
    slots = match.ruleset.visibility(match.program).deciders
    assert all(match.state[slot] == -1 for slot in slots)


def test_worlds_show_what_was_seen_and_keep_it(rules):
    match = play_until(rules, 2)
    draw = Random(5)
    for _ in range(8):
        for seat in range(3):
            for world in (match.determinize(seat, seed) for seed in range(3)):
                assert world.view(seat) == match.view(seat)
                assert seat != match.decision.player or world.pending == match.pending
        match.pick(draw.randrange(len(match.pending)))
    known = play_until(rules, 1)
    hand = list(known.view(0)["places"]["hand"]["player_2"])
    known.pick(len(known.pending) - 1)
    while any(known.state[slot] >= 0 for slot in known.ruleset.visibility(known.program).deciders):
        known.pick(len(known.pending) - 1)
    assert known.view(0)["places"]["hand"]["player_2"] == {"hidden": len(hand)}
    assert {str(known.determinize(0, seed).view(1)["places"]["hand"]["player_2"]) for seed in range(9)} == {str(hand)}


def test_reports_name_who_decides(rules):
    match = play_until(rules, 1, narrate=True)
    label = match.decision.labels[0]
    match.pick(0)
    assert any(line.startswith("Player 1 for player 2: ") for line in match.log), (label, match.log)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.deep), pytest.param(3, marks=pytest.mark.deep)])
def test_twins_are_reported_alike(rules, seed):
    told_the_same(rules, 3, seed, 12, 3, bots=2)


def test_choice_that_shows_nothing_new_can_be_undone(rules):
    match = play_until(rules, 1)
    match.pick(len(match.pending) - 1)
    assert (match.decision.player, match.decision.acts) == (1, 2)
    assert not match.clone().undo()  # the second player sees the hand of the third one now
    before = match.digest()
    match.pick(len(match.pending) - 1)
    assert match.undo()
    assert match.digest() == before
