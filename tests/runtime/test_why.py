"""Why something is offered or not: the answers in words, the questions that have none, and what no player may learn."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest
from packmaker import LAB, SAMPLE, loaded
from tiers import few
from tools_by_name import tool as tool_of

from patolli.author.workspace import load
from patolli.language.program import types as ty
from patolli.run.runtime.explainer import Explainer
from patolli.run.runtime.shortage import Purse

ROOT = Path(__file__).resolve().parents[2]
tool = tool_of("why")

MARKET = """\
document: rules
rules:
  market(int most): |
    choose one "At the market?":
      for c in [c in card where c.number < most], p in players "swap": trade(c, p)
      "fair": fair()
      "club" when size(hand(me)) > 1 or coin > 9: club()
      "help": help()
      "sell": sell()
      "stall": stall()
      "rest": nothing
      "leave": nothing
  trade(card, player): |
    require card in hand(me) and player != me
    move card to hand(player)
  fair(): |
    pay 3 seed and 2 coin as toll
    require coin > 4
    gain 5 point
  club(): |
    if round > 1: require false
    else: require point >= 2
    gain 1 point
  help(): |
    as next(me):
      require coin > 6
      gain 1 point
  sell(): |
    choose c in hand(me), n in 1..2 where c.number > n "Which?"
    pay n any good
    move c to deck
  stall(): |
    choose one "At the stall?":
      "taste": taste()
      for c in hand(me) "trade in": move c to deck
  taste(): pay 4 any good as toll
  pick(): |
    choose c in cell where not c.owner and c.row > 0 "Where?"
    otherwise: stop
    set c.owner to me
  dive(): |
    choose c in deck where c.number > 9 "Which?"
    otherwise: stop
    move c to hand(me)
  feel(): |
    let c = top(deck)
    let most = c.number if c else 0
    choose n in 1..3 where n > most + 9 "How much?"
    otherwise: choose n in 4..9 where most > n + 99 or n > 7 "How much then?"
    gain 1 point
  rob(player): |
    require coin > 50 and bid(player) > 7
    gain 1 point
  guess(int n): |
    let c = top(deck)
    require c and c.number > n and n > 2
    gain 1 point
  bet(player, int n): |
    require bid(player) < n
    gain 1 point
substitutions:
  nut_for_seed: {give: 1 nut, for: 2 seed}
discounts:
  cheap: {on: toll, less: 1 of coin, when: point > 0}
waivers:
  charm: {each: c in charms(me), when: point > 5, on: [toll], of: coin, do: move c to bag}
anytime:
  sleep: {label: sleep, when: coin > 2, do: "pay 1 nut; gain 1 point"}
  shine: {each: c in hand(me), label: shine, when: not c.used, do: set c.used to true}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    return loaded(tmp_path_factory.mktemp("market"), MARKET)


@pytest.fixture
def match(rules, monkeypatch):
    """A match in which player 2 is at the market."""
    monkeypatch.chdir(rules.packs[0].folder)
    match = rules.start(2, 3)
    while match.decision.question.rule != "turn":
        match.choose(0)
    have(match, coin=2, point=1, nut=1)
    match.call("market", 1, 30)
    return match


def have(match, **amounts):
    for name, number in amounts.items():
        match.state[match.program.layout.counters[name][0] + 1] = number


def line(words):
    return 1 + next(number for number, text in enumerate(MARKET.splitlines()) if words in text)


def told(text):
    """The text that is expected: with lines for the words between angle brackets, and paths."""
    out = []
    for row in dedent(text).strip("\n").splitlines():
        head, mark, rest = row.partition("  <")
        out.append(f"{head}  (example.yaml:{line(rest.removesuffix('>'))})" if mark else row)
    return "\n".join(out)


