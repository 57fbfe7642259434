"""Whichever engine plays, games are the same; and it is said why one cannot."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from tiers import few

import patolli
from patolli.cli import main
from patolli.measure.simulation import Plan, natively, simulate
from patolli.measure.simulation.natively import CannotPlay
from patolli.run.native import machines
from patolli.run.native.heap import Unsupported

PACKS = [("connect_four", 2), ("patolli", 3), ("curios", 3), ("high_water", 2), ("hex", 2)]


pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def native():
    pytest.importorskip("wasmtime", reason="the extra native is not installed")


@pytest.mark.parametrize(("pack", "players"), few(PACKS, 0, 2))
def test_games_are_the_same(native, pack, players):
    rules, plan = patolli.load(pack), Plan(players, 30, seed=4)
    python = simulate(rules, plan, engine="python")
    assert simulate(rules, plan, engine="native").games == python.games
    assert simulate(rules, plan, 2, engine="native").games == python.games


def test_auto_changes_over(native, monkeypatch):
    monkeypatch.setattr(natively, "WARM", 0)
    monkeypatch.setattr(natively, "WORTH", 0)
    rules, plan, told = patolli.load("patolli"), Plan(2, 40, seed=1), []
    found = simulate(rules, plan, report_progress=told.append)
    assert rules in machines._ready
    assert sum(told) == 40
    assert found.games == simulate(rules, plan, engine="python").games


def test_auto_stays_where_it_would_save_nothing(native):
    rules = patolli.load("patolli")
    simulate(rules, Plan(2, 3, seed=1))
    assert rules not in machines._ready


def test_match_that_is_left_to_python_is_played_there(native):
    rules, plan = patolli.load("patolli"), Plan(2, 3, limit=3)
    native = simulate(rules, plan, engine="native")
    assert native.games == simulate(rules, plan, engine="python").games
    assert all("no end after 3 choices" in game.fault for game in native.games)


def test_progress_counts_all_games(native):
    told = []
    simulate(patolli.load("patolli"), Plan(2, 30), 2, told.append, engine="native")
    assert sum(told) == 30


# ---- what cannot be


def test_bots_play_in_python():
    rules, plan = patolli.load("tic_tac_toe"), Plan(2, 3, bots="greedy")
    with pytest.raises(CannotPlay, match="only games of random bots"):
        simulate(rules, plan, engine="native")
    assert simulate(rules, plan).games == simulate(rules, plan, engine="python").games


def test_missing_runtime_is_reported(monkeypatch):
    monkeypatch.setattr(natively, "there", lambda: False)
    rules, plan = patolli.load("tic_tac_toe"), Plan(2, 3)
    with pytest.raises(CannotPlay, match=r"pip install 'patolli\[native\]'"):
        simulate(rules, plan, engine="native")
    assert len(simulate(rules, plan).finished) == 3


def test_what_is_not_translated_is_reported(native, monkeypatch):
    def refused(rules, seats, held):
        raise Unsupported("the name x")

    monkeypatch.setattr(natively, "machine", refused)
    monkeypatch.setattr(natively, "WORTH", 0)
    rules, plan = patolli.load("tic_tac_toe"), Plan(2, 30)
    with pytest.raises(CannotPlay, match="Tic-tac-toe cannot be translated: the name x"):
        simulate(rules, plan, engine="native")
    assert len(simulate(rules, plan).finished) == 30


def test_unknown_engine_is_refused():
    with pytest.raises(ValueError, match="an engine is auto, python or native, not 'fast'"):
        simulate(patolli.load("tic_tac_toe"), Plan(2, 3), engine="fast")


def test_command_line(native):
    runs = [
        CliRunner().invoke(main, ["simulate", "connect_four", "--games", "20", "--jobs", "1", "--engine", engine])
        for engine in ("python", "native", "auto")
    ]
    assert [ran.exit_code for ran in runs] == [0, 0, 0]
    assert len({ran.output.splitlines()[-1] for ran in runs}) == 1


def test_command_line_says_why_not():
    ran = CliRunner().invoke(main, ["simulate", "connect_four", "--bot", "greedy", "--engine", "native"])
    assert ran.exit_code == 2
    assert "Invalid value for --engine native: only games of random bots can be played nat" in ran.output
