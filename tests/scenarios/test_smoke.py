"""The smoke run: a random match with every number of players and every choice of the options, before the scenarios."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from littlepacks import lay

from patolli.author.scenarios import Plan, run_scenarios, suites
from patolli.author.scenarios.bench import Bench
from patolli.author.scenarios.scenario_report import smoke_summary
from patolli.cli import main
from patolli.kernel.budget import scarce
from patolli.run.compiler.assembly import EVENT
from patolli.run.runtime import Ruleset

PACK = """\
document: pack
id: purse
version: 1.0.0
language: 1
proofs: full
title: Purse
players: {min: 2, max: 4}
options:
  level: {choices: [easy, fair, hard], default: fair}
  goal: {range: [1, 9], default: 3}
"""
RULES = """\
document: rules
rules:
  match:
    do: |
      repeat 6 times:
        choose n in 1..3
        gain n coin
        TODO
        pass to next(me)
result: {score: coin}
"""
SCENARIOS = (
    "document: scenarios\nscenarios:\n  wealthy: {players: 3, given: gain 2 coin, call: gain 1 coin, then: {coin: 3}}\n"
)
GROWS = "repeat 99 times: gain coin + 1 coin"
"""Something that fails in a match, and that no proof sees."""
THREE = f"if seats == 3: {GROWS}"


@pytest.fixture
def purse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write a small pack, with something to do after every choice."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = tmp_path / "purse"
    folder.mkdir()

    def write(todo: str = "if level == hard: gain 1 coin", scenarios: str = SCENARIOS, more: str = "") -> Path:
        (folder / "pack.yaml").write_text(PACK)
        (folder / "model.yaml").write_text("document: model\ncounters: {coin: {per: player}}\n")
        (folder / "rules.yaml").write_text(RULES.replace("TODO", todo) + more)
        if scenarios:
            (folder / "scenarios.yaml").write_text(scenarios)
        return folder

    return write


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)


def test_every_number_of_players_and_every_choice_is_played(purse):
    result = run("test", purse(), "--format", "json")

    assert result.exit_code == 0
    played = json.loads(result.stdout)["smoke"]
    assert [one["id"] for one in played] == [
        "smoke_2_players", "smoke_3_players", "smoke_4_players", "smoke_2_players_level_easy",
        "smoke_3_players_level_hard", "smoke_4_players_least", "smoke_2_players_largest",
    ]  # fmt: skip
    assert all(one["passed"] for one in played)
    assert played[-1]["text"] == "a random match with 2 players, seed 0, goal=9"


def test_line_of_the_report(purse):
    lines = run("test", purse()).stdout.splitlines()

    assert lines[0].startswith("smoke run, 7 matches: all passed (")
    assert lines[1].startswith("1 scenario: all passed (")


def test_pack_without_scenarios(purse):
    result = run("test", purse(scenarios=""))

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("smoke run, 7 matches: all passed (")
    assert lines[1].startswith("0 scenarios: nothing to do (")


def test_changes_of_a_pack_without_scenarios_are_not_tried(purse):
    folder = purse(scenarios="")
    tried, wanted = (
        run("test", folder, "--mutate", "3"),
        run("test", folder, "--mutate", "3", "--survivors-at-most", "9"),
    )

    assert (tried.exit_code, wanted.exit_code) == (0, 1)
    assert tried.stdout == "purse: no mutant was tried, as there are no scenarios\n"


@pytest.mark.parametrize(
    ("todo", "failed", "words"),
    [
        (THREE, 2, "(3 players, seed 0)"),
        (f"if level == easy: {GROWS}", 1, "(2 players, seed 0, level=easy)"),
    ],
)
def test_fault_is_reported_with_all_that_it_takes(purse, todo, failed, words):
    folder = purse(todo)
    result = run("test", folder)

    assert result.exit_code == 1
    said = f"rules.yaml:8:9: error[P0608]: in a random match {words} a number grew too large"
    assert said in result.stdout
    assert "help: patolli explain P0805 says more" in result.stdout
    assert f"smoke run, 7 matches: {failed} failed (" in result.stdout
    assert "1 scenario: all passed" in result.stdout


@pytest.mark.deep
def test_steps_that_are_used_up_are_reported_with_the_loop(purse):
    """The loop is named that took the steps, not only the place where the rest of them was not enough."""
    folder = purse("for a in 1..9000, b in 1..9000 where a != b: gain 1 coin")
    result = run("test", folder, "-k", "smoke")

    assert result.exit_code == 1
    assert "(2 players, seed 0) the rules ran too long without a question" in result.stdout
    assert "rules.yaml:8:9: most of the steps went into this" in result.stdout
    assert "patolli explain P0801 says more" in result.stdout


def test_log_tells_what_happened_before(purse):
    folder = purse(f"if coin > 4: {GROWS}")
    failed = [one for one in run_scenarios(Plan((str(folder),))).smoke if not one.is_passed]

    assert failed
    assert all(any("coin" in line for line in one.log) for one in failed)


def test_fault_of_the_set_up(purse):
    result = run("test", purse(more="", todo="nothing"), "-k", "smoke")
    assert result.exit_code == 0

    rules = RULES.replace("TODO", "nothing").replace("rules:\n", f"rules:\n  setup: 'if seats == 4: {GROWS}'\n", 1)
    folder = purse("nothing")
    (folder / "rules.yaml").write_text(rules)
    result = run("test", folder)

    assert result.exit_code == 1
    assert (
        "rules.yaml:3:3: error[P0608]: in a random match (4 players, seed 0) a number grew too large" in result.stdout
    )


def test_broken_invariant_can_be_seen_again(purse):
    folder = purse(
        "nothing", more="invariants:\n  poor: {always: 'all(coin(p) < 5 for p in players)', text: No player is rich.}\n"
    )
    result = run("test", folder)

    assert result.exit_code == 1
    assert "the invariant 'poor' (No player is rich.) is not true after choice" in result.stdout
    call = result.stdout.split("see it again: patolli ")[1].split("\n")[0]
    again = run(*call.split())
    assert again.exit_code == 3
    assert "the invariant 'poor'" in again.stderr


def test_match_without_an_end(purse, monkeypatch):
    monkeypatch.setattr("patolli.author.scenarios.smoke.LIMIT", 50)
    folder = purse()
    rules = (folder / "rules.yaml").read_text().replace("repeat 6 times:", "loop:\n        if coin < 0: break")
    (folder / "rules.yaml").write_text(rules)
    result = run("test", folder)

    assert result.exit_code == 1
    assert "in a random match (2 players, seed 0) no end after 50 choices" in result.stdout


def test_match_without_an_end_that_is_too_long_to_be_reported(purse, monkeypatch):
    monkeypatch.setattr("patolli.author.scenarios.smoke.LIMIT", 50)
    monkeypatch.setattr("patolli.run.compiler.assembly.NARRATION", 20 * EVENT)
    folder = purse()
    rules = (folder / "rules.yaml").read_text().replace("repeat 6 times:", "loop:\n        if coin < 0: break")
    (folder / "rules.yaml").write_text(rules)
    result = run("test", folder)

    assert result.exit_code == 1
    assert "in a random match (2 players, seed 0) no end after 50 choices" in result.stdout


@pytest.mark.parametrize(
    ("select", "matches", "scenarios"),
    [
        ("smoke", 7, 0),
        ("wealthy", 0, 1),
        ("purse", 7, 1),
        ("not wealthy", 7, 0),
        ("not smoke", 0, 1),
        ("nothing", 0, 0),
    ],
)
def test_selected_by_its_name(purse, select, matches, scenarios):
    result = run("test", purse(), "-k", select, "--format", "json")

    assert result.exit_code == (0 if matches + scenarios else 2)
    if matches + scenarios:
        data = json.loads(result.stdout)
        assert (len(data["smoke"]), len(data["scenarios"])) == (matches, scenarios)


@pytest.mark.parametrize("jobs", [1, 3])
def test_number_of_processes_makes_no_difference(purse, jobs):
    folder = purse(THREE)
    result = run_scenarios(Plan((str(folder), "tic_tac_toe"), jobs=jobs))

    assert sorted((one.pack, one.id, one.is_passed) for one in result.smoke) == [
        ("purse", "smoke_2_players", True),
        ("purse", "smoke_2_players_largest", True),
        ("purse", "smoke_2_players_level_easy", True),
        ("purse", "smoke_3_players", False),
        ("purse", "smoke_3_players_level_hard", False),
        ("purse", "smoke_4_players", True),
        ("purse", "smoke_4_players_least", True),
        ("tic_tac_toe", "smoke_2_players", True),
    ]


def test_junit_holds_it(purse, tmp_path):
    file = tmp_path / "results.xml"
    run("test", purse(THREE), "--junit", file)
    cases = {case.get("name"): case.find("failure") for case in ElementTree.parse(file).iter("testcase")}

    assert cases["smoke_2_players"] is None
    assert "3 players, seed 0" in cases["smoke_3_players"].get("message")


def test_coverage_counts_scenarios_alone(purse):
    folder = purse("if level == hard: gain 1 coin")
    with_, without = (
        json.loads(run("test", folder, "--coverage", "--format", "json", *more).stdout)["coverage"]
        for more in ((), ("-k", "wealthy"))
    )

    assert with_ == without
    assert with_["missed_lines"] > 0


def test_added_module_plays_too(purse, tmp_path, monkeypatch):
    folder = purse("nothing")
    more = tmp_path / "poor"
    more.mkdir()
    (more / "pack.yaml").write_text(
        "document: pack\nid: poor\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Poor\nrequires: {purse: '>=1.0'}\n"
    )
    (more / "patch.yaml").write_text(f"document: rules\ntriggers:\n  end: {{after: match, do: '{THREE}'}}\n")
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))

    assert run("test", "purse", "-k", "smoke").exit_code == 0
    assert run("test", folder, "--with", "poor", "-k", "smoke").exit_code == 1
    result = run("test", "poor")
    assert result.exit_code == 1
    assert "smoke run, 3 matches: 1 failed" in result.stdout, "options of the base are its own to try"


def test_pack_with_errors_is_not_played(purse):
    result = run("test", purse("gain 1 coyn"))

    assert result.exit_code == 1
    assert "P0201" in result.stdout
    assert "smoke run" not in result.stdout


@pytest.mark.parametrize(
    "where", ["patolli.run.runtime.match.Match.pick", "patolli.author.workspace.inspection.analyze"]
)
def test_fault_of_the_program(purse, own_cache, monkeypatch, where):
    monkeypatch.setattr(where, lambda *_, **__: 1 // 0)
    result = run("test", purse(scenarios=""))

    assert result.exit_code == 4
    assert "error[P0900]: this is an internal error, not a mistake in the content: ZeroDivisionError" in result.stdout
    assert "Traceback" in result.stderr


def test_calls_without_an_end_are_reported_in_a_few_lines(purse):
    functions = "functions:\n  deep(int n): {is: 'deep(n + 1) if n > 0 else 0', type: int}\n"
    result = run("test", purse("gain deep(1) coin", more=functions))

    assert result.exit_code == 1
    assert "call each other more than 400 deep" in " ".join(result.stdout.split())
    assert result.stdout.count("in deep") == 7  # once in each of the matches
    assert len(result.stdout.splitlines()) < 160


def test_time_of_compiling_scenarios_counts_for_them(purse, monkeypatch):
    """The smoke run plays programs that hold the texts of scenarios; making these is no part of it."""
    now = [0.0]
    made = Bench.build_ruleset

    def make_slowly(bench: Bench, players: int) -> Ruleset:
        now[0] += 100
        return made(bench, players)

    for module in ("smoke", "suites", "verdicts"):
        monkeypatch.setattr(f"patolli.author.scenarios.{module}.perf_counter", lambda: now[0])
    monkeypatch.setattr(Bench, "build_ruleset", make_slowly)
    result = run_scenarios(Plan((str(purse()),)))

    assert sum(one.seconds for one in result.smoke) == 0
    assert sum(one.seconds for one in result.outcomes) == 100


HEAVY = """\
rules:
  setup: nothing
  match: |
    repeat 50 times:
      choose x in 1..3 "Which?"
      if sum(a * b for a in 1..40, b in 1..40) > x: gain x coin
