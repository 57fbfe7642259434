"""What passes the checker plays: nobody runs out of options, and nothing is paid that is not there."""

from __future__ import annotations

import pytest
import rulemaker
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patolli.runtime import MatchError, inspect


class Drawn:
    """Chance from hypothesis, which can make what it finds smaller."""

    def __init__(self, data):
        self.data = data

    def pick(self, items):
        return self.data.draw(st.sampled_from(list(items)))


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data(), extras=st.sampled_from(sorted(rulemaker.EXTRAS)))
def test_what_the_checker_lets_through_plays(tmp_path_factory, data, extras):
    maze = rulemaker.Maker(Drawn(data)).maze(6, 2, rulemaker.EXTRAS[extras])
    ruleset = rulemaker.sound_part(tmp_path_factory.getbasetemp() / "maze", maze)

    for seed in range(4) if ruleset is not None else ():
        play(ruleset, seed)


@pytest.mark.parametrize("extras", sorted(rulemaker.EXTRAS))
@pytest.mark.parametrize("seed", range(5))
def test_larger_mazes_play(tmp_path, seed, extras):
    maze = rulemaker.Maker(rulemaker.Dice(rulemaker.Random(seed))).maze(14, 4, rulemaker.EXTRAS[extras])
    ruleset = rulemaker.sound_part(tmp_path / "maze", maze)

    assert ruleset is not None
    for draw in range(4):
        play(ruleset, draw)


def play(ruleset, seed):
    """Play by chance; nested loops without a question may be stopped, because nobody knows how long they run."""
    try:
        rulemaker.play(ruleset, seed)
    except MatchError as error:
        assert "too long without a question" in str(error)  # noqa: PT017


def found(folder, rules, more=""):
    """Load rules into the maze, with lines of its menu before them; return the ruleset and the codes of errors."""
    menu = "".join(f"          {line[2:]}\n" for line in rules.splitlines() if line.startswith("# "))
    body = "".join(f"  {line}\n" for line in rules.splitlines() if not line.startswith("# "))
    parts = (("pack", rulemaker.PACK), ("model", rulemaker.MODEL), ("cards", rulemaker.CARDS))
    for name, text in (*parts, ("rules", f"document: rules\nrules:\n{rulemaker.MATCH}{menu}{body}{more}")):
        (folder / f"{name}.yaml").write_text(text)
    ruleset, problems = inspect(str(folder))
    return ruleset, [p.code for p in problems if p.severity == "error"]


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
]


@pytest.mark.parametrize(("rules", "more"), PLAYS)
def test_plays(tmp_path, rules, more):
    ruleset, codes = found(tmp_path, rules, more)

    assert codes == []
    for seed in range(12):
        rulemaker.play(ruleset, seed)


REFUSED = [
    pytest.param('r: |\n  gain 1 seed\n  choose x in card where x.used\n  otherwise: nothing\n  pay 1 coin', "", "P0401",
                 id="a way on when there is nothing to choose"),
    pytest.param("r: |\n  if turn > 0: choose x in 1..3 or none\n  pay 1 coin", "", "P0401",
                 id="declining inside a branch"),
    pytest.param("r: |\n  pass to next(me)\n  pay 1 coin", "", "P0401", id="somebody else pays"),
    pytest.param("fee: |\n  require turn > 0\n  return 1\nr: |\n  let n = fee()\n  pay n coin", "", "P0401",
                 id="the amount is what a rule returns"),
    pytest.param("r: |\n  gain 1 seed\n  choose g in ghost", "", "P0402", id="a kind without pieces"),
    pytest.param("r: |\n  gain 1 seed\n  choose k in 0..debt", "", "P0402", id="a counter that may be negative"),
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


@pytest.mark.parametrize(("rules", "more", "code"), REFUSED)
def test_refused(tmp_path, rules, more, code):
    assert found(tmp_path, rules, more)[1] == [code]


@pytest.mark.parametrize("do", ["gain 1 seed", "set card.used to true", "move card to deck"])
def test_trigger_that_touches_nothing_of_it(tmp_path, do):
    assert found(tmp_path, "r(card): pay 1 coin", f"triggers:\n  t: {{before: r, do: {do}}}\n")[1] == []


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
