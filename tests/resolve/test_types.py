"""Types: what is accepted and what is refused, with code and column inside the effect.

Every text is a trigger of the sample pack that follows ``earn(int n)``.
"""

from __future__ import annotations

import pytest
from packmaker import problems, trigger


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("types")


ACCEPTED = [
    "let v = coin + seed(me) + me.nut",
    "let v = count(c in hand(me) where c.number > 3 and not c.used)",
    "let v = sum(c.number for c in hand(me)) + (max(c.charge for c in shop) or 0)",
    "let v = lowest(c in hand(me) by c.number)",
    "let v = [c.number for c in hand(me)]\nif v: let w = v[0]",
    "let v = {1, 2, n}",
    "let v = hand(me) if coin > 2 else {}\nfor c in v: set c.used to true",
    "let v = {} if coin > 2 else [c in shop where c.used]\nfor c in v where c.number > 3: set c.used to false",
    "let v = 1 if coin > 2 else 2",
    "let v = ladder[n mod 4]",
    "let v = rounds * seats - bonus",
    "let v = length == short",
    "let v = plain_1.design == plain",
    "let v = plain_1 == plain_2",
    "let v = plain_1 in hand(me) or plain_1 in shop",
    "let v = place_of(plain_1, hand)\nif v: gain 1 point for v",
    "let v = have(coin)",
    "for g in good: if have(g) > 1: lose 1 seed",
    "for g in good: gain 1 g",
    "let v = can(buy(plain_1))",
    "let v = payable(rich_1.cost)",
    "let v = connected({a1, b1}, a1)",
    "let v = [line in lines(a1, 3) where all(not c.owner for c in line)]",
    "for c in ray(a1, 1, 1): set c.owner to me",
    "let v = cell_at(cell, 1, 1)\nstop unless v\nset v.owner to none",
    "let v = first(p in others(me) where coin(p) > 3) or me\ngain 1 point for v",
    "set n to n + 1",
    "set plain_1.charge to 3; set coin(next(me)) to 0; set round to 2",
    "let v = top(deck) or plain_1\nmove v to deck bottom",
    "random v in 1..6\ngain v coin",
    "random v in hand(me)\nif v: move v to deck",
    "swap plain_1 with rich_1",
    "draw 1 from deck to hand(next(me))",
    "if any(c in cell where c.owner == me): nothing",
    "if hand(me): nothing",
    "if top(deck): nothing",
    "for p in players, c in hand(p) where c.used: set c.used to false",
    "do plain_1.effect",
    "dig()",
]

