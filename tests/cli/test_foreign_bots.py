"""Bots of others at the command line: how they are named, and that their mistakes cost nothing but their games."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import patolli

BOTS = """
import patolli


class Last(patolli.Bot):
    def choose(self, turn):
        print("thinking")
        return len(turn.labels) - 1


class Breaks(patolli.Bot):
    def choose(self, turn):
        if len(turn.labels) < 6:
            return turn.view["nowhere"]
        return 0


class Nonsense(patolli.Bot):
    def choose(self, turn):
        return "xyzzy"
"""


@pytest.fixture(autouse=True)
def bots(tmp_path, monkeypatch):
    """A folder with a module of bots, in which commands are called."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    (tmp_path / "clever.py").write_text(BOTS, "utf-8")
    yield
    sys.modules.pop("clever", None)


def test_a_bot_plays_all_seats(run):
    result = run("simulate", "tic_tac_toe", "--games", "5", "--bot", "clever:Last", "--format", "json")
    data = json.loads(result.stdout)

    assert result.exit_code == 0
    assert data["bots"] == ["clever:Last"] * 2
    assert data["decisions"] == 35
    assert "thinking" in result.stderr


def test_a_bot_has_a_name_and_a_seat(run):
    result = run("simulate", "tic_tac_toe", "--games", "5", "--seat", "2=mine=clever:Last")
    lines = result.stdout.splitlines()

    assert [line.split()[1] for line in lines[3:5]] == ["random", "mine"]


def test_jobs_do_not_matter(run):
    def digest(jobs):
        words = ["simulate", "tic_tac_toe", "--games", "30", "--seat", "1=clever:Last", "--format", "json"]
        return json.loads(run(*words, "--jobs", jobs).stdout)["digest"]

    assert digest("1") == digest("3")


def test_a_bot_that_breaks_costs_its_games_only(run, tmp_path):
    result = run("simulate", "tic_tac_toe", "--games", "40", "--seat", "1=clever:Breaks", "--format", "json")
    data = json.loads(result.stdout)

    assert result.exit_code == 3
    assert len(data["faults"]) + data["finished"] == 40
    assert data["faults"]
    assert f"{tmp_path / 'clever.py'}:14: in choose" in result.stderr
    assert "KeyError: 'nowhere'" in result.stderr
    assert "see it again: patolli replay" in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--bot", "clever:Lost"], "there is no 'Lost' in 'clever'; did you mean 'Last'?"),
        (["--bot", "clver:Last"], "there is no module 'clver'"),
        (["--bot", "gredy"], "did you mean 'greedy'?"),
        (["--seat", "1=clever:patolli"], "is not a kind of bot, but a module"),
        (["--seat", "1=human"], "there is no bot 'human'"),
    ],
)
def test_what_is_no_bot_is_reported_before_anything_is_played(run, words, told):
    result = run("simulate", "tic_tac_toe", *words)

    assert result.exit_code == 2
    assert told in " ".join(result.stderr.replace("│", "").split())
    assert "Traceback" not in result.stderr
    assert words[0] in result.stderr


def test_a_bot_sits_across_the_table(run):
    result = run("play", "tic_tac_toe", "--bot", "mine=clever:Last", "--seed", "1", input="a1\nquit\n")

    assert result.exit_code == 0, result.output
    assert "you, player 2 (mine)" in result.stdout
    assert "c3" in result.stdout


@pytest.mark.parametrize("kept", [True, False])
def test_a_match_is_not_lost_when_a_bot_breaks(run, tmp_path, kept):
    save = ["--save", str(tmp_path / "match.json")] if kept else []
    result = run("play", "tic_tac_toe", "--bot", "clever:Nonsense", "--seed", "1", *save, input="a1\n")

    assert result.exit_code == 3
    assert "the bot 'clever:Nonsense' of player 2 failed" in result.stderr
    assert "there is no option 'xyzzy'" in result.stderr
    call = next(line for line in result.stderr.splitlines() if line.startswith("see it again: ")).split()
    assert json.loads(Path(call[-1]).read_text("utf-8"))["choices"] == [0]


def test_a_person_may_be_misspelt(run):
    result = run("play", "tic_tac_toe", "--seat", "2=humen")

    assert result.exit_code == 2
    assert "did you mean 'human'?" in result.stderr


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("learned", "no model yet"),
        ("learned:none.npz", "no such file: none.npz"),
        ("mcts:10/learned", "no model yet"),
        ("mcts:10/learned:none.npz", "no such file: none.npz"),
        ("greedy without xyzzy", "matches 'xyzzy'"),
    ],
)
def test_what_a_bot_lacks_is_reported_before_the_match(run, tmp_path, monkeypatch, kind, reason):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    rules = patolli.load("tic_tac_toe")
    with pytest.raises(patolli.BotError) as refused:
        patolli.playout(rules, 2, 1, ["random", kind])
    assert (refused.value.seat, refused.value.choices) == (1, ())
    assert reason in str(refused.value)
    for words in (["--bot", kind], ["--seat", f"all={kind}"]):
        result = run("play", "tic_tac_toe", *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert reason in " ".join(result.stderr.split())


def test_what_a_search_lacks_is_reported_its_bot_wherever_it_is_asked(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    rules = patolli.load("tic_tac_toe")
    bots = [patolli.play.players.make_bot("mcts:10/learned:none.npz", 1, seat) for seat in range(2)]

    with pytest.raises(patolli.BotError, match="no such file: none"):
        patolli.playout(rules, 2, 1, bots)
