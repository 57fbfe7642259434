"""Scenarios that are checked and not played: ``validate`` finds what ``test`` would find before the first move."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import check_packs, requirements
from patolli.author.workspace.scenarios.scenario_check import ScenarioChecks
from patolli.language.diagnostics import Problem
from patolli.language.packs.manifest import Kept

CONTENT = Path(__file__).resolve().parents[2] / "content"
GIVEN = "scenarios:\n  it:\n"


def errors(folder: Path) -> list[Problem]:
    found = check_packs((str(folder),), remember=False).problems
    return [problem for problem in found if problem.severity == "error"]


def module(folder: Path, id_: str, files: dict[str, str]) -> None:
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        f"document: pack\nid: {id_}\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: {id_}\nauthors: [Tests]\n"
        "text: More.\nrequires: {market: '>=1.0'}\n"
    )
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("body", "code", "column", "words"),
    [
        pytest.param("given: gain 1 coyn\n    then: {coin: 0}", "P0201", 19, "did you mean 'coin'?", id="counter"),
        pytest.param("call: bye()\n    then: {coin: 0}", "P0201", 11, "did you mean 'buy'?", id="rule"),
        pytest.param("then: {hnad(me): []}", "P0201", 12, "did you mean 'hand'?", id="place"),
        pytest.param("then: {top(deck): bleu}", "P0201", 23, "did you mean 'blue'?", id="piece"),
        pytest.param("then: {deer(red): true}", "P0201", 12, "did you mean 'dear'?", id="function"),
        pytest.param("then: {red.prise: 1}", "P0201", 16, "did you mean 'price'?", id="fact"),
        pytest.param("options: {prise: 3}\n    then: {coin: 0}", "P0613", 15, "did you mean 'prize'?", id="option"),
        pytest.param("options: {prize: 30}\n    then: {coin: 0}", "P0613", 22, "from 1 to 9", id="value of an option"),
        pytest.param("with: [markets]\n    then: {coin: 0}", "P0613", 12, "did you mean 'market'?", id="module"),
        pytest.param("then: {coin: red}", "P0301", 18, "", id="type"),
        pytest.param("then: {coin: [1]}", "P0301", 18, "", id="list"),
        pytest.param("call: sell(1)\n    then: {coin: 0}", "P0301", 16, "", id="argument"),
        pytest.param("call: sell()\n    then: {coin: 0}", "P0302", 11, "", id="arguments"),
        pytest.param("given: gain 1 coin coin\n    then: {coin: 0}", "P0101", 24, "", id="syntax"),
        pytest.param("me: player_3\n    then: {coin: 0}", "P0611", 9, "say 'players:'", id="me"),
        pytest.param("call: buy()\n    choose: [{player_3: work}]", "P0611", 15, "say 'players:'", id="who is asked"),
        pytest.param("call: end match\n    winners: [player_3]", "P0611", 15, "say 'players:'", id="winner"),
        pytest.param("players: 4\n    then: {coin: 0}", "P0611", 14, "", id="players"),
    ],
)
def test_both_commands_report_it_at_the_same_place(market, monkeypatch, body, code, column, words):
    file = market(f"{GIVEN}    {body}\n")
    monkeypatch.setenv("PATOLLI_PATH", str(file.parents[1]))

    (problem,) = errors(file.parent)
    result = run_scenarios(Plan((str(file.parent),)))

    assert (problem.code, problem.span.path, problem.span.column) == (code, str(file), column), problem
    assert words in problem.help
    assert [*result.problems, *(p for outcome in result.outcomes for p in outcome.problems)] == [problem]


def test_scenarios_know_who_takes_part(run):
    """A rule would have to test whether there is a third player; a scenario says how many there are."""
    result = run(
        "scenarios:\n"
        "  three: {players: 3, given: gain 2 coin for player_3, then: [player_3.coin == 2, coin(player_3) > 1]}\n"
        "  two: {players: 2, given: gain 1 coin for player_2, then: {player_2.coin: 1}}\n"
    )

    assert [outcome.problems for outcome in result.outcomes] == [[], []]


def test_each_scenario_is_checked_with_what_it_asks_for(market, monkeypatch):
    """What a module declares is known to those scenarios alone that name it."""
    file = market(
        "scenarios:\n"
        "  rich: {with: [gems], given: gain 1 gem, then: {gem: 1}}\n"
        "  poor: {given: gain 1 gem, then: {coin: 0}}\n"
        "  lost: {with: [gems], given: gain 1 gemm, then: {coin: 0}}\n"
    )
    module(file.parents[1] / "gems", "gems", {"model.yaml": "document: model\ncounters:\n  gem: {per: player}\n"})
    monkeypatch.setenv("PATOLLI_PATH", str(file.parents[1]))

    assert [(p.span.line, p.code) for p in errors(file.parent)] == [(4, "P0201"), (5, "P0201")]


def test_modules_that_do_not_go_together_are_reported_in_the_scenario(market, monkeypatch):
    file = market("scenarios:\n  both: {with: [gems, pearls], then: {coin: 0}}\n")
    module(file.parents[1] / "gems", "gems", {})
    module(file.parents[1] / "pearls", "pearls", {})
    with (file.parents[1] / "gems/pack.yaml").open("a") as manifest:
        manifest.write("conflicts: [pearls]\n")
    monkeypatch.setenv("PATOLLI_PATH", str(file.parents[1]))

    (problem,) = errors(file.parent)

    assert (problem.code, problem.span.path, problem.span.line) == ("P0613", str(file), 3)
    assert [Path(span.path).parent.name for span, _ in problem.also] == ["gems", "pearls"]


def test_modules_that_break_each_other_are_reported(market, monkeypatch):
    """They are found where they lie, with the scenario that puts them together."""
    file = market("scenarios:\n  both: {with: [gems, pearls], then: {coin: 0}}\n")
    for id_ in ("gems", "pearls"):
        module(file.parents[1] / id_, id_, {"model.yaml": "document: model\ncounters:\n  shine: {per: player}\n"})
    monkeypatch.setenv("PATOLLI_PATH", str(file.parents[1]))

    (problem,) = errors(file.parent)

    assert (problem.code, Path(problem.span.path).parent.name) == ("P0120", "pearls")
    assert problem.also[-1][0].path == str(file)


def test_nothing_is_said_of_scenarios_while_the_rules_have_errors(market):
    file = market("scenarios:\n  it: {call: bye(), then: {coin: 0}}\n")
    rules = file.parent / "rules.yaml"
    rules.write_text(rules.read_text().replace("gain prize coin", "gain prize coyn"))

    assert [Path(p.span.path).name for p in errors(file.parent)] == ["rules.yaml"]


def test_changed_file_of_scenarios_alone_is_checked_again(market):
    file = market("scenarios:\n  it: {call: bye(), then: {coin: 0}}\n")
    other = file.with_name("more.yaml")
    other.write_text("document: scenarios\nscenarios:\n  more: {call: bay(), then: {coin: 0}}\n")
    checks = ScenarioChecks()

    def found() -> list[Problem]:
        return [p for part in checks.check(str(file.parent), str(file.parent), [], Kept()) for p in part]

    first = found()
    file.write_text(file.read_text().replace("bye", "buy"))
    second = found()

    assert [p.span.path for p in first] == [str(other), str(file)]
    assert [id(p) for p in second] == [id(first[0])], "the other file was not looked at again"


def test_mistake_that_comes_and_goes_is_reported_each_time(market):
    file = market("")
    checks = ScenarioChecks()
    told = []
    for name in ("buy", "bye", "buy", "bye", "buy", "bye"):
        file.write_text(f"document: scenarios\nscenarios:\n  it: {{call: {name}(), then: {{coin: 0}}}}\n")
        parts = checks.check(str(file.parent), str(file.parent), [], Kept())
        told.append([p.code for part in parts for p in part])

    assert told == [[], ["P0201"]] * 3


def test_rules_that_changed_count(market):
    file = market("scenarios:\n  it: {call: sell(red), then: {coin: 2}}\n")
    rules = file.parent / "rules.yaml"
    checks = ScenarioChecks()

    def found() -> list[str]:
        parts = checks.check(str(file.parent), str(file.parent), [], Kept())
        return [p.code for part in parts for p in part]

    assert found() == []
    rules.write_text(rules.read_text().replace("  sell(card)", "  sold(card)"))
    assert found() == ["P0201"]


@pytest.mark.parametrize("pack", ["founders", "mansion", "solo"])
def test_declared_is_as_good_as_proved(pack):
    """Against declarations alone, as against a whole model, nothing is wrong with the shipped scenarios."""
    needs = requirements(pack)

    assert [p for part in ScenarioChecks().check(pack, needs.base, needs.modules, Kept()) for p in part] == []
