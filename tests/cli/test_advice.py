"""``patolli replay --advice``: what a search thinks of a moment of a saved match."""

from __future__ import annotations

import warnings

import pytest
from click.testing import CliRunner

import patolli
from patolli.cli.main import main
from patolli.play.players.search import SearchBot
from patolli.run.runtime.worlds import WeakWorld


@pytest.fixture
def save(tmp_path):
    match = patolli.load("connect_four").start(2, 1)
    for label in ("d", "a", "d", "a", "d", "b", "g"):
        match.choose(label)
    file = tmp_path / "game.json"
    file.write_text(match.to_json(), "utf-8")
    return str(file)


def run(*arguments):
    return CliRunner().invoke(main, ["replay", *arguments])


def test_a_moment_before_a_mistake(save):
    done = run(save, "--to", "6", "--advice", "mcts:200")
    head, columns, best, *_ = done.output.splitlines()

    assert done.exit_code == 0
    assert head.startswith("player 1: ")
    assert columns.split()[:3] == ["tried", "value", "score"]
    assert best.split()[1:] == ["win", "column", "d"]
    assert all(len(line) <= 80 for line in done.output.splitlines())
    assert run(save, "--to", "6", "--advice", "mcts:200").output == done.output


@pytest.mark.parametrize(
    ("kind", "words"), [("greedy", "gives no advice"), ("mcts:0", "needs a budget"), ("mcst:9", "no module 'mcst'")]
)
def test_who_gives_none_is_reported(save, kind, words):
    done = run(save, "--advice", kind)

    assert done.exit_code == 2
    assert words in done.output


def test_a_match_that_is_over_has_no_decision(tmp_path):
    match = patolli.playout(patolli.load("tic_tac_toe"), 2, 1)
    (tmp_path / "over.json").write_text(match.to_json(), "utf-8")
    done = run(str(tmp_path / "over.json"), "--advice")

    assert done.exit_code == 2
    assert "the match is over" in done.output


@pytest.mark.parametrize("more", [("--advice", "mcts:20"), ("--why", "d")])
def test_only_who_is_asked_is_advised(save, more):
    own, other = (run(save, "--to", "6", *more, "--seat", seat) for seat in "12")

    assert own.exit_code == 0
    assert own.output == run(save, "--to", "6", *more).output
    assert other.exit_code == 2
    assert "player 1 decides at that point" in other.output
    assert run(save, "--to", "6", *more, "--seat", "3").exit_code == 2


@pytest.mark.filterwarnings("default:bots may choose less well")
def test_weak_worlds_are_reported_in_one_sentence(save, monkeypatch):
    """It was a warning of Python, with a line of the program."""
    advise = SearchBot.advise

    def warn(bot, match):
        for _ in range(3):
            warnings.warn(WeakWorld(), stacklevel=2)
        return advise(bot, match)

    monkeypatch.setattr(SearchBot, "advise", warn)
    done = run(save, "--to", "6", "--advice", "mcts:20")

    notes = [line for line in done.output.splitlines() if "choose less well" in line]
    assert [line.partition(":")[0] for line in notes] == ["Note"]
