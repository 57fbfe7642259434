"""What a simultaneous block shows before everybody has answered."""

from __future__ import annotations

import pytest
from packmaker import problems

MODEL = """# model2.yaml
document: model
enums: {mood: [calm, wild]}
grids:
  sea: {rows: 1, columns: 2, per: player, fields: {ship: {type: bool = false, visible: owner}, hit: bool = false,
    reef: {type: bool = false, visible: owner, unless: hit}}}
counters:
  hunch: {per: [player, mood], visible: owner}
  doom: {visible: none}
  mine: {per: sea, visible: owner}
places:
  purse: {of: card, per: player, type: area, visible: owner}
  chest: {of: card, per: player, type: area, visible: owner}
  box_of: {of: card, per: [player, mood], type: area, visible: owner}
  well: {of: card, type: pile, visible: none}
  wreck: {of: card, per: sea, type: area, visible: owner}
"""
RULES = """  raise_of(player q): |
    let x = q
    gain 1 bid(x)
  look_at(player q): |
    let x = q
    if bid(x) > 2: set bid to 1
  quit_early(player p): |
    stop if bid(p) > 1
    gain 1 bid for p
  boast(player p): say "I have" bid(p)
  copy_of(player p): set bid(p) to bid(next(p))
  launch(sea c): set c.ship to true
"""

FUNCTIONS = 'functions:\n  held_by(player q): bid(q) + 1\n  sea_of(player q): "[c in sea where c.owner == q]"\n'
FUNCTIONS += '  around(player q, int n): {type: int, is: "bid(q) if n == 0 else around(next(q), n - 1)"}\n'


BEFORE = RULES.count("\n") + 4


