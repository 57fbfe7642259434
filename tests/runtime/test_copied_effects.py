"""``do c.effect as x``: a card that copies what another one does."""

from __future__ import annotations

from laws import play_by_the_laws
from littlepacks import lay, see_same_natively, told

from patolli.author.workspace import load

MODEL = """kinds:
  card: {facts: {worth: int, effect: effect}, fields: {used: int 0..9 = 0}}
counters:
  point: {per: player}
places:
  stock: {of: card, type: area}
  played: {of: card, per: player, type: area}
"""
PIECES = """document: pieces
kind: card
place: stock
pieces:
  mine: {worth: 2, effect: "gain it.worth point; set it.used to min(9, it.used + 1)"}
  pick: {worth: 3, effect: "choose n in 1..2 \\"How many?\\"; gain n * it.worth point; set it.used to min(9, it.used + n)"}
  echo:
    worth: 10
    effect: |
      choose c in played(me) where c != it "Copy which?"
      otherwise: stop
      do c.effect as it
  mirror: {like: echo, worth: 20}
"""
RULES = """rules:
  match: |
    loop:
      choose c in stock "Play which?"
      otherwise: break
      move c to played(me)
      do c.effect
      pass to next(me)
result: {score: point}
"""


def test_effect_is_carried_out_for_the_copy(tmp_path):
    match = load(lay(tmp_path, MODEL, RULES, pieces=PIECES)).start(2, 1)
    for choice in ("pick", "2", "mine", "echo", "1"):  # player 2 has only the mirror left, and copies the mine
        match.choose(choice)
    assert match.scores == [6 + 10, 2 + 20]
    used = {name: card["used"] for name, card in match.view(0)["pieces"]["card"].items()}
    assert used == {"pick": 2, "mine": 1, "echo": 1, "mirror": 1}


def test_matches_keep_the_laws(tmp_path):
    play_by_the_laws(load(lay(tmp_path, MODEL, RULES, pieces=PIECES)), 2, 1, 30)


def test_both_engines_play_the_same(tmp_path):
    see_same_natively(lay(tmp_path, MODEL, RULES, pieces=PIECES))


def test_it_comes_with_version_3(tmp_path):
    found = told(lay(tmp_path, MODEL, RULES, 2, pieces=PIECES.replace("  mirror: {like: echo, worth: 20}\n", "")))
    assert found == ["P0201: 'as' after 'do' comes with a later version of the language"]
