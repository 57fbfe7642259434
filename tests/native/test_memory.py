"""Objects that nothing leads to are forgotten while a match goes on, as often as it takes."""

from __future__ import annotations

from hashlib import sha256

import pytest
from tiers import few

import patolli
from patolli.measure.simulation import playout
from patolli.run.native.linker import Linker
from patolli.run.native.program import source_of
from patolli.run.native.support import objects, state_writer


def machine_of(rules, monkeypatch=None, least=0):
    """Make a machine that looks what may be forgotten when there are more bytes than *least*."""
    wasmtime = pytest.importorskip("wasmtime", reason="the extra native is not installed")
    from patolli.run.native.host import Machine, engine

    if monkeypatch is not None:
        monkeypatch.setattr(objects, "LEAST", least)
        monkeypatch.setattr(state_writer, "LEAST", least)
    linker = Linker(source_of(rules, rules.players[0] + rules.model.automated))
    runtime = engine()
    return Machine(runtime, wasmtime.Module(runtime, linker.link()), linker.floor, linker.streams())


def compare(rules, machine, seeds):
    for seed, played in zip(seeds, machine.play(seeds, 10_000), strict=True):
        match = playout(rules, rules.players[0], seed)
        assert (played.status, played.choices) == (1, len(match.choices))
        assert sha256(played.state).hexdigest() == match.digest()


@pytest.mark.parametrize("pack", few(["go", "curios", "skerry"], "curios"))
@pytest.mark.parametrize("least", [1 << 10, 1 << 13])
def test_little_memory_changes_nothing(pack, least, monkeypatch):
    rules = patolli.load(pack)
    compare(rules, machine_of(rules, monkeypatch, least), range(12))


@pytest.mark.parametrize("least", range(1024, 1104, 8))
def test_memory_that_is_full_to_the_last_byte(least, monkeypatch):
    """A choice takes up to 72 bytes here, so with one of these numbers a match meets its limit exactly."""
    rules = patolli.load("connect_four")
    compare(rules, machine_of(rules, monkeypatch, least), range(3))


def test_rollouts_are_matches():
    """Sums of many matches from one generator: as many choices as such matches have, and one winner at most in each."""
    rules = patolli.load("connect_four")
    machine = machine_of(rules)
    choices, measures = machine.rollouts(7, 500, 100)
    assert 7 * 500 < choices <= 42 * 500
    assert len(measures) == 2
    assert 480 < sum(measures) <= 500
    assert machine.rollouts(7, 500, 100) == (choices, measures)
    assert machine.rollouts(8, 500, 100) != (choices, measures)
