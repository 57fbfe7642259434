"""The pack in which rules made by chance live."""

from __future__ import annotations

PACK = """document: pack
id: maze
version: 1.0.0
language: 1
title: Maze
text: Rules made by chance.
players: {min: 2, max: 2}
"""
MODEL = """document: model
kinds:
  card:
    facts: {price: cost = none, worth: int = 1, effect: effect = nothing}
    fields: {used: bool = false}
  ghost: {}
counters:
  coin: {per: player, start: 1}
  nut: {per: player, start: 1}
  seed: {per: player, max: 3}
  gem: {per: player, start: 1}
  debt: {per: player, min: -2}
  bid: {per: player, visible: owner}
  tally: {per: [player, mood]}
  turn: {}
enums:
  mood: [calm, wild]
groups:
  good: [nut, seed]
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  purse: {of: card, per: player, type: area, visible: owner}
  shelf: {of: card, type: row, size: 2}
  desk: {of: card, type: spot}
  tomb: {of: ghost, type: pile}
"""
CARDS = """document: pieces
kind: card
place: deck
pieces:
  plain: {copies: 2}
  dear: {copies: 2, price: 2 coin, worth: 2}
  odd: {copies: 2, price: 1 coin and 1 any good, worth: 3}
"""
MATCH = """  setup: |
    for p in players: as p: draw 1 from deck to hand(me)
  match: |
    repeat 8 times:
      gain 1 turn
      for p in players: as p:
        choose one:
          "take": gain 1 coin and 1 nut; draw 1 from deck to hand(me)
          "drop" when hand(me) or coin > 0: lose 1 coin; lose 1 nut; for c in hand(me): move c to deck
"""

CHIPS = """document: model
counters:
  chip: {per: player, start: 2, spend: take_chip}
groups:
  pot: [chip, nut]
"""
TAKING = {
    "one by one": "  take_chip(pot): lose 1 pot\n",
    "at once": "  take_chip(pot, int n): lose n pot\n",
    "asking": '  take_chip(pot): |\n    choose k in 1..2 "From where?"\n    gain k bid\n    lose 1 pot\n',
}
"""Rules that are carried out for a chip that is paid."""

MODULE = """document: pack
id: detour
version: 1.0.0
language: 1
title: Detour
text: Changes made by chance.
requires: {maze: ">=1.0"}
"""
