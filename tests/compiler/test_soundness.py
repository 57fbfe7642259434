"""What passes the checker plays: no player runs out of options, and nothing is paid that is not there."""

from __future__ import annotations

from random import Random

import pytest

from patolli.author.workspace import inspect
from patolli.run.runtime import Match, Ruleset

PACK = """document: pack
id: small
version: 1.0.0
language: 1
proofs: full
title: Small
text: Rules under test.
players: {min: 2, max: 2}
"""
MODEL = """document: model
kinds:
  card:
    facts: {price: cost = none, worth: int = 1, effect: effect = nothing}
    fields: {used: bool = false}
  ghost: {}
counters:
  coin: {per: player, start: 1}
  nut: {per: player, start: 1}
  seed: {per: player, max: 3}
  gem: {per: player, start: 1}
  debt: {per: player, min: -2}
  bid: {per: player, visible: owner}
  tally: {per: [player, mood]}
  turn: {}
enums:
  mood: [calm, wild]
groups:
  good: [nut, seed]
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  purse: {of: card, per: player, type: area, visible: owner}
  shelf: {of: card, type: row, size: 2}
  desk: {of: card, type: spot}
  tomb: {of: ghost, type: pile}
"""
CARDS = """document: pieces
kind: card
place: deck
pieces:
  plain: {copies: 2}
  dear: {copies: 2, price: 2 coin, worth: 2}
  odd: {copies: 2, price: 1 coin and 1 any good, worth: 3}
"""
MATCH = """  setup: |
    for p in players: as p: draw 1 from deck to hand(me)
  match: |
    repeat 8 times:
      gain 1 turn
      for p in players: as p:
        choose one:
          "take": gain 1 coin and 1 nut; draw 1 from deck to hand(me)
          "drop" when hand(me) or coin > 0: lose 1 coin; lose 1 nut; for c in hand(me): move c to deck
"""


def play(ruleset: Ruleset, seed: int, most: int = 60) -> None:
    """Play at random; no player ever runs out of options, and every counter stays within its bounds."""
    match = ruleset.start(2, seed)
    draw = Random(seed)
    for _ in range(most):
        in_bounds(match)
        if match.pending is None:
            return
        assert match.pending, "a question without an option"
        match.pick(draw.randrange(len(match.pending)))


def in_bounds(match: Match) -> None:
    """See that all counters are within their bounds."""
    layout = match.program.layout
    for counter in match.ruleset.model.counters.values():
        base, sizes = layout.counters[counter.name]
        most = layout.limits[counter.name]
        for slot in layout.slots(base, sizes):
            value = match.state[slot]
            assert counter.low <= value <= (value if most is None else most), f"{counter.name} is {value}"


def found(folder, rules, more=""):
    """Load rules into the pack, with lines of its menu before them; return the ruleset and the codes of errors."""
    menu = "".join(f"          {line[2:]}\n" for line in rules.splitlines() if line.startswith("# "))
    body = "".join(f"  {line}\n" for line in rules.splitlines() if not line.startswith("# "))
    parts = (("pack", PACK), ("model", MODEL), ("cards", CARDS))
    for name, text in (*parts, ("rules", f"document: rules\nrules:\n{MATCH}{menu}{body}{more}")):
        (folder / f"{name}.yaml").write_text(text)
    result = inspect(str(folder))
    return result.ruleset, [p.code for p in result.errors]


