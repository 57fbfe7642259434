"""The laws of ``laws.py``, on random matches of the test packs and of everything that is shipped."""

from __future__ import annotations

from functools import cache

import pytest
from laws import play_by_the_laws, views_keep_secrets
from packmaker import DATA
from tiers import few

from patolli.author.workspace import load
from patolli.language.packs.discovery import installed
from patolli.language.packs.manifest import read_pack
from patolli.run.runtime import Ruleset

LABS = [str(DATA / name) for name in ("lab", "mosaic", "sample", "convoy")]
BASES = [name for name in installed() if not read_pack(name).requires]
MODULES = [name for name in installed() if read_pack(name).requires]


@cache
def rules_of(name: str) -> Ruleset:
    """Load a pack, or a module with the pack that it needs."""
    wanted = read_pack(name).requires
    base = next((other for other in wanted if other in BASES), None)
    modules = [*(other for other in wanted if other != base), name]
    return load(base, modules) if base else load(name)


def seats(rules: Ruleset) -> range:
    return range(rules.players[0], rules.players[1] + 1)


@pytest.mark.parametrize("seed", few(range(6), 0))
@pytest.mark.parametrize("name", LABS, ids=lambda path: path.rpartition("/")[2])
def test_test_packs(name, seed):
    rules = rules_of(name)
    for players in seats(rules):
        play_by_the_laws(rules, players, seed, decisions=200, stride=3)


@pytest.mark.parametrize("name", LABS, ids=lambda path: path.rpartition("/")[2])
def test_views_of_test_packs(name):
    rules = rules_of(name)
    for players in seats(rules):
        views_keep_secrets(rules, players, players, decisions=25)


@pytest.mark.parametrize("name", few(BASES, "patolli", "curios", "connect_four", "hex"))
def test_shipped_pack(name):
    rules = rules_of(name)
    for players in seats(rules):
        play_by_the_laws(rules, players, players, decisions=900, stride=23)


@pytest.mark.parametrize("name", few(BASES, "patolli", "curios"))
def test_views_of_shipped_pack(name):
    rules = rules_of(name)
    for players in seats(rules):
        views_keep_secrets(rules, players, 3, decisions=12)


@pytest.mark.deep
@pytest.mark.parametrize("name", few(MODULES, "mansion"))
def test_shipped_module(name):
    rules = rules_of(name)
    play_by_the_laws(rules, rules.players[0], 5, decisions=400, stride=41)
