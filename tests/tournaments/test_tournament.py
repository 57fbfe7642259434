"""Tournaments on shipped packs: what they promise, how they go on, and what they say."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner

import patolli
from patolli.cli.main import main
from patolli.measure.tournaments import LedgerError
from patolli.play.players import RandomBot
from patolli.play.players.learned_bot import Learning

ENGINE = str(Path(patolli.__file__).parents[1])


class First(patolli.Bot):
    def choose(self, turn):
        return 0


class Breaks(patolli.Bot):
    def choose(self, turn):
        if len(turn.labels) < 4:
            raise ValueError("three are too few")
        return 0


@pytest.fixture(scope="module")
def rules():
    return patolli.load("tic_tac_toe")


def told(standings):
    """All that is reported, but for times."""
    data = json.loads(standings.to_json())
    for row in data["standings"]:
        del row["milliseconds"]
    del data["seconds"]
    return data


def test_the_better_bot_is_first(rules):
    found = patolli.tournament(rules, ["random", "greedy"], games=200)
    one, other = found.rows()

    assert [one["bot"], other["bot"]] == ["greedy", "random"]
    assert found.certain
    assert len(found.contests) < 200
    assert one["low"] > other["high"]
    assert one["rating"] == -other["rating"]


@pytest.mark.deep
def test_order_and_processes_make_no_difference(rules):
    bots = ["random", "greedy", First]
    one = told(patolli.tournament(rules, bots, games=72, seed=3))

    assert told(patolli.tournament(rules, bots[::-1], games=72, seed=3)) == one
    assert told(patolli.tournament(rules, bots, games=72, seed=3, jobs=2)) == one
    assert told(patolli.tournament(rules, bots, games=72, seed=4)) != one


def test_a_bot_that_is_there_twice_counts_once(rules):
    class Same(First):
        pass

    found = patolli.tournament(rules, [First, Same], games=40)

    assert [row["rating"] for row in found.rows()] == [0.0, 0.0]
    assert not found.certain
    assert len(found.contests) == 40
    assert found.unsettled == [("First", "Same")]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_number_of_bots_and_seats(players):
    found = patolli.tournament(patolli.load("patolli"), ["random", "greedy", First], games=24, players=players)
    seats = [sum(played) for played in zip(*(row["played"] for row in found.rows()), strict=True)]

    assert len({tuple(row["played"]) for row in found.rows()}) == 1
    assert seats == [len(found.contests)] * players


def test_a_bot_that_fails_costs_its_games_alone(rules):
    found = patolli.tournament(rules, ["random", Breaks], games=20)
    row = {one["bot"]: one for one in found.rows()}

    assert row["Breaks"]["faults"] == len(found.faults) > 0
    assert row["random"]["faults"] == 0
    assert len(found.contests) == 20
    assert "three are too few" in found.faults[0].game.fault


@pytest.mark.deep
def test_a_pack_that_is_won_together_compares_games():
    """In this one all win or none does: bots play it apart, and the one that wins more often is first."""
    found = patolli.tournament(patolli.load("high_water"), ["random", "greedy"], games=40)

    assert all(len(set(one.line_up)) == 1 for one in found.contests)
    assert [row["bot"] for row in found.rows()] == ["greedy", "random"]
    assert "win or lose together" in found.as_text()


@pytest.mark.deep
def test_a_pack_for_one_player_compares_games():
    found = patolli.tournament(patolli.load("city_of_gods", ["solo"]), ["random", First], games=4)

    assert [one.line_up for one in found.contests] == [(0,), (1,), (0,), (1,)]


def test_who_wins_is_enough(rules):
    """A pack that says who wins, and no more: a game without a winner is a draw."""
    found = patolli.tournament(patolli.load("hex"), ["random", First], games=20, all_games=True)

    assert found.strengths.units == 10
    assert sum(sum(row["wins"]) for row in found.rows()) == 20


# ---- files


def test_the_file_goes_on_where_it_ends(rules, tmp_path):
    file = tmp_path / "games.jsonl"
    whole = patolli.tournament(rules, ["random", First], games=40, save=file, all_games=True)
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 41

    for left in (1, 7, 40):
        torn = b"".join(lines[:left]) + lines[left][:9] if left < 40 else b"".join(lines[:left])
        file.write_bytes(torn)
        again = patolli.tournament(rules, ["random", First], games=40, save=file, all_games=True)
        assert told(again) == told(whole)
        assert len(file.read_bytes().splitlines()) == 41


def test_games_in_the_file_are_not_played_again(rules, tmp_path):
    file = tmp_path / "games.jsonl"
    patolli.tournament(rules, ["random", First], games=20, save=file, all_games=True)
    before = file.read_bytes()
    found = patolli.tournament(rules, ["random", First], games=20, save=file, all_games=True)

    assert file.read_bytes() == before
    assert len(found.contests) == 20


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("hello\n", "does not contain the games of a tournament", id="another file"),
        pytest.param("hello", "does not contain the games of a tournament", id="without an end of line"),
        pytest.param('{"a": 1}\n', "does not contain the games of a tournament", id="other data"),
        pytest.param(
            '{"patolli tournament": 1, "pack": "chess"}\n', "with pack chess, not tic_tac_toe", id="other pack"
        ),
    ],
)
def test_another_file_is_left_alone(rules, tmp_path, text, words):
    file = tmp_path / "games.jsonl"
    file.write_text(text)

    with pytest.raises(LedgerError, match=words):
        patolli.tournament(rules, ["random", First], save=file)
    assert file.read_text() == text


def test_another_tournament_is_left_alone(rules, tmp_path):
    file = tmp_path / "games.jsonl"
    patolli.tournament(rules, ["random", First], games=2, save=file)

    with pytest.raises(LedgerError, match="with seed 0, not 5"):
        patolli.tournament(rules, ["random", First], games=2, save=file, seed=5)
    with pytest.raises(LedgerError, match="with bots First, random, not greedy, random"):
        patolli.tournament(rules, ["random", "greedy"], games=2, save=file)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], '{"unit": 1}', lines[2], ""]))
    with pytest.raises(LedgerError, match=":2: this line is not a game"):
        patolli.tournament(rules, ["random", First], games=2, save=file)


@pytest.mark.parametrize(
    "wrong",
    [
        {"winners": [7]}, {"winners": [-1]}, {"bots": [0, 5]}, {"bots": [0]}, {"choices": -1}, {"choices": 10**6},
        {"scores": [1]}, {"ranks": [0, 1]}, {"ranks": [1, 2, 3]}, {"moves": [-1, 2]}, {"moves": [1]},
        {"seconds": [float("nan"), 1.0]}, {"failed": 2}, {"unit": -1}, {"game": 9}, {"seed": "7"}, {"seed": 1.5},
        {"digest": ""}, {"fault": "it broke"}, {"broken": [-1]}, {"choices": True},
    ],
    ids=str,
)  # fmt: skip
def test_a_line_whose_numbers_cannot_be_is_refused_with_its_place(rules, tmp_path, wrong):
    file = tmp_path / "games.jsonl"
    patolli.tournament(rules, ["random", First], games=2, save=file)
    head, one, two = file.read_text().splitlines()
    file.write_text("\n".join([head, one, json.dumps(json.loads(two) | wrong), ""]))

    with pytest.raises(LedgerError, match=r"games\.jsonl:3: .*delete"):
        patolli.tournament(rules, ["random", First], games=2, save=file)


def test_bots_of_other_kinds_with_the_same_names_are_others(rules, tmp_path):
    file = tmp_path / "games.jsonl"
    patolli.tournament(rules, ["a=random", "b=greedy"], games=4, save=file)
    before = file.read_bytes()

    with pytest.raises(LedgerError, match="with bots a=random, b=greedy, not a=greedy, b=random"):
        patolli.tournament(rules, ["a=greedy", "b=random"], games=4, save=file)
    assert file.read_bytes() == before
    head, *games = before.splitlines(keepends=True)
    old = {name: value for name, value in json.loads(head).items() if name not in ("kinds", "learned")}
    file.write_bytes(b"".join([json.dumps(old).encode() + b"\n", *games]))  # as the first programs wrote it
    assert len(patolli.tournament(rules, ["a=random", "b=greedy"], games=4, save=file).contests) == 4


def test_what_was_learned_is_known_by_its_content(rules, tmp_path, monkeypatch):
    monkeypatch.setattr(Learning, "check", lambda *_: None)
    monkeypatch.setattr(Learning, "__call__", lambda self, seed: RandomBot(seed))
    learned, file = tmp_path / "a.npz", tmp_path / "games.jsonl"
    learned.write_bytes(b"one")
    bots = [f"pupil=learned:{learned}", "random"]
    patolli.tournament(rules, bots, games=2, save=file)
    patolli.tournament(rules, bots, games=4, save=file)
    learned.write_bytes(b"two")

    with pytest.raises(LedgerError, match="with a different learned value of 'pupil'"):
        patolli.tournament(rules, bots, games=4, save=file)


def test_games_that_failed_are_played_again_by_the_next_call(rules, tmp_path, monkeypatch):
    file = tmp_path / "games.jsonl"
    whole = patolli.tournament(rules, ["random", First], games=10, all_games=True)
    with monkeypatch.context() as during:
        during.setattr(First, "choose", Breaks.choose)
        broken = patolli.tournament(rules, ["random", First], games=10, save=file, all_games=True)
    assert broken.faults
    again = patolli.tournament(rules, ["random", First], games=10, save=file, all_games=True)

    assert not again.faults
    assert [one.game for one in again.contests] == [one.game for one in whole.contests]


def test_games_that_were_given_up_are_not_played_again(rules, tmp_path):
    file = tmp_path / "games.jsonl"
    assert patolli.tournament(rules, ["random", First], games=4, save=file, limit=3).faults
    before = file.read_bytes()
    patolli.tournament(rules, ["random", First], games=4, save=file, limit=3)

    assert file.read_bytes() == before


@pytest.mark.deep
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_killed_goes_on(tmp_path, jobs):
    words = ["tournament", "patolli", "--bot", "greedy", "--bot", "random", "--games", "60", "--all-games"]
    words += ["--jobs", str(jobs), "--format", "json", "--save"]
    file, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    command = [sys.executable, "-m", "patolli", *words, str(file)]
    run = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": ENGINE}, stdout=subprocess.DEVNULL)
    while run.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < 8):
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()
    kept = file.read_bytes()
    assert 8 <= kept.count(b"\n") < 61

    again = CliRunner().invoke(main, [*words, str(file)])
    fresh = CliRunner().invoke(main, [*words, str(whole)])

    assert (again.exit_code, fresh.exit_code) == (0, 0)
    assert file.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert _without_times(again.stdout) == _without_times(fresh.stdout)


def _without_times(text):
    data = json.loads(text)
    return {**data, "seconds": 0, "standings": [{**row, "milliseconds": 0} for row in data["standings"]]}


# ---- what is said


def test_the_page_fits_a_terminal(rules):
    found = patolli.tournament(patolli.load("patolli"), ["random", "greedy", First], games=48, players=4)
    text = found.as_text()

    assert max(map(len, text.splitlines())) <= 80, text
    assert "95 % interval" in text
    assert "<table>" in found._repr_html_()
    assert repr(found).startswith("<Standings of Patolli, 4 players, ")


def test_a_data_frame_has_a_row_for_each_bot(rules):
    pytest.importorskip("pandas")
    frame = patolli.tournament(rules, ["random", First], games=20).to_frame()

    assert list(frame["bot"]) == [row for row in frame["bot"]]
    assert {"rating", "low", "high", "wins_1", "wins_2"} <= set(frame.columns)
    assert len(frame) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["--bot", "random"], "needs at least 2 bots", id="one bot"),
        pytest.param(["--bot", "random", "--bot", "random"], "two bots have the name 'random'", id="twice"),
        pytest.param(["--bot", "random", "--bot", "greey"], "did you mean 'greedy'", id="no such bot"),
        pytest.param(["--bot", "=random", "--bot", "random"], "the name before '=' is missing", id="no name"),
        pytest.param(["--bot", " =random", "--bot", "random"], "the name before '=' is missing", id="blank name"),
        pytest.param(["--bot", "a\nb=random", "--bot", "random"], "must be one line", id="two lines"),
        pytest.param(["--bot", "a\x1b[2J=random", "--bot", "random"], "control characters", id="control characters"),
        pytest.param(["--bot", f"{'a' * 200}=random", "--bot", "random"], "may have 40 characters", id="long name"),
        pytest.param(["--bot", "random", "--bot", "greedy", "--players", "5"], "for 2 players, not 5", id="players"),
    ],
)
def test_a_wrong_call_is_reported_in_a_line(words, said):
    ended = CliRunner().invoke(main, ["tournament", "tic_tac_toe", *words])

    assert ended.exit_code == 2
    assert said in ended.output


def test_a_fault_is_reported_with_a_save(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    (tmp_path / "breaking.py").write_text(
        "import patolli\nclass Breaks(patolli.Bot):\n    def choose(self, turn):\n        return 1 // (len(turn.labels) - 3)\n"
    )
    words = ["tournament", "tic_tac_toe", "--bot", "B=breaking:Breaks", "--bot", "random", "--games", "4"]
    ended = CliRunner().invoke(main, words)
    sys.modules.pop("breaking", None)

    assert ended.exit_code == 3
    assert "ZeroDivisionError" in ended.stderr
    assert "patolli replay" in ended.stderr
    assert "do not count" in ended.stdout


def test_interrupt_of_all_games_when_the_order_is_certain(rules):
    """The games that were asked for are not played, whatever is known already."""
    played = 0

    def press(more: int) -> None:
        nonlocal played
        played += more
        if played == 400:
            signal.raise_signal(signal.SIGINT)

    found = patolli.tournament(rules, ["random", "greedy"], games=1000, all_games=True, report_progress=press)

    assert found.certain
    assert found.interrupted
    assert "Interrupted: 600 of 1000 games were not played." in found.as_text()


def test_an_interrupted_call_says_that_the_same_one_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr("patolli.cli.tournament.progress", lambda games: nullcontext(press))
    file = tmp_path / "games.jsonl"
    words = ["tournament", "tic_tac_toe", "--bot", "random", "--bot", "greedy", "--jobs", "1", "--save", str(file)]
    ended = CliRunner().invoke(main, words)

    assert ended.exit_code == 130
    assert f"{file} contains the finished games; run the same command again to continue" in ended.stderr


def press(more: int) -> None:
    if more:
        signal.raise_signal(signal.SIGINT)


def test_bots_of_one_kind_play_the_same_games_with_seats_swapped(rules):
    """What they draw depends on the seat, so that the seat does not matter."""
    one, two = patolli.tournament(rules, ["a=random", "b=random"], games=2).contests

    assert one.line_up == two.line_up[::-1]
    assert one.game.digest == two.game.digest
