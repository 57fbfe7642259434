"""Scenarios that pass, and scenarios that do not, with the code and the column of the difference."""

from __future__ import annotations

import weakref

import pytest

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.scenarios.bench import Bench
from patolli.author.scenarios.scenario_report import failure_text

GIVEN = "scenarios:\n  it:\n"
BUYING = "given: set coin to 9\n    call: buy()\n    "


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("given: set coin to 2\n    then: [coin == 2]", id="condition"),
        pytest.param("given: set coin to 2\n    then: coin == 2 and coin(player_2) == 0", id="one condition"),
        pytest.param("given: set coin to 2\n    then: {coin: 2, coin + 1: 3}", id="values"),
        pytest.param("then: {top(deck): blue, hand(me): [], top(hand(me)): none}", id="pieces and none"),
        pytest.param("then: {deck: [red, blue], red in deck: true, dear(red): false}", id="lists and truth"),
        pytest.param("me: player_2\n    call: gain 1 coin\n    then: {coin(player_2): 1}", id="another player acts"),
        pytest.param("options: {prize: 7}\n    then: {prize: 7}", id="option"),
        pytest.param("players: 3\n    then: {seats: 3, coin(player_3): 0}", id="players"),
        pytest.param("call: buy()\n    choose: work\n    then: {coin: 1}", id="single answer"),
        pytest.param(
            BUYING + "choose: [{player_1: buy red}]\n    then: {coin: 8}",
            id="who answers",
        ),
        pytest.param("given: set coin to 9\n    call: buy()\n    choose: [2]\n    then: {coin: 10}", id="index"),
        pytest.param(
            "given: set coin to 1\n    call: buy()\n    choose: [{options: [work, buy red]}, {not: [buy blue]}, work]",
            id="what is offered is enough of a check",
        ),
        pytest.param("call: buy()\n    choose: [work]\n    then: {coin: 1}", id="an answer that was the only one"),
        pytest.param("given: set coin to 1\n    call: buy()\n    pending: [buy red, work]", id="pending"),
        pytest.param("given: set coin to 1\n    call: buy()\n    pending: true", id="must not ask a question"),
        pytest.param("pending: false", id="no player is asked"),
        pytest.param(
            "start: set_up\n    given: set coin to 5\n    choose: [buy red]\n    over: false", id="real match"
        ),
        pytest.param(
            'given: "for p in players: set coin(p) to 5"\n    call: match()\n'
            "    choose: [buy red, work, work, buy blue]\n    over: true",
            id="to the end of a match",
        ),
        pytest.param(
            "call: end match\n    over: true\n    winners: [player_1, player_2]\n    scores: [0, 0]", id="end"
        ),
        pytest.param("call: break_down()\n    fails: numbers is too long", id="expected fault"),
        pytest.param("then: [not can(sell(red))]", id="what is impossible"),
    ],
)
def test_scenario_passes(run, body):
    result = run(f"{GIVEN}    {body}\n")

    assert [problem for outcome in result.failed_outcomes for problem in outcome.problems] == []
    assert (len(result.outcomes), result.problems) == (1, [])


