"""Trials of a panel: which options are tried, and what a report says of them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from littlepacks import lay

from patolli.cli import labpanel
from patolli.cli.main import main
from patolli.measure.lab.run_data import RATE
from patolli.measure.lab.statistics import estimate_pairs
from patolli.measure.lab.store import StoreError
from patolli.measure.lab.trials import FEWEST, MOST, Suspect, Trial, read_trials

MODEL = "counters:\n  point: {per: player, noun: [point, points], text: Points}\n"
RULES = """rules:
  match:
    do: |
      repeat 3 times:
        for p in players: as p: work()
  work():
    do: |
      choose one "What now?":
        "earn": gain MUCH point
        "dig":
          random x in 1..5
          gain x point
        "sow":
          random x in 1..5
          gain x point
        "reap":
          random x in 1..5
          gain x point
result: {score: point}
"""


def reported(folder, much, monkeypatch, times=1):
    """Play a panel for some seconds, and return its report and its trials."""
    monkeypatch.setattr(labpanel, "MINUTES", 0.08)
    (folder / "pack").mkdir()
    pack, out = lay(folder / "pack", MODEL, RULES.replace("MUCH", str(much))), str(folder / "panel")
    for _ in range(times):
        done = CliRunner().invoke(main, ["lab", "run", pack, "--bot", "random,greedy", "--jobs", "1", "--out", out])
        assert done.exit_code == 0, done.output
    shown = CliRunner().invoke(main, ["lab", "report", out, "--format", "json"])
    return json.loads(shown.stdout), read_trials(folder / "panel")


def test_option_that_leaves_no_room_for_others_is_tried(tmp_path, monkeypatch):
    """The same command again plays more pairs."""
    data, trials = reported(tmp_path, 7, monkeypatch, times=2)

    (one,) = [one for one in trials if one.option == "work: earn"]
    assert (one.bot, one.share) == ("greedy", 1.0)
    assert one.pairs >= 2 * FEWEST
    assert one.value > 0.4, "without it, a seat nearly always loses"
    assert one.low > 0.1
    (found,) = [one for one in data["findings"] if one["kind"] == "dominant"]
    assert found["name"] == "work: earn"
    assert one.text in found["text"]
    assert "rules.yaml:" in found["where"]


def test_options_that_are_worth_the_same_are_no_finding(tmp_path, monkeypatch):
    data, trials = reported(tmp_path, 3, monkeypatch)

    assert [one["name"] for one in data["findings"] if one["kind"] == "dominant"] == []
    assert not any(one.is_decisive(MOST, RATE) for one in trials)


@pytest.mark.parametrize("pairs", [FEWEST, 40, 300])
@pytest.mark.parametrize("often", [0.05, 0.5, 1.0])
def test_trials_of_options_without_worth_are_rarely_decisive(pairs, often):
    """Of pairs, a part differs, by one win more or less of one of two seats."""
    random, found, runs = np.random.default_rng(7), 0, 2000
    for _ in range(runs):
        change = random.choice([-0.5, 0.5], pairs) * (random.random(pairs) < often)
        known = estimate_pairs(change)[0]
        found += Trial("a: b", "greedy", 1.0, pairs, known.value, known.low, known.high).is_decisive(1, 2 * RATE)
    assert found <= 1.5 * RATE * runs


def test_folders_differ_by_bot_and_files_that_are_none_are_refused(tmp_path):
    assert len({Suspect("work: earn", bot).folder for bot in ("random", "greedy")}) == 2
    assert Suspect("card/queen", "greedy").strategy == "queen"
    assert read_trials(tmp_path) == []
    (tmp_path / "trials.json").write_text("[1]")
    with pytest.raises(StoreError, match="invalid"):
        read_trials(tmp_path)
