"""A list of a kind shows what lies at a place that belongs to a player and to each of the kind."""

from __future__ import annotations

from click.testing import CliRunner
from littlepacks import lay, told

from patolli.author.workspace import load
from patolli.cli import main
from patolli.serve.studio.scene import scene_of

MODEL = """kinds: {card: {}, shelf: {}}
places:
  deck: {of: card, type: pile}
  on_shelf: {of: card, per: [player, shelf], type: area, visible: owner}
counters: {point: {per: player}}
"""
RULES = """result: {score: point}
rules:
  match: |
    for p in players: as p:
      choose s in shelf "Which?"
      draw 1 from deck to on_shelf(me, s)
    if top(deck): gain 1 point
"""
PIECES = {
    "cards": "document: pieces\nkind: card\nplace: deck\npieces: {a_card: {}, b_card: {}, c_card: {}}\n",
    "shelves": "document: pieces\nkind: shelf\npieces: {upper: {}, lower: {}}\n",
    "panels": "document: panels\npanels: {shelves: {title: Shelves, shows: list, of: shelf, facts: [on_shelf]}}\n",
}


def test_each_player_has_something_there(tmp_path):
    folder = lay(tmp_path, MODEL, RULES, **PIECES)
    assert told(folder) == []

    match = load(folder).start(2, 1)
    match.choose("lower")
    match.choose("lower")
    (panel,) = (one for one in scene_of(match, 0)["panels"] if one["id"] == "shelves")

    says = {item["title"]: item["says"] for item in panel["items"]}
    assert says["lower"].startswith("lower. On shelf player 1")
    assert "card" in says["lower"]
    assert says["upper"] == "upper"


def test_it_is_drawn_with_the_marks_of_players(tmp_path):
    folder = lay(tmp_path, MODEL.replace(", visible: owner", ""), RULES, **PIECES)

    printed = CliRunner().invoke(main, ["play", folder, "--seat", "all=random", "--seed", "1"]).output

    lines = [line for line in printed.splitlines() if line.lower().startswith(("upper", "lower"))]
    assert sum(line.count(": ") for line in lines) == 2, printed
