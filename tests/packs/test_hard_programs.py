"""Programs that stretch the language: secret purchases, turns for others, payments that look at their purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from laws import play_by_the_laws, views_keep_secrets
from littlepacks import see_same_natively
from twins import told_the_same

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import load
from patolli.measure.simulation import Plan as Games
from patolli.measure.simulation import simulate

DATA = Path(__file__).parents[1] / "data"
PROGRAMS = {"bazaars": 3, "furnaces": 2, "puppets": 3}
"""The packs, with a number of players."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_scenarios_pass(name):
    result = run_scenarios(Plan((str(DATA / name),), smoke=False))
    assert (result.problems, result.failed_outcomes) == ([], [])


@pytest.mark.deep
@pytest.mark.parametrize(("name", "players"), PROGRAMS.items())
def test_programs_keep_the_laws_and_are_the_same_in_both_engines(name, players):
    rules = load(str(DATA / name))
    play_by_the_laws(rules, players, 1, 60)
    views_keep_secrets(rules, players, 1, 10)
    if rules.players[0] == 2:
        see_same_natively(str(DATA / name))
    python, native = (simulate(rules, Games(players, 200, seed=1), engine=engine) for engine in ("python", "native"))
    assert python.games == native.games
    assert all(game.scores for game in python.games)


@pytest.mark.deep
@pytest.mark.parametrize(("name", "players"), PROGRAMS.items())
def test_twins_are_reported_alike(name, players):
    told_the_same(load(str(DATA / name)), players, 1, 10, 4, bots=1)
