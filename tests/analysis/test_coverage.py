"""No option leads to a dead end: what the checker takes for proven, and what it does not."""

from __future__ import annotations

import pytest
from packmaker import problems, trigger


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("coverage")


# The effects follow the rule ``dig``, so that nothing about them was looked at before; None stands for no problem.
CASES = [
    ("pay 1 coin", "P0401", 1, 1),
    ("gain 1 nut; pay 1 coin", "P0401", 1, 13),
    ("pay 0 coin", None, 0, 0),
    ("if coin >= 1: pay 1 coin", None, 0, 0),
    ("if coin > 0: pay 1 coin", None, 0, 0),
    ("if coin > 0: pay 2 coin", "P0401", 1, 14),
    ("if coin == 3: pay 3 coin", None, 0, 0),
    ("if coin < 3: pay 3 coin", "P0401", 1, 14),
    ("if coin < 3: nothing\nelse: pay 3 coin", None, 0, 0),
    ("stop if coin < 3\npay 3 coin", None, 0, 0),
    ("stop unless coin >= 3\npay 3 coin", None, 0, 0),
    ("stop unless coin >= 3\ngain 1 nut\npay 3 coin", None, 0, 0),
    ("if coin < 3: stop\npay 3 coin", None, 0, 0),
    ("if coin < 3: end match\npay 3 coin", None, 0, 0),
    ("if coin < 3:\n  if seed > 0: stop\n  else: end match\npay 3 coin", None, 0, 0),
    ("if coin < 3:\n  if seed > 0: stop\npay 3 coin", "P0401", 3, 1),
    ("loop:\n  if coin < 3: break\n  pay 3 coin", None, 0, 0),
    ("if not payable(rich_1.cost): end match\npay rich_1.cost", None, 0, 0),
    ("let n = min(coin, 2)\ngain 1 nut\npay n coin", None, 0, 0),
    ("let n = min(coin, 2)\npay n coin", None, 0, 0),
    ("let n = min(coin, seed)\npay n seed", None, 0, 0),
    ("let n = min(coin, seed)\npay n nut", "P0401", 2, 1),
    ("let n = coin\nset n to n + 5\npay n coin", "P0401", 3, 1),
    ("let n = coin\nlet k = min(n, 4)\nset n to 9\npay k coin", None, 0, 0),
    ("let n = coin\nlet k = min(n, 4)\npay k coin", None, 0, 0),
    ("if seed > 0:\n  let n = coin\nlet n = 9\npay n coin", "P0401", 4, 1),
    ("pay min(2, coin) coin", None, 0, 0),
    ("pay max(2, coin) coin", "P0401", 1, 1),
    ("pay coin(next(me)) coin", "P0401", 1, 1),
    ("let n = coin\nas next(me): pay n coin", "P0401", 2, 14),
    ("if coin < 3: stop\nelse: pay 2 coin\npay 3 coin", "P0401", 3, 1),
    ("if coin > 0:\n  choose k in 1..coin\n  pay k coin", None, 0, 0),
    ("if coin > 0:\n  choose k in 1..coin\n  pay k + 1 coin", "P0402", 2, 3),
    ("stop if coin == 0\nchoose k in 1..min(coin, 3)\npay k coin", None, 0, 0),
    ("choose k in 1..5\npay k coin", "P0402", 1, 1),
    ("choose k in 1..coin + 1\npay k coin", "P0402", 1, 1),
    ("choose k in 0..coin(next(me))\npay k coin", "P0402", 1, 1),
    ("choose k in 1..max(1, coin)", None, 0, 0),
    ("choose k in 1..coin - 1", "P0402", 1, 1),
    ("if coin >= 2: choose k in 1..coin - 1", None, 0, 0),
    ("choose k in 0..coin div 2", None, 0, 0),
    ("choose k in 1..plain_1.charge", None, 0, 0),
    ("choose k in 1..plain_1.number", None, 0, 0),
    ("let most = min(coin, 3)\nif most > 0: choose k in 1..most\nelse: stop\npay k coin", "P0201", 4, 5),
    ("let most = min(coin, 3)\nif most == 0: stop\nchoose k in 1..most\npay k coin", None, 0, 0),
    ("if any(c in shop where payable(c.cost)): choose c in shop where payable(c.cost); pay c.cost", None, 0, 0),
    (
        "if any(c in shop where payable(c.cost)): choose d in shop where payable(d.cost); pay rich_1.cost",
        "P0402",
        1,
        42,
    ),
    ("choose p in others(me)", None, 0, 0),
    ("choose p in others(me) where p.coin > 1", "P0402", 1, 1),
    ("choose p in turn_order(next(me))", None, 0, 0),
    ("choose p in players where p != me", None, 0, 0),
    ("choose p in players where p != me and p.coin > 0", "P0402", 1, 1),
    ("choose p in players where p == me or p.coin > 0", None, 0, 0),
    ("choose p in players where p == next(me)", None, 0, 0),
    ("choose c in cell where c == c and c.owner == me", "P0402", 1, 1),
    ("choose c in hand(me) where c == plain_1", "P0402", 1, 1),
    ("choose c in [x in cell]", None, 0, 0),
    ("choose c in [x in cell where x.owner == me]", "P0402", 1, 1),
    ("choose n in distinct(c.row for c in cell)", None, 0, 0),
    ("if 3 <= coin: pay 3 coin", None, 0, 0),
    ("if 1 <= coin <= 3: pay 1 coin", None, 0, 0),
    ("if 3 > coin: stop\npay 3 coin", None, 0, 0),
    ("if 3 >= coin: stop\npay 4 coin", None, 0, 0),
    ("if 3 >= coin: stop\npay 5 coin", "P0401", 2, 1),
    ("let k = 1\nif k <= coin: pay k coin", None, 0, 0),
    ("stop if coin == 0\npay 1 coin", None, 0, 0),
    ("if coin != 0: pay 1 coin", None, 0, 0),
    ("if coin != 0: pay 2 coin", "P0401", 1, 15),
    ("if coin != 1: pay 1 coin", "P0401", 1, 15),
    ("stop if size(hand(me)) == 0\nchoose c in hand(me)", None, 0, 0),
    ("if 0 < size(hand(me)): choose c in hand(me)", None, 0, 0),
    ("if size(hand(me)) != 0: choose c in hand(me)", None, 0, 0),
    ("if count(hand(me)) >= 1: choose c in hand(me)", None, 0, 0),
    ("if count(c in hand(me) where c.used) > 0: choose d in hand(me) where d.used", None, 0, 0),
    ("if count(c in hand(me) where c.used) > 0: choose d in hand(me) where d.number > 3", "P0402", 1, 43),
    ("if [c in hand(me) where c.used]: choose d in hand(me) where d.used", None, 0, 0),
    ("if size([c in hand(me) where c.used]) > 0: choose d in hand(me) where d.used", None, 0, 0),
    ("let xs = [c in hand(me) where c.used]\nif xs: choose d in xs", None, 0, 0),
    ("choose c in hand(me) or none\nif c: pay 1 coin", None, 0, 0),
    ("choose c in hand(me) or none\nif not c: stop\npay 1 coin", None, 0, 0),
    ("choose c in hand(me) or none\nif c == none: stop\npay 1 coin", None, 0, 0),
    ("choose c in hand(me) or none\nstop if c == none\npay 1 coin", None, 0, 0),
    ("choose c in hand(me) or none\nif c != none and seed > 1: pay 1 coin", None, 0, 0),
    ("choose c in hand(me) or none\nif c or seed > 1: pay 1 coin", "P0401", 1, 1),
    ("choose c in hand(me) or none\nif not c: pay 1 coin", "P0401", 1, 1),
    ("choose c in hand(me) or none\nlet k = 2\nif c: pay k coin\nelse: gain 1 coin", None, 0, 0),
    ("choose c in hand(me)\notherwise: gain 1 coin\nif c: pay 1 coin", None, 0, 0),
    ("if not hand(me): end match\nchoose c in hand(me)", None, 0, 0),
    ("if not can(buy(plain_1)): end match\nbuy(plain_1)", None, 0, 0),
    ("if seed >= 1: pay 1 coin", "P0401", 1, 15),
    ("if coin(next(me)) >= 1: pay 1 coin", "P0401", 1, 25),
    ("if coin >= 1: as next(me): pay 1 coin", "P0401", 1, 28),
    ("if coin >= 1 and seed >= 1: pay 1 coin and 1 seed", None, 0, 0),
    ("if coin >= 1: pay 1 coin and 1 seed", "P0401", 1, 15),
    ("if coin >= 1: pay 1 coin and 1 coin", "P0401", 1, 15),
    ("if coin >= 2: pay 1 coin and 1 coin", None, 0, 0),
    ("if coin >= 2: pay 1 coin; pay 1 coin", None, 0, 0),
    ("if coin >= 2: pay 1 coin; pay 2 coin", "P0401", 1, 27),
    ("if coin >= 1: gain 1 nut; pay 1 coin", None, 0, 0),
    ("if coin >= 1: lose 1 coin; pay 1 coin", "P0401", 1, 28),
    ("let k = 1\nif coin >= k: pay k coin", None, 0, 0),
    ("let k = 1\nif coin >= k: set k to 5; pay k coin", "P0401", 2, 27),
    ("if payable(rich_1.cost): pay rich_1.cost", None, 0, 0),
    ("if payable(rich_1.cost): pay bold_1.cost", "P0401", 1, 26),
    ("for g in good: if have(g) >= 1: pay 1 g", None, 0, 0),
    ("for g in good: if have(g) >= 1: pay 1 g and 1 seed", "P0401", 1, 33),
    ('may "a": pay 1 coin', None, 0, 0),
    ('may "a": gain 1 nut; pay 1 coin', "P0401", 1, 22),
    ("up to 2 times: pay 1 coin", None, 0, 0),
    ("repeat 2 times: pay 1 coin", "P0401", 1, 17),
    ("choose c in hand(me)", "P0402", 1, 1),
    ("choose c in cell", None, 0, 0),
    ("choose c in cell where c.owner == me", "P0402", 1, 1),
    ("choose k in 1..3", None, 0, 0),
    ("choose k in 0..coin", None, 0, 0),
    ("choose k in 1..coin", "P0402", 1, 1),
    ("choose c in hand(me)\notherwise: stop", None, 0, 0),
    ("choose c in hand(me) or none", None, 0, 0),
    ("if hand(me): choose c in hand(me)", None, 0, 0),
    ("if size(hand(me)) > 0: choose c in hand(me)", None, 0, 0),
    ("if size(hand(me)) >= 0: choose c in hand(me)", "P0402", 1, 25),
    ("if hand(me): choose c in hand(me) where c.used", "P0402", 1, 14),
    ("if any(c in hand(me) where c.used): choose d in hand(me) where d.used", None, 0, 0),
    ("if any(c in hand(me) where c.used): choose d in hand(me) where d.number > 3", "P0402", 1, 37),
    ("if any(c in hand(me) where c.used): choose d in card where d.used", None, 0, 0),
    ("if count(c in hand(me) where c.used) > 0: choose d in card where d.used", None, 0, 0),
    ("if any(c in card where c.used): choose d in hand(me) where d.used", "P0402", 1, 33),
    ("if any(c in hand(me) where c.used): choose d in card where not d.used", "P0402", 1, 37),
    ("if any(c in hand(me) where c.used):\n  move plain_1 to deck\n  choose d in card where d.used", "P0402", 3, 3),
    ("for c in hand(me): choose k in 1..size(hand(me))", None, 0, 0),
    ("for c in hand(me):\n  choose k in 1..size(hand(me))\n  move c to deck", "P0402", 2, 3),
    ("for c in hand(me): choose k in 1..size(hand(next(me)))", "P0402", 1, 20),
    ("let xs = hand(me)\nif xs: set xs to hand(next(me)); choose d in xs", "P0402", 2, 34),
    ("choose c in hand(me)\notherwise: stop\npay 1 coin", None, 0, 0),
    ("choose c in hand(me) or none\npay 1 coin", "P0401", 1, 1),
    ("choose c in hand(me) or none\nstop unless c\npay 1 coin", None, 0, 0),
    ("require coin > 3", "P0403", 1, 1),
    ("buy(plain_1)", "P0404", 1, 1),
    ("if can(buy(plain_1)): buy(plain_1)", None, 0, 0),
    ("if can(buy(plain_1)): buy(plain_2)", "P0404", 1, 23),
    ("if can(buy(plain_1)): gain 1 coin; buy(plain_1)", "P0404", 1, 36),
    ("let c = plain_1\nif can(buy(c)): set c to plain_2; buy(c)", "P0404", 2, 35),
    ("stop unless can(buy(plain_1))\nbuy(plain_1)", None, 0, 0),
    ('may "b": buy(plain_1)', None, 0, 0),
    ('choose one:\n  "a": pay 1 coin\n  otherwise: nothing', None, 0, 0),
    ('choose one:\n  "a": pay 1 coin\n  "b": nothing', None, 0, 0),
    ('choose one:\n  "a": pay 1 coin', "P0405", 1, 1),
    ('choose one:\n  "a" when coin > 1: nothing', "P0405", 1, 1),
    ('choose one:\n  for c in hand(me) "c": nothing', "P0405", 1, 1),
    ('choose one:\n  for c in cell "c": nothing', None, 0, 0),
    ('choose one:\n  "a" when nut > 0: nothing\n  otherwise: pay 1 coin', "P0401", 3, 14),
    ('choose one:\n  "a": nothing\n  otherwise: pay 1 coin', None, 0, 0),  # which never happens
    ('choose one:\n  "a" when nut > 0: nothing\n  "b" when nut > 1: nothing\n  otherwise: pay 1 coin', "P0401", 4, 14),
    ('choose one:\n  "a": require nut > 0\n  otherwise: pay 1 coin', "P0401", 3, 14),
    ('if nut > 1:\n  choose one:\n    "a": require nut > 0\n    otherwise: pay 1 coin', None, 0, 0),
    ('may "a": gain 1 nut\npay 1 coin', "P0401", 2, 1),
    ("choose k in 1..2\notherwise: pay 1 coin", None, 0, 0),
    ("choose k in 1..2\notherwise: gain 1 nut\npay 1 coin", "P0401", 1, 1),
    ("choose k in 1..nut\notherwise: pay 1 coin", "P0401", 2, 12),
    ("choose k in 1..2 where nut > k\notherwise: pay 1 coin", "P0401", 2, 12),
    ("if coin > 0:\n  choose k in 1..2\n  otherwise: pay 2 coin\n  gain 1 nut\n  pay 1 coin", None, 0, 0),
    ("choose k in 1..2 or none\nif not k: pay 1 coin", "P0401", 1, 1),
    ("loop: gain 1 coin", "P0406", 1, 1),
    ("loop:\n  gain 1 coin\n  if coin > 3: break", None, 0, 0),
    ("loop:\n  loop: break", "P0406", 1, 1),
    ("loop:\n  for c in cell: break", "P0406", 1, 1),
    ("loop: stop", None, 0, 0),
    ("loop: end match", None, 0, 0),
    ("loop: dig()", "P0406", 1, 1),
    ("simultaneously for p in players: set bid to 1", None, 0, 0),
    ("simultaneously for p in players: gain 1 bid", None, 0, 0),
    ("simultaneously for p in players: gain 1 bid for next(p)", "P0407", 1, 34),
    ("simultaneously for p in players: set coin to 1", "P0407", 1, 34),
    ("simultaneously for p in players: move plain_1 to deck", "P0407", 1, 34),  # it may lie in a hand that all see
    ("simultaneously for p in players: move plain_1 to hand(p)", "P0407", 1, 34),
    ("simultaneously for p in players: earn(1)", "P0407", 1, 34),
    ("simultaneously for p in players:\n  choose k in 1..3\n  set bid to k", None, 0, 0),
]


