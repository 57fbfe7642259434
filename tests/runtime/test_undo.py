"""What may be undone: everything that has revealed nothing."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load
from patolli.run.runtime import Match
from patolli.run.runtime.undo_limits import Past

PACK = "document: pack\nid: veil\nversion: 1.0.0\nlanguage: 1\ntitle: Veil\nauthors: [x]\ntext: x\nplayers: {min: 2, max: 2}\n"
MODEL = """document: model
kinds:
  card: {facts: {number: int}, fields: {mark: int 0..9 = 0}}
  token: {facts: {worth: int}}
  relic: {facts: {worth: int}}
grids:
  cell: {rows: 1, columns: 2, per: player, fields: {trap: {type: bool = false, visible: owner, unless: open}, open: bool = false}}
counters:
  bid: {per: player, start: 2, max: 9, visible: owner}
  doubt: {per: player, max: 9, visible: owner}
  coin: {per: player, start: 3}
  claim: {per: [player, relic], max: 1}
places:
  cellar: {of: relic, type: pile, visible: none}
  deck: {of: card, type: pile, visible: none}
  heap: {of: card, type: pile, visible: top}
  hand: {of: card, per: player, type: area, visible: owner}
  kept: {of: card, per: player, type: area, visible: owner}
  shelf: {of: card, per: player, type: row, size: 3, visible: owner}
  shop: {of: card, type: area}
  bag: {of: token, type: pile, visible: none}
  attached: {of: token, per: card, type: area}