@pytest.mark.parametrize(
    ("body", "code", "column", "words"),
    [
        pytest.param("then: [coin == 2]", "P0601", 12, "it is 0 == 2", id="condition"),
        pytest.param("then: [1 == 1 and coin > 2]", "P0601", 23, "it is 0 > 2", id="the part that is not true"),
        pytest.param("then: [red in hand(me)]", "P0601", 12, "red in nothing", id="membership"),
        pytest.param("then: {coin: 2}", "P0602", 18, "expected coin to be 2, found 0", id="value"),
        pytest.param("then: {deck: [blue]}", "P0602", 18, "expected deck to be [blue], found [red, blue]", id="list"),
        pytest.param("then: {dear(red): true}", "P0602", 23, "to be true, found false", id="truth"),
        pytest.param("then: {top(deck): none}", "P0602", 23, "to be none, found blue", id="none"),
        pytest.param(
            "given: set coin to 9\n    call: buy()\n    choose: [buy rod]",
            "P0603",
            14,
            "'buy rod' is not offered",
            id="answer",
        ),
        pytest.param(
            "given: set coin to 9\n    call: buy()\n    choose: [{player_2: work}]",
            "P0604",
            15,
            "expected player_2",
            id="who",
        ),
        pytest.param(
            "given: set coin to 9\n    call: buy()\n    choose: [{options: [work]}]",
            "P0604",
            24,
            "not expected",
            id="options",
        ),
        pytest.param(
            "given: set coin to 9\n    call: buy()\n    choose: [{not: [work]}]",
            "P0604",
            21,
            "'work' is offered",
            id="not",
        ),
        pytest.param(
            "call: gain 1 coin\n    choose: [work]",
            "P0605",
            14,
            "no player is asked any more",
            id="no player asked",
        ),
        pytest.param("call: end match\n    choose: [work]", "P0605", 14, "the match is over", id="over before"),
        pytest.param(
            "given: set coin to 9\n    call: buy()\n    then: {coin: 9}",
            "P0605",
            3,
            "is still asked 'What now?'",
            id="open",
        ),
        pytest.param("call: gain 1 coin\n    pending: true", "P0605", 14, "no player is asked", id="not pending"),
        pytest.param(
            "given: set coin to 9\n    call: buy()\n    pending: [work]",
            "P0604",
            14,
            "not expected 'buy red'",
            id="pending",
        ),
        pytest.param("call: sell(red)\n    then: {coin: 0}", "P0606", 11, "not possible here", id="impossible"),
        pytest.param("call: end match\n    over: false", "P0607", 11, "the match is over", id="over"),
        pytest.param("call: gain 1 coin\n    over: true", "P0607", 11, "the match is not over", id="not over"),
        pytest.param("scores: [1, 0]", "P0607", 13, "found [0, 0]", id="scores"),
        pytest.param("winners: [player_2]", "P0607", 14, "found [player_1, player_2]", id="winners"),
        pytest.param("call: break_down()\n    then: {coin: 0}", "P0608", 11, "numbers is too long", id="fault"),
        pytest.param(
            "call: break_down()\n    fails: the spot is taken",
            "P0608",
            12,
            "expected a failure with",
            id="another fault",
        ),
        pytest.param("call: gain 1 coin\n    fails: too long", "P0609", 12, "there was none", id="no fault"),
        pytest.param("given: pick()\n    then: {coin: 0}", "P0610", 12, "must not ask a question", id="given asks"),
        pytest.param(
            "given: gain 1 coin for player_3\n    then: {coin: 0}",
            "P0611",
            28,
            "no player_3",
            id="no such seat",
        ),
        pytest.param("players: 4\n    then: {coin: 0}", "P0611", 14, "for 2 to 3 players", id="too many players"),
        pytest.param("then: [coyn == 2]", "P0201", 12, "unknown name 'coyn'", id="unknown name"),
        pytest.param("then: {coin: red}", "P0301", 18, "expected a number", id="wrong type"),
        pytest.param("given: gain 1 coyn\n    then: {coin: 0}", "P0201", 19, "unknown counter", id="unknown counter"),
        pytest.param(
            "given: |\n      gain 1 coin\n      gain 1 coyn\n    then: {coin: 0}",
            "P0201",
            14,
            "coyn",
            id="block",
        ),
        pytest.param("given: gain 1 coin coin\n    then: {coin: 0}", "P0101", 24, "", id="syntax"),
        pytest.param("then: {coin: [1]}", "P0301", 18, "a list is expected", id="list for a number"),
    ],
)
def test_scenario_is_refused(run, body, code, column, words):
    result = run(f"{GIVEN}    {body}\n")

    (outcome,) = result.outcomes
    problem = outcome.problems[0]
    assert (problem.code, problem.span.column) == (code, column), problem
    assert words in problem.message


def test_a_scenario_that_checks_nothing_passes_if_it_can_be_carried_out(run):
    """``validate`` warns about it; it is no failure of the rules."""
    result = run("scenarios:\n  runs: {call: gain 1 coin}\n")

    assert [(outcome.id, outcome.is_passed) for outcome in result.outcomes] == [("runs", True)]


def test_wrong_scenario_does_not_harm_others(run):
    result = run("scenarios:\n  bad: {then: [coyn == 1]}\n  good: {call: gain 1 coin, then: {coin: 1}}\n")

    assert [(outcome.id, outcome.is_passed) for outcome in result.outcomes] == [("bad", False), ("good", True)]


def test_broken_pack_is_reported(run, market):
    file = market("scenarios:\n  it: {then: {coin: 0}}\n")
    (file.parent / "rules.yaml").write_text("document: rules\nrules:\n  match: gain 1 coyn\n")

    from patolli.author.scenarios import Plan, run_scenarios

    result = run_scenarios(Plan((str(file.parent),)))

    assert [problem.code for problem in result.problems] == ["P0201"]
    assert result.outcomes == []


