"""The rows of games: the same for any number of processes, and kept whatever happens."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from errno import ENOSPC
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiers import few

import patolli
from patolli.cli import main
from patolli.measure.simulation import gamesfile
from patolli.measure.simulation.games import Game
from patolli.measure.simulation.gamesfile import GamesFile
from patolli.measure.simulation.rows import COLUMNS

CALL = ("simulate", "patolli", "--players", "3", "--games", "30", "--seed", "4", "--seat", "2=greedy")


def called(*words):
    return CliRunner().invoke(main, words)


def read(path):
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("ending", few([".csv", ".jsonl", ".CSV"], 0))
def test_rows_are_the_same_for_any_jobs(tmp_path, ending):
    texts = []
    for jobs in ("1", "4"):
        path = tmp_path / f"games{jobs}{ending}"
        result = called(*CALL, "--jobs", jobs, "--games-out", str(path))
        assert result.exit_code == 0, result.output
        texts.append(path.read_bytes())

    assert texts[0] == texts[1]
    assert texts[0].count(b"\n") == 90 + (ending != ".jsonl")


def test_rows_say_what_the_report_says(tmp_path):
    path = tmp_path / "games.jsonl"
    data = json.loads(called(*CALL, "--format", "json", "--games-out", str(path)).stdout)
    rows = read(path)

    assert [list(row) for row in rows] == [list(COLUMNS)] * 90
    assert [(row["game"], row["seat"]) for row in rows] == [(game, seat) for game in range(30) for seat in range(3)]
    assert [row["bot"] for row in rows[:3]] == ["random", "greedy", "random"]
    for seat in range(3):
        mine = [row for row in rows if row["seat"] == seat]
        assert sum(row["won"] for row in mine) == data["wins"][seat]
        assert sum(row["score"] for row in mine) / 30 == pytest.approx(data["scores"][seat]["mean"], abs=0.001)
        assert all((row["rank"] == 1) == row["won"] for row in mine)
    assert sum(row["choices"] for row in rows) == 3 * data["decisions"]


def test_a_row_leads_to_its_game(tmp_path):
    path = tmp_path / "games.csv"
    called("simulate", "tic_tac_toe", "--games", "3", "--games-out", str(path))
    row = read(path)[4]
    match = patolli.playout(patolli.load("tic_tac_toe"), 2, int(row["seed"]))

    assert match.digest() == row["digest"]
    assert len(match.choices) == int(row["choices"])
    assert row["won"] == str(0 in match.winners).lower()


def test_rows_of_a_report_are_those_of_the_file(tmp_path):
    path = tmp_path / "games.jsonl"
    called("simulate", "tic_tac_toe", "--games", "7", "--seed", "2", "--games-out", str(path))
    report = patolli.simulate(patolli.load("tic_tac_toe"), patolli.Plan(2, 7, 2))

    assert report.rows() == read(path)


def test_games_that_fail_have_rows(tmp_path):
    class Breaks(patolli.Bot):
        def choose(self, turn):
            return 1 // int(self.random.random() * 20)

    report = patolli.simulate(patolli.load("tic_tac_toe"), patolli.Plan(2, 40, bots=Breaks))
    failed = [row for row in report.rows() if row["fault"]]

    assert len(report.rows()) == 80
    assert failed
    assert {(row["score"], row["rank"], row["won"], row["digest"]) for row in failed} == {(None, None, None, None)}


def test_ranks_follow_what_decides():
    match = patolli.playout(patolli.load("city_of_gods"), 4, 3)
    keys = list(zip(match.scores, *match.ties, strict=True))

    assert sorted(range(4), key=lambda seat: match.ranks[seat]) == sorted(
        range(4), key=lambda seat: keys[seat], reverse=True
    )
    assert [seat for seat in range(4) if match.ranks[seat] == 1] == match.winners


def test_every_game_is_reported_once_and_in_order():
    rules, found = patolli.load("patolli"), []
    for jobs in (1, 3):
        games = []
        report = patolli.simulate(rules, patolli.Plan(2, 50), jobs, each=games.append)
        assert games == report.games
        found.append(games)

    assert found[0] == found[1]


@pytest.mark.deep
def test_a_run_that_is_killed_keeps_its_games(tmp_path):
    path = tmp_path / "games.csv"
    words = [sys.executable, "-m", "patolli", "simulate", "city_of_gods", "--games", "100000", "--jobs", "1"]
    surroundings = {**os.environ, "PYTHONPATH": str(Path(patolli.__file__).parents[1])}
    with subprocess.Popen([*words, "--games-out", str(path)], env=surroundings) as child:
        for _ in range(1200):
            time.sleep(0.05)
            if path.exists() and path.read_text("utf-8").count("\n") > 20:
                break
        child.send_signal(signal.SIGKILL)
        child.wait()
    rows = read(path)

    assert len(rows) >= 19
    assert all(row["digest"] for row in rows[:-2])


def test_no_room_on_the_disk_costs_no_games(tmp_path, monkeypatch):
    class Full:
        def __init__(self, file):
            self.file, self.left = file, 3

        def __getattr__(self, name):
            return getattr(self.file, name)

        def flush(self):
            self.left -= 1
            if self.left < 0:
                raise OSError(ENOSPC, "No space left on device")
            self.file.flush()

    begin = GamesFile.__init__

    def begun(self, path, bots):
        begin(self, path, bots)
        self._file = Full(self._file)

    monkeypatch.setattr(GamesFile, "__init__", begun)
    result = called("simulate", "tic_tac_toe", "--games", "9", "--games-out", str(tmp_path / "games.csv"))

    assert result.exit_code == 2
    assert "9 of 9 games finished" in result.output
    assert "No space left on device; 3 games are written as rows" in result.output


@pytest.mark.parametrize(
    ("name", "words"), [("games.xlsx", ".csv, .jsonl, .parquet"), ("games", "says how rows are written")]
)
def test_other_endings_are_refused(tmp_path, name, words):
    result = called("simulate", "tic_tac_toe", "--games-out", str(tmp_path / name))

    assert result.exit_code == 2
    assert words in result.output
    assert not (tmp_path / name).exists()


def test_rows_and_report_are_two_files(tmp_path):
    file = str(tmp_path / "games.csv")
    result = called("simulate", "tic_tac_toe", "--out", file, "--games-out", file)

    assert result.exit_code == 2
    assert "cannot share one file" in result.output


@pytest.mark.deep
def test_a_run_that_is_interrupted_keeps_its_games(tmp_path):
    path = tmp_path / "games.jsonl"
    words = [sys.executable, "-m", "patolli", "simulate", "city_of_gods", "--games", "100000", "--jobs", "2"]
    surroundings = {**os.environ, "PYTHONPATH": str(Path(patolli.__file__).parents[1])}
    with subprocess.Popen(
        [*words, "--games-out", str(path), "--format", "json"], env=surroundings, stdout=subprocess.PIPE, text=True
    ) as child:
        for _ in range(1200):
            time.sleep(0.05)
            if path.exists() and path.read_text("utf-8").count("\n") > 20:
                break
        child.send_signal(signal.SIGINT)
        report = json.loads(child.communicate()[0])
    games = [row["game"] for row in read(path)]

    assert child.returncode == 130
    assert len(games) == 2 * report["finished"]
    assert games == sorted(games)


def test_a_folder_that_is_not_there_is_reported(tmp_path):
    result = called("simulate", "tic_tac_toe", "--games-out", str(tmp_path / "nowhere" / "games.csv"))

    assert result.exit_code == 2
    assert "No such file or directory" in result.output


def test_without_its_package_parquet_is_refused_before_anything_is_played(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = called("simulate", "tic_tac_toe", "--games-out", str(tmp_path / "games.parquet"))

    assert result.exit_code == 2
    assert "pip install 'patolli[parquet]'" in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_parquet_file_holds_the_same(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    monkeypatch.setattr(gamesfile, "GROUP", 4)
    for ending in ("parquet", "jsonl"):
        words = ("simulate", "tic_tac_toe", "--games", "7", "--seed", "2")
        assert called(*words, "--games-out", str(tmp_path / f"games.{ending}")).exit_code == 0

    assert parquet.read_table(tmp_path / "games.parquet").to_pylist() == read(tmp_path / "games.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.jsonl", "games.parquet"]


def test_a_parquet_file_that_cannot_be_made_leaves_its_games(tmp_path, monkeypatch):
    def full(source, target):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(gamesfile, "_import_parquet", lambda: None)
    monkeypatch.setattr(gamesfile, "_convert_to_parquet", full)
    file = GamesFile(tmp_path / "games.parquet", ["random", "random"])
    file.add(Game(0, 5, 9, (1, 0), (0,), (1, 2), "abc"))
    file.close()

    assert file.failed is not None
    assert [row["score"] for row in read(file.path)] == [1, 0]