"""
PIECES = "document: pieces\nkind: card\nplace: deck\npieces:\n  card: {copies: 12, number: copy}\n"
TOKENS = "document: pieces\nkind: token\nplace: bag\npieces:\n  token: {copies: 3, worth: copy}\n"
RELICS = "document: pieces\nkind: relic\nplace: cellar\npieces:\n  cup: {worth: 1}\n  ring: {worth: 2}\n"
START = """shuffle deck
for p in players: draw 2 from deck to hand(p)
draw 2 from deck to shop
draw 2 from deck to heap
for c in hand(player_1) where c == first(hand(player_1)): draw 1 from bag to attached(c)
set bid(player_2) to 5
set doubt(player_2) to count(x in hand(player_2) where x.number > 6)
for c in cell where c.owner == player_2: set c.trap to true
choose n in 0..2 "Which?"
"""
END = 'choose last in 7..8 "And?"\nset doubt(me) to last\n'


def started(folder, effect: str) -> Match:
    lines = f"{START}{effect}\n{END}".strip().split("\n")
    body = "".join(f"      {line}\n" for line in lines)
    rules = f"document: rules\nrules:\n  match:\n    do: |\n{body}"
    for name, text in (
        ("pack", PACK),
        ("model", MODEL),
        ("cards", PIECES),
        ("tokens", TOKENS),
        ("relics", RELICS),
        ("rules", rules),
    ):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return load(str(folder)).start(2, 1)


MINE = "let c = first(hand(player_1))\nif c: "
THEIRS = "let c = first(hand(player_2))\nif c: "
SHOP = "let c = first(shop)\nif c: "
ALLOWED = [
    pytest.param("set coin to n", id="open counter"),
    pytest.param("set bid to n", id="my hidden counter"),
    pytest.param("set doubt to bid + n", id="my hidden counter, made from another one"),
    pytest.param(MINE + "move c to kept(me)", id="my hand, my other hidden place"),
    pytest.param(
        MINE.replace("if c", "if c and not shelf(1)") + "move c to shelf(1)", id="my hand, a hidden spot of mine"
    ),
    pytest.param(MINE + "move c to deck", id="my hand, out of sight"),
    pytest.param(
        "for c in take(hand(player_1), 1), d in hand(player_1) where d != c: swap c with d", id="swapped in my hand"
    ),
    pytest.param(MINE + "set c.mark to n", id="field of a card of mine"),
    pytest.param(SHOP + "move c to hand(me)", id="what all saw, into my hand"),
    pytest.param(SHOP + "move c to deck", id="what all saw, out of sight"),
    pytest.param(SHOP + "move c to heap", id="what all saw, onto an open pile"),
    pytest.param("for x in cell where x.owner == me: set x.trap to true", id="hidden field of mine"),
    pytest.param("if size(hand(player_2)) > 1: gain n coin", id="looking at how many cards others hold"),
    pytest.param(
        "gain n + count(r in relic where claim(me, r) > 0) coin", id="looking at what lies what was never seen"
    ),
]
REFUSED = [
    pytest.param("shuffle deck", id="shuffled"),
    pytest.param("random x in 1..6\nset coin to x", id="random number"),
    pytest.param("draw 1 from deck to hand(me)", id="drawn by me"),
    pytest.param("draw 1 from deck to hand(player_2)", id="drawn by another"),
    pytest.param("draw 1 from deck to shop", id="drawn for all"),
    pytest.param(MINE + "move c to shop", id="my hand, shown"),
    pytest.param(MINE + "move c to heap", id="my hand, shown on a pile"),
    pytest.param(MINE + "move c to hand(player_2)", id="my hand, given away"),
    pytest.param(THEIRS + "move c to hand(me)", id="another hand, taken"),
    pytest.param(THEIRS + "move c to kept(player_2)", id="another hand, moved without being seen"),
    pytest.param("draw 1 from heap to shop", id="taken from a pile, the next one shows"),
    pytest.param("if bid(player_2) > 3: gain n coin", id="what happened depends on a counter of others"),
    pytest.param("if doubt(player_2) > 3: gain n coin", id="and on one that did nothing"),
    pytest.param("set coin to bid", id="my hidden counter, shown"),
    pytest.param("if bid > 1: gain 1 coin", id="what all see depends on my hidden counter"),
    pytest.param("for x in cell where x.owner == player_2: set x.open to true", id="field of another, opened"),
    pytest.param("for x in cell where x.owner == me: set x.open to true", id="field of mine, opened"),
    pytest.param("if any(x in hand(player_2) where x.number > 6): gain 1 coin", id="depends on another hand"),
    pytest.param("if any(x in cell where x.owner != me and x.trap): gain 1 coin", id="depends on a hidden field"),
]


@pytest.mark.parametrize("effect", ALLOWED)
def test_undone(tmp_path, effect):
    match = started(tmp_path, effect)
    before = match.digest()
    match.choose("1")

    assert match.digest() != before
    assert match.undo()
    assert match.digest() == before


@pytest.mark.parametrize("effect", REFUSED)
def test_not_undone(tmp_path, effect):
    match = started(tmp_path, effect)
    match.choose("1")
    after = match.digest()

    assert not match.undo()
    assert match.digest() == after


def test_world_that_was_played_on_has_no_past(tmp_path):
    """Its choices do not lead to it from the beginning of the real match."""
    match = started(tmp_path, "set coin to n")
    match.choose("1")
    world = match.determinize(0, 1)
    world.choose("7")
    after = world.digest()

    assert not world.undo()
    assert world.digest() == after


def test_match_that_goes_on_from_a_save_has_its_past(tmp_path):
    match = started(tmp_path, "set coin to n")
    before = match.digest()
    match.choose("1")
    again = match.ruleset.restore(match.to_json())

    assert again.undo()
    assert again.digest() == before


def test_what_stands_in_the_way_is_reported(tmp_path):
    def stands(effect: str) -> str:
        match = started(tmp_path, effect)
        match.choose("1")
        return Past(match).stands(0)

    assert stands("random x in 1..6\nset coin to x") == "chance has taken part"
    assert stands("if bid(player_2) > 3: gain n coin") == "a player has learned something"
    assert stands("set coin to n") == ""


OPEN = [
    "open counter",
    "what all saw, onto an open pile",
    "what all saw, into my hand",
    "what all saw, out of sight",
]
OPEN += ["looking at how many cards others hold"]


@pytest.mark.parametrize("effect", ALLOWED)
def test_of_others_only_what_all_know_is_undone(tmp_path, effect, request):
    """A player who may undo an own choice learns nothing from it; one who may undo another's would."""
    match = started(tmp_path, effect)
    match.choose("1")

    stands = Past(match).stands(0, own=False)
    assert (stands == "") == any(f"[{name}]" in request.node.name for name in OPEN), stands


@pytest.mark.parametrize("effect", REFUSED)
def test_of_others_nothing_more_is_undone(tmp_path, effect):
    match = started(tmp_path, effect)
    match.choose("1")

    assert Past(match).stands(0, own=False)


SECRETLY = """set doubt to n
if n == 1: draw 1 from deck to hand(me)
if n == 2:
  shuffle deck
"""


def test_whether_another_may_be_undone_does_not_tell_what_was_decided_in_secret(tmp_path):
    """The first card of the deck may be looked at, or the deck be shuffled, by what only one player knows."""
    said = set()
    for answer in "012":
        folder = tmp_path / answer
        folder.mkdir()
        match = started(folder, SECRETLY.strip())
        match.choose(answer)
        said.add(Past(match).stands(0, own=False))

    assert said == {"a player has learned something"}