def block(*lines: str) -> str:
    body = "".join(f"      {line}\n" for line in lines)
    rules = f"# rules2.yaml\ndocument: rules\nrules:\n{RULES}"
    return f"{MODEL}{rules}  secretly(card): |\n    simultaneously for p in players:\n{body}{FUNCTIONS}"


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["set bid to 1", "set bid(p) to 2", "set p.bid to 3", "gain 1 bid for p"], id="my counter"),
        pytest.param(["gain 1 hunch(calm)", "gain 1 hunch(p, wild)", "set hunch(me, calm) to 2"], id="with an index"),
        pytest.param(["for c in purse(me): move c to purse(p)"], id="my own pieces"),
        pytest.param(["choose c in purse(p)", "otherwise: nothing", "if c: move c to deck"], id="out of sight"),
        pytest.param(["let c = first(x in purse where x.used)", "if c: move c to purse"], id="found among mine"),
        pytest.param(["as p: gain 1 bid"], id="as myself"),
        pytest.param(["let n = count(hand(next(p)))", "set bid to n", "set n to 2"], id="looking at what all see"),
        pytest.param(["for i in 1..3: if bid < 2: break", "set bid to 1"], id="leaving a loop inside"),
        pytest.param(["quit_early(p)", "set bid to bid + 1"], id="leaving a rule that is called"),
        pytest.param(["set bid to count(purse(p))"], id="looking at what is mine"),
        pytest.param(["look_at(p)", "look_at(me)", "raise_of(me)", "raise_of(p)"], id="by a rule that is called twice"),
        pytest.param(["set bid to held_by(p) + held_by(me)"], id="looking at what is mine by a function"),
        pytest.param(
            ["choose c in sea where c.owner == p", "otherwise: nothing", "if c: set c.ship to true"],
            id="field of my cell",
        ),
        pytest.param(
            ["choose c in sea where me == c.owner and not c.ship", "otherwise: nothing", "if c: gain 1 mine(c)"],
            id="counter of my cell",
        ),
        pytest.param(["for c in [x in sea where x.owner == p]: set mine(c) to 2"], id="cells of a list of mine"),
        pytest.param(["for c in owned(p, sea): set c.ship to true"], id="cells that I own"),
        pytest.param(["for c in owned(sea) where not c.ship: launch(c)"], id="cells that I own, by a rule"),
        pytest.param(["choose c in sea_of(p)", "otherwise: nothing", "if c: launch(c)"], id="by a function and a rule"),
        pytest.param(
            ["let c = first(x in sea where x.owner == me)", "if c: for d in purse(me): move d to wreck(c)"],
            id="into a place of my cell",
        ),
        pytest.param(["for c in sea_of(me): set bid to mine(c)"], id="looking at my cell"),
    ],
)
def test_hidden(tmp_path, lines):
    assert [p.message for p in problems(tmp_path, block(*lines)) if p.severity == "error"] == []


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        pytest.param(["set bid(next(p)) to 1"], 1, id="another player's counter"),
        pytest.param(["set next(p).bid to 1"], 1, id="another player's counter, with a dot"),
        pytest.param(["gain 1 hunch(next(me), calm)"], 1, id="another player's, with an index"),
        pytest.param(["as next(p): gain 1 bid"], 1, id="as another player"),
        pytest.param(["pass to next(p)", "set bid to 1"], 2, id="after passing to another player"),
        pytest.param(["for c in hand(p): move c to purse"], 1, id="out of a hand that all see"),
        pytest.param(["choose c in shop", "otherwise: nothing", "if c: move c to purse(p)"], 3, id="out of the shop"),
        pytest.param(["for c in purse(next(p)): move c to purse(p)"], 1, id="out of another player's purse"),
        pytest.param(["for c in purse(p): move c to purse(next(p))"], 1, id="into another player's purse"),
        pytest.param(["let c = top(deck)", "if c: swap c with card"], 2, id="exchange"),
        pytest.param(["choose n in 1..3", 'say "I bid" n', "set bid to n"], 2, id="said"),
        pytest.param(["boast(p)"], 1, id="said by a rule"),
        pytest.param(["for c in sea: set c.ship to true"], 1, id="field of anybody's cell"),
        pytest.param(["for c in sea where c.owner == p or c.hit: set c.ship to true"], 1, id="of mine, or not"),
        pytest.param(["for c in sea where c.owner == next(p): gain 1 mine(c)"], 1, id="another player's cell"),
        pytest.param(["for c in owned(next(p), sea): gain 1 mine(c)"], 1, id="cells that another player owns"),
        pytest.param(["for c in sea_of(p): set c.hit to true"], 1, id="field that all see"),
        pytest.param(["for c in sea_of(next(p)): launch(c)"], 1, id="another player's cells by a function"),
        pytest.param(["for c in sea_of(p): set c.ship to any(d in sea where d.ship)"], 1, id="what others have set"),
        pytest.param(["set bid to held_by(next(p))"], 1, id="what another has just answered, by a function"),
        pytest.param(["set bid to 1", "copy_of(p)"], 2, id="what another has just answered, by a rule"),
        pytest.param(["raise_of(me)", "raise_of(next(me))"], 2, id="another player's, by a rule that changed mine"),
        pytest.param(["gain 1 bid", "look_at(next(me))", "look_at(me)"], 2, id="by a rule that looks at mine later"),
        pytest.param(["gain 1 bid", "set bid to around(me, 1)"], 2, id="by a function that goes on to another player"),
        pytest.param(["set bid to 1 + bid(next(p))"], 1, id="what another has just answered"),
        pytest.param(["let n = sum(bid(x) for x in players)", "set bid to n"], 1, id="what all have just answered"),
        pytest.param(
            ["for c in purse(p): move c to purse", "set bid to count(purse(next(p)))"],
            2,
            id="where another has just put something",
        ),
        pytest.param(
            ["let c = top(deck)", "set c to first(hand(p))", "if c: move c to purse"],
            3,
            id="from somewhere else by now",
        ),
        pytest.param(
            ["let q = p", "repeat 2 times:", "  set bid(q) to 1", "  set q to next(q)"], 3, id="another player by now"
        ),
        pytest.param(
            ["repeat 2 times:", "  gain 1 bid(p)", "  set bid to 2", "  pass to next(p)"], 3, id="passed on in a loop"
        ),
    ],
)
def test_shown(tmp_path, lines, line):
    found = problems(tmp_path, block(*lines))

    called = [(p.code, (p.also[0][0] if p.also else p.span).line - BEFORE) for p in found if p.severity == "error"]
    assert called == [("P0407", line)]