REFUSED = [
    ("let v = coyn", "P0201", 9),
    ("let v = plain_1.nummer", "P0201", 17),
    ("let v = ladder.size", "P0201", 16),
    ("let v = length == fast", "P0201", 19),
    ("let v = box", "P0201", 9),
    ("earm(1)", "P0201", 1),
    ('may "a": gain 1 coyn', "P0201", 17),
    ("gain 1 hand", "P0202", 8),
    ("pay 1 good", "P0202", 7),
    ("price(plain_1)", "P0202", 1),
    ("let v = can(3)", "P0202", 13),
    ("let v = used(plain_1)", "P0202", 9),
    ("do earn(1)", "P0301", 4),
    ("let coin = 3", "P0203", 1),
    ("let me = 3", "P0203", 1),
    ("for seats in 1..3: nothing", "P0203", 5),
    ("let v = 1; let v = 2", "P0203", 12),
    ("let v = 1 + true", "P0301", 13),
    ("gain rich_1.cost", "P0301", 6),
    ("let v = -hand(me)", "P0301", 10),
    ("let v = not 3", "P0301", 13),
    ("let v = coin == true", "P0301", 17),
    ("let v = coin == none", "P0301", 17),
    ("let v = 1 < true", "P0301", 13),
    ("let v = 1 in 3", "P0301", 14),
    ("let v = coin in hand(me)", "P0301", 9),
    ("let v = {1, true}", "P0301", 13),
    ("let v = 1 if true else false", "P0301", 9),
    ("let v = 1 if coin else 2", "P0301", 14),
    ("let v = coin[0]", "P0301", 9),
    ("let v = ladder[true]", "P0301", 16),
    ("let v = abs(true)", "P0301", 13),
    ("let v = size(3)", "P0301", 14),
    ("let v = price(3)", "P0301", 15),
    ("let v = hand(1)", "P0301", 14),
    ("let v = sum(c for c in hand(me))", "P0301", 13),
    ("let v = lowest(c in hand(me) by c.used)", "P0301", 33),
    ("let v = [x in 3]", "P0301", 15),
    ("let v = none", "P0301", 9),
    ("let v = earn(1)", "P0301", 9),
    ("let v = have(3)", "P0301", 14),
    ("let v = payable(3)", "P0301", 17),
    ("let v = lines(3, 3)", "P0301", 15),
    ("let v = connected({1}, a1)", "P0301", 19),
    ("let v = place_of(plain_1, deck)", "P0301", 27),
    ("let v = plain_1 == luck_1", "P0301", 20),
    ("let v = length == 3", "P0301", 19),
    ("for x in {}: set x.used to true", "P0301", 18),
    ("let v = [x in {} where x.number > 1]", "P0301", 24),
    ("gain true coin", "P0301", 6),
    ("gain 1 coin for 3", "P0301", 17),
    ("gain 1", "P0301", 6),
    ("lose 1 any good", "P0301", 1),
    ("set coin to true", "P0301", 13),
    ("set n to true", "P0301", 10),
    ("draw true from deck to hand(me)", "P0301", 6),
    ("random x in 3", "P0301", 13),
    ("earn(true)", "P0301", 6),
    ("do coin", "P0301", 4),
    ("stop if 3", "P0301", 9),
    ("for x in hand(me), y in 3: nothing", "P0301", 25),
    ("for x in 1..3, y in 1..3 in any order: nothing", "P0301", 1),
    ("repeat true times: nothing", "P0301", 8),
    ("as 3: nothing", "P0301", 4),
    ("simultaneously for p in 1..2: nothing", "P0301", 25),
    ("pass to 3", "P0301", 9),
    ("let v = abs()", "P0302", 9),
    ("let v = price()", "P0302", 9),
    ("let v = price(plain_1, 2)", "P0302", 9),
    ("let v = coin(me, me)", "P0302", 9),
    ("let v = round(me)", "P0302", 9),
    ("earn(1, 2)", "P0302", 1),
    ("let v = top(deck).number", "P0303", 9),
    ("let v = a1.owner.coin", "P0303", 9),
    ("set price to 3", "P0306", 5),
    ("set me to next(me)", "P0306", 5),
    ("set ladder to 3", "P0306", 5),
    ("set hand(me) to 3", "P0306", 5),
    ("set plain_1.number to 3", "P0306", 5),
    ("move coin to hand(me)", "P0307", 6),
    ("move plain_1 to coin", "P0307", 17),
    ("move plain_1 to bag", "P0307", 6),
    ("move plain_1 to shop", "P0307", 17),
    ("swap plain_1 with luck_1", "P0307", 19),
    ("shuffle throne", "P0307", 9),
    ("shuffle box", "P0307", 9),
    ("draw 1 from box to hand(me)", "P0307", 13),
    ("draw 1 from deck to box", "P0307", 21),
    ("refill shop from box", "P0307", 18),
    ("slide box", "P0307", 7),
    ("draw 1 from bag to hand(me)", "P0307", 20),
    ("refill shop from bag", "P0307", 8),
    ("slide deck", "P0307", 7),
    ("break", "P0308", 1),
]

