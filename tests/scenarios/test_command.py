"""``patolli test``: status, streams, files."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from littlepacks import lay

from patolli.cli import main

GOOD = "scenarios:\n  one: {call: gain 1 coin, then: {coin: 1}}\n  two: {then: {coin: 0}}\n"
BAD = "scenarios:\n  one: {call: gain 1 coin, then: {coin: 2}}\n  two: {then: {coin: 0}}\n"


@pytest.fixture
def command(market):
    def go(scenarios: str, *arguments: str):
        folder = market(scenarios).parent
        return CliRunner().invoke(main, ["test", str(folder), *arguments])

    return go


@pytest.mark.parametrize(
    ("scenarios", "arguments", "status"),
    [
        pytest.param(GOOD, (), 0, id="all passed"),
        pytest.param(BAD, (), 1, id="one failed"),
        pytest.param(BAD, ("-k", "two"), 0, id="the failing one is not selected"),
        pytest.param(GOOD, ("-k", "three"), 2, id="nothing selected"),
        pytest.param(GOOD, ("-k", "one two"), 2, id="wrong expression"),
        pytest.param(GOOD, ("--with", "no_such_module"), 2, id="no such module"),
        pytest.param("scenarios:\n  one: {them: 1}\n", (), 1, id="wrong document"),
        pytest.param("scenarios: [", (), 1, id="no YAML"),
        pytest.param("scenarios:\n  one: {me: gain, then: {coin: 0}}\n", (), 1, id="nobody"),
        pytest.param("with: [no_such_module]\n" + GOOD, (), 1, id="no such module in a scenario"),
        pytest.param(BAD, ("--jobs", "2"), 1, id="in two processes"),
    ],
)
def test_status(command, scenarios, arguments, status):
    result = command(scenarios, *arguments)

    assert result.exit_code == status, result.output


@pytest.mark.parametrize(
    ("scenarios", "words"),
    [
        pytest.param("scenarios: [", "0 scenarios: none could be run", id="a file that is no YAML"),
        pytest.param("scenarios: {}", "0 scenarios: nothing to do", id="an empty file"),
    ],
)
def test_why_nothing_was_run(command, scenarios, words):
    assert command(scenarios).stdout.splitlines()[-1].startswith(words)


def test_no_such_pack():
    assert CliRunner().invoke(main, ["test", "no_such_pack"]).exit_code == 2


def test_processes_do_not_change_the_result(command):
    one, two = command(BAD, "--format", "json"), command(BAD, "--format", "json", "--jobs", "2")

    def shape(text: str) -> list[tuple[str, bool]]:
        return [(s["id"], s["passed"]) for s in json.loads(text)["scenarios"]]

    assert shape(one.stdout) == shape(two.stdout) == [("one", False), ("two", True)]


def test_json(command):
    data = json.loads(command(BAD, "--format", "json", "--coverage").stdout)

    assert (data["passed"], data["failed"]) == (1, 1)
    (problem,) = data["scenarios"][0]["problems"]
    assert problem["code"] == "P0602"
    assert data["coverage"]["lines"] - data["coverage"]["missed_lines"] == 1, "the function of constants alone"


def test_junit(command, tmp_path):
    file = tmp_path / "report.xml"

    command(BAD, "--junit", str(file))

    suites = ElementTree.parse(file).getroot()
    smoke, suite = suites
    names = [case.get("name") for case in smoke]
    assert names == ["smoke_2_players", "smoke_3_players", "smoke_2_players_least", "smoke_3_players_largest"]
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("2", "1")
    cases = {case.attrib["name"]: case for case in suite}
    assert list(cases["two"]) == []
    (failure,) = cases["one"]
    assert failure.attrib["type"] == "P0602"
    assert "expected coin to be 2, found 1" in failure.text


def test_junit_of_a_broken_pack(command, tmp_path):
    file = tmp_path / "report.xml"

    command("scenarios:\n  one: {them: 1}\n", "--junit", str(file))

    assert [node.tag for node in ElementTree.parse(file).getroot().iter("error")] == ["error"]


def test_update(command, tmp_path):
    result = command(BAD, "--update")

    file = tmp_path / "market" / "scenarios.yaml"
    assert result.output.splitlines()[0] == f"{file}: 1 value written"
    assert "2 scenarios: all passed" in result.output
    assert file.read_text() == f"document: scenarios\n{GOOD}"
    assert result.exit_code == 0


def test_update_goes_on_behind_the_first_difference(command, tmp_path):
    """A scenario ends at its first difference; the next one shows when that is written."""
    buy = "given: set coin to 9, call: buy(), choose: [{options: [work]}, {options: [rest]}, work]"
    result = command("scenarios:\n  it: {" + buy + ", then: {coin: 1}}\n", "--update")

    new = buy.replace("[work]}", "[buy red, buy blue, work]}").replace("[rest]}", "[buy red, buy blue, work]}")
    text = (tmp_path / "market" / "scenarios.yaml").read_text()
    assert text == "document: scenarios\nscenarios:\n  it: {" + new + ", then: {coin: 10}}\n"
    assert "3 values written" in result.output
    assert result.exit_code == 0


def test_update_fails_when_something_is_left(command, tmp_path):
    """A condition is not rewritten; what was updated is not told as a failure."""
    result = command(BAD + "  three: {call: gain 1 coin, then: [coin == 3]}\n", "--update")

    assert "1 value written" in result.output
    assert "3 scenarios: 1 failed" in result.output
    assert ("P0601" in result.output, "P0602" in result.output) == (True, False)
    assert result.exit_code == 1


def test_update_tells_programs_what_is_left(command):
    result = command(BAD, "--update", "--format", "json")

    assert json.loads(result.stdout)["failed"] == 0
    assert "1 value written" in result.stderr


def test_coverage_table_and_pages(command, tmp_path):
    pages = tmp_path / "pages"

    result = command("scenarios:\n  one: {call: buy(), then: {coin: 1}}\n", "--html", str(pages))

    assert "rules.yaml" in result.stdout
    assert "the option 'buy' on line 12 was never taken" in result.stdout
    page = next(p for p in Path(pages).glob("*rules_yaml.html")).read_text()
    assert [part for part in ("gain", 'class="mis', 'class="run') if part not in page] == []


def test_github_annotates_the_line_of_each_difference(command):
    result = command(BAD, "--format", "github")

    assert result.exit_code == 1
    assert [line.partition(" ")[0] for line in result.stdout.splitlines()] == ["::error"]
    assert "line=" in result.stdout


def test_junit_on_standard_output(command):
    ElementTree.fromstring(command(BAD, "--format", "junit").stdout.encode())


@pytest.mark.parametrize(("percent", "status"), [("1", 0), ("100", 1)])
def test_coverage_at_least(command, percent, status):
    result = command(GOOD, "--coverage-at-least", percent)

    assert result.exit_code == status, result.output
    assert ("--coverage-at-least wants 100 %" in result.stderr) == (status == 1)


@pytest.mark.parametrize(("pack", "status"), [("no_such_pack", 2), ("extra", 1)])
def test_junit_of_a_pack_that_does_not_load(tmp_path, pack, status):
    head = "document: pack\nid: extra\nversion: 1.0.0\nlanguage: 2\ntitle: E\n"
    (tmp_path / "extra").mkdir()
    (tmp_path / "extra" / "pack.yaml").write_text(f'{head}requires: {{gone_pack: ">=1.0"}}\n')
    result = CliRunner().invoke(main, ["test", str(tmp_path / pack), "--format", "junit"])

    assert result.exit_code == status, result.output
    assert ElementTree.fromstring(result.stdout.encode()).find(".//error") is not None


def test_a_scenario_calls_a_step_that_no_rule_calls(tmp_path):
    scenarios = "scenarios:\n" + "".join(
        f"  s{n}: {{players: {n}, call: round/pay(), then: {{coin: 2}}}}\n" for n in (2, 3)
    )
    folder = lay(
        tmp_path,
        "counters: {coin: {per: player}}\n",
        "rules:\n  main(): {do: round(); end match}\n  round(): {steps: {earn: gain 1 coin, pay: gain 2 coin}}\n"
        "result: {score: coin}\n",
        scenarios=f"document: scenarios\ntext: Steps.\n{scenarios}",
    )
    result = CliRunner().invoke(main, ["test", folder, "-k", "s2 or s3"])

    assert result.exit_code == 0, result.output
