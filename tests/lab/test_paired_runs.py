"""Sides that are played with the same seeds: stages, pairs, and what ends them."""

from __future__ import annotations

import shutil

import pytest
from click.testing import CliRunner

from patolli.cli.main import main
from patolli.measure.lab import paired_runs
from patolli.measure.lab.paired_runs import find_unpaired_key, pair_rows
from patolli.measure.lab.run_loop import Outcome
from patolli.measure.simulation.estimates import judge_in_stages

PIG = "content/gallery/pig"


def test_stages_end_when_the_judgment_is_certain():
    played = []

    assert judge_in_stages([10, 20, 40], played.append, lambda look: look * 2, lambda found: found >= 40) == 40
    assert played == [10, 20]
    assert judge_in_stages([10, 20], played.append, lambda look: look, lambda found: False) == 20


def test_pairs_are_the_matches_that_all_sides_have():
    sides = [[{"match": n, "side": side} for n in numbers] for side, numbers in enumerate([(3, 1, 2), (2, 3), (3, 2)])]
    both, rows = pair_rows(sides)

    assert both == [2, 3]
    assert [[row["side"] for row in side] for side in rows] == [[0, 0], [1, 1], [2, 2]]


@pytest.mark.parametrize("key", ["players", "seed", "bots", "limit"])
def test_other_plan_makes_no_pairs(key):
    one = {"players": 2, "seed": 1, "bots": ["random"], "limit": 9}

    assert find_unpaired_key(one, dict(one)) is None
    assert find_unpaired_key(one, {**one, key: "other"}) == key


@pytest.mark.parametrize(
    ("command", "plan"),
    [
        (["worth", PIG, "--without", "keep"], ""),
        (["regress", "PLAN", "--against", "OTHER"], "allow: {turns: 5}\n"),
        (["tune", "PLAN"], "goals: [turns at most 10]\nparameters: {goal: 50 to 99}\n"),
    ],
)
def test_interrupted_command_continues_when_it_is_repeated(tmp_path, monkeypatch, command, plan):
    if command[0] == "tune":
        pytest.importorskip("optuna")
    other, path = tmp_path / "pig", tmp_path / "plan.yaml"
    path.write_text(f"pack: {PIG}\n{plan}")
    shutil.copytree(PIG, other)
    (other / "rules.yaml").write_text((other / "rules.yaml").read_text() + "# other\n")
    words = [{"PLAN": str(path), "OTHER": str(other)}.get(word, word) for word in command]
    monkeypatch.setattr(paired_runs, "run", lambda *given, **more: Outcome(0, 0, 0.0, interrupted=True))
    done = CliRunner().invoke(main, ["lab", *words, "--out", str(tmp_path / "out")])

    assert done.exit_code == 130, done.output
    assert done.stderr == "interrupted; run the same command again to continue\n"