CASES = {
    "payment with a substitution and a discount, and its trigger": (
        "fair",
        """
        'fair' is not offered to player_2  <"fair": fair>
          false      fair() is possible  <"fair": fair>
                     false      pay 3 seeds and 2 coins  <pay 3 seed>
                                  costs: 3 seed, 2 coin
                                  there: 0 seed, 2 coin, 1 nut
                                  in force: nut_for_seed, cheap
                                  missing: 1 seed
                     false      your coins are more than 4  <coin > 4>
                                  your coins: 1
        """,
    ),
    "either of two conditions, and the way that a rule takes": (
        "club",
        """
        'club' is not offered to player_2  <"club" when>
          false      the number of cards in your hand is more than 1 or your coins are more than 9  <"club" when>
                     false      the number of cards in your hand is more than 1  <"club" when>
                                  the number of cards in your hand: 0
                     false      your coins are more than 9  <"club" when>
                                  your coins: 2
          false      club() is possible  <"club" when>
                     since      the rounds are at most 1  <if round>
                                  the rounds: 1
                     false      your points are at least 2  <point >= 2>
                                  your points: 1
        """,
    ),
    "another player acts": (
        "help",
        """
        'help' is not offered to player_2  <"help">
          false      help() is possible  <"help">
                     false      the coins of player_1 are more than 6  <coin > 6>
                                  the coins of player_1: 1
        """,
    ),
    "nothing to choose from": (
        "sell",
        """
        'sell' is not offered to player_2  <"sell">
          false      sell() is possible  <"sell">
                     false      choose one of the cards in your hand and a number n from 1 to 2  <choose c in hand>
                                false      there is anything in your hand  <choose c in hand>
        """,
    ),
    "a menu behind a call": (
        "stall",
        """
        'stall' is not offered to player_2  <"stall">
          false      stall() is possible  <"stall">
                     false      one of these is possible  <At the stall>
                                false      'taste'  <"taste">
                                           false      taste() is possible  <"taste">
                                                      false      pay 4 goods of your choice  <taste(): pay>
                                                                   costs: 4 any good
                                                                   there: 0 seed, 1 nut
                                                                   in force: nut_for_seed
                                                                   missing: 1 nut
                                false      'trade in'  <trade in>
                                           false      there is anything in your hand  <trade in>
        """,
    ),
    "values of a line": (
        "swap rich_1 -> player_2",
        """
        'swap rich_1 -> player_2' is not offered to player_2  <"swap">
          true       the number of rich_1 is less than the most  <"swap">
                       the number of rich_1: 10
                       the most: 30
          false      trade(rich_1, player_2) is possible  <"swap">
                     false      rich_1 is among your hand  <card in hand>
                                  your hand: nothing
                     false      player_2 is not you  <card in hand>
        """,
    ),
    "an anytime action": (
        "sleep",
        """
        'sleep' is not offered to player_2  <sleep:>
          false      your coins are more than 2  <sleep:>
                       your coins: 2
          true       pay 1 nut  <sleep:>
                       costs: 1 nut
                       there: 1 nut
        """,
    ),
    "a value of an anytime action": (
        "shine rich_1",
        """
        'shine rich_1' is not offered to player_2  <shine:>
          false      rich_1 is among your hand  <shine:>
                       there: nothing
          hidden     rich_1 is not used  <shine:>
        """,
    ),
    "a call of a rule": (
        "trade(rich_2, player_1)",
        """
        'trade(rich_2, player_1)' is not possible for player_2  <trade(card, player)>
          false      rich_2 is among your hand  <card in hand>
                       your hand: nothing
          true       player_1 is not you  <card in hand>
        """,
    ),
    "an option that is offered": ("rest", """'rest' is offered to player_2  <"rest">"""),
    "what the player cannot see": (
        "guess(3)",
        """
        'guess(3)' may or may not be possible for player_2  <guess(int n)>
          hidden     there is such a card  <c.number > n and>
          hidden     the number of that card is more than n  <c.number > n and>
                       n: 3
          true       n is more than 2  <c.number > n and>
                       n: 3
        """,
    ),
    "a secret of another player": (
        "bet(player_1, 1)",
        """
        'bet(player_1, 1)' may or may not be possible for player_2  <bet(player>
          hidden     the bids of player_1 are less than n  <bid(player) < n>
                       n: 1
        """,
    ),
    "a secret of one's own": (
        "bet(player_2, 0)",
        """
        'bet(player_2, 0)' is not possible for player_2  <bet(player>
          false      the bids of player_2 are less than n  <bid(player) < n>
                       the bids of player_2: 0
                       n: 0
        """,
    ),
}


@pytest.mark.parametrize(("asked", "expected"), CASES.values(), ids=CASES)
def test_answer(match, asked, expected):
    assert str(match.why(asked)) == told(expected)


def test_waiver_makes_a_payment_possible(match):
    have(match, seed=3, coin=0, point=6)
    pay, _ = match.why("fair()").reasons

    assert pay.holds
    assert dict(pay.values)["in force"] == "nut_for_seed, cheap, charm"


@pytest.mark.parametrize(
    ("purse", "missing"),
    [
        pytest.param({"seed": 3, "coin": 1}, {}, id="the discount is enough"),
        pytest.param({"seed": 3, "coin": 0}, {"coin": 1}, id="one coin after the discount"),
        pytest.param({"seed": 1, "coin": 0, "nut": 1}, {"coin": 1}, id="a nut stands for two seeds"),
        pytest.param({"seed": 0, "coin": 1, "nut": 1}, {"seed": 1}, id="a nut stands for no more than two"),
        pytest.param({"seed": 0, "coin": 0, "nut": 0}, {"seed": 3, "coin": 1}, id="an empty purse"),
    ],
)
def test_missing_amounts_make_a_payment_possible(match, purse, missing):
    have(match, **{"seed": 0, "nut": 0, **purse})
    asked = match.why("fair()").reasons[0]

    assert (asked.holds, dict(asked.missing)) == (not missing, missing)
    have(match, **{"nut": 0, **purse, **{name: purse.get(name, 0) + number for name, number in missing.items()}})
    assert match.why("fair()").reasons[0].holds


