"""The laws of ``laws.py``, on random matches of the test packs and of everything that is shipped."""

from __future__ import annotations

import pytest
from laws import play_by_the_laws, views_keep_secrets
from packmaker import DATA
from shipped import BASES, FEW_MODULES, load_shipped
from tiers import few

from patolli.run.runtime import Ruleset

LABS = [str(DATA / name) for name in ("lab", "mosaic", "sample", "convoy")]


def seats(rules: Ruleset) -> range:
    return range(rules.players[0], rules.players[1] + 1)


@pytest.mark.parametrize("seed", few(range(3), 0))
@pytest.mark.parametrize("name", LABS, ids=lambda path: path.rpartition("/")[2])
def test_test_packs(name, seed):
    rules = load_shipped(name)
    for players in seats(rules):
        play_by_the_laws(rules, players, seed, decisions=200, stride=3)


@pytest.mark.parametrize("name", LABS, ids=lambda path: path.rpartition("/")[2])
def test_views_of_test_packs(name):
    rules = load_shipped(name)
    for players in seats(rules):
        views_keep_secrets(rules, players, players, decisions=25)


@pytest.mark.parametrize("name", few(BASES, "patolli", "curios", "connect_four", "hex", deep=8))
def test_shipped_pack(name):
    rules = load_shipped(name)
    for players in seats(rules):
        play_by_the_laws(rules, players, players, decisions=500, stride=23)


@pytest.mark.parametrize("name", few(BASES, "patolli", "curios", deep=8))
def test_views_of_shipped_pack(name):
    rules = load_shipped(name)
    for players in seats(rules):
        views_keep_secrets(rules, players, 3, decisions=12)


@pytest.mark.deep
@pytest.mark.parametrize("name", FEW_MODULES)
def test_shipped_module(name):
    rules = load_shipped(name)
    play_by_the_laws(rules, rules.players[0], 5, decisions=400, stride=41)