# What a test shows: (what comes first, then a use of something that may be none, whether it is safe)
NARROWING = [
    ("let t = top(deck)", "set t.used to true", False),
    ("let t = top(deck)\nstop unless t", "set t.used to true", True),
    ("let t = top(deck)\nstop if not t", "set t.used to true", True),
    ("let t = top(deck)\nstop if t == none", "set t.used to true", True),
    ("let t = top(deck)\nstop if t != none", "set t.used to true", False),
    ("let t = top(deck)\nstop unless t or coin > 3", "set t.used to true", False),
    ("let t = top(deck)\nstop unless t and coin > 3", "set t.used to true", True),
    ("let t = top(deck)\nstop if not t or coin > 3", "set t.used to true", True),
    ("let t = top(deck)\nif t: stop", "set t.used to true", False),
    ("let t = top(deck)\nif not t: stop", "set t.used to true", True),
    ("let t = top(deck)", "if t: set t.used to true", True),
    ("let t = top(deck)", "if t != none: set t.used to true", True),
    ("let t = top(deck)", "if t == plain_1: set t.used to true", True),
    ("let t = top(deck)", "if not t: set t.used to true", False),
    ("let t = top(deck)", "if not t: nothing\nelse: set t.used to true", True),
    ("let t = top(deck)", "if t and t.used: nothing", True),
    ("let t = top(deck)", "if t or t.used: nothing", False),
    ("let t = top(deck)", "if not t or t.used: nothing", True),
    ("let t = top(deck)", "let v = t.number if t else 0", True),
    ("let t = top(deck)", "let v = 0 if t else t.number", False),
    ("nothing", "let v = throne.number if throne else 0", True),
    ("nothing", "if throne: set throne.used to true", True),
    ("nothing", "if throne: gain 1 coin; set throne.used to true", True),  # nothing of it changed in between
    ("nothing", "if throne: shuffle deck; set throne.used to true", False),
    ("nothing", "if throne: earn(1); set throne.used to true", False),
    ("let t = a1", "if t.owner: set t to b1; gain 1 point for t.owner", False),
    ("nothing", "if a1.owner: set b1.owner to none; gain 1 point for a1.owner", False),
    ("nothing", "if a1.owner: gain 1 any good; gain 1 point for a1.owner", True),
    ("nothing", "if a1.owner: as a1.owner: gain 1 point for a1.owner", True),
    ("nothing", "set a1.owner to me\ngain 1 coin\ngain 1 point for a1.owner", True),
    (
        "nothing",
        "loop:\n  if a1.owner:\n    set a1.owner to none\n    break\n  set a1.owner to me\ngain 1 point for a1.owner",
        False,
    ),
    ("nothing", "let p = first(q in players where coin(q) == max(coin(r) for r in players))\ngain 1 coin for p", True),
    (
        "nothing",
        "let b = min(coin(r) for r in players)\nrandom p in players where coin(p) == b\ngain 1 coin for p",
        True,
    ),
    (
        "nothing",
        "let p = first(q in players where coin(q) == max(point(r) for r in players))\ngain 1 coin for p",
        False,
    ),
    (
        "nothing",
        "let p = first(q in players where coin(q) == max(coin(r) for r in others(me)))\ngain 1 coin for p",
        False,
    ),
    ("nothing", "gain 1 coin for first(q in players where coin(q) < max(coin(r) for r in players))", False),
    (
        "nothing",
        "gain 1 coin for first(q in players where coin(q) * 0 == max(abs(coin(r) - coin(q)) for r in players))",
        False,
    ),
    ("let v = [c.owner for c in cell]", "if v: gain 1 coin for first(v)", False),
    ("nothing", "if cell: gain 1 coin for first(c.owner for c in cell)", False),
    (
        "let b = max(coin(r) for r in players)\ngain 1 coin",
        "gain 1 point for first(q in players where coin(q) == b)",
        False,
    ),
    ("nothing", "let v = count(c in cell where c.owner and c.owner.coin > 1)", True),
    ("nothing", "let v = count(c in cell where c.owner.coin > 1)", False),
    ("nothing", "let v = [c.owner.coin for c in cell where c.owner]", True),
    ("nothing", "for c in cell where c.owner: gain 1 point for c.owner", True),
    (
        "nothing",
        "for c in cell where c.owner: gain 1 point for c.owner; set a1.owner to none",
        False,
    ),  # before the next
    ("nothing", "for c in cell where c.owner: gain 1 point for c.owner; earn(1)", False),
    ("let t = top(deck)\nif not t: end match", "set t.used to true", True),
    ("let t = top(deck)\nif not t: stop\nelse: set t to top(deck)", "set t.used to true", False),
    ("let t = top(deck)\nif t: nothing\nelse: stop", "set t.used to true", True),
    ("nothing", "if size(deck) > 0: set top(deck).used to true", True),
    ("nothing", "if 0 < size(deck): set top(deck).used to true", True),
    ("nothing", "if size(deck) >= 0: set top(deck).used to true", False),
    ("nothing", "if deck: set top(deck).used to true", True),
    ("nothing", "if size(hand(me)) > 0: set top(deck).used to true", False),
    ("stop if size(deck) == 0", "set top(deck).used to true", True),
    ("if size(deck) == 0: stop", "set top(deck).used to true", True),
    ("if size(deck) == 0: stop\nelse: shuffle deck", "set top(deck).used to true", False),
    ("if not throne: end match", "set throne.used to true", True),
    ("nothing", "if any(c in hand(me) where c.used): set first(c in hand(me) where c.used).used to false", True),
    ("nothing", "if any(c in hand(me) where c.used): set first(d in hand(me) where d.used).used to false", True),
    ("nothing", "if any(c in hand(me) where c.used): set first(c in hand(me)).used to false", True),
    ("nothing", "if any(c in hand(me) where c.used): set first(c in hand(me) where c.number > 3).used to false", False),
    ("nothing", "if hand(me): set highest(c in hand(me) by c.number).used to false", True),
    ("nothing", "if hand(me): set first(hand(me)).used to false", True),
    ("stop unless throne\nchoose c in hand(me)\notherwise: stop", "set throne.used to true", True),
    ("stop unless throne\nchoose c in hand(me)\notherwise: move throne to deck", "set throne.used to true", False),
    ("stop unless throne\nif throne: nothing\nif not throne or coin > 3: nothing", "set throne.used to true", True),
    ("let t = top(deck)\nstop unless t\nlet v = t or plain_1\nif t == none: stop", "set t.used to v.used", True),
    ("stop unless a1.owner", "set a1.owner to none", True),
    ("choose c in cell where c.owner == me\notherwise: stop", "set c.owner to none", True),
    ("choose c in cell where c.owner == me\notherwise: stop", "set c.owner to none\ngain 1 coin for c.owner", False),
    ("stop unless hand(me)", "as next(me): set first(hand(me)).used to true", False),
    ("nothing", "as next(me): if hand(me): set first(hand(me)).used to true", True),
    ("stop unless hand(me)\npass to next(me)", "set first(hand(me)).used to true", False),
    ("stop unless hand(me)", "simultaneously for p in players: let v = first(hand(me)).number", False),
    ("choose c in cell where c.owner\notherwise: stop", "gain 1 coin for c.owner", True),
    ("choose c in cell where c.owner\notherwise: nothing", "gain 1 coin for c.owner", False),
    ("choose c in cell where c.owner or none", "stop unless c\ngain 1 coin for c.owner", False),
    ("choose c in cell where c.owner\notherwise: stop\ndig()", "gain 1 coin for c.owner", False),
    ("choose p in players where size(hand(p)) > 0\notherwise: stop", "set first(hand(p)).used to true", True),
    ("choose c in hand(me) or none", "set c.used to true", False),
    ("choose c in hand(me) or none\nstop unless c", "set c.used to true", True),
    ("choose c in hand(me)\notherwise: stop", "set c.used to true", True),
    ("choose c in hand(me)\notherwise: nothing", "set c.used to true", False),
]


