"""Lists in brackets, and draws at random from those for which a condition holds."""

from __future__ import annotations

import pytest
from littlepacks import lay, scores, see_same_natively, told

from patolli.author.workspace import inspect
from patolli.language.syntax.formatter import format_text
from patolli.language.syntax.words import NEWEST

MODEL = """kinds:
  tile: {facts: {edges: list of int, gives: list of list of int}}
  card: {per: player, copies: 3, fields: {used: bool = false}}
places: {hand: {of: card, per: player, type: area}}
counters: {point: {per: player}}
"""
TILES = "document: pieces\nkind: tile\npieces: {a_tile: {edges: [1, 2, 3, 4], gives: [[1], [2, 3]]}}\n"
RULES = """result: {score: point}
rules:
  setup: |
    for c in card: move c to hand(c.owner)
  match: |
    gain sum(a_tile.edges) + sum(a_tile.gives[0]) + count(c in hand(me) where c.used) - 11 point
"""


def pack(folder, body: str) -> str:
    return lay(folder, MODEL, RULES + "".join(f"    {line}\n" for line in body.splitlines()), tiles=TILES)


RIGHT = {
    "gain sum([1, 2, 4]) point": 7,
    "gain sum([5]) point": 5,
    "gain size([]) point": 0,
    "gain [[1, 2], [3, 4]][1][0] point": 3,
    "for p in [player_1, player_2]: gain 2 point for p": 2,
    "let xs = [1] + [x in 2..4]\ngain sum(xs) point": 10,
    "if point in [0, 3]: gain 1 point": 1,
    "gain size([x in hand(me) where not x.used]) point": 3,
    "gain size([x in hand(me)]) point": 3,
    "choose n in [4, 4]\ngain n point": 4,
    "random c in card where c.owner == me and not c.used\nif c: gain 3 point": 3,
    "random c in card where c.used\nif not c: gain 3 point": 3,
    "random c in hand(me) where c in hand(next(me))\nif c: gain 3 point": 0,
    "repeat (7 if seats == 2 else 5) times: gain 1 point": 7,
}


@pytest.mark.parametrize("body", RIGHT)
def test_it_is_what_it_says(tmp_path, body):
    folder = pack(tmp_path, body)
    text = (tmp_path / "rules.yaml").read_text("utf-8")

    assert told(folder) == []
    assert scores(folder)[0] == RIGHT[body]
    assert format_text(text, "rules.yaml", NEWEST) == text


WRONG = {
    "gain size([x in hand(me), y in card]) point": "P0101: of several lists, nothing says what is collected",
    "gain sum([1, me]) point": "P0301",
    "random n in 1..6 where n > point": "P0418: there may be nothing here to draw from",
    "random c in card where c.rank > 2": "P0201: a card has no 'rank'",
    "random c in card where c: nothing": "P0101",
}


@pytest.mark.parametrize("body", WRONG)
def test_it_says_what_is_wrong(tmp_path, body):
    assert told(pack(tmp_path, body))[0].startswith(WRONG[body])


def test_both_engines_agree(tmp_path):
    text = "".join("if point < 99:\n" + "".join(f"  {line}\n" for line in body.splitlines()) for body in RIGHT)
    see_same_natively(pack(tmp_path, text))


def test_a_piece_may_leave_a_list_out(tmp_path):
    tiles = "document: pieces\nkind: tile\npieces: {a_tile: {edges: [1, 2]}, other: {gives: [[1]]}}\n"
    rules = (
        RULES.split("  match: |")[0]
        + "  match: gain sum(a_tile.edges) + size(a_tile.gives) + size(other.edges) point\n"
    )
    assert scores(lay(tmp_path, MODEL, rules, tiles=tiles)) == [3, 0]


def test_what_a_piece_leaves_out_has_no_item(tmp_path):
    tiles = "document: pieces\nkind: tile\npieces: {a_tile: {edges: [1]}}\n"
    rules = RULES.split("  match: |")[0] + "  match: gain a_tile.edges[0] + size(a_tile.gives[0]) point\n"
    assert "P0415: the list is empty, and this takes an item of it" in told(lay(tmp_path, MODEL, rules, tiles=tiles))


def test_a_spot_is_no_place_to_draw_to(tmp_path):
    rules = RULES.split("  match: |")[0] + "  match: |\n    for p in players: draw 1 from hand(p) to desk(p)\n"
    model = MODEL.replace("places: {", "places: {desk: {of: card, per: player, type: spot}, ")
    problems = inspect(lay(tmp_path, model, rules, tiles=TILES)).problems
    assert [(one.message, one.help) for one in problems if one.code == "P0307"] == [
        (
            "'desk' is a spot; expected pile or area",
            "a spot has room for one piece: write 'let x = top(hand(p))' and then 'if x: move x to desk(p)'",
        ),
    ]