@pytest.mark.parametrize(("effect", "code", "line", "column"), CASES)
def test_dead_end(folder, effect, code, line, column):
    found = problems(folder, trigger(effect, "dig"))
    found = [p for p in found if p.code != "P0441"]  # some of these call themselves

    wanted = [] if code is None else [(code, line, column)]
    assert [(p.code, p.span.line - 5, p.span.column - 6) for p in found] == wanted


# Three charms, twelve cards, nine cells: a charm or a token each leave a cell empty, cards need not.
ROOM = """
# room.yaml
document: model
kinds:
  token: {per: player, copies: 2, text: A token.}
  pawn: {per: player, copies: 3, text: A pawn.}
places:
  lies: {of: charm, per: cell, type: area}
  rests: {of: charm, per: cell, type: spot}
  full: {of: card, per: cell, type: area}
  stands: {of: token, per: cell, type: area}
  waits: {of: pawn, per: cell, type: area}
  of_somebody: {of: charm, per: player, type: area}
"""
EMPTY = [
    ("choose c in cell where size(lies(c)) == 0", True),
    ("choose c in cell where rests(c) == none", True),
    ("choose c in cell where size(stands(c)) == 0", True),
    ("choose c in cell where size(full(c)) == 0", False),
    ("choose c in cell where size(waits(c)) == 0", False),
    ("choose c in cell where size(lies(c)) == 1", False),
    ("choose c in cell where size(lies(c)) > 0", False),
    ("choose c in cell where size(lies(a1)) == 0", False),
    ("choose c in cell where size(lies(c)) == 0 and c.owner == me", False),
    ("choose c in adjacent(a1) where size(lies(c)) == 0", False),
    ("choose p in players where size(of_somebody(p)) == 0", False),
    ("choose c in cell, k in 1..2 where size(lies(c)) == 0", False),
]


