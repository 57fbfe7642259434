"""Places that everybody sees but who holds them: views, options by place, worlds, saves, stories and numbers of actions."""

from __future__ import annotations

import json
from random import Random

import pytest
from laws import play_by_the_laws
from littlepacks import lay, see_same_natively, told
from twins import told_the_same, twin

from patolli.author.workspace import load
from patolli.run.runtime.seat_visibility import EVERYBODY

MODEL = """enums: {hue: [red, blue]}
kinds:
  card: {facts: {hue: hue, rank: int}, fields: {marked: bool = false}, name: "{hue} {rank}", noun: [card, cards]}
grids:
  stand: {per: player, rows: 1, columns: 2, fields: {hint: hue or none}}
counters:
  point: {per: player}
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: others}
  shelf: {of: card, per: player, type: row, size: 2, visible: others}
  on: {of: card, per: stand, type: spot, visible: others}
  own: {of: card, per: player, type: area, visible: owner}
  shown: {of: card, type: area}
"""
CARDS = """document: pieces
kind: card
place: deck
pieces:
  r1: {copies: 4, hue: red, rank: 1}
  r2: {copies: 3, hue: red, rank: 2}
  b1: {copies: 4, hue: blue, rank: 1}
  b3: {copies: 4, hue: blue, rank: 3}
"""
RULES = """rules:
  setup: |
    shuffle deck
    for p in players:
      if size(deck) > 1: draw 2 from deck to hand(p)
      if deck and not shelf(p, 0): move top(deck) to shelf(p, 0)
    for s in stand:
      if deck and not on(s): move top(deck) to on(s)
  match: |
    repeat 4 times: for p in players: as p: turn()
    end match
  turn(): |
    choose one "What?":
      for c in hand(me) "play": play(c)
      for c in hand(me), q in others(me) "give" as "give {c} to {q}": move c to hand(q)
      for c in hand(me) "keep" as "keep {c}": move c to own(me)
      for c in shelf "lay" as "lay {c}": move c to shown
      for s in stand where on(s) and s.owner == me "flip" as "flip {s}": flip(s)
      for q in others(me), h in hue where any(c in hand(q) where c.hue == h) "tell":
        for s in stand where s.owner == q and on(s): set s.hint to h
      for c in own(me) "lay own": move c to shown
      "pass": nothing
    if deck: move top(deck) to hand(me)
    choose any number of c in hand(me) as cs "Mark which?"
    for c in cs: set c.marked to true
  play(card c): |
    move c to shown
    if c.hue == red: gain c.rank point
  flip(stand s): |
    let c = on(s)
    if c: move c to shown
result: {score: point}
"""


@pytest.fixture
def folder(tmp_path):
    return lay(tmp_path, MODEL, RULES, cards=CARDS)


def test_everybody_but_the_holder_sees_them(folder):
    match = load(folder).start(3, 1)
    own, other, anybody = (match.view(seat)["places"] for seat in (0, 1, EVERYBODY))

    assert own["hand"]["player_1"] == anybody["hand"]["player_1"] == {"hidden": 2}
    assert own["shelf"]["player_1"] == [{"hidden": 1}, {"hidden": 0}]
    assert other["hand"]["player_1"] == [match.labels.value(match.program.questions[match.frame[0]].labels[0][1][0], n, -1)
                                         for n in match.state[match.program.layout.places["hand"][0]]]  # fmt: skip
    assert own["hand"]["player_2"] == match.view(2)["places"]["hand"]["player_2"] != {"hidden": 2}


def test_options_name_places_and_what_others_see_by_its_name(folder):
    match = load(folder).start(2, 1, narrate=True)
    labels, words = match.decision.labels, [option.words for option in match.decision.options]

    assert labels[:2] == ("play hand_1", "play hand_2")
    assert [label for label in labels if label.startswith(("lay", "flip"))] == ["lay shelf_1", "flip a1", "flip b1"]
    assert words[:3] == ["play card 1 of hand", "play card 2 of hand", "give card 1 of hand to player 2"]
    match.choose("keep hand_2")
    seen = match.view(0)["places"]["own"]["player_1"][0]
    assert [label for label in match.decision.labels if label != "done"] == ["hand_1", "hand_2"]
    match.choose("hand_2")
    assert "You: keep card 2 of hand".lower() in "\n".join(match.told(0)).lower().replace("player 1", "you")
    assert seen not in json.dumps(match.view(0)["places"]["hand"])


@pytest.mark.deep
def test_twins_are_reported_alike(folder):
    rules = load(folder)
    counts = told_the_same(rules, 2, 0, 24, 3, bots=3)

    assert all(counts[name] for name in ("views", "options", "reasons", "tales", "worlds", "bots"))


def test_worlds_give_the_holder_other_cards_and_keep_what_is_offered(folder):
    match = load(folder).start(2, 1)
    slot = match.program.layout.places["hand"][0]
    worlds = [match.determinize(0, seed) for seed in range(12)]

    assert {world.decision.labels for world in worlds} == {match.decision.labels}
    assert len({tuple(world.state[slot]) for world in worlds}) > 6
    assert {tuple(world.state[slot + 1]) for world in worlds} == {tuple(match.state[slot + 1])}


def test_matches_keep_the_laws(folder):
    play_by_the_laws(load(folder), 2, 1, 40)


def test_both_engines_play_the_same(folder):
    see_same_natively(folder)


def test_numbers_of_actions_tell_nothing(folder):
    np = pytest.importorskip("numpy", reason="the extra environments is not installed")
    from patolli.measure.environments.actions import Actions

    rules, draw = load(folder), Random(3)
    match, actions = rules.start(2, 1), Actions(rules, 2)
    for _ in range(12):
        seat = match.decision.player
        other = twin(match, seat, draw)
        other.run()
        assert np.array_equal(actions.mask(match), actions.mask(other))
        match.pick(draw.randrange(len(match.pending)))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("deck: {of: card, type: pile, visible: none}", "deck: {of: card, type: pile, visible: others}",
         "P0205: 'deck' has no owner from whom it could be hidden"),
        ("own: {of: card, per: player, type: area, visible: owner}", "own: {of: card, per: card, type: area, visible: others}",
         "P0205: 'own' has no owner from whom it could be hidden"),
    ],
)  # fmt: skip
def test_something_that_no_player_owns_is_refused(tmp_path, old, new, found):
    assert found in told(lay(tmp_path, MODEL.replace(old, new), RULES, cards=CARDS))


def test_a_condition_on_what_the_chooser_cannot_see_is_warned_of(tmp_path):
    peeking = RULES.replace('for c in hand(me) "play"', 'for c in hand(me) where c.rank > 1 "play"')

    assert any(one.startswith("P0466") for one in told(lay(tmp_path, MODEL, peeking, cards=CARDS)))
    assert not any(one.startswith("P0466") for one in told(lay(tmp_path, MODEL, RULES, cards=CARDS)))
