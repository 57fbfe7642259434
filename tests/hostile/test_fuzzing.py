"""A short run of the fuzzer over shipped packs: the same cases each time. ``tools/fuzz.py`` runs for minutes."""

from __future__ import annotations

from collections import Counter

import pytest
from fuzz import Case, Copies, ended, fuzz, warm
from mutations import HOW, Change, changed


@pytest.mark.deep
def test_broken_packs_are_only_reported():
    seen: Counter[str] = Counter()
    fuzz(["tic_tac_toe", "patolli", "connect_four"], 80, 1, seen)
    assert seen["cases"] == 80
    assert len([code for code in seen if code.startswith("P")]) > 15


def test_every_change_changes_something():
    data = b"document: rules\nrules:\n  one:\n    text: Words.\n    do: gain 3 coin; if coin > 2: stop\n"
    for how in HOW:
        assert any(changed(data, [Change(how, at, one, 1)]) != data for at in (1, 500_000) for one in range(5)), how


@pytest.mark.deep
def test_limits_hold(tmp_path, monkeypatch):
    """What takes too long or too much is a failure, so that a hang is seen as one."""
    warm()
    with Copies(tmp_path).broken(Case("tic_tac_toe", ())) as pack:
        assert ended(pack).fine
        monkeypatch.setattr("fuzz.check", lambda pack: ["x" * 10**9])
        assert not ended(pack, memory=500_000_000).fine
        monkeypatch.setattr("fuzz.check", lambda pack: [str(x) for x in iter(int, 1)])
        assert not ended(pack, seconds=1).fine


@pytest.mark.deep
def test_faults_that_were_found(tmp_path):
    """A range of one number, and a player by another name, ended in tracebacks."""
    warm()
    copies = Copies(tmp_path)
    for pack, file, change in (
        ("patolli", "pack.yaml", Change("word", 846_322, 0, 0)),
        ("altars", "scenarios/with_solo.yaml", Change("word", 24_034, 0, 1)),
    ):
        with copies.broken(Case(pack, ((file, (change,)),))) as path:
            assert ended(path).fine