WAIVER = """waivers:
  free:
    each: c in hand(me)
    when: not any(h in hand(me) where h.used)
    on: fee
    of: nut
    do: set c.used to true
"""
PLAYS = [
    pytest.param('# "r": r()\nr: |\n  pay 2 nut as fee\n  pay 2 nut as fee', WAIVER, id="a waiver that works once"),
    pytest.param(
        '# for m in mood "r": r(m)\n# "up": gain 1 tally(calm)\nr(mood m): pay 1 tally(m) and 1 tally(calm)',
        "",
        id="two parts that take the same counter",
    ),
    pytest.param(
        '# for a in good, b in good "r": r(a, b)\nr(good a, good b): pay 1 a and 1 b', "", id="two goods alike"
    ),
    pytest.param(
        '# "r": r()\n# "down": set coin to 0 - 2\nr: |\n  gain 1 seed\n  choose k in 0..coin',
        "",
        id="set below the least",
    ),
    pytest.param(
        '# "r": r()\n# "owe": lose 1 debt\n# "down": gain debt coin\nr: |\n  gain 1 seed\n  choose k in 0..coin',
        "",
        id="gain less than nothing",
    ),
    pytest.param(
        '# "r": r()\nr: |\n  let n = 1\n  if turn > 0:\n    choose k in 1..3\n    set n to k\n  pay n coin',
        "",
        id="a choice inside a branch, paid for behind it",
    ),
    pytest.param(
        '# "r": r()\nr: |\n  if turn > 0: pay 1 any good\n  pay 1 nut',
        "",
        id="a payment inside a branch, another behind",
    ),
    pytest.param(
        '# "r": r()\nr: |\n  gain 1 seed\n  choose x in good where have(x) > 9\n  otherwise:\n    loop:\n      loop:\n'
        "        choose y in 1..2 where turn mod 2 == 0\n        otherwise: nothing\n        break\n      break",
        "",
        id="loops in what happens instead are no part of looking",
    ),
    pytest.param(
        '# "r": r()\nr: |\n  choose one:\n    "a" when nut > 0: gain 1 coin',
        "anytime:\n  burn: {when: nut > 0, do: choose k in 1..2; lose 1 nut}\n",
        id="an action that asks before it takes what a question needs",
    ),
    pytest.param(
        '# "r": r()\nr: |\n  choose one:\n    "a" when nut > 0: gain 1 coin',
        "anytime:\n  call: {when: nut > 0, do: 'may \"b\": gain 1 seed'}\n  burn: {when: nut > 0, do: lose 1 nut}\n",
        id="an action in the question of another",
    ),
]


@pytest.mark.parametrize(("rules", "more"), PLAYS)
def test_plays(tmp_path, rules, more):
    ruleset, codes = found(tmp_path, rules, more)

    assert codes == []
    for seed in range(12):
        play(ruleset, seed)


REFUSED = [
    pytest.param('r: |\n  gain 1 seed\n  choose x in card where x.used\n  otherwise: nothing\n  pay 1 coin', "", "P0401",
                 id="a way on when there is nothing to choose"),
    pytest.param("r: |\n  if turn > 0: choose x in 1..3 or none\n  pay 1 coin", "", "P0401",
                 id="declining inside a branch"),
    pytest.param("r: |\n  pass to next(me)\n  pay 1 coin", "", "P0401", id="another player pays"),
    pytest.param("fee: |\n  require turn > 0\n  return 1\nr: |\n  let n = fee()\n  pay n coin", "", "P0401",
                 id="the amount is what a rule returns"),
    pytest.param("r: |\n  gain 1 seed\n  choose g in ghost", "", "P0402", id="a kind without pieces"),
    pytest.param("r: |\n  gain 1 seed\n  choose k in 0..debt\nowe: lose 1 debt", "", "P0402",
                 id="a counter that may be negative"),
    pytest.param("r(card d): |\n  gain 1 seed\n  if any(c in hand(me) where d.used): choose d in hand(me) where d.used",
                 "", "P0203", id="a choice that hides a parameter"),
    pytest.param("r: pay 1 coin", "triggers:\n  tax: {before: r, do: lose 1 coin}\n", "P0409", id="a trigger takes it away"),
    pytest.param("r(card): pay card.price", "triggers:\n  tax: {before: r, do: lose 1 coin}\n", "P0409",
                 id="a trigger takes from what a card costs"),
    pytest.param("r: pay 2 coin as fee", "discounts:\n  d: {on: fee, less: 1 of coin, do: pay 1 nut}\n", "P0404",
                 id="a discount that costs something"),
    pytest.param("r: pay 2 coin as fee", "waivers:\n  w: {on: fee, of: coin, do: gain 1 any good}\n", "P0408",
                 id="a waiver that asks"),
]  # fmt: skip


