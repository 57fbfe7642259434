"""Faults of the program itself: every command says whose fault it is, what to report, and ends with 4."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from patolli.language.diagnostics.fault import EngineFault

pytestmark = pytest.mark.usefixtures("own_cache")
SCENARIOS = """\
document: scenarios
scenarios:
  first: {start: set_up, choose: ["2"], then: {coin(player_1): 2}}
  second: {start: set_up, choose: ["3"], then: {coin(player_1): 3}}
"""


def planted(*_: object, **__: object) -> None:
    raise KeyError("planted")


def told(result, *facts: str) -> str:
    """Check that an internal error was reported, with some facts, and return the message."""
    said = result.stderr
    assert result.exit_code == 4, result.output
    assert "this is an internal error, not a mistake in the content: KeyError: 'planted'" in said
    assert "please report it" in said
    assert "version: patolli 1." in said
    assert "Traceback (most recent call last)" in said
    assert 'raise KeyError("planted")' in said
    assert [fact for fact in facts if fact not in said] == []
    return said


@pytest.fixture
def tested(purse: Path) -> Path:
    """A pack with two scenarios."""
    (purse / "scenarios.yaml").write_text(SCENARIOS)
    return purse


@pytest.fixture
def saved(run, purse: Path, tmp_path: Path) -> Path:
    """A match that was left after two choices."""
    file = tmp_path / "match.json"
    args = ("--seat", "all=human", "--players", "2", "--seed", "7", "--save", file)
    assert run("play", purse, *args, input="1\n2\nquit\n").exit_code == 0
    return file


def test_validate(run, purse, monkeypatch):
    monkeypatch.setattr("patolli.author.workspace.inspection.analyze", planted)
    result = run("validate", purse)

    told(result, f"pack: {purse}", f"command: patolli validate {purse}")
    assert "error[P0900]: internal error while checking" in result.stdout


def test_validate_goes_on_with_the_other_packs(run, purse, monkeypatch):
    from patolli.author.workspace import inspection

    check = inspection.inspect

    def planted_in_one(pack: str, *rest: object, **more: object) -> object:
        return planted() if pack.endswith("purse") else check(pack, *rest, **more)

    monkeypatch.setattr("patolli.author.workspace.pack_check.inspect", planted_in_one)
    result = run("validate", "--format", "json", purse, "tic_tac_toe", "no_such_pack")

    told(result)
    codes = [problem["code"] for problem in json.loads(result.stdout)["problems"]]
    assert sorted(codes) == ["P0110", "P0900"]


def test_validate_in_several_processes(run, purse, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr("patolli.author.workspace.inspection.analyze", planted)
    said = told(run("validate", purse, "tic_tac_toe", "connect_four"))

    assert "(and 2 more)" in said


def test_content_without_a_fault_is_not_blamed(run, purse):
    (purse / "rules.yaml").write_text("document: rules\nrules: {match: gain 1 coyn}\n")

    assert run("validate", purse).exit_code == 1


def test_load(run, purse, monkeypatch):
    monkeypatch.setattr("patolli.author.workspace.inspection.analyze", planted)

    told(run("show", purse), f"command: patolli show {purse}")


def test_pack_build(run, purse, monkeypatch):
    monkeypatch.setattr("patolli.author.workspace.inspection.analyze", planted)

    told(run("pack", "build", purse))


def test_play(run, purse, monkeypatch):
    monkeypatch.setattr("patolli.run.runtime.match.Match._narrate", planted)
    args = ("--seat", "all=human", "--players", "2", "--seed", "7")

    told(run("play", purse, *args, input="1\n2\n"), f"command: patolli play {purse}")


@pytest.mark.parametrize(
    "where", ["patolli.play.terminal.session.Session._report", "patolli.play.players.greedy.GreedyBot.decide"]
)
def test_play_tells_the_match(run, purse, monkeypatch, where):
    monkeypatch.setattr(where, planted)
    args = ("--set", "goal=4", "--players", "2", "--seed", "7", "--seat", "1=human", "--seat", "2=greedy")

    told(run("play", purse, *args, input="1\n2\n"), "pack: purse 1.0.0", "options: goal=4", "players: 2", "seed: 7")


def test_rules_that_the_compiler_made_wrong(run, purse, monkeypatch):
    from patolli.run.runtime import Match

    pick = Match.pick

    def wrong(match: Match, index: int) -> None:
        if len(match.choices) == 2:
            match.program.blocks[:] = [planted] * len(match.program.blocks)
        pick(match, index)

    monkeypatch.setattr(Match, "pick", wrong)
    args = ("--players", "2", "--seed", "7", "--seat", "all=random")

    said = told(run("play", purse, *args), "seed: 7")
    choices = next(line for line in said.splitlines() if "choices so far:" in line)
    assert len(choices.partition(": ")[2].split()) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_simulate(run, purse, monkeypatch, jobs):
    monkeypatch.setattr("patolli.play.players.greedy.GreedyBot.decide", planted)
    result = run("simulate", purse, "--games", "3", "--bot", "greedy", "--jobs", jobs, "--format", "json")

    told(result, "pack: purse 1.0.0", "choices so far: none", "game: 0", "(and 2 more)")
    data = json.loads(result.stdout)
    assert [fault["game"] for fault in data["faults"]] == [0, 1, 2]
    assert "an internal error" in data["faults"][0]["fault"]


def test_simulate_still_tells_faults_of_the_content(run, purse):
    rules = (purse / "rules.yaml").read_text()
    (purse / "rules.yaml").write_text(
        rules.replace("gain n coin", "gain n coin\n        gain size([i in 1..9000000]) coin")
    )
    result = run("simulate", purse, "--games", "3")

    assert result.exit_code == 3
    assert "a range of 9000000 numbers is too long" in result.stderr


def test_division_by_zero_of_the_program_is_not_one_of_the_rules(run, saved, purse, monkeypatch):
    monkeypatch.setattr("patolli.run.runtime.match.Match._narrate", lambda _: 1 // 0)
    result = run("replay", saved, "--pack", purse)

    assert result.exit_code == 4
    assert "not a mistake in the content: ZeroDivisionError" in result.stderr


def test_replay(run, saved, purse, monkeypatch):
    monkeypatch.setattr("patolli.play.terminal.screen.Screen.draw", planted)

    told(run("replay", saved, "--pack", purse), f"command: patolli replay {saved} --pack {purse}")


def test_restored_match_is_not_called_damaged(run, saved, purse, monkeypatch):
    monkeypatch.setattr("patolli.run.runtime.match.Match.run", planted)

    told(run("replay", saved, "--pack", purse))


def test_fmt(run, purse, monkeypatch):
    monkeypatch.setattr("patolli.language.syntax.formatter.format_text", planted)

    told(run("fmt", "--check", purse), f"file: {purse / 'model.yaml'}")


def test_test(run, tested, monkeypatch):
    monkeypatch.setattr("patolli.author.scenarios.scenario_player.Play.run", planted)
    result = run("test", tested)

    told(result, "scenario: purse::first", "(and 1 more)")
    assert "scenarios.yaml:3:3: error[P0900]: this is an internal error, not a mistake in the content" in result.stdout
    assert "2 scenarios: 2 failed" in result.stdout


def test_test_goes_on_after_a_fault(run, tested, monkeypatch):
    from patolli.author.scenarios.scenario_player import Play

    play = Play.run
    monkeypatch.setattr(Play, "run", lambda self: planted() if self.scenario.id == "first" else play(self))
    result = run("test", tested)

    told(result)
    assert "2 scenarios: 1 failed" in result.stdout


@pytest.mark.parametrize("jobs", [1, 2])
def test_test_when_the_texts_cannot_be_compiled(run, tested, monkeypatch, jobs):
    monkeypatch.setattr("patolli.author.scenarios.bench.Bench.bind", planted)
    result = run("test", tested, "--jobs", jobs)

    told(result, "scenario: purse::first")
    assert "2 scenarios: 2 failed" in result.stdout


def test_file_that_cannot_be_written_is_no_fault_of_the_program(run, purse, tmp_path):
    result = run("simulate", purse, "--games", "1", "--out", tmp_path / "nowhere" / "report.txt")

    assert result.exit_code == 2
    assert "No such file or directory" in result.stderr
    assert "Traceback" not in result.stderr


def test_fault_travels_between_processes():
    try:
        planted()
    except KeyError as error:
        fault = pickle.loads(pickle.dumps(EngineFault.of(error, seed="3")))

    again = EngineFault.of(fault, seed="4", pack="purse")
    assert (again.what, again.facts) == ("KeyError: 'planted'", {"seed": "3", "pack": "purse"})
    assert again.trace == fault.trace