# What an anytime action may end: (effects with a question, whether they are safe); it sets a1.owner to none
ASKING = [
    ("gain 1 point for a1.owner", True),
    ("for p in players: gain 1 coin for p; gain 1 point for a1.owner", True),
    ("for p in players in any order: gain 1 coin for p; gain 1 point for a1.owner", False),
    ("up to 2 times: gain 1 point for a1.owner", False),
    ("choose c in cell where c.owner\notherwise: stop\ngain 1 point for c.owner", True),
    ("choose c in cell where c.owner\notherwise: stop\ndig()\ngain 1 point for c.owner", False),
    ("loop:\n  gain 1 point for a1.owner\n  gain 1 any good\n  break", False),
    ("loop:\n  gain 1 point for a1.owner\n  for p in players in any order: gain 1 coin for p\n  break", False),
    ("gain a1.owner.coin any good", False),
    ("choose 1 of c in hand(me) where c.number > a1.owner.coin as cs\notherwise: stop\nmove cs[0] to deck", False),
]


@pytest.mark.parametrize(("use", "safe"), ASKING)
def test_an_anytime_action_may_end_what_was_tested(folder, use, safe):
    effects = "stop unless a1.owner\n" + use
    anytime = "anytime:\n  flee: {when: a1.owner == me, do: set a1.owner to none}\n"

    assert {p.code for p in problems(folder, trigger(effects) + anytime)} == (set() if safe else {"P0303"})