def test_facts_whose_names_meet_those_of_kinds_are_others(tmp_path):
    """`worth` of the kind `imp_old` is not `old_worth` of the kind `imp`."""
    kinds = "document: model\nkinds:\n  imp: {facts: {old_worth: int}}\n  imp_old: {facts: {worth: int}}\n"
    pieces = [
        f"document: pieces\nkind: {kind}\npieces:\n  {kind}_1: {{{fact}}}\n"
        for kind, fact in (("imp", "old_worth: 1"), ("imp_old", "worth: 2"))
    ]
    for number, text in enumerate((kinds, *pieces)):
        (tmp_path / f"more{number}.yaml").write_text(text)
    ruleset, codes = found(tmp_path, "r: gain imp_1.old_worth * 10 + imp_old_1.worth nut")
    assert codes == []
    match = ruleset.start(2, 1)
    base = match.program.layout.counters["nut"][0]
    before = match.state[base]
    match.call("r", 0)

    assert match.state[base] - before == 12


def test_variables_whose_names_end_in_numbers_are_others(tmp_path):
    """The second `n` of a pack and the first `n_2` are two variables; so are all of those below."""
    rules = """
r(int n): |
  let n_2 = 5
  let n_3 = 7
  let k = 9
  if n > 0: falls(n - 1, n_2 + n_3)
falls(int n, int k): |
  let n_2 = 20
  let n_2_2 = 40
  let k_2 = 80
  if n > 0: falls(n - 1, k)
  else: gain n + n_2 + n_2_2 + k + k_2 coin
""".strip("\n")
    ruleset, codes = found(tmp_path, rules)
    assert codes == []
    match = ruleset.start(2, 1)
    before = match.state[:]
    match.call("r", 0, 3)
    base = match.program.layout.counters["coin"][0]

    assert match.state[base] - before[base] == 20 + 40 + 12 + 80


@pytest.mark.parametrize(("rules", "more", "code"), REFUSED)
def test_refused(tmp_path, rules, more, code):
    assert found(tmp_path, rules, more)[1] == [code]


@pytest.mark.parametrize("do", ["gain 1 seed", "set card.used to true", "move card to deck"])
def test_trigger_that_touches_nothing_of_it(tmp_path, do):
    assert found(tmp_path, "r(card): pay 1 coin", f"triggers:\n  t: {{before: r, do: {do}}}\n")[1] == []


