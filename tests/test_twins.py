"""Nobody is told what the declarations hide, in any pack."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import told_the_same

from patolli.proofs.answers import Answers
from patolli.runtime.eyes import Eyes
from patolli.workspace import load

DATA = Path(__file__).parent / "data"
HUNT = DATA / "hunt"
PACKS = [
    pytest.param(("city_of_gods",), 3, 60, 4, id="city_of_gods"),
    pytest.param(("city_of_gods", "altars", "increased_workforce"), 2, 40, 4, id="with modules"),
    pytest.param(("founders",), 2, 30, 4, id="founders"),
    pytest.param(("patolli",), 3, 30, 3, id="patolli"),
    pytest.param((str(DATA / "lab"),), 3, 60, 1, id="lab"),
    pytest.param((str(DATA / "sample"),), 3, 40, 1, id="sample"),
    pytest.param((str(DATA / "mosaic"),), 2, 30, 2, id="mosaic"),
    pytest.param((str(HUNT),), 3, 60, 1, id="hunt"),
]


@pytest.mark.parametrize(("packs", "players", "decisions", "stride"), PACKS)
def test_twins_are_told_alike(packs, players, decisions, stride):
    rules = load(packs[0], modules=packs[1:])
    for seed in range(3):
        told_the_same(rules, players, seed, decisions, stride)


def test_something_is_compared():
    rules = load(str(HUNT))
    found = [told_the_same(rules, 3, seed, 60) for seed in range(3)]
    counts = {key: sum(one[key] for one in found) for key in found[0]}

    assert all(counts.values()), counts


@pytest.mark.parametrize(
    ("owner", "name", "answer", "words"),
    [
        pytest.param(Answers, "secret", False, "only player", id="answers"),
        pytest.param(Answers, "betrayed", False, "how many answers|only player", id="only answers"),
        pytest.param(Eyes, "open", True, "sees something hidden", id="places and counters"),
        pytest.param(Eyes, "known", True, "sees something hidden", id="what lies on pieces"),
        pytest.param(Eyes, "value", True, "only player", id="pieces that are named"),
    ],
)
def test_planted_leak_is_found(monkeypatch, owner, name, answer, words):
    monkeypatch.setattr(owner, name, lambda self, *given: answer)
    rules = load(str(HUNT))

    with pytest.raises(AssertionError, match=words):
        _compare(rules)


def _compare(rules):
    for seed in range(12):
        told_the_same(rules, 3, seed, 60)
