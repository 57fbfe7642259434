"""What is public is reported, whatever other calls the rule has that does it."""

from __future__ import annotations

import pytest

from patolli import load

PACK = """\
document: pack
id: told_by_place
version: 1.0.0
language: 2
title: Told by place
players: {min: 2, max: 2}
"""
MODEL = """\
document: model
kinds:
  tile: {fields: {turn: int 0..3 = 0}}
grids: {cell: {rows: 2, columns: 2}}
places:
  deck: {of: tile, type: pile, visible: none}
  drawn: {of: tile, type: area}
  hand: {of: tile, per: player, type: area, visible: owner}
  tile_at: {of: tile, per: cell, type: spot}
counters: {point: {per: player}}
"""
TILES = "document: pieces\nkind: tile\nplace: deck\npieces: {tile: {copies: 6}}\n"
RULES = """\
document: rules
rules:
  setup:
    do: |
      let t = top(deck)
      if t: lay(t, 0)
  match: turn(); turn()
  lay(tile t, int k): set t.turn to k mod 4
  lay_twice(tile t, int k): lay(t, k)
  turn():
    do: |
BODY
  of_hand(tile t):
    do: |
      choose k in 0..3 "How is it turned?"
      lay_twice(t, k)
result: {score: point}
"""
OPEN = "draw 1 from deck to drawn; let t = first(x in drawn); stop unless t"
HIDDEN = "draw 1 from deck to hand(me); let t = first(x in hand(me)); stop unless t"
REDRAWN = "draw 1 from deck to hand(me); set t to first(x in hand(me)); stop unless t"
ASK = 'choose k in 0..3 "How is it turned?"'


@pytest.mark.parametrize(
    ("body", "told"),
    [
        pytest.param([OPEN, ASK, "set t.turn to k"], True, id="open"),
        pytest.param([OPEN, ASK, "lay(t, k)"], True, id="open, in a rule that is called for a hidden piece, too"),
        pytest.param([OPEN, ASK, "lay_twice(t, k)"], True, id="open, two rules away"),
        pytest.param([OPEN, "of_hand(t)"], True, id="open, in the rule that asks"),
        pytest.param([HIDDEN, ASK, "set t.turn to k"], False, id="hidden"),
        pytest.param([HIDDEN, ASK, "lay(t, k)"], False, id="hidden, in a rule"),
        pytest.param([HIDDEN, ASK, "lay_twice(t, k)"], False, id="hidden, two rules away"),
        pytest.param([HIDDEN, "of_hand(t)"], False, id="hidden, in the rule that asks"),
        pytest.param([OPEN, REDRAWN, ASK, "lay(t, k)"], False, id="hidden at last"),
        pytest.param([OPEN, ASK, "lay(t, k)", "let u = top(deck)", "if u: lay(u, k)"], False, id="of both"),
    ],
)
def test_answer_is_reported_where_what_it_makes_is_seen(body, told, tmp_path):
    text = "\n".join(f"      {line.strip()}" for part in body for line in part.split(";"))
    for name, what in (("pack", PACK), ("model", MODEL), ("tiles", TILES), ("rules", RULES.replace("BODY", text))):
        (tmp_path / f"{name}.yaml").write_text(what)
    match = load(tmp_path).start(2, seed=1, narrate=True)
    match.choose("2")

    said = "\n".join(line.words for line in match.telling(1))
    assert ("Player 1: 2" in said, "has decided" in said) == (told, not told)
