"""``patolli simulate``: the keys that scripts rely on, and the same result however it is run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import patolli
from patolli.measure.simulation import LIMIT

KEYS = {
    "pack", "modules", "options", "players", "games", "seed", "finished", "decisions", "seconds",
    "games_per_second", "decisions_per_second", "scores", "wins", "digest",
}  # fmt: skip


def child(*arguments: str) -> list[str]:
    """Return the words of a call in a process of its own."""
    return [sys.executable, "-m", "patolli", *arguments]


def surroundings(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(patolli.__file__).parents[1]), **more}


def test_json_has_the_keys_of_the_contract(run):
    result = run("simulate", "patolli", "--players", "3", "--games", "12", "--seed", "1", "--format", "json")
    data = json.loads(result.stdout)

    assert result.exit_code == 0
    assert data.keys() >= KEYS
    assert (data["pack"], data["players"], data["games"], data["finished"], data["seed"]) == (
        "patolli",
        3,
        12,
        12,
        1,
    )
    assert data["options"] == {"stake": 6}
    assert [sorted(one) for one in data["scores"]] == [["max", "mean", "min", "sd"]] * 3
    assert sum(data["wins"]) >= 12
    assert sum(one["mean"] for one in data["scores"]) == pytest.approx(18, abs=0.01)


@pytest.mark.parametrize("command", ["simulate", "play"])
@pytest.mark.parametrize("digits", [1001, 5001])
def test_a_seed_that_is_too_long_is_reported_in_short(run, command, digits):
    result = run(command, "patolli", "--seed", "1" * digits)

    assert result.exit_code == 2
    assert f"a seed has at most 1000 digits; this one has {digits}" in " ".join(result.stderr.split())
    assert "11111" not in result.stderr


def test_digest_depends_on_the_seed_alone(run):
    def digest(*more: str) -> str:
        result = run("simulate", "patolli", "--games", "30", "--format", "json", *more)
        return json.loads(result.stdout)["digest"]

    assert digest("--seed", "1", "--jobs", "1") == digest("--seed", "1", "--jobs", "2")
    assert digest("--seed", "1") != digest("--seed", "2")
    assert digest("--seed", "1", "--bot", "greedy") != digest("--seed", "1")


@pytest.mark.deep
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_digest_does_not_depend_on_the_hash_seed(bot):
    digests = set()
    for seed in ("1", "2"):
        call = child("simulate", "patolli", "--games", "4", "--bot", bot, "--format", "json")
        done = subprocess.run(call, capture_output=True, check=True, env=surroundings(PYTHONHASHSEED=seed))
        digests.add(json.loads(done.stdout)["digest"])

    assert len(digests) == 1


def test_report_goes_to_a_file(run, tmp_path):
    out = tmp_path / "report.json"
    out.write_text("old")
    result = run("simulate", "tic_tac_toe", "--games", "3", "--format", "json", "--out", out)

    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads(out.read_text())["finished"] == 3
    assert {path.name for path in tmp_path.iterdir()} - {"cache"} == {"report.json"}


def test_text_is_a_table(run):
    lines = run("simulate", "tic_tac_toe", "--games", "5", "--seat", "2=greedy").stdout.splitlines()

    assert lines[0] == "Tic-tac-toe, 2 players, 5 games, seed 0"
    assert lines[2].split() == ["seat", "bot", "mean", "sd", "min", "max", "wins", "share"]
    assert [line.split()[:2] for line in lines[3:5]] == [["1", "random"], ["2", "greedy"]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["patolli", "--players", "7"], "2 to 4 players, not 7", id="too many players"),
        pytest.param(["patolli", "--games", "0"], "--games", id="no game"),
        pytest.param(["patolli", "--bot", "clever"], "clever", id="no such bot"),
        pytest.param(["patolli", "--seat", "3=greedy"], "no seat 3", id="no such seat"),
        pytest.param(["patolli", "--seat", "1=gredy"], "did you mean 'greedy'?", id="no such kind"),
        pytest.param(["patolli", "--seat", "0=greedy"], "N from 1", id="seats count from 1"),
        pytest.param(["patoli"], "did you mean 'patolli'?", id="no such pack"),
    ],
)
def test_wrong_call(run, arguments, words):
    result = run("simulate", *arguments)

    assert result.exit_code == 2
    assert words in result.output


def test_match_that_cannot_go_on(run, fragile):
    result = run("simulate", fragile, "--games", "5", "--format", "json")

    assert result.exit_code == 3
    assert "rules.yaml:8: in" in result.stderr
    assert "numbers is too long" in result.stderr
    data = json.loads(result.stdout)
    assert data["finished"] + len(data["faults"]) == 5


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupt_keeps_what_is_finished(own_cache, run, monkeypatch, jobs):
    pressed = []

    @contextmanager
    def progress(games: int) -> Iterator[Callable[[int], None]]:
        def press(number: int) -> None:
            if not pressed:
                pressed.append(number)
                os.kill(os.getpid(), signal.SIGINT)

        yield press

    monkeypatch.setattr("patolli.cli.simulate.progress", progress)
    result = run("simulate", "patolli", "--games", "100000", "--jobs", jobs, "--format", "json")
    data = json.loads(result.stdout)

    assert result.exit_code == 130
    assert data["interrupted"]
    assert 0 < data["finished"] < data["games"]
    assert "interrupted after" in result.stderr
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_game_without_an_end_is_given_up_after_the_limit(run):
    result = run("simulate", "patolli", "--games", "2", "--limit", "1000", "--jobs", "1")
    cut = run("simulate", "patolli", "--games", "2", "--limit", "5", "--jobs", "1")

    assert (result.exit_code, cut.exit_code) == (0, 3)
    assert "0 of 2 games finished" in cut.stdout
    assert "no end after 5 choices; the next question is" in cut.stderr
    assert f"{LIMIT:,}" in " ".join(run("simulate", "--help").stdout.split())