def test_values_of_a_choice_that_are_not_offered(rules):
    match = rules.start(2, 3)
    match.call("pick", 0)
    answer = match.why("a1")

    assert [(one.what, one.holds) for one in answer.reasons] == [
        ("there is no owner of a1", True), ("the row of a1 is more than 0", False),
    ]  # fmt: skip
    assert match.why("a2").offered


def test_what_lies_face_down_is_not_listed(rules):
    match = rules.start(2, 3)
    match.call("dive", 0)
    offered = [option.label for option in match.decision.options]

    assert offered
    assert match.refused() == ["sleep"]
    hidden, number = match.why("plain_1").reasons
    assert (hidden.hidden, hidden.holds, hidden.values, number.holds) == (True, None, (), False)
    away = next(f"rich_{n}" for n in range(1, 5) if f"rich_{n}" not in offered)
    assert [one.what for one in match.why(away).failing()] == [f"{away} is among the deck"]


def test_what_a_rule_knows_and_the_player_does_not_stays_hidden(rules):
    match = rules.start(2, 3)
    match.call("feel", 0)
    (reason, *_) = match.why("5").reasons[::-1]
    card = match.labels.value(ty.Ref("card"), match.state[match.program.layout.places["deck"][0]][-1], 0)

    assert match.decision.prompt == "How much then?"
    assert "99" in reason.what
    assert card not in str(match.why("5"))
    assert not any("most" in name for one in (reason, *reason.parts) for name, _ in one.values)


def test_secret_is_not_judged_where_something_else_forbids(match):
    coins, secret = match.why("rob(player_1)").reasons

    assert (coins.holds, secret.hidden, secret.holds, secret.values) == (False, True, None, ())


def test_whole_line_of_a_menu(rules):
    match = rules.start(2, 3)
    while match.decision.question.rule != "turn":
        match.choose(0)
    offered = [option.label for option in match.decision.options if option.label.startswith("buy ")]

    assert offered
    assert match.why("buy").offered


def test_nearest_values_of_many_are_shown(match):
    (reason,) = match.why("swap").reasons

    assert dict(reason.values) == {"values": "24, the nearest 4 are shown"}
    assert len(reason.parts) == 4
    assert [part.what for part in reason.parts[:2]] == ["plain_1 -> player_1", "plain_2 -> player_1"]


def test_asking_changes_nothing(match):
    before, told_before = match.digest(), len(match.program.events)
    for label in [*match.refused(), "fair()", "sell()", "pick()"]:
        match.why(label)

    assert match.digest() == before
    assert len(match.program.events) == told_before


def test_answer_as_data(match):
    data = json.loads(match.why("fair()").to_json())

    assert (data["offered"], data["call"], data["player"]) == (False, True, 1)
    assert (data["reasons"][0]["missing"], data["reasons"][0]["line"]) == ({"seed": 1}, line("pay 3 seed"))
    assert data["reasons"][1]["values"] == {"your coins": "1"}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        pytest.param("fiar", "did you mean 'fair'", id="an option misspelt"),
        pytest.param("swap rich_99 -> player_2", "did you mean 'swap rich_1 -> player_2'", id="a value misspelt"),
        pytest.param("trade(rich_99, player_1)", "'rich_99' is not a card; did you mean 'rich_1'", id="no such card"),
        pytest.param(
            "trade(rich_1)", r"trade\(card: a card, player: a player\) was called with 1", id="too few values"
        ),
        pytest.param("guess(many)", "'many' is not a number", id="no number"),
        pytest.param("xyzzy", "not offered here: swap plain_1 -> player_1.* as market", id="unlike anything"),
    ],
)
def test_question_without_an_answer(match, asked, words):
    with pytest.raises(ValueError, match=words):
        match.why(asked)


def test_no_player_is_asked_when_the_match_is_over():
    match = load("tic_tac_toe").start(2, 1)
    for cell in ("a1", "a2", "b1", "b2", "c1"):
        match.choose(cell)

    assert match.refused() == []
    with pytest.raises(ValueError, match="over"):
        match.why("a1")


@pytest.mark.parametrize("pack", few(["tic_tac_toe", "connect_four", "patolli", str(SAMPLE), LAB], 0, 1))
def test_answers_are_true(pack):
    report = tool.check(load(pack), 6, 4, seed=5)

    assert report.wrong == []
    assert report.counts["asked about"] == report.counts["named a condition"]


def test_a_wrong_answer_is_noticed(monkeypatch):
    """An engine that left conditions out would be noticed by the check above."""
    monkeypatch.setattr(Explainer, "conditions", lambda *given: [])
    with pytest.raises(AssertionError, match="no reason"):
        tool.check(load("tic_tac_toe"), 6, 4, seed=5)


def test_a_wrong_amount_is_noticed(monkeypatch):
    """And so would one that said that something else is missing."""
    monkeypatch.setattr(Purse, "missing", lambda purse, state, need, possible, who: (("point", 9),))
    report = tool.check(load(str(SAMPLE)), 6, 4, seed=5)

    assert any("still lacks" in one for one in report.wrong)