@pytest.mark.parametrize(("effect", "proven"), EMPTY)
def test_more_places_than_pieces_leave_an_empty_one(tmp_path, effect, proven):
    found = problems(tmp_path, trigger(effect, "dig") + ROOM)

    assert [p.code for p in found] == ([] if proven else ["P0402"])


def test_rule_that_looks_for_an_empty_place_is_possible(tmp_path):
    rule = "    do: |\n      gain 1 nut; settle()\nrules:\n  settle: choose c in cell where size({place}(c)) == 0\n"
    texts = [
        f"document: rules\ntriggers:\n  tested:\n    after: dig\n{rule.format(place=p)}{ROOM}" for p in ("lies", "full")
    ]

    assert [[p.code for p in problems(tmp_path, text)] for text in texts] == [[], ["P0402"]]


# What was named and then set: the type that a variable was named with counts again.
SETTING = [
    ("let t = top(deck)\nstop unless t\nset t to none\nset t.used to true", 4),
    ("let t = top(deck)\nstop unless t\nset t to top(deck)\nset t.used to true", 4),
    ("let t = top(deck)\nstop unless t\nif coin > 1: set t to none\nset t.used to true", 4),
    ("let t = top(deck)\nstop unless t\nrepeat 2 times:\n  set t.used to true\n  set t to top(deck)", 4),
    ("let t = plain_1\nset t to top(deck)", 2),
    ("let t = top(deck)\nset t to plain_1\nset t.used to true", 0),
    ("let t = top(deck)\nloop:\n  stop unless t\n  set t.used to true\n  set t to top(deck)", 0),
    ("let t = top(deck)\nstop unless t\nset t to plain_1\nset t.used to true", 0),
    ("let t = top(deck)\nif not t: end match\nset t.used to true", 0),
    ("let t = top(deck)\nloop:\n  if not t: break\n  set t.used to true\n  set t to top(deck)", 0),
    ("let t = top(deck)\nloop:\n  if not t: break\n  set t to top(deck)\nset t.used to true", 5),
    ("let t = top(deck)\nif not t:\n  if coin > 1: stop\n  else: end match\nset t.used to true", 0),
]


