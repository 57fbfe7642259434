"""Invariants that are held natively break after the same choice as in Python, and hold wherever they do there."""

from __future__ import annotations

import contextlib
import json
import struct
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tiers import few

pytest.importorskip("wasmtime", reason="the extra native is not installed")

import wasmtime
from broken_invariants import mutants, purse, random_invariants, without_wrong_ones
from randompacks.engine import Workshop
from randompacks.packs import make
from tools_by_name import tool as tool_of

import patolli
from patolli.compiler import assembly
from patolli.compiler.located import located
from patolli.compiler.noting_natively import NotingNatively
from patolli.kernel.library import SPELT
from patolli.native import held as noting
from patolli.native import holding, memory, translating
from patolli.native import program as programs
from patolli.native.host import Machine
from patolli.native.machines import machine

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
tool = tool_of("native")


def held(rules: patolli.Ruleset, players: int, seeds: range, limit: int = 300):
    """Return what was found of held matches; they are alike in every respect."""
    found = tool.compared(rules, players, seeds, limit, held=True)
    assert found.fine, str(found)
    return found


def test_every_form_of_an_invariant(tmp_path):
    purse(tmp_path)
    rules = patolli.load(str(tmp_path))
    assert held(rules, 2, range(30)).broken > 10
    assert held(rules, 3, range(30)).broken > 10


def test_more_is_written_than_is_noted(tmp_path, monkeypatch):
    """Then all tests are asked, and everything is counted anew."""
    for module in (holding, noting):
        monkeypatch.setattr(module, "NOTES", 2)
    purse(tmp_path)
    assert held(patolli.load(str(tmp_path)), 2, range(30)).broken > 10


def test_tests_that_are_not_asked_are_noticed(tmp_path, monkeypatch):
    source = programs.source_of

    def forgetful(*given, **more):
        found = source(*given, **more)
        found.holding = found.holding and replace(found.holding, readers={})
        return found

    monkeypatch.setattr(programs, "source_of", forgetful)
    purse(tmp_path)
    assert tool.compared(patolli.load(str(tmp_path)), 2, range(30), 300, held=True).different


@pytest.mark.parametrize("name", ["connect_four", "breakthrough"])
def test_a_shipped_pack_without_one_of_its_statements(name, tmp_path):
    broken = 0
    for folder in mutants(tmp_path, name, Random(5), 5):
        try:
            rules = patolli.load(str(folder))
        except patolli.ContentError:
            continue
        broken += held(rules, rules.players[0], range(6)).broken
    assert broken > 3


@pytest.mark.deep
def test_random_packs():
    workshop, broken = Workshop(), 0
    try:
        for seed in range(12):
            rules = without_wrong_ones(make(seed, random_invariants), workshop)
            if rules is not None and rules.resolved.invariants:
                broken += held(rules, rules.players[0], range(4), 60).broken
    finally:
        workshop.close()
    assert broken > 4


# ---- what rules write is noted


class Everything(NotingNatively):
    """Notes all that rules change."""

    def __init__(self, layout, looked_at, *more):
        super().__init__(layout, {location for *_, location in located(layout)}, *more)


def play_and_compare(rules: patolli.Ruleset, players: int, seed: int, most: int) -> int:
    """Play a match; return how often something was changed, and see that all of it was noted."""
    player, random, changes = machine(rules, players + rules.model.automated, held=True), Random(seed), 0
    places = list(located(rules.program(players + rules.model.automated).layout))
    number = player.open(seed)
    written(player)
    for _ in range(most):
        if number < 1:
            break
        before = json.loads(player.state())
        number = player.answer(random.randrange(number))
        now, noted = json.loads(player.state()), written(player)
        changed = {slot for first, end, _ in places for slot in range(first, end) if before[slot] != now[slot]}
        assert noted is None or changed <= noted
        changes += bool(changed)
    return changes


def written(player: Machine) -> set[int] | None:
    """Return the slots that were noted since the last time; None where there were too many."""
    read, store = player._memory.read, player.store
    (size,) = struct.unpack("<q", read(store, memory.NOTED, memory.NOTED + 8))
    player._memory.write(store, struct.pack("<q", 0), memory.NOTED)
    return set(struct.unpack(f"<{size // 8}q", read(store, AT[0], AT[0] + size))) if size <= 8 * holding.NOTES else None


AT = [0]


@pytest.fixture
def everything(monkeypatch):
    """Let rules note all that they change, and say where."""
    monkeypatch.setattr(assembly, "NotingNatively", Everything)
    laid_out = translating.held_against

    def told(*given):
        found = laid_out(*given)
        AT[0] = found["NOTES"]
        return found

    monkeypatch.setattr(translating, "held_against", told)


@pytest.mark.parametrize(
    "case",
    few(["patolli", "founders", "city_of_gods solo altars", "lab", "mosaic"], 0, 3),
)
def test_rules_note_what_they_write(case, everything):
    pack, *modules = case.split()
    rules = patolli.load(str(DATA / pack) if (DATA / pack).exists() else pack, modules)
    assert play_and_compare(rules, rules.players[0], 1, 200) > 3


@pytest.mark.deep
def test_random_packs_note_what_they_write(everything):
    workshop, changes = Workshop(), 0
    try:
        for seed in range(100, 113):
            pack = make(seed)
            rules = workshop.checked(pack.files, pack.options).rules
            if rules is not None:
                with contextlib.suppress(wasmtime.Trap, wasmtime.WasmtimeError):  # a match that fails
                    changes += play_and_compare(rules, rules.players[0], seed, 30)
    finally:
        workshop.close()
    assert changes > 8


@pytest.mark.deep
def test_a_function_that_notes_nothing_is_noticed(everything, monkeypatch):
    monkeypatch.setitem(SPELT, "move_to_list", replace(SPELT["move_to_list"], slots=()))
    with pytest.raises(AssertionError):
        play_and_compare(patolli.load("city_of_gods"), 2, 1, 200)
