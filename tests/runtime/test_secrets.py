"""What each player reads: views, sentences and options keep what the declarations hide."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.author.workspace import load
from patolli.run.runtime import Match, Ruleset

PACK = "document: pack\nid: veil\nversion: 1.0.0\nlanguage: 1\ntitle: Veil\nauthors: [x]\ntext: x\nplayers: {min: 2, max: 3}\n"
MODEL = """document: model
kinds:
  card: {facts: {number: int}, fields: {mark: {type: int 0..9 = 0, told: true}}}
  token: {facts: {worth: int}}
counters:
  bid: {per: player, max: 9, visible: owner}
  doubt: {per: player, max: 9, visible: owner}
  coin: {per: player, start: 3}
  shield: {per: card}
  pot: {visible: none}
groups:
  purse: [bid, coin]
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: owner}
  kept: {of: card, per: player, type: area, visible: owner}
  shop: {of: card, type: area}
  bag: {of: token, type: pile, visible: none}
  attached: {of: token, per: card, type: area}
"""
PIECES = "document: pieces\nkind: card\nplace: deck\npieces:\n  card: {copies: 6, number: copy}\n"
TOKENS = "document: pieces\nkind: token\nplace: bag\npieces:\n  token: {copies: 3, worth: copy}\n"


def made(tmp_path: Path, match: str, more: str = "") -> Ruleset:
    folder = tmp_path / "veil"
    folder.mkdir(exist_ok=True)
    body = "".join(f"      {line}\n" for line in match.strip("\n").split("\n"))
    rules = f"document: rules\nrules:\n  match:\n    do: |\n{body}{more}"
    for name, text in (("pack", PACK), ("model", MODEL), ("cards", PIECES), ("tokens", TOKENS), ("rules", rules)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return load(str(folder))


def started(tmp_path: Path, match: str, more: str = "") -> Match:
    return made(tmp_path, match, more).start(2, 1, narrate=True)


def answered(match: Match, *answers: str) -> list[str]:
    """The log after some answers."""
    for answer in answers:
        match.choose(answer)
    return match.log


BIDDING = """
simultaneously for p in players:
  choose n in 0..3 "How much?"
  set bid to n
choose n in 1..2 "And now?"
gain n coin
"""

# -- anytime actions


ANYTIME = """
anytime:
  beg: {label: beg, when: coin < 5, do: gain 1 coin}
  mumble: {label: mumble, do: 'say "hm"'}
  ponder: {label: ponder, when: doubt < 2, do: gain 1 doubt}
  accuse: {label: accuse, do: gain 1 doubt for next(me)}
"""


def test_no_anytime_action_that_others_notice_while_all_answer_in_secret(tmp_path):
    match = started(tmp_path, BIDDING, ANYTIME)

    assert [o.label for o in match.decision.options if o.anytime] == ["ponder"]
    match.choose("ponder")
    match.choose("2")
    match.choose("3")

    assert [o.label for o in match.decision.options if o.anytime] == ["beg", "mumble", "ponder", "accuse"]


def test_action_that_changes_how_many_pieces_lie_somewhere_is_held_back(tmp_path):
    """All see how many lie in a hidden place; where they lie again in the same one, no player notices."""
    put, sort = "each: c in hand(me), do: move c to kept(me)", "each: c in hand(me), do: move c to hand(me)"
    actions = f"anytime:\n  put: {{label: put, {put}}}\n  sort: {{label: sort, {sort}}}\n"
    match = started(tmp_path, "for p in players: as p: draw 1 from deck to hand(me)\n" + BIDDING.strip("\n"), actions)

    assert [o.label.split()[0] for o in match.decision.options if o.anytime] == ["sort"]


def test_why_says_that_an_action_is_held_back(tmp_path):
    match = started(tmp_path, BIDDING, ANYTIME)

    why = match.why("beg")

    assert not why.offered
    assert "no secret choice is open now" in str(why)
    assert match.why("ponder").offered


def test_single_secret_answer_is_not_asked_for_an_action_that_is_held_back(tmp_path):
    match = started(tmp_path, BIDDING.replace("0..3", "2..2"), "anytime:\n  beg: {label: beg, do: gain 1 coin}\n")

    assert not match.decision.simultaneous
    assert match.log == [], "everybody knew the only answer"


def test_action_is_held_back_in_rules_that_a_secret_block_calls(tmp_path):
    block = BIDDING.replace('  choose n in 0..3 "How much?"\n  set bid to n', "  offer()")
    match = started(tmp_path, block, OFFER + "anytime:\n  beg: {label: beg, do: gain 1 coin}\n")

    assert [o.label for o in match.decision.options if o.anytime] == []


# -- answers in simultaneous blocks


OFFER = '  offer():\n    do: |\n      choose n in 0..3 "How much?"\n      set bid to n\n'
NESTED = """
simultaneously for p in players:
  choose n in 0..3 "How much?"
  set bid to n
  simultaneously for q in [x in players where x == p]:
    choose m in 0..1 "Sure?"
    set pot to m
  choose d in 0..3 "And how much doubt?"
  set doubt(p) to d
