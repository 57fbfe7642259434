"""What is right needs no guard: each kind of content that was refused, with its neighbors and what is wrong indeed."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.author.workspace import inspect
from patolli.language.diagnostics.codes import UNUSED

PACK = "document: pack\nid: right\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Right\nplayers: {min: 2, max: 3}\n"
MODEL = """document: model
kinds: {pawn: {per: player, copies: 2, fields: {used: bool = false}}}
counters: {coin: {per: player, start: 3}, point: {per: player}, nut: {per: player, max: 9}}
table: {quantity: int 0..4 = 0}
places: {supply: {of: pawn, per: player, type: area}, out: {of: pawn, type: area}}
"""
FUNCTIONS = """document: rules
functions:
  ways(): "[{l, r} for l in 0..3, r in 0..3 where l + r == 3]"
  nests(): "[{{n, n + 1}, {n, n}} for n in 1..2]"
result: {score: point + coin + nut}
rules:
"""
ANY_STATE = """  stir(): |
    for p in players:
      set coin(p) to 2
      set nut(p) to 1
      for f in out: move f to supply(p)
    set quantity to 2
"""


def found(folder: Path, body: str, *, rules: str = "", functions: str = "") -> list[str]:
    """Return the problems of a small pack with some effects in its match, each with its code and message."""
    match = "".join(f"      {line}\n" for line in body.splitlines())
    head = "  match:\n    do: |\n      if coin(players[0]) > 5: stir()\n"
    text = FUNCTIONS.replace("result:", functions + "result:") + ANY_STATE + rules + head + match
    for name, content in (("pack", PACK), ("model", MODEL), ("rules", text)):
        (folder / f"{name}.yaml").write_text(content, "utf-8")
    return [f"{one.code}: {one.message}" for one in inspect(str(folder)).problems if one.code not in UNUSED]


PAIRS = {
    "chosen": "choose w in ways()\ngain w[0] + w[1] nut",
    "in a loop": "for w in ways(): gain w[1] nut",
    "named": "for w in ways(): let v = w; gain v[1] nut",
    "the first of all": "let w = [{n, n + 1} for n in 1..2][0]\ngain w[1] nut",
    "set": "let w = {1, 2}\nif nut > 2: set w to {3, 4}\ngain w[1] nut",
    "in a quantifier": "gain sum(w[0] * w[1] for w in ways()) nut",
    "in a condition": "choose w in ways() where w[0] > w[1]\notherwise: stop\ngain w[1] nut",
    "by a function": "for w in ways(): gain left_of(w) nut",
    "by a rule": "for w in ways(): pair_paid(w)",
    "of lists of lists": "for w in nests(): gain w[0][1] + w[1][0] nut",
    "at random": "random w in ways()\nif w: gain w[1] nut",
    "after a change": "choose w in ways()\ngain 1 coin\ngain w[1] nut",
    "as an index again": "for w in ways(): gain {5, 6, 7, 8}[w[1]] nut",
}
PAIR_RULE = "  pair_paid(list of int w): gain w[1] nut\n"
LEFT_OF = "  left_of(list of int w): w[0]\n"


def paired(folder: Path, body: str) -> list[str]:
    rules, functions = PAIR_RULE if "pair_paid" in body else "", LEFT_OF if "left_of" in body else ""
    return found(folder, body, rules=rules, functions=functions)


TOO_SHORT = {
    "a third": "choose w in ways()\ngain w[2] nut",
    "one of them shorter": "for w in {{1, 2}, {3}}: gain w[1] nut",
    "set shorter": "let w = {1, 2}\nif nut > 2: set w to {3}\ngain w[1] nut",
    "set shorter in a loop": "let w = {1, 2}\nrepeat 2 times:\n  gain w[1] nut\n  set w to {3}",
    "as an index too far": "for w in ways(): gain {5, 6, 7}[w[1]] nut",
    "by a rule, called with less": "for w in {{1}, {2}}: pair_paid(w)",
}


def test_items_of_what_was_taken_from_a_list(tmp_path, subtests):
    for name, body in PAIRS.items():
        with subtests.test(name):
            assert paired(tmp_path, body) == []
    for name, body in TOO_SHORT.items():
        with subtests.test(name):
            problems = paired(tmp_path, body)
            assert [one[:5] for one in problems] == ["P0415"]


MENUS = {
    "a line for more, or one for something": [
        'for q in 1..4 where q > quantity "bid": set quantity to q',
        '"liar" when quantity > 0: gain 1 point',
    ],
    "the other way round": [
        '"liar" when quantity > 0: gain 1 point',
        'for q in 1..4 where q > quantity "bid": set quantity to q',
    ],
    "two conditions": ['"a" when coin > 2: gain 1 point', '"b" when coin <= 2: gain 1 nut'],
    "three conditions": [
        '"a" when coin > 2: gain 1 nut',
        '"b" when coin == 2: nothing',
        '"c" when coin < 2: gain 1 point',
    ],
    "a payment, or too little": ['"buy":\n    pay 2 coin\n    gain 1 point', '"pass" when coin < 2: gain 1 nut'],
    "a rule, or its opposite": ['"buy": buy()', '"pass" when coin < 2: gain 1 nut'],
    "possible or not": ['"buy": buy()', '"pass" when not can(buy()): gain 1 nut'],
    "required inside": ['"a":\n    require coin > 2\n    gain 1 nut', '"b" when coin <= 2: gain 1 point'],
    "used ones, or others": [
        'for f in pawn where f.used "back": set f.used to false',
        'for f in pawn where not f.used "out": set f.used to true',
    ],
}
MAYBE_EMPTY = {
    "a gap": ['"a" when coin > 2: gain 1 nut', '"b" when coin < 2: gain 1 point'],
    "a payment, or much less": ['"buy":\n    pay 2 coin\n    gain 1 point', '"pass" when coin < 1: gain 1 nut'],
    "behind the payment": [
        '"buy":\n    pay 1 coin\n    require coin > 3\n    gain 1 point',
        '"pass" when coin < 1: gain 1 nut',
    ],
    "used ones twice": [
        'for f in pawn where f.used "back": set f.used to false',
        'for f in pawn where f.used "out": set f.used to true',
    ],
    "of different lists": [
        'for f in supply(me) where f.used "back": set f.used to false',
        'for f in pawn where not f.used "out": set f.used to true',
    ],
}
BUY = "  buy(): |\n    pay 2 coin\n    gain 1 point\n"


def menu(lines: list[str]) -> str:
    return "gain 1 point\nchoose one:\n" + "\n".join(f"  {line}" for line in lines)


def test_menu_of_which_one_line_is_always_possible(tmp_path, subtests):
    for name, lines in MENUS.items():
        with subtests.test(name):
            assert found(tmp_path, menu(lines), rules=BUY if "buy()" in menu(lines) else "") == []
    for name, lines in MAYBE_EMPTY.items():
        with subtests.test(name):
            assert "P0405: none of these options may be possible" in found(tmp_path, menu(lines))


NEVER_NONE = {
    "if f: move f to out": "f",
    "if not f: nothing": "f",
    "stop unless f\nmove f to out": "f",
    "if f == none: stop\nmove f to out": "f",
    "if f != none and coin > 2: move f to out": "f",
    "if coin > 2 and f: move f to out": "f",
    "if f.owner: move f to out": "f.owner",
    "let g = f or top(out)\nmove g to out": "f",
    "for g in pawn where g: move g to out": "g",
    "gain 1 nut for next(me) or me": "next(me)",
    "if me: move f to out": "me",
}


def test_a_test_of_what_is_never_none_is_a_warning(tmp_path, subtests):
    for body, what in NEVER_NONE.items():
        with subtests.test(body):
            problems = found(tmp_path, f"choose f in pawn\nset f.used to true\n{body}")
            problems = [one for one in problems if "P0447" not in one]  # some of these do not use `f`
            assert problems == [f"P0461: '{what}' is never none, so this test decides nothing"]
    for body in ("if coin: gain 1 nut", "if coin == none: gain 1 nut", "if supply(me) == none: gain 1 nut"):
        with subtests.test(body):
            assert found(tmp_path, body)[0].startswith("P0301")


TURNS = {
    "pass to next(d)\nchoose n in 1..3\ngain n point": True,
    "as d:\n  choose n in 1..3\n  gain n point": True,
    "gain 1 point for d\npass to d\nchoose n in 1..3\ngain n point": True,
    "if coin(d) > 2: pass to d\nelse: pass to next(d)\nchoose n in 1..3\ngain n point": True,
    "if coin(d) > 2:\n  pass to d\n  choose n in 1..3\n  gain n point": True,
    "choose n in 1..3\ngain n point for d": False,
    "choose n in 1..3\npass to next(d)\ngain n point": False,
    "if coin(d) > 2: pass to d\nchoose n in 1..3\ngain n point": False,
}


@pytest.mark.parametrize("turn", TURNS)
def test_rule_that_begins_by_saying_whose_turn_it_is(tmp_path, turn):
    rule = "  played_by(player d): |\n" + "".join(f"    {line}\n" for line in turn.splitlines())
    body = "let dealer = players[0]\nloop:\n  played_by(dealer)\n  set dealer to next(dealer)\n  if point(dealer) > 9: stop"

    assert ["P0468" in one for one in found(tmp_path, body, rules=rule)] == ([] if TURNS[turn] else [True])


def test_counter_that_is_lost_is_looked_at(tmp_path):
    rules = FUNCTIONS.replace(" + coin", "")
    for effect, problem in (("lose 1 coin", []), ("gain 1 coin", ["P0431"])):
        text = f"{rules}  match: |\n    for p in players: as p: gain 1 nut; {effect}\n"
        for name, content in (("pack", PACK), ("model", MODEL), ("rules", text)):
            (tmp_path / f"{name}.yaml").write_text(content, "utf-8")
        assert [one.code for one in inspect(str(tmp_path)).problems if one.code == "P0431"] == problem


FREE = {
    "a function": ("free()", True),
    "a variable": ("frees", True),
    "a function of another function": ("really_free()", True),
    "another function": ("all_cells()", False),
    "all that can be reached": ("cell where all(not laid(d) for d in reachable(c, adjacent))", True),
    "all that can be reached, filtered": ("cell where all(d in reachable(c, adjacent) where not laid(d))", True),
    "all that lie beside it": ("cell where all(not laid(d) for d in adjacent(c))", False),
    "some that can be reached": ("cell where any(not laid(d) for d in reachable(c, adjacent))", False),
}


@pytest.mark.parametrize("name", FREE)
def test_list_of_a_function_is_as_good_as_its_condition(tmp_path, name):
    source, right = FREE[name]
    model = "document: model\nkinds: {tile: {}}\ngrids: {cell: {rows: 3, columns: 3}}\nplaces:\n"
    model += (
        "  bag: {of: tile, type: pile}\n  laid: {of: tile, per: cell, type: spot}\ncounters: {point: {per: player}}\n"
    )
    rules = (
        'document: rules\nfunctions:\n  free(): "[c in cell where not laid(c)]"\n  really_free(): free()\n'
        '  all_cells(): "[c in cell]"\nresult: {score: point}\nrules:\n  match: |\n    loop:\n'
        "      let t = top(bag)\n      stop unless t\n      let frees = free()\n"
        f"      choose c in {source}\n      otherwise: stop\n      move t to laid(c)\n"
    )
    bag = "document: pieces\nkind: tile\nplace: bag\npieces: {plain: {copies: 9}}\n"
    for file, content in (("pack", PACK), ("model", model), ("rules", rules), ("bag", bag)):
        (tmp_path / f"{file}.yaml").write_text(content, "utf-8")

    errors = [one.code for one in inspect(str(tmp_path)).errors]
    assert errors == ([] if right else ["P0416"])


HANDS = {
    "enough of each": ("if any(size(hand(p)) <= 1 for p in players): stop\nsimultaneously for p in players: pick()", True),
    "all have some": ("stop unless all(size(hand(p)) > 0 for p in players)\nsimultaneously for p in players: pick()", True),
    "in another list": ("if any(size(hand(p)) == 0 for p in others(me)): stop\nsimultaneously for p in players: pick()", False),
    "moved meanwhile": (
        "if any(size(hand(p)) <= 1 for p in players): stop\nfor c in hand(me): move c to bag\n"
        "simultaneously for p in players: pick()", False,
    ),
    "of the neighbor": (
        "if any(size(hand(next(p))) == 0 for p in players): stop\nsimultaneously for p in players: pick()", False,
    ),
    "only some": ("if all(size(hand(p)) == 0 for p in players): stop\nsimultaneously for p in players: pick()", False),
    "taken from the neighbor": (
        "if any(size(hand(p)) == 0 for p in players): stop\nfor p in players: as p: pass_one()", False,
    ),
}  # fmt: skip


def test_what_all_items_of_a_list_satisfy_is_known_of_each(tmp_path, subtests):
    model = (
        "document: model\nkinds: {card: {}}\ncounters: {point: {per: player}}\nplaces:\n  bag: {of: card, type: pile}\n"
    )
    model += "".join(
        f"  {name}: {{of: card, per: player, type: area, visible: owner}}\n" for name in ("hand", "picked")
    )
    for name, (body, right) in HANDS.items():
        rules = (
            "document: rules\nresult: {score: point}\nrules:\n  pick: |\n    choose c in hand(me)\n    move c to picked(me)\n"
            "  pass_one: |\n    choose c in hand(me)\n    for d in hand(next(me)): move d to bag\n    move c to picked(me)\n  match: |\n"
        )
        rules += "".join(f"    {line}\n" for line in ["draw 3 from bag to hand(me)", *body.splitlines()])
        cards = "document: pieces\nkind: card\nplace: bag\npieces: {plain: {copies: 9}}\n"
        for file, content in (("pack", PACK), ("model", model), ("rules", rules), ("cards", cards)):
            (tmp_path / f"{file}.yaml").write_text(content, "utf-8")
        with subtests.test(name):
            assert [one.code for one in inspect(str(tmp_path)).errors] == ([] if right else ["P0402"])


THE_MOST = {
    "chosen": "choose p in players where coin(p) == max(coin(q) for q in players)\ngain 1 nut for p",
    "by a name": "let b = max(coin(p) for p in players)\nchoose p in players where coin(p) == b\ngain 1 nut for p",
    "by a function": "choose p in players where coin(p) == richest()\ngain 1 nut for p",
    "the least": "random p in players where coin(p) == min(coin(q) for q in players)\ngain 1 nut for p",
    "as a list": "let ps = [p in players where coin(p) == richest()]\ngain 6 div size(ps) nut\ngain 1 nut for ps[0]",
}
NOT_THE_MOST = {
    "of something else": "choose p in players where coin(p) == max(nut(q) for q in players)\ngain 1 nut for p",
    "of others": "choose p in players where coin(p) == max(coin(q) for q in others(me))\ngain 1 nut for p",
    "of some": "choose p in players where coin(p) == max(coin(q) for q in players where nut(q) > 1)\ngain 1 nut for p",
    "before a change": "let b = max(coin(p) for p in players)\nstir()\nchoose p in players where coin(p) == b\ngain 1 nut for p",
    "the second of them": "let ps = [p in players where coin(p) == richest()]\ngain 1 nut for ps[1]",
}
RICHEST = "  richest(): max(coin(q) for q in players)\n"
EACH = {
    "of its own field": "for f in pawn where f.age < 9: set f.age to f.age + 1",
    "of those in a place": "for f in out where f.age < 9: set f.age to f.age + 1",
    "of those beside something else": "for f in pawn where f.age < 9 and coin > 2: set f.age to f.age + 1",
}
NOT_EACH = {
    "twice in a pass": "for f in pawn where f.age < 9:\n  set f.age to f.age + 1\n  set f.age to f.age + 1",
    "the same more than once": "for f in [{g, g} for g in pawn][0] where f.age < 9: set f.age to f.age + 1",
    "of another, too": "for f in pawn where f.age < 9:\n  set f.age to f.age + 1\n  for g in out: set g.age to 9",
    "of another variable": "for f in pawn where f.age < 9:\n  set f.age to f.age + 1\n  let g = first(out)\n  if g: set f to g",
    "by a rule": "for f in pawn where f.age < 9:\n  set f.age to f.age + 1\n  grow()",
    "if another is young": "for f in pawn where all(g.age < 9 for g in pawn): set f.age to f.age + 1",
}
GROW = "  grow(): |\n    for f in out where f.age < 3: set f.age to 9\n"


@pytest.fixture
def aged(monkeypatch):
    model = MODEL.replace("used: bool = false", "used: bool = false, age: int 0..9 = 0")
    monkeypatch.setitem(globals(), "MODEL", model)


def test_those_that_have_the_most_are_some(tmp_path, subtests):
    for cases in (THE_MOST, NOT_THE_MOST):
        for name, body in cases.items():
            with subtests.test(name):
                problems = found(tmp_path, body, functions=RICHEST if "richest" in body else "")
                refused = {one[:5] for one in problems} & {"P0402", "P0415"}
                assert (problems == []) if cases is THE_MOST else refused


def test_a_condition_on_each_holds_in_its_pass(tmp_path, aged, subtests):
    for wanted, cases in ([], EACH), (["P0417"], NOT_EACH):
        for name, body in cases.items():
            with subtests.test(name):
                problems = found(tmp_path, body, rules=GROW if "grow" in body else "")
                assert sorted({one[:5] for one in problems}) == wanted
