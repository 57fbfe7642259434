"""Matches that are played natively are those of Python: choices, states, measures, and what fails."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from tiers import few

pytest.importorskip("wasmtime", reason="the extra native is not installed")

from packmaker import loaded, trigger
from test_constructs import ROWS
from tools_by_name import tool as tool_of

import patolli
from patolli.kernel.budget import scarce
from patolli.language.diagnostics.codes import CODES
from patolli.measure.simulation import playout
from patolli.run.native.host import Machine, Played
from patolli.run.native.machines import machine
from patolli.run.runtime import MatchError

tool = tool_of("native")


@pytest.mark.parametrize("pack", few(tool.shipped(), "connect_four", "curios", "skerry"))
def test_pack(pack):
    rules = patolli.load(pack)
    found = tool.compared(rules, rules.players[0], range(3), steps=1)
    assert found.fine, str(found)
    if rules.resolved_program.invariants:
        found = tool.compared(rules, rules.players[0], range(3, 6), held=True)
        assert found.fine, str(found)
        assert not found.faults


@pytest.mark.deep
@pytest.mark.parametrize(
    "modules",
    [
        ("solo", "bot_movement"), ("altars", "empire", "mansion", "draft"), ("increased_workforce", "obsidian"),
        ("abrupt_eclipse", "random_pyramid", "first_game"),
    ],
    ids="+".join,
)  # fmt: skip
def test_modules(modules):
    rules = patolli.load("city_of_gods", modules)
    found = tool.compared(rules, rules.players[1], range(3))
    assert found.fine, str(found)


@pytest.mark.deep
def test_modules_with_invariants_held():
    rules = patolli.load("city_of_gods", ("solo", "mansion", "altars", "obsidian", "empire"))
    found = tool.compared(rules, rules.players[0], range(3), held=True)
    assert found.fine, str(found)
    assert not found.faults


@pytest.mark.parametrize("row", few(ROWS.values(), 0, 4, 8, 12, 16, 20, 24, 28, 32), ids=ROWS)
def test_construct(row, tmp_path):
    rules = loaded(tmp_path, row["pack"])
    found = tool.compared(rules, rules.players[1], range(2), limit=200, steps=1)
    assert found.fine, str(found)


@pytest.mark.parametrize("first", ['"none": nothing', 'for cs in {hand(me), deck} "first": gain size(cs) coin'])
def test_lines_that_list_something_twice(first, tmp_path):
    """Several such lines in a row are lists, and no numbers that are added."""
    more = "".join(f'\n  for cs in {{hand(me), deck}} "line {k}": gain size(cs) coin' for k in (1, 2, 3))
    rules = loaded(tmp_path, trigger(f"choose one:\n  {first}{more}"))
    found = tool.compared(rules, rules.players[1], range(2), limit=200, steps=1)
    assert found.fine, str(found)


@pytest.mark.deep
def test_packs_made_at_random():
    compared = [tool.compared(rules, rules.players[0], range(3), steps=1) for _, rules in tool.made_by_chance(500, 8)]
    assert [str(found) for found in compared if not found.fine] == []
    assert len(compared) > 2


# ---- what is reported when something differs


@pytest.fixture
def rules():
    return patolli.load("patolli")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        pytest.param({"choices": 3}, "3 natively", id="number of choices"),
        pytest.param({"status": 0}, "over in Python alone", id="not over"),
        pytest.param({"state": b"[]"}, "the state at the end", id="state"),
        pytest.param({"measures": [7, 7]}, "it counts", id="measures"),
    ],
)
def test_difference_is_noticed(rules, monkeypatch, changed, told):
    play = Machine.play
    monkeypatch.setattr(Machine, "play", lambda *given: [replace(one, **changed) for one in play(*given)])
    found = tool.compared(rules, 2, range(2))
    assert not found.fine
    assert told in str(found)
    assert "DIFFER" in str(found)


def test_match_that_is_left_to_python_is_noticed(rules, monkeypatch):
    monkeypatch.setattr(Machine, "play", lambda self, seeds, *_: [Played(2, 0, (), b"") for _ in seeds])
    found = tool.compared(rules, 2, range(2))
    assert not found.fine
    assert found.needless == [0, 1]


def test_step_that_differs_is_noticed(rules, monkeypatch):
    monkeypatch.setattr(Machine, "state", lambda self: b"[]")
    assert tool.compared(rules, 2, range(2), steps=1).different == [(0, "the state after 0 choices")]


# ---- limits


def test_match_is_left_after_so_many_choices(rules):
    (one,) = machine(rules, 2).play([5], 7)
    match = playout(rules, 2, 5, limit=7)
    assert (one.status, one.choices) == (0, 7)
    assert sha256(one.state).hexdigest() == match.digest()


CODES_OF_FAULTS = [code for code in CODES.values() if code.wrong and "P0800" < code.code < "P0900"]


@pytest.mark.deep
@pytest.mark.parametrize("code", CODES_OF_FAULTS, ids=lambda code: code.code)
def test_what_fails_in_python_is_left_to_it(code, tmp_path):
    """With the invariants held; examples in which a scenario fails play on, and do so alike."""
    rules = loaded(tmp_path, code.wrong)
    for seed, one in enumerate(machine(rules, 2, checked=True).play(range(6), 300)):
        try:
            match = playout(rules, 2, seed, limit=300, invariants=True)
        except MatchError:
            assert one.status == 2
        else:
            assert one.status in (match.over, 2)  # where a program comes close to its limits, Python may go on


def test_matches_that_need_more_steps_than_there_are_fail_in_both(tmp_path):
    """How many steps a choice takes depends on how rich the player is: a few more, and they do not last."""
    rules = loaded(tmp_path, trigger("let v = count(a + b for a in 1..(1 + coin * 40), b in 1..1000 where a != b)"))
    failed = 0
    with scarce(1_000_000):
        found = tool.compared(rules, 2, range(30), steps=3)
        failed += found.faults
    assert found.fine, str(found)
    assert 0 < failed < 30