def test_defaults_of_the_file(run):
    text = (
        "players: 3\nme: player_2\noptions: {prize: 4}\ngiven: set coin to 5\n"
        "scenarios:\n"
        "  own: {then: {coin(player_2): 5, seats: 3, prize: 4}}\n"
        "  other:\n    players: 2\n    me: player_1\n    options: {prize: 5}\n    given: gain 1 coin\n"
        "    then: {coin(player_1): 6, prize: 5}\n"
    )

    assert run(text).failed_outcomes == []


def test_seed_decides(run):
    text = (
        "scenarios:\n  one:\n    seed: 3\n    call: |\n      shuffle deck\n      random n in 1..1000\n"
        "      gain n coin\n"
        "    then: {coin: 0}\n"
    )

    first, second = run(text), run(text)

    assert first.outcomes[0].problems == second.outcomes[0].problems
    assert run(text.replace("seed: 3", "seed: 4")).outcomes[0].problems != first.outcomes[0].problems


def test_failure_reads_like_this(run, tmp_path):
    text = (
        "scenarios:\n"
        "  buying:\n"
        "    text: A card costs its price.\n"
        "    given: set coin to 5\n"
        "    call: buy()\n"
        "    choose: [buy blue]\n"
        "    then:\n"
        "      coin: 2\n"
        "      hand(me): [red]\n"
        "      coin + 1: 4\n"
    )

    (outcome,) = run(text).failed_outcomes

    assert failure_text(outcome).replace(f"{tmp_path}/", "") == (
        "market::buying: A card costs its price.\n"
        "\n"
        "market/scenarios.yaml:9:13: error[P0602]: expected coin to be 2, found 3\n"
        "    9 |       coin: 2\n"
        "      |             ^\n"
        "\n"
        "market/scenarios.yaml:10:17: error[P0602]: expected hand(me) to be [red], found [blue]\n"
        "   10 |       hand(me): [red]\n"
        "      |                 ^^^^^\n"
        "\n"
        "what happened:\n"
        "    Player 1: buy blue\n"
        "    Player 1 pays 3 coins\n"
        "    Player 1 takes a blue\n"
        "    Player 1 gains 1 coin\n"
    )


def test_what_happened_stands_under_its_headings(market):
    file = market(
        "scenarios:\n  buying:\n    given: set coin to 5\n    call: buy(); buy()\n"
        "    choose: [buy blue, work]\n    then: {coin: 2}\n"
    )
    rules = file.parent / "rules.yaml"
    text = rules.read_text("utf-8").replace("  buy:\n", '  buy:\n    heading: "Visit {nth} of {me}"\n')
    rules.write_text(text.replace("  take_card(card):\n", "  take_card(card):\n    heading: A deal\n"), "utf-8")

    (outcome,) = run_scenarios(Plan((str(file.parent),))).failed_outcomes

    assert outcome.log == [
        "Visit 1 of player 1",
        "  Player 1: buy blue",
        "  A deal",
        "    Player 1 pays 3 coins",
        "    Player 1 takes a blue",
        "    Player 1 gains 1 coin",
        "Visit 2 of player 1",
        "  Player 1: work",
        "  Player 1 gains 1 coin",
    ]


@pytest.mark.deep
def test_many_scenarios_are_compiled_some_at_a_time(run, monkeypatch):
    """Outcomes stand in the order of the file, and no bench is kept once its scenarios are played."""
    monkeypatch.setattr("patolli.author.scenarios.suites.TOGETHER", 3)
    benches: list[weakref.ref[Bench]] = []
    made = Bench.__init__

    def make(bench: Bench, *args: object) -> None:
        alive.append(sum(one() is not None for one in benches))
        benches.append(weakref.ref(bench))
        made(bench, *args)

    alive: list[int] = []
    monkeypatch.setattr(Bench, "__init__", make)
    rows = "".join(
        f"  s{n}: {{call: gain {n} coin, then: {{coin: {n % 5}}}{', options: {prize: 3}' if n % 2 else ''}}}\n"
        for n in range(14)
    )
    result = run(f"scenarios:\n{rows}", select="market::s", search=0)

    assert [outcome.id for outcome in result.outcomes] == [f"s{n}" for n in range(14)]
    assert [outcome.is_passed for outcome in result.outcomes] == [n < 5 for n in range(14)]
    assert len(alive) == 6
    assert max(alive) <= 1  # a small group may wait for the next collection