TWICE = '# for k in 1..2 "r": r(k)\nr(int n): |\n'
KEPT = [
    pytest.param("r: pay 1 coin", "gain 1 coin", id="a gain"),
    pytest.param("r: |\n  require coin > 2\n  gain 1 seed", "if coin > 3: lose 1 coin", id="a guarded loss"),
    pytest.param("r: |\n  require coin > 2\n  gain 1 seed", "if coin > 3: pay 1 coin", id="a guarded payment"),
    pytest.param("r: |\n  let n = 2\n  pay n coin", "gain 1 coin for me", id="a price that has a name"),
    pytest.param("r: pay 2 coin", "set coin to coin + 1", id="a counter that is set to more"),
    pytest.param("r: pay 2 coin", "set coin to max(coin, 5)", id="a counter that is set to the greater of two"),
    pytest.param("r: pay 2 coin", "set coin to max(2, coin - 1)", id="a counter that is lowered, but not below"),
    pytest.param("r: pay 2 coin", "set coin to 3", id="a counter that is set to enough"),
    pytest.param("r: pay turn coin", "set coin to turn + 1", id="a counter that is set to more than it takes"),
    pytest.param("r: pay turn coin", "if coin > turn: set coin to coin - 1", id="a counter that is lowered with care"),
    pytest.param(
        "r: |\n  require seed < 3\n  gain 1 seed", "set seed to min(seed, 2)", id="a counter that is lowered to hold it"
    ),
    pytest.param(
        "r(card): |\n  require card.used\n  gain 1 seed",
        "set card.used to true",
        id="a field that is set to what it was",
    ),
]
TAKEN = [
    pytest.param("r: pay 1 coin", "gain 1 coin for next(me)\nlose 1 coin", id="a gain of another player"),
    pytest.param("r: pay 2 coin", "if coin > 2: lose 2 coin", id="a guard that is not enough"),
    pytest.param(
        "r(card): |\n  require card.used\n  gain 1 seed", "for c in hand(me): set c.used to false", id="another name"
    ),
    pytest.param("r: pay 2 coin", "set coin to min(coin, 3)\nlose 2 coin", id="a counter that is lowered"),
    pytest.param("r: pay 2 coin", "set coin to coin - 1", id="a counter that is set to less"),
    pytest.param("r: pay 2 coin", "set coin to min(coin, 1)", id="a counter that is set to the less of two"),
    pytest.param("r: pay 2 coin", "set coin to 1", id="a counter that is set to too little"),
    pytest.param(
        "r: pay 2 coin", "set coin to max(coin, 5) - 4", id="a counter that is set to the greater, and lowered"
    ),
    pytest.param("r: pay turn coin", "set coin to turn - 1", id="a counter that is set to less than it takes"),
    pytest.param("r: pay 2 coin", "set coin to coin(next(me))", id="a counter that is set to that of another player"),
    pytest.param("r: pay 2 coin", "set coin(next(me)) to 0", id="a counter that may be the same one"),
    pytest.param(TWICE + "  set n to n - 1\n  pay n coin", "lose 1 coin", id="a parameter that is lowered"),
    pytest.param(
        TWICE + "  set n to n - 1\n  require coin >= n\n  gain 1 seed",
        "if coin >= n: lose 1 coin",
        id="a parameter that is lowered, known to the trigger as it was",
    ),
    pytest.param(
        TWICE + "  let m = n\n  set n to m - 1\n  pay n coin",
        "lose 1 coin",
        id="a parameter that is lowered by a detour",
    ),
    pytest.param(
        "r(card): |\n  require card.used\n  gain 1 seed", "set card.used to not card.used", id="a field that is turned"
    ),
]


@pytest.mark.parametrize(("rules", "do"), KEPT)
def test_trigger_that_keeps_what_the_rule_was_offered_for(tmp_path, rules, do):
    body = "".join(f"      {line}\n" for line in do.splitlines())
    ruleset, codes = found(tmp_path, rules, f"triggers:\n  t:\n    before: r\n    do: |\n{body}")

    assert codes == []
    for seed in range(12):
        play(ruleset, seed)


@pytest.mark.parametrize(("rules", "do"), TAKEN)
def test_trigger_that_may_take_what_the_rule_was_offered_for(tmp_path, rules, do):
    body = "".join(f"      {line}\n" for line in do.splitlines())

    assert found(tmp_path, rules, f"triggers:\n  t:\n    before: r\n    do: |\n{body}")[1] == ["P0409"]


STANDS_FOR = "substitutions:\n  s: {{give: 1 nut, for: 1 coin, when: {when}}}\ntriggers:\n  t: {{before: r, do: set card.used to true}}\n"


@pytest.mark.parametrize(
    ("when", "codes"),
    [
        pytest.param("turn > 0", [], id="it depends on something else"),
        pytest.param("any(c in hand(me) where c.used)", ["P0409"], id="it depends on this"),
    ],
)
def test_trigger_before_a_payment_with_side_ways(tmp_path, when, codes):
    assert found(tmp_path, "r(card): pay card.price", STANDS_FOR.format(when=when))[1] == codes


def test_waiver_that_depends_on_what_can_be_paid(tmp_path):
    waiver = "waivers:\n  w: {each: c in hand(me), when: payable(c.price), on: fee, of: nut}\n"
    trigger = "triggers:\n  t: {before: r, do: gain 1 seed}\n"

    assert found(tmp_path, "r(card): pay card.price as fee", waiver + trigger)[1] == ["P0409"]