choose n in 1..2 "And now?"
gain n coin
"""


@pytest.mark.parametrize(
    ("block", "answers"),
    [
        pytest.param(BIDDING, "3", id="in the block"),
        pytest.param(
            BIDDING.replace('  choose n in 0..3 "How much?"\n  set bid to n', "  offer()"), "3", id="in a rule"
        ),
        pytest.param(
            BIDDING.replace('  choose n in 0..3 "How much?"\n  set bid to n', "  repeat 2 times:\n    offer()\n    break"),
            "3", id="in a rule, before a jump",
        ),
        pytest.param(NESTED, "301", id="after another block inside"),
    ],
)  # fmt: skip
def test_secret_choices_are_reported_to_no_player(tmp_path, block, answers):
    match = started(tmp_path, block, OFFER)

    for _ in range(2):
        for answer in answers:
            assert match.decision.simultaneous
            match.choose(answer)

    assert match.log == ["Player 1 has decided", "Player 2 has decided"]
    assert not match.decision.simultaneous
    assert answered(match, "2")[2:] == ["Player 1: 2", "Player 1 gains 2 coins"]


def test_a_restored_match_knows_what_is_secret(tmp_path):
    rules = made(tmp_path, BIDDING.replace('  choose n in 0..3 "How much?"\n  set bid to n', "  offer()"), OFFER)
    match = rules.restore(rules.start(2, 1).to_json(), narrate=True)

    assert match.decision.simultaneous
    assert answered(match, "3") == ["Player 1 has decided"]


# -- answers from which something hidden is made


@pytest.mark.parametrize(
    ("effect", "answer", "told"),
    [
        pytest.param("choose n in 1..3\nset bid to n", "2", ["Player 1 has decided"], id="hidden counter"),
        pytest.param("choose n in 1..3\nset pot to n", "2", ["Player 1 has decided"], id="counter that no player sees"),
        pytest.param("choose n in 1..3\ngain 1 coin\nset bid to n", "2", ["Player 1 has decided", "Player 1 gains 1 coin"], id="and something else"),
        pytest.param("choose n in 1..3\nlet m = n * 2\nset bid to m", "2", ["Player 1 has decided"], id="by a name"),
        pytest.param("choose n in 1..3\nif n > 1: set bid to 1", "2", ["Player 1 has decided"], id="by a condition"),
        pytest.param("choose n in 1..3\nfor i in 1..n: gain 1 bid", "2", ["Player 1 has decided"], id="by a loop"),
        pytest.param("choose n in 1..3\nhide(n)", "2", ["Player 1 has decided"], id="by a rule"),
        pytest.param("choose n in 1..3\nif n == 2: hide(1)", "2", ["Player 1 has decided"], id="by a rule on a condition"),
        pytest.param("let n = ask()\nset bid to n", "2", ["Player 1 has decided"], id="returned"),
        pytest.param('choose one:\n  for n in 1..3 "bid": set bid to n\n  "no": gain 1 coin', "bid 2", ["Player 1 has decided"], id="line of a menu"),
        pytest.param('choose one:\n  "high": set bid to 9\n  "low": set bid to 1', "low", ["Player 1 has decided"], id="which line of a menu"),
        pytest.param('choose one:\n  "high": set bid to 9\n  "no": gain 1 coin', "no", ["Player 1: no", "Player 1 gains 1 coin"], id="the other line"),
        pytest.param('choose one:\n  "high": set bid to 9\n  "no": nothing', "no", ["Player 1 has decided"], id="the other line, which does nothing"),
        pytest.param('may "high": set bid to 9', "no", ["Player 1 has decided"], id="not wanted"),
        pytest.param('up to 2 times "more": gain 1 bid', "more", ["Player 1 has decided"], id="how often"),
        pytest.param("choose n in 1..3\nset coin to n", "2", ["Player 1: 2", "Player 1 now has 2 coins"], id="what all see"),
        pytest.param("choose c in hand(me)\notherwise: stop\nmove c to kept", "card_5", ["Player 1 has decided", "1 card from the hand goes to player 1's kept"], id="piece that stays hidden"),
        pytest.param("choose c in hand(me)\notherwise: stop\nset c.mark to 2", "card_5", ["Player 1 has decided"], id="field of a hidden piece"),
        pytest.param("choose c in hand(me)\notherwise: stop\nmove c to shop", "card_5", ["Player 1: card 5", "Card 5 goes to the shop"], id="piece that is shown"),
        pytest.param("choose c in shop\notherwise: stop\nmove c to hand", "card_3", ["Player 1: card 3", "Player 1 takes card 3"], id="piece that was seen"),
        pytest.param("choose c in shop\notherwise: stop\nset c.mark to 2", "card_3", ["Player 1: card 3", "Card 3's mark rises to 2"], id="field of an open piece"),
        pytest.param("choose n in 0..1\nfor c in take(hand(me), n): move c to kept", "1", ["Player 1 has decided", "1 card from the hand goes to player 1's kept"], id="number of a hidden piece"),
        pytest.param("choose n in distinct(c.number for c in hand(me))\notherwise: stop\nset coin to 0", "5", ["Player 1 has decided", "Player 1 now has no coins"], id="fact of a hidden piece"),
        pytest.param("choose c in hand(me), n in 1..2\notherwise: stop\nset coin to n", "card_5 -> 1", ["Player 1 has decided", "Player 1 now has 1 coin"], id="one of two"),
    ],
)  # fmt: skip
def test_answer_is_reported_as_far_as_others_may_learn_it(tmp_path, effect, answer, told):
    more = "  hide(int n): set bid to n\n  ask(): |\n    choose n in 1..3\n    return n\n"
    start = "draw 2 from deck to hand(me)\ndraw 2 from deck to shop\n"
    match = started(tmp_path, f'{start}pause "x"\n{effect}\nchoose last in 7..8\nset coin(next(me)) to last', more)
    before = len(match.log)

    match.choose(answer)

    assert match.log[before:] == told


@pytest.mark.parametrize("cards", [1, 2])
def test_only_answer_betrays_no_hand(tmp_path, cards):
    """Two matches that differ in how many cards of a hand could be played are reported alike."""
    effect = f"""