result: {score: coin}
"""
CASES = "document: scenarios\nscenarios:\n" + "".join(
    f"  s{i}: {{start: set_up, choose: [1, 2], then: {{coin: 3}}}}\n" for i in range(20)
)


def run_heavy(folder, rules: str, **limits: int):
    """Run the tests of a pack with small common limits of steps."""
    pack = lay(folder, "counters:\n  coin: {per: player}\n", rules, scenarios=CASES)
    with pytest.MonkeyPatch.context() as patch:
        for name, steps in limits.items():
            patch.setattr(suites, name, steps)
        return run_scenarios(Plan((pack,)))


def test_heavy_matches_are_stopped_early(tmp_path):
    result = run_heavy(tmp_path, HEAVY, STEPS=200_000)

    assert [outcome.stopped for outcome in result.smoke] == [True]
    assert result.failed_outcomes == []
    assert "all passed, stopped early because the matches take long" in smoke_summary(result.smoke)


def test_scenarios_have_common_steps(tmp_path):
    result = run_heavy(tmp_path, HEAVY.replace("1..40", "1..700"), STEPS=1, SCENARIO_STEPS=1_000_000)

    assert result.problems == []
    assert result.outcomes[0].is_passed
    assert "the scenarios before it took more than 1,000,000 steps" in result.outcomes[-1].problems[0].message


def test_light_packs_know_nothing_of_these_limits(tmp_path):
    result = run_heavy(tmp_path, HEAVY.replace("1..40", "1..2"))

    assert not any(outcome.stopped for outcome in result.smoke)
    assert len(result.outcomes) == 20
    assert result.failed_outcomes == []


@pytest.mark.deep
def test_rules_that_run_too_long_fail_once(tmp_path):
    endless = HEAVY.replace(
        "choose x", "let n = sum(a * b * c for a in 1..999, b in 1..999, c in 1..999)\n      choose x"
    )
    with scarce(1_000_000):
        result = run_heavy(tmp_path, endless + "invariants:\n  some: coin(player_1) >= 0\n")

    assert [outcome.spent for outcome in result.smoke] == [True, True]
    assert result.searches == []