def test_what_a_rule_shows_is_reported_where_it_stands_and_once(tmp_path):
    found = [p for p in problems(tmp_path, block("boast(p)", "boast(me)")) if p.severity == "error"]
    (shown,) = found

    assert (shown.code, BEFORE - shown.span.line, shown.span.column) == ("P0407", 4, 20)
    assert [(where.line - BEFORE, words) for where, words in shown.also] == [(1, "called here")]


OWN = "it may be that of another player: take it from owned(sea), as in 'choose x in owned(sea)'"


@pytest.mark.parametrize(
    ("lines", "help_"),
    [
        (["for c in sea: set c.ship to true"], OWN),
        (["for c in sea: gain 1 mine(c)"], OWN),
        (["for c in sea, d in purse: move d to wreck(c)"], OWN),
        (["for c in owned(sea): set c.ship to any(d in sea where d.ship)"], f"{OWN}, or read it after the block"),
        (
            ["for c in owned(sea): set c.hit to true"],
            "use places and counters with 'visible: owner', and show them after",
        ),
    ],
)
def test_thing_that_may_be_of_another_player(tmp_path, lines, help_):
    (found,) = [one for one in problems(tmp_path, block(*lines)) if one.code == "P0407"]

    assert found.help.startswith(help_)


@pytest.mark.parametrize("line", ["set c.ship to true", "gain 1 mine(c)"])
def test_the_help_is_enough(tmp_path, line):
    assert not [one for one in problems(tmp_path, block(f"for c in owned(sea): {line}")) if one.code == "P0407"]


def test_a_field_that_is_shown_at_times_has_help_of_its_own(tmp_path):
    found = problems(tmp_path, block("for c in owned(p, sea): set c.reef to true"))

    assert [(p.code, p.help) for p in found if p.severity == "error"] == [
        (
            "P0407",
            "'reef' is shown if its 'unless' is true; note it in a field without one, and set 'reef' after the block",
        )
    ]


