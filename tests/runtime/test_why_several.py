"""Why one of several that are chosen at once is offered or not: what is taken, in which order, and with which effects."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.author.workspace import load
from patolli.run.runtime import Match

PACK = {
    "pack": "document: pack\nid: stall\nversion: 1.0.0\nlanguage: 2\ntitle: Stall\nplayers: {min: 2, max: 2}\n"
    "components: {card: 5}\n",
    "model": "document: model\nkinds:\n  card: {facts: {price: int}}\ncounters:\n"
    "  coin: {per: player, start: 5}\n  point: {per: player}\n"
    "places:\n  market: {of: card, type: area}\n  hand: {of: card, per: player, type: area}\n",
    "pieces": "document: pieces\nkind: card\nplace: market\npieces:\n  one: {copies: 2, price: 1}\n"
    "  two: {copies: 2, price: 2}\n  six: {price: 4}\n",
}
RULES = """\
document: rules
rules:
  match: |
    choose AMOUNT of c in market where c.price < 9 as bought "Buy which?"
    otherwise: stop
    pay sum(c.price for c in bought) coin
    for c in bought: move c to hand(me)
    gain size(bought) point
result: {score: point}
"""


@pytest.fixture
def start(tmp_path: Path):
    def made(amount: str) -> Match:
        for name, text in {**PACK, "rules": RULES.replace("AMOUNT", amount)}.items():
            (tmp_path / f"{name}.yaml").write_text(text)
        return load(str(tmp_path)).start(2, 1)

    return made


@pytest.mark.parametrize(
    ("asked", "offered", "last"),
    [
        pytest.param("two_2", True, "pay as much coin as the sum of the price", id="offered"),
        pytest.param("one_2", False, "one_2 comes after those that are taken", id="passed over"),
        pytest.param("two_1", False, "two_1 is not taken yet", id="taken"),
        pytest.param("six", False, "pay as much coin as the sum of the price", id="too dear with it"),
        pytest.param("done", True, "pay as much coin as the sum of the price", id="enough"),
    ],
)
def test_what_may_be_taken_next(start, asked, offered, last):
    match = start("any number")
    match.choose("two_1")
    why = match.why(asked)

    assert why.offered is offered
    assert why.reasons[-1].holds is offered
    assert why.reasons[-1].what.startswith(last)
    assert "bought bought" not in str(why)


def test_too_few_are_not_enough(start):
    match = start("2 to 3")
    match.choose("one_1")
    why = match.why("done")

    assert not why.offered
    assert [(one.holds, one.what, one.values) for one in why.reasons[:1]] == [
        (False, "at least 2 are taken", (("taken", "1"),))
    ]
    assert match.why("one_2").offered


def test_more_of_them_make_it_possible(start):
    why = start("3 to 4").why("two_1")  # two_1, two_2 and a third one that is dearer than what is left

    assert not why.offered
    assert why.reasons[-1].what == "2 others can be taken with it"


def test_one_other_that_is_needed_says_why_none_does(start):
    why = start("2").why("six")  # of 4 coins, where each other one makes 5 at least

    assert not why.offered
    last = why.reasons[-1]
    assert (last.holds, last.what, last.choice) == (False, "one other can be taken with it", True)
    assert {part.what for part in last.parts} >= {"two_1", "six"}
    assert "the sum of the price" in str(why)


def test_combination_is_one_question(start):
    why = start("2 to 3").why("two_1, two_2, six")

    assert (why.asked, why.offered) == ("two_1, two_2, six", False)
    assert [one.what for one in why.reasons] == [
        "pay as much coin as the sum of the price of that card over the bought"
    ]
    assert [(one.what, one.values) for one in start("2").why("one_1, one_2, two_1").reasons] == [
        ("at most 2 are taken", (("taken", "3"),))
    ]
    assert start("2").why("one_1, one_2").offered


def test_what_is_not_offered_is_listed(start):
    match = start("any number")
    match.choose("two_1")

    assert sorted(match.refused()) == ["one_1", "one_2", "six", "two_1"]
    with pytest.raises(ValueError, match="there is no option and no rule 'ten'; not offered here: one_1, one_2"):
        match.why("ten")