@pytest.mark.parametrize(("effect", "line"), SETTING)
def test_setting_a_variable_ends_what_was_shown(folder, effect, line):
    found = problems(folder, trigger(effect, "dig"))

    assert [(p.code, p.span.line - 5) for p in found] == ([("P0303", line)] if line else [])


GIVEN = [
    ("coin >= 3", "pay 3 coin", []),
    ("coin >= 2", "pay 3 coin", ["P0401"]),
    ("hand(me)", "choose c in hand(me)\n      set c.used to true", []),
    ("throne", "set throne.used to true", []),
    ("throne != none and throne.used", "set throne.used to false", []),
    ("not throne", "set throne.used to true", ["P0303"]),
    ("throne", "move throne to deck\n      set throne.used to true", ["P0303"]),
    ("throne or coin > 2", "set throne.used to true", ["P0303"]),
    ("coin", "nothing", ["P0301"]),
]


@pytest.mark.parametrize("moment", ["after", "before"])
@pytest.mark.parametrize(("when", "effect", "codes"), GIVEN)
def test_condition_of_a_trigger_holds_when_it_begins(folder, moment, when, effect, codes):
    text = f"document: rules\ntriggers:\n  t:\n    {moment}: earn\n    when: {when}\n    do: |\n      {effect}\n"

    assert [p.code for p in problems(folder, text)] == codes