draw 2 from deck to hand(player_1)
choose c in hand(player_1) where c.number > {6 - cards} "Which?"
otherwise: stop
move c to shop
choose n in 1..2
gain n coin
"""
    match = started(tmp_path, effect)
    if cards == 2:
        match.choose("card_6")

    assert match.log == ["Player 1 draws 2 cards from the deck", "Player 1: card 6", "Card 6 goes to the shop"]


# -- views


DEMANDS = [
    pytest.param("require bid < 2", id="a condition"),
    pytest.param("let m = bid\n    require m < 2", id="a value with a name"),
    pytest.param("if bid > 1: pay 9 coin", id="a branch"),
    pytest.param("pay 4 bid", id="a payment"),
    pytest.param("pay bid * 2 coin", id="an amount"),
    pytest.param("choose k in bid..1", id="a choice"),
    pytest.param('choose one:\n      "a" when bid < 2: pay 1 coin', id="a menu"),
    pytest.param('choose one:\n      "a": pay 4 bid', id="a payment in a menu"),
    pytest.param("as (me if bid < 2 else next(me)): pay 1 coin", id="another player"),
    pytest.param("modest()", id="a call"),
]


@pytest.mark.parametrize("demand", DEMANDS)
def test_only_answer_betrays_nothing_hidden_that_is_demanded_behind_it(tmp_path, demand):
    """Where there is one answer because of what only the player sees, it is reported like any other."""
    start = "set bid to 3\nset coin(next(me)) to 0\n"
    menu = f'choose one "Which?":\n  "go":\n    {demand}\n  "stay": nothing'
    match = made(tmp_path, start + menu, "  modest(): require bid < 2\n").start(2, 1, narrate=True)

    assert match.over
    assert "(the only option)" not in " ".join(match.log)


@pytest.mark.parametrize(
    "demand",
    [
        pytest.param("choose k in 1..2\n    as next(me): pay k bid", id="a choice in front of a payment"),
        pytest.param("choose k in 1..2\n    as next(me): require bid > k", id="a choice in front of a condition"),
        pytest.param("choose k in 1..2\n    as next(me): spend(k)", id="a choice in front of a call"),
        pytest.param("choose k in 1..2\n    as next(me): choose j in k..bid", id="a choice in front of another"),
    ],
)
def test_why_tells_nothing_of_what_others_have_behind_a_choice(tmp_path, demand):
    """Whether another player could pay, or do what a rule asks for, is reported by no call that is asked about."""
    rules = f"  spend(int n): pay n bid\n  probe: |\n    {demand}\n"
    match = made(tmp_path, 'choose one "Which?":\n  "stay": nothing\n  "rest": nothing', rules).start(2, 1)
    why = match.why("probe()")

    assert (why.offered, [(reason.hidden, reason.holds) for reason in why.reasons]) == (None, [(True, None)])


def test_view_of_a_seat_that_is_none_is_refused(tmp_path):
    match = started(tmp_path, BIDDING)

    for seat in (5, -1):
        with pytest.raises(ValueError, match=r"there is no seat .*; seats are numbers from 0 to 1"):
            match.view(seat)
    for seat in ("player_1", None, True, 1.0):
        with pytest.raises(TypeError, match="a seat is a whole number, not"):
            match.view(seat)


@pytest.mark.parametrize(
    ("score", "seen"),
    [
        pytest.param("coin", [[3, 3], [3, 3]], id="what all see"),
        pytest.param("coin + bid", [[5, None], [None, 4]], id="a hidden counter"),
        pytest.param("coin + sum(bid(p) for p in players)", [[None, None], [None, None]], id="those of others, too"),
        pytest.param("coin + size(hand(me))", [[4, 4], [4, 4]], id="the number of hidden pieces"),
        pytest.param("sum(c.number for c in hand(me))", [[6, None], [None, 5]], id="hidden pieces"),
        pytest.param("sum(c.mark for c in card)", [[None, None], [None, None]], id="fields of all pieces"),
        pytest.param("value_of(me)", [[2, None], [None, 1]], id="by a function"),
        pytest.param("sum(have(x) for x in purse)", [[5, None], [None, 4]], id="members of a group"),
        pytest.param("pot", [[None, None], [None, None]], id="what no player sees"),
        pytest.param("shield(top(deck)) if top(deck) else 0", [[None, None], [None, None]], id="at a hidden piece"),
    ],
)
def test_score_in_a_view_rests_on_what_is_seen(tmp_path, score, seen):
    more = f"functions:\n  value_of(player p): bid(p)\nresult:\n  score: {score}\n"
    effect = "set bid(player_1) to 2; set bid(player_2) to 1\nfor p in players: draw 1 from deck to hand(p)\nchoose n in 1..2\ngain n coin"
    match = started(tmp_path, effect, more)

    assert [match.view(seat)["scores"] for seat in range(2)] == seen
    match.choose("1")
    assert match.over
    assert [match.view(seat)["scores"] for seat in range(2)] == [match.scores] * 2, "the result is for all"


def test_cells_of_a_grid_per_player_have_owners(tmp_path):
    """A counter or place per cell of everybody's own grid is open to whom the cell belongs."""
    folder = tmp_path / "veil"
    effect = """
for p in players, c in cell where c.owner == p and c.row == 0: set depth(c) to 2
for p in players, c in cell where c.owner == p and c.row == 0: draw 1 from deck to buried(c)
choose c in cell where c.owner == me and c.row == 1 "Where?"
otherwise: stop
set depth(c) to 3
"""
    made(tmp_path, "nothing")
    grids = "document: model\ngrids:\n  cell: {rows: 2, columns: 1, per: player}\ncounters:\n  depth: {per: cell, visible: owner}\n"
    places = "places:\n  buried: {of: card, per: cell, type: area, visible: owner}\n"
    (folder / "grids.yaml").write_text(grids + places, "utf-8")
    more = "result:\n  score: sum(depth(c) for c in cell where c.owner == me)\n"
    match = started(tmp_path, effect + "choose n in 1..2\ngain n coin", more)

    mine, theirs = match.view(0), match.view(1)

    assert mine["counters"]["depth"] == {"player_1.a1": 2, "player_1.a2": 3, "player_2.a1": None, "player_2.a2": None}
    assert theirs["counters"]["depth"] == {"player_1.a1": None, "player_1.a2": None, "player_2.a1": 2, "player_2.a2": 0}
    assert mine["places"]["buried"]["player_1.a1"] == ["card_6"]
    assert theirs["places"]["buried"]["player_1.a1"] == {"hidden": 1}
    assert "depth" not in " ".join(match.log)
    assert (mine["scores"], theirs["scores"]) == ([5, None], [None, 2])


def test_what_lies_on_a_hidden_piece_is_hidden_with_it(tmp_path):
    effect = """
draw 1 from deck to hand(player_2)
draw 1 from deck to shop
for c in hand(player_2): draw 1 from bag to attached(c)
for c in hand(player_2): gain 2 shield(c)
for c in shop: draw 1 from bag to attached(c)
choose n in 1..2
gain n coin
"""
    match = started(tmp_path, effect)

    mine, theirs = match.view(1), match.view(0)

    assert (mine["places"]["attached"]["card_6"], mine["counters"]["shield"]["card_6"]) == (["token_3"], 2)
    assert (theirs["places"]["attached"]["card_6"], theirs["counters"]["shield"]["card_6"]) == (None, None)
    assert theirs["places"]["attached"]["card_5"] == ["token_2"]
    assert theirs["places"]["attached"]["card_1"] is None, "a card in the deck looks like one in a hand"
    assert match.log == [
        "Player 2 draws 1 card from the deck",
        "Card 5 goes to the shop",
        "Token 2 goes to the attached of card 5",
    ]
