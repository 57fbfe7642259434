"""A player who looks at hidden pieces to choose one sees them all: so do all imagined worlds."""

from __future__ import annotations

import pytest
from tiers import few

from patolli.author.workspace import load
from patolli.play.players import make_bot

MODEL = """\
document: model
kinds:
  card: {facts: {worth: int}, fields: {mark: bool = false}}
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: owner}
  box_of: {of: card, per: player, type: area, visible: owner}
counters: {point: {per: player}}
"""
RULES = """\
document: rules
rules:
  setup: |
    shuffle deck
    for p in players:
      draw 3 from deck to hand(p)
      draw 1 from deck to box_of(p)
  match: |
    repeat 3 times:
      for p in players: as p: look()
    end match
  look: |
    {}
result: {{score: point}}
"""
TAKEN = "\n    otherwise: stop\n    move c to hand(me)\n    gain c.worth point"
LOOKS = {
    "a pile": 'choose c in deck "Which?"' + TAKEN,
    "its top": 'choose c in take(deck, 3) "Which?"' + TAKEN,
    "some of it": 'choose c in deck where c.worth > 2 "Which?"' + TAKEN,
    "another hand": 'choose c in hand(next(me)) "Which?"' + TAKEN,
    "some of another hand": 'choose c in hand(next(me)) where c.worth > 2 "Which?"' + TAKEN,
    "two hands": 'choose c in hand(next(me)), d in hand(next(next(me))) "Which?"' + TAKEN,
    "lines of a menu": 'choose one "Which?":\n      for c in deck "take": move c to hand(me)\n      "leave": nothing',
}


def pack(folder, look, cards=24):
    pieces = "".join(f"  c{n}: {{worth: {n % 5}}}\n" for n in range(1, cards + 1))
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        "document: pack\nid: looks\nversion: 1.0.0\nlanguage: 2\ntitle: Looks\nplayers: {min: 3, max: 3}\n"
    )
    (folder / "model.yaml").write_text(MODEL)
    (folder / "cards.yaml").write_text(f"document: pieces\nkind: card\nplace: deck\npieces:\n{pieces}")
    (folder / "rules.yaml").write_text(RULES.format(look))
    return load(str(folder))


def truths(match):
    return [match.view(seat) for seat in range(match.players)]


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_worlds_offer_the_same(tmp_path, look):
    match = pack(tmp_path / "looks", look).start(3, 5)
    seat = match.decision.player
    worlds = [match.determinize(seat, seed) for seed in range(30)]

    assert all(world.pending == match.pending for world in worlds)
    assert all(world.view(seat) == match.view(seat) for world in worlds)
    assert len({world.digest() for world in worlds}) == 30
    assert len({str(world.view((seat + 1) % 3)) for world in worlds}) > (1 if look is LOOKS["another hand"] else 5)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_nothing_hidden_counts(tmp_path, look):
    match = pack(tmp_path / "looks", look).start(3, 5)
    seat = match.decision.player
    twin = match.determinize(seat, 1)

    assert truths(twin) != truths(match)
    for seed in range(5):
        assert truths(twin.determinize(seat, seed)) == truths(match.determinize(seat, seed))


@pytest.mark.parametrize("bot", few(["greedy", "mcts:3"], 0))
def test_bots_play_to_the_end(tmp_path, bot):
    match = pack(tmp_path / "looks", LOOKS["a pile"], 40).start(3, 5)
    bots = [make_bot(bot, 1, seat) for seat in range(3)]
    while match.decision is not None:
        match.pick(bots[match.decision.player].decide(match))

    assert sum(match.scores) > 0


def test_every_card_elsewhere_is_as_likely(tmp_path):
    """What the options do not tell is as likely as before: each card of the others is with each of them equally often."""
    match = pack(tmp_path / "looks", LOOKS["a pile"]).start(3, 5)
    seat = match.decision.player
    worlds = [match.determinize(seat, seed) for seed in range(400)]
    left = [piece for piece in match.view((seat + 1) % 3)["places"]["hand"][f"player_{(seat + 1) % 3 + 1}"]]
    counts = [
        sum(piece in world.view((seat + 1) % 3)["places"]["hand"][f"player_{(seat + 1) % 3 + 1}"] for world in worlds)
        for piece in left
    ]

    assert all(105 < count < 195 for count in counts)  # 3 of 8 places: 150, and nearly 5 standard deviations