@pytest.mark.parametrize(("when", "effect", "codes"), [case for case in GIVEN if "pay" not in case[1]])
def test_condition_of_an_anytime_action_holds_when_it_begins(folder, when, effect, codes):
    text = f"document: rules\nanytime:\n  t:\n    when: {when}\n    do: |\n      {effect}\n"

    assert [p.code for p in problems(folder, text)] == codes


def test_rule_that_leaves_when_it_cannot_pay_is_always_possible(folder):
    rule = "rules:\n  tax:\n    do: |\n      {}\n      pay 3 coin\n"
    fine = ["if coin < 3: stop", "stop if coin < 3", "if coin >= 3: nothing\n      else: end match"]
    for first in fine:
        assert problems(folder, trigger("gain 1 nut; tax()", "dig") + rule.format(first)) == [], first
    found = problems(folder, trigger("gain 1 nut; tax()", "dig") + rule.format("if coin < 3: nothing"))
    assert [p.code for p in found] == ["P0401"]


def test_beginning_of_a_rule_is_part_of_its_option(folder):
    assert problems(folder, "document: rules\nrules:\n  tax:\n    do: |\n      pay 1 coin\n      gain 1 point\n") == []


@pytest.mark.parametrize(
    ("effect", "held"),
    [
        ("if throne:\n  choose c in cell\n  set throne.used to true", False),
        ("if throne:\n  choose c in cell where throne.used\n  otherwise: stop", False),
        ('if throne:\n  choose one:\n    "a": set throne.used to true\n    "b": nothing', False),
        ('choose one:\n  "a" when throne: set throne.used to true\n  "b": nothing', True),
        ("choose c in cell\nif throne: set throne.used to true", True),
    ],
)
def test_anytime_actions_end_what_was_shown(tmp_path, effect, held):
    free = "# free.yaml\ndocument: rules\nanytime:\n  leave: {when: coin > 3, do: gain 1 coin}\n"

    assert problems(tmp_path, trigger(effect, "dig")) == []
    assert [p.code for p in problems(tmp_path, trigger(effect, "dig") + free)] == ([] if held else ["P0303"])
