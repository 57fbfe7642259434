"""Answers of scenarios: of several players, several of one player, and what is not offered."""

from __future__ import annotations

import pytest
from littlepacks import lay

from patolli.author.scenarios import Plan, run_scenarios

GIVEN = "scenarios:\n  it:\n    start: set_up\n    given: set coin to 9; set coin(player_2) to 9\n"


def told(result):
    """What is reported of the one scenario."""
    found = [problem for outcome in result.failed_outcomes for problem in outcome.problems]
    return [(problem.code, problem.message) for problem in [*result.problems, *found]]


@pytest.mark.parametrize(
    "answers",
    [
        "[{player_1: work, player_2: buy blue}, work]",
        "[{player_1: work}, {player_2: buy blue}, {player_1: work}]",
        "[work, {player_2: {options: [work, buy red, buy blue]}}, buy red]",
        "[{player_1: [{options: [work, buy red, buy blue]}, work]}]",
        "[{player_1: [buy red], player_2: [{not: [buy red]}, {options: [work, buy blue]}, work]}]",
    ],
)
def test_what_players_answer(run, answers):
    assert told(run(f"{GIVEN}    choose: {answers}\n    pending: true\n")) == []


def test_several_answers_of_one_player_in_a_row(run):
    text = (
        f"{GIVEN}    players: 2\n    choose:\n      - player_1: [work]\n        player_2: [work]\n      - player_1: 0\n"
    )

    assert told(run(f"{text}    pending: true\n    then: [coin(player_2) == 10]\n")) == []


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("[{player_2: work}]", "expected player_2 to be asked, but player_1 is asked 'What now?'"),
        ("[{player_1: [work, work]}]", "expected player_1 to be asked, but player_2 is asked 'What now?'"),
        ("[{player_2: {options: [work]}}]", "expected player_2 to be asked, but player_1 is asked 'What now?'"),
        ("[{player_1: {options: [work]}}]", "the options differ: not expected 'buy red', 'buy blue'"),
        ("[{player_1: [{not: [work]}]}]", "'work' is offered"),
        ("[{not: [nonsense]}]", "no question ever offers 'nonsense'"),
        ("[{not: [buy green]}]", "no question ever offers 'buy green'"),
        ("[{not: [red]}]", ""),  # that is what another question offers
        ("[{not: [none]}]", ""),
    ],
)
def test_what_goes_another_way(run, answers, message):
    found = [words for _, words in told(run(f"{GIVEN}    choose: {answers}\n    pending: true\n"))]

    assert found == ([message] if message else [])


def test_nothing_is_offered_where_no_player_is_asked(run):
    text = "scenarios:\n  it:\n    given: set coin to 9\n    call: take_card(blue)\n    choose: [{not: [work]}]\n"

    assert told(run(text)) == [("P0605", "no player is asked here, so nothing is offered")]
    assert told(run(text.replace("not:", "options:"))) == [("P0605", "no player is asked here, so nothing is offered")]


def test_what_was_answered_by_itself_was_offered(run):
    text = "scenarios:\n  it:\n    call: buy()\n    choose: [{not: [LABEL]}]\n"

    assert told(run(text.replace("LABEL", "buy blue"))) == []
    assert told(run(text.replace("LABEL", "work"))) == [("P0604", "'work' is offered")]
    options = text.replace("not:", "options:")
    assert told(run(options.replace("LABEL", "work"))) == []
    assert told(run(options.replace("[LABEL]}]", "[work]}, work, {not: [buy red]}]"))) == [
        ("P0605", "no player is asked here, so nothing is offered")  # the answer was named, so its question is over
    ]
    message = "the options differ: missing 'buy blue'; not expected 'work'"
    assert told(run(options.replace("LABEL", "buy blue"))) == [("P0604", message)]


def test_options_and_not_look_at_the_same_question(run):
    """At an open question both look at that one, also where others were answered by themselves before."""
    text = (
        "scenarios:\n  it:\n    given: set coin to 9; set coin(player_2) to 9\n    call: both()\n    choose: [STEP]\n"
    )
    text += "    pending: true\n"
    for step, goes in (
        ("{options: [work, buy red, buy blue]}", True), ("{not: [the only way]}", True),
        ("{options: [the only way]}", False), ("{not: [work]}", False),
    ):  # fmt: skip
        rule = '  both: |\n    choose one "Sure?":\n      "the only way": gain 1 coin\n    buy()\nresult:'
        assert (told(run(text.replace("STEP", step), rules=rule)) == []) == goes, step


def test_answers_in_answers_are_refused(run):
    (problem,) = told(run(f"{GIVEN}    choose: [{{player_1: [{{player_2: work}}]}}]\n"))

    assert problem[0] == "P0050"


def test_answer_that_an_anytime_action_may_not_spoil_was_offered(run):
    """Burning the coin would leave the question without an option, so the one that is left is answered by itself."""
    text = "scenarios:\n  it:\n    given: set coin to 1\n    call: give()\n    choose: [give it]\n    then: {coin: 0}\n"
    more = '  give: |\n    choose one "Give?":\n      "give it": pay 1 coin\nactive: player_1\n'
    more += "anytime:\n  burn: {label: burn, do: pay 1 coin}\nresult:"

    assert told(run(text, rules=more)) == []


@pytest.mark.parametrize(
    ("amount", "answers", "code"),
    [
        pytest.param("2", "[one_1]", "P0605", id="the scenario ends"),
        pytest.param("2 to 3", "[one_1, done]", "P0603", id="done comes too early"),
    ],
)
def test_too_few_chosen_is_reported_as_that(tmp_path, amount, answers, code):
    model = "kinds:\n  card: {}\ncounters:\n  point: {per: player}\nplaces:\n  shelf: {of: card, type: area}\n"
    rules = (
        f'rules:\n  match: |\n    choose {amount} of c in shelf as taken "Which?"\n    otherwise: stop\n'
        "    gain size(taken) point\nresult: {score: point}\n"
    )
    scenario = f"document: scenarios\nscenarios:\n  it:\n    start: set_up\n    choose: {answers}\n"
    cards = "document: pieces\nkind: card\nplace: shelf\npieces:\n  one: {copies: 4}\n"
    folder = lay(tmp_path, model, rules, cards=cards, scenarios=scenario)
    result = run_scenarios(Plan((folder,), search=0))

    assert told(result) == [(code, "too few are chosen for 'Which?': 1 of at least 2")]


def test_things_in_another_order_say_so(tmp_path):
    model = "kinds:\n  card: {}\ncounters:\n  point: {per: player}\nplaces:\n  shelf: {of: card, type: area}\n"
    rules = (
        'rules:\n  match: |\n    choose 0 to 3 of c in shelf as taken "Which?"\n    gain size(taken) point\n'
        "result: {score: point}\n"
    )
    scenario = "document: scenarios\nscenarios:\n  it:\n    start: set_up\n    choose: [one_2, one_1, done]\n"
    cards = "document: pieces\nkind: card\nplace: shelf\npieces:\n  one: {copies: 4}\n"
    folder = lay(tmp_path, model, rules, cards=cards, scenarios=scenario)
    (outcome,) = run_scenarios(Plan((folder,), search=0)).failed_outcomes

    assert [one.help for one in outcome.problems] == [
        "name what is chosen together in the order in which it is offered; the options are 'one_3', 'one_4', 'done'"
    ]
