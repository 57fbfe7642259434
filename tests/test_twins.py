"""No player reads what the declarations hide, in any pack."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from shipped import BASES, FEW_MODULES, load_shipped
from tiers import few
from twins import told_the_same

from patolli.author.workspace import load
from patolli.check.proofs.answers import Answers
from patolli.run.compiler.seat_view import _ViewCompiler
from patolli.run.runtime.seat_visibility import SeatVisibility

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("little_effort")]

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(__file__).parent / "data"
HUNT = DATA / "hunt"
PACKS = [
    pytest.param("lab", 3, 60, 2, id="lab"),
    pytest.param("sample", 3, 40, 2, id="sample"),
    pytest.param("mosaic", 2, 30, 3, id="mosaic"),
    pytest.param("hunt", 3, 24, 3, id="hunt"),
    pytest.param("convoy", 3, 40, 2, id="convoy"),
]


SORTS = {"views", "options", "reasons", "tales", "answers", "worlds", "bots"}
"""What is compared in the pack ``hunt``; that single answers are, too, a planted leak shows."""


def everybodys(seeing, kind):
    return seeing.constant((True,) * seeing.layout.size(kind))


@pytest.mark.parametrize(("pack", "players", "decisions", "stride"), PACKS)
def test_twins_are_reported_alike(pack, players, decisions, stride):
    rules = load(str(DATA / pack))
    counts = Counter()
    for seed in range(2):
        counts += told_the_same(rules, players, seed, decisions, stride, bots=6)

    assert pack != "hunt" or counts.keys() >= SORTS, counts


@pytest.mark.parametrize("name", few(BASES, deep=10))
def test_twins_of_a_shipped_pack(name):
    rules = load_shipped(name)
    told_the_same(rules, rules.players[1], 1, 30, 7, bots=4)


@pytest.mark.parametrize("name", FEW_MODULES)
def test_twins_of_a_shipped_module(name):
    rules = load_shipped(name)
    told_the_same(rules, rules.players[0], 3, 30, 7, bots=2)


def always(answer):
    return lambda self, *given: answer


@pytest.mark.parametrize(
    ("owner", "name", "instead", "words"),
    [
        pytest.param(Answers, "secret", always(False), "only player", id="answers"),
        pytest.param(Answers, "may_reveal_hidden", always(False), "how many answers", id="only answers"),
        pytest.param(SeatVisibility, "open", always(True), "only player", id="places and counters that are reported"),
        pytest.param(SeatVisibility, "is_known", always(True), "only player", id="what lies on pieces and is reported"),
        pytest.param(SeatVisibility, "value", always(True), "only player|how many answers", id="pieces that are named"),
        pytest.param(SeatVisibility, "field", always(True), "a name tells", id="fields in names"),
        pytest.param(_ViewCompiler, "_mine", everybodys, "sees something hidden", id="places and counters"),
        pytest.param(_ViewCompiler, "list_open", lambda self, _: [True] * 999, "sees something hidden", id="pieces"),
        pytest.param(_ViewCompiler, "_flags", always(""), "sees something hidden", id="what lies on pieces"),
    ],
)
def test_planted_leak_is_found(monkeypatch, owner, name, instead, words):
    monkeypatch.setattr(owner, name, instead)
    rules = load(str(HUNT))

    with pytest.raises(AssertionError, match=words):
        _compare(rules)


def _compare(rules):
    for seed in range(12):
        told_the_same(rules, 3, seed, 60, bots=0)


def test_states_are_gone_on_with_until_there_are_enough():
    command = [sys.executable, "tools/peeking.py", "--states", "30", "--only", "leduc_poker", "--only", "tic_tac_toe"]
    done = subprocess.run([*command, "--bot", "greedy"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    packs, total = done.stdout.splitlines()
    assert packs.startswith("leduc_poker")
    assert 30 <= int(total.split()[0]) < 60
    assert f"{total.split()[0]} decisions" in total