PICK = ["choose c in purse(me)", "otherwise: break"]
TWO = ["choose 2 of c in purse(me) as cs", "otherwise: break"]
MENU = ["choose one:", '  for c in purse(me) "a":', "    set bid to 1", "    move c to chest"]
NESTED = ["    choose one:", '      "x": move c to chest', '      "y": put_away(c)']
STEPS = ["  move c to well", "  move c to chest"]
COUNTED = "how many pieces lie there would reveal to the others what was chosen"


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([*PICK, "move c to chest"], id="one, whichever"),
        pytest.param(["repeat 2 times:", "  choose c in purse", "  otherwise: break", "  move c to chest"], id="two"),
        pytest.param(["for c in purse(me): move c to chest"], id="all"),
        pytest.param(
            ["choose n in 1..2", *PICK, "set bid to n", "if size(chest) < 3: move c to chest"], id="by a size"
        ),
        pytest.param(["choose n in 1..2", *PICK, "if coin > 2: move c to well"], id="by what is no answer"),
        pytest.param(
            ["choose n in 1..2", "let c = first(x in purse where x.used)", "if c and n > 1: move c to purse"],
            id="from a place to the same place",
        ),
        pytest.param(
            ["if purse(me):", "  choose one:", '    for c in purse(me) "put": move c to chest'], id="the only line"
        ),
        pytest.param(["choose m in mood", *PICK, "move c to box_of(p, wild)"], id="into the same one of several"),
        pytest.param([*PICK, "move c to chest", "move c to well"], id="twice, one after the other"),
        pytest.param([*PICK, "put_away(c)"], id="by a rule"),
        pytest.param([*TWO, "for c in cs: move c to chest"], id="two together"),
        pytest.param(["choose coin of c in purse(p) as cs", *TWO[1:], "for c in cs: move c to chest"], id="so many"),
        pytest.param([*TWO, "if size(cs) == 2:", "  for c in cs: move c to chest"], id="by how many they are"),
        pytest.param(
            [
                "if size(purse(me)) == 0: break",
                *MENU,
                '  for c in purse(me) "b":',
                "    set bid to 2",
                "    move c to chest",
            ],
            id="by each line of a menu",
        ),
        pytest.param(
            ["choose n in 1..2", *PICK, "if n > 1:", "  set bid to 1", "  move c to chest", "else: move c to chest"],
            id="by both branches",
        ),
        pytest.param(
            ["choose n in 1..2", *PICK, "if n > 1: put_away(c)", "elif n > 0: move c to chest", "else: put_away(c)"],
            id="by each branch, by a rule or not",
        ),
        pytest.param(
            ["choose n in 1..2", *PICK, "if n > 1:", "  set bid to 1", *STEPS, "else:", *STEPS],
            id="by both branches, in two steps",
        ),
        pytest.param(
            [*PICK, "choose one:", '  "a":', *NESTED, '  "b": move c to chest'],
            id="by a menu inside a menu",
        ),
    ],
)
def test_move_that_happens_whatever_is_answered(tmp_path, lines):
    assert [p.message for p in problems(tmp_path, counting(*lines)) if p.severity == "error"] == []


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        pytest.param(["choose n in 1..2", *PICK, "if n == 1: move c to chest"], 4, id="under a condition"),
        pytest.param(["choose n in 1..2", *PICK, "if n == 1: break", "move c to chest"], 5, id="after leaving"),
        pytest.param(["choose c in purse(me) or none", "if c: move c to chest"], 2, id="declined"),
        pytest.param(["choose one:", '  "a": nothing', '  for c in purse(me) "b": move c to chest'], 3, id="a line"),
        pytest.param(
            ["choose one:", '  for c in purse(me) "b": move c to chest', "  otherwise: nothing"],
            2,
            id="a line, or what else",
        ),
        pytest.param(['up to 2 times "more":', "  for c in purse(me): move c to chest"], 2, id="up to"),
        pytest.param(
            ["choose n in 0..2", "repeat n times: for c in take(purse(me), 1): move c to chest"], 2, id="so often"
        ),
        pytest.param(["choose n in 1..2", "for c in purse(me) where c.number > n: move c to chest"], 2, id="only some"),
        pytest.param(
            ["choose n in 1..2", "for c in purse(me):", "  if c.number > n: break", "  move c to chest"],
            4,
            id="up to one",
        ),
        pytest.param(["choose n in 1..2", "set bid to n", *PICK, "if bid > 1: move c to chest"], 5, id="by a counter"),
        pytest.param(
            [*PICK, "choose d in purse(me)", "otherwise: break", "move c to chest", "move d to chest"],
            6,
            id="perhaps the same one twice",
        ),
        pytest.param(
            ["for c in purse(me):", "  for d in purse(me): move d to chest", "  move c to chest"],
            3,
            id="perhaps moved by another pass",
        ),
        pytest.param([*PICK, "if c.used: move c to chest"], 3, id="by what was chosen"),
        pytest.param(["choose 0 to 2 of c in purse(me) as cs", "for c in cs: move c to chest"], 2, id="some"),
        pytest.param(["choose any number of c in purse(me) as cs", "for c in cs: move c to chest"], 2, id="any number"),
        pytest.param([*TWO, "for c in cs where c.used: move c to chest"], 3, id="some of those that were chosen"),
        pytest.param(
            [
                "choose n in 1..2",
                "choose n of c in purse(me) as cs",
                "otherwise: break",
                "for c in cs: move c to chest",
            ],
            4,
            id="as many as were chosen",
        ),
        pytest.param(
            [*TWO, "for c in purse(me): move c to well", "for c in cs: move c to chest"], 4, id="no longer there"
        ),
        pytest.param(
            [*TWO, "for c in cs:", "  for d in purse(me): move d to well", "  move c to chest"], 5, id="gone meanwhile"
        ),
        pytest.param(["choose m in mood", *PICK, "move c to box_of(p, m)"], 4, id="into one of several"),
        pytest.param(["choose n in 1..2", *PICK, "if n == 2: put_away(c)"], 4, id="by a rule"),
        pytest.param(["choose n in 1..2", *PICK, "put_some(c, n)"], 4, id="or not, by a rule"),
        pytest.param(
            ["choose n in 1..2", "choose c in purse(me) where c.number > n", "otherwise: break", "move c to chest"],
            4,
            id="where there is one of a sort",
        ),
        pytest.param(
            ["choose n in 1..2", *PICK, "require c.number > n", "move c to chest"], 5, id="where it is possible"
        ),
    ],
)
def test_move_that_tells_an_answer(tmp_path, lines, line):
    found = [p for p in problems(tmp_path, counting(*lines)) if p.severity == "error"]

    in_a_rule = any("put_" in one for one in lines)
    assert [(p.code, p.message) for p in found] == [("P0407", COUNTED)]
    assert in_a_rule or found[0].span.line - BEFORE - 4 == line


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        pytest.param(["if c.used: move c to chest", "else: move c to well"], [3, 4], id="here or there"),
        pytest.param(["if c.used: move c to chest", "else: break"], [3], id="or the end"),
        pytest.param(["if c.used: move c to chest", "else: for d in purse(me): move d to chest"], [3, 4], id="or all"),
        pytest.param(["if c.used:", *STEPS, "else: move c to chest"], [4, 5, 6], id="by a detour"),
        pytest.param(
            ["if c.used: move c to chest", "else:", "  choose one:", '    "x": move c to chest', '    "y": break'],
            [3, 6],
            id="or not, by a menu inside",
        ),
    ],
)
def test_ways_that_move_something_else_tell_which_was_taken(tmp_path, lines, told):
    found = [p for p in problems(tmp_path, counting(*PICK, *lines)) if p.severity == "error"]

    assert {p.message for p in found} == {COUNTED}
    assert sorted(p.span.line - BEFORE - 4 for p in found) == told