@pytest.mark.parametrize("effect", ACCEPTED)
def test_accepted(folder, effect):
    assert problems(folder, trigger(effect)) == []


@pytest.mark.parametrize(("effect", "code", "column"), REFUSED)
def test_refused(folder, effect, code, column):
    found = problems(folder, trigger(effect))

    assert [(p.code, p.span.column - 6, p.span.line) for p in found] == [(code, column, 6)]


@pytest.mark.parametrize(("before", "use", "safe"), NARROWING)
def test_what_a_test_shows(folder, before, use, safe):
    codes = {p.code for p in problems(folder, trigger(f"{before}\n{use}"))}

    assert codes == (set() if safe else {"P0303"})


@pytest.mark.parametrize(
    ("effects", "help_"),
    [
        ("if throne: shuffle deck; set throne.used to true", "it was tested, but may have changed since: "),
        ("stop unless throne\nearn(1)\nset throne.used to true", "it was tested, but may have changed since: "),
        ("set throne.used to true", "test it first"),
        ("let t = top(deck)\nif t:\n  set t to top(deck)\n  set t.used to true", "test it first"),
    ],
)
def test_a_test_that_no_longer_holds_is_named(folder, effects, help_):
    (problem,) = problems(folder, trigger(effects))

    assert (problem.code, problem.help.startswith(help_)) == ("P0303", True)


def test_unknown_name_points_to_the_nearest(folder):
    (problem,) = problems(folder, trigger("gain 1 coyn"))

    assert problem.help == "did you mean 'coin'?"
    assert [(span.path.rpartition("/")[2], words) for span, words in problem.also] == [("model.yaml", "declared here")]


def test_what_failed_once_is_silent_after_that(folder):
    found = problems(folder, trigger("let v = coyn + 1\nlet w = v * 2\nif v > w: gain v point"))

    assert [p.message for p in found] == ["unknown name 'coyn'"]


def test_independent_mistakes_are_all_told(folder):
    found = problems(folder, trigger("gain 1 coyn\nset plain_1.number to 3\nshuffle shop\nearn()"))

    assert [p.code for p in found] == ["P0201", "P0306", "P0307", "P0302"]


def test_a_rule_that_returns_a_value_may_have_changed_what_was_tested(folder):
    rules = "rules:\n  clear: |\n    if throne: move throne to deck\n    return 1\n"
    used = "stop unless throne\n{}\nset throne.used to true"

    assert problems(folder, trigger(used.format("let v = 1")) + rules.replace("rules", "functions", 0)) == []
    assert [p.code for p in problems(folder, trigger(used.format("let v = clear()")) + rules)] == ["P0303"]
