"""A kind that says how many there are, and whose pieces no document lists."""

from __future__ import annotations

from littlepacks import lay, see_same_natively, told

from patolli.author.workspace import load

MODEL = """kinds:
  ring: {copies: seats + 2, facts: {size: int = 2}, fields: {worn: bool = false}}
  crown: {copies: 1}
counters:
  point: {per: player}
places:
  heap: {of: ring, type: area}
  finger: {of: ring, per: player, type: spot}
  spare: {of: ring, per: ring_design, type: pile}
  throne: {of: crown, type: area}
"""
RULES = """rules:
  setup: |
    for r in ring: move r to heap
    move crown_1 to throne
    if ring_5: move ring_5 to spare(ring_5.design)
  match: |
    for p in players: as p:
      choose r in heap "Which ring?"
      otherwise: nothing
      if r and not finger(me):
        move r to finger(me)
        set r.worn to true
        gain r.size + size(throne) point
    move ring_2 to heap
result: {score: point + count(r in ring where r.worn)}
"""


def test_there_are_as_many_as_the_kind_says(tmp_path):
    folder = lay(tmp_path, MODEL, RULES)
    assert told(folder) == []
    two, three = (load(folder).start(players, 1) for players in (2, 3))

    assert two.view(0)["places"]["heap"] == ["ring_1", "ring_2", "ring_3", "ring_4"]
    assert two.view(0)["places"]["throne"] == ["crown_1"]
    assert three.view(0)["places"]["spare"] == {"ring": ["ring_5"]}
    two.choose("ring_3")
    two.choose("ring_1")
    assert (two.scores, two.winners) == ([5, 5], [0, 1])


def test_both_engines_play_it_alike(tmp_path):
    see_same_natively(lay(tmp_path, MODEL, RULES))