def counting(*lines: str) -> str:
    """A block with rules that move pieces."""
    more = "  put_away(card c): move c to chest\n  put_some(card c, int n): |\n    if n > 1: move c to chest\n"
    return block("repeat 1 times:", *(f"  {line}" for line in lines)).replace(RULES, RULES + more)


def test_calls_that_double_with_each_level_are_followed(tmp_path):
    functions = ["  f0: bid", *(f"  f{i}: f{i - 1} + f{i - 1}" for i in range(1, 40))]
    rules = ["  r0(): gain 1 bid", *(f"  r{i}(): |\n    r{i - 1}()\n    r{i - 1}()" for i in range(1, 20))]
    pack = block("r19()", "set bid to f39").replace("  launch(", "\n".join(rules) + "\n  launch(")

    found = problems(tmp_path, pack + "\n".join(functions) + "\n")

    assert [p.message for p in found if p.severity == "error"] == []


def test_loops_inside_each_other_are_not_followed_for_ever(tmp_path):
    """Where there are too many, what they move counts as revealing."""
    loops = [f"{'  ' * i}for i{i} in 1..2:" for i in range(18)]

    found = problems(tmp_path, block(*loops, "  " * 18 + "for c in purse(p): move c to chest(p)"))

    assert [p.code for p in found if p.severity == "error"] == ["P0407"]


def test_list_of_a_function_that_only_calls_itself(tmp_path):
    function = '  purses(int n): {type: list of card, is: "[c in purses(n - 1) where c in purses(n - 2)]"}\n'

    found = problems(tmp_path, block("for c in purses(9): gain 1 bid") + function)

    assert [p.code for p in found if p.severity == "error"] == ["P0441"]
