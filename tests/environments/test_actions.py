"""Answers as numbers: the same number means the same answer, and no player has more options than were proved."""

from __future__ import annotations

from pathlib import Path
from random import Random

import environment_checks
import pytest

from patolli.author.workspace import load
from patolli.kernel.payments import MOST
from patolli.language.program import effects as e
from patolli.measure.environments import bounds
from patolli.measure.environments.actions import Actions, Unbounded
from patolli.measure.environments.blocks import Block

FEW = [
    "amazons",
    "checkers",
    "city_of_gods",
    "curios",
    "high_water",
    "promises",
    "skerry",
]  # tools/environment_checks.py: all
PACK = """document: pack
id: stakes
version: 1.0.0
language: 2
title: Stakes
authors: [x]
text: x
players: {min: 2, max: 3}
"""
MODEL = """document: model
counters:
  coin: {per: player, start: 3, MAX}
  wood: {per: player, start: 4, max: 9}
  iron: {per: player, start: 4, max: 9}
groups:
  good: [wood, iron]
"""
RULES = """document: rules
rules:
  match:
    do: |
      repeat 9 times:
        choose one "What now?":
          for n in 1..coin "stake": lose n coin
          "buy": pay 3 any good
          "take": gain 2 any good
          "rest": gain 1 coin
        pass to next(me)
"""


def made(folder: Path, most: str):
    for name, text in (("pack", PACK), ("model", MODEL.replace("MAX", most)), ("rules", RULES)):
        (folder / f"{name}.yaml").write_text(text.replace(", }", "}"), "utf-8")
    return load(str(folder))


@pytest.mark.parametrize("name", FEW)
def test_every_answer_has_a_number_of_its_own(name):
    rules = load(name)

    assert sum(environment_checks.numbered(rules, rules.players[1], seed, 200) for seed in range(2))


def test_what_has_no_bounds_is_refused_with_the_reason(tmp_path):
    with pytest.raises(Unbounded) as refused:
        Actions(made(tmp_path, ""))

    assert "Stakes: cannot number the options" in str(refused.value)
    assert "rules.yaml:6" in str(refused.value)
    assert "a number without a bound above" in str(refused.value)
    assert "declare" in str(refused.value)


def test_bounds_come_from_declarations(tmp_path):
    actions = Actions(made(tmp_path, "max: 7"))

    assert {block.name.rpartition("menu ")[2]: block.size for block in actions.blocks} == {
        "stake": 7, "buy": 1, "take": 1, "rest": 1, "ways": 4,
    }  # fmt: skip
    assert [actions.name(number) for number in range(3)] == [f"match/menu stake = {number}" for number in (1, 2, 3)]


def test_ways_are_counted():
    rules = load("city_of_gods")
    program = rules.program(2)
    asked = [q.effect for q in program.questions.values() if isinstance(q.effect, e.Pay | e.Gain)]

    assert {bounds.ways(rules.prover, effect) for effect in asked} <= set(range(1, MOST + 1))
    ways = next(block for block in Actions(rules).blocks if block.name == "ways")
    assert ways.size <= MOST


def test_more_ways_than_were_proved_are_a_fault(monkeypatch, tmp_path):
    rules = made(tmp_path, "max: 7")
    monkeypatch.setattr(bounds, "ways", lambda prover, effect: 2)
    actions, match = Actions(rules), rules.start(2, 1)
    match.choose("buy")

    with pytest.raises(AssertionError, match="more than the proved 2"):
        actions.indices(match)


@pytest.mark.deep
def test_names_stay_the_same_in_a_variant():
    plain, more = Actions(load("city_of_gods")), Actions(load("city_of_gods", modules=["draft"]))
    onto = plain.onto(more)

    assert (onto >= 0).mean() > 0.99
    both = [number for number in range(0, plain.size, 97) if onto[number] >= 0]
    assert all(plain.name(number) == more.name(int(onto[number])) for number in both)


def test_own_pieces_have_the_same_number_on_every_seat():
    rules = load("patolli")
    actions, names = Actions(rules, 2), set()
    match, draw = rules.start(2, 4), Random(1)
    for _ in range(60):
        if match.pending is None:
            break
        names |= {name.split(" = ")[1].split(".")[0] for name in map(actions.name, actions.indices(match))}
        match.pick(draw.randrange(len(match.pending)))

    assert names == {"me"}


def test_a_way_is_called_after_what_is_paid(tmp_path):
    rules = made(tmp_path, "max: 7")
    actions, match = Actions(rules), rules.start(2, 1)
    match.choose("buy")

    assert actions.ids(match)[0] == f"match/pay = {match.decision.labels[0]}"
    assert actions.name(actions.indices(match)[1]) == "ways = no. 2"


def test_what_cannot_be_taken_is_said():
    rules = load("tic_tac_toe")
    actions, match = Actions(rules), rules.start(2, 1)
    match.choose("b2")

    assert actions.mask(match).sum() == 8
    with pytest.raises(ValueError, match=r"action 4 \(match/choose cell = b2\) is illegal now; the mask has the 8"):
        actions.option(match, 4)
    with pytest.raises(ValueError, match="there is none of that number"):
        actions.option(match, 99)
    with pytest.raises(ValueError, match="actions are 0 to 8"):
        actions.name(9)


def test_actions_tell_themselves():
    text = Actions(load("leduc_poker")).describe()

    assert text.splitlines()[0] == "leduc_poker: 3 actions"
    assert "bets/menu fold" in text
    assert Block("x", ranked=3).answer(1) == "no. 2"


LISTS = """document: rules
rules:
  match:
    do: |
      repeat 9 times:
        choose n in SOURCE "How many?"
        gain n coin
        pass to next(me)
active: player_1
anytime:
  bid: {each: "n in {2, 9}", label: bid, do: "gain n coin"}
"""


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("{1, 5, 40}", ["1", "5", "40"]),
        ("{5, 1, 5}", ["1", "5"]),
        ("{1, 50} + {7}", ["1", "7", "50"]),
        ("({1, 50} if coin > 3 else {0 - 4})", ["-4", "1", "50"]),
        ("{1, 50, seats}", ["1", "2", "3", "50"]),  # with any number of players
        ("{1, 50, 90} where n < 60", ["1", "50"]),
        ("1..3", ["1", "2", "3"]),
        ("prices", ["3", "8", "21"]),
    ],
)
def test_numbers_that_can_occur_have_an_action(source, names, tmp_path):
    made(tmp_path, "max: 99")
    constants = "document: model\nconstants:\n  prices: {type: list of int, value: [8, 3, 21]}\n"
    if source == "prices":
        (tmp_path / "prices.yaml").write_text(constants)
    (tmp_path / "rules.yaml").write_text(LISTS.replace("SOURCE", source))
    actions = Actions(load(str(tmp_path)), 2)
    found = [actions.name(number).rpartition(" = ") for number in range(actions.size)]

    assert [one for name, _, one in found if "choose" in name] == names
    assert [one for name, _, one in found if "anytime" in name] == ["2", "9"]
    match = actions.rules.start(2, 1)
    assert sorted(actions.ids(match)) == sorted({"".join(found[at]) for at in actions.indices(match)})
