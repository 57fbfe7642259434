"""Invariants that are held natively break after the same choice as in Python, and hold wherever they do there."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("wasmtime", reason="the extra native is not installed")

from breaking import mutants, purse, random_invariants, without_wrong_ones
from randompacks.engine import Workshop
from randompacks.packs import Maker, make

import patolli

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("native_tool_of_holding", ROOT / "tools" / "native.py")
tool = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = tool  # where its classes look for their names
SPEC.loader.exec_module(tool)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def held(rules: patolli.Ruleset, players: int, seeds: range, limit: int = 300):
    """Return what was found of held matches; they are alike in every respect."""
    found = tool.compared(rules, players, seeds, limit, held=True)
    assert found.fine, str(found)
    return found


@pytest.mark.parametrize(
    ("pack", "modules"),
    [
        ("tic_tac_toe", ()), ("connect_four", ()), ("breakthrough", ()), ("patolli", ()), ("founders", ()),
        ("city_of_gods", ("mansion", "altars", "obsidian", "empire")), ("city_of_gods", ("solo",)),
        ("amazons", ()), ("curios", ()), ("dots_and_boxes", ()), ("high_water", ()), ("leduc_poker", ()),
    ],
    ids=str,
)  # fmt: skip
def test_shipped_packs_hold(pack, modules):
    rules = patolli.load(pack, list(modules))
    assert held(rules, rules.players[0], range(4), 100_000).broken == 0


def test_every_form_of_an_invariant(tmp_path):
    purse(tmp_path)
    rules = patolli.load(str(tmp_path))
    assert held(rules, 2, range(30)).broken > 10
    assert held(rules, 3, range(30)).broken > 10


@pytest.mark.parametrize(("name", "number"), [("connect_four", 5), ("breakthrough", 5), ("founders", 5)])
def test_a_shipped_pack_without_one_of_its_statements(name, number, tmp_path):
    broken = 0
    for folder in mutants(tmp_path, name, Random(number), number):
        try:
            rules = patolli.load(str(folder))
        except patolli.ContentError:
            continue
        broken += held(rules, rules.players[0], range(6)).broken
    assert broken > 3


def test_random_packs(monkeypatch):
    monkeypatch.setattr(Maker, "measures", random_invariants)
    workshop, broken = Workshop(), 0
    try:
        for seed in range(25):
            rules = without_wrong_ones(make(seed), workshop)
            if rules is not None and rules.resolved.invariants:
                broken += held(rules, rules.players[0], range(4), 60).broken
    finally:
        workshop.close()
    assert broken > 10
