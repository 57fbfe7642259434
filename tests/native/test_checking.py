"""Natively an invariant breaks after the same choice as in Python, and holds wherever it does there."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("wasmtime", reason="the extra native is not installed")

from broken_invariants import mutants, purse, random_invariants, without_wrong_ones
from randompacks.engine import Workshop
from randompacks.packs import make
from tools_by_name import tool as tool_of

import patolli
from patolli.run.compiler import affected

tool = tool_of("native")


def checked(rules: patolli.Ruleset, players: int, seeds: range, limit: int = 300):
    """Return what was found of matches that are checked; they are alike in every respect."""
    found = tool.compared(rules, players, seeds, limit, held=True)
    assert found.fine, str(found)
    return found


def test_every_form_of_an_invariant(tmp_path):
    purse(tmp_path)
    rules = patolli.load(str(tmp_path))
    assert checked(rules, 2, range(30)).broken > 10
    assert checked(rules, 3, range(30)).broken > 10


def test_invariants_that_share_a_bit(tmp_path, monkeypatch, own_cache):
    monkeypatch.setattr(affected, "BITS", 3)
    purse(tmp_path)
    assert checked(patolli.load(str(tmp_path)), 2, range(30)).broken > 10


def test_blocks_that_do_not_say_what_they_break_are_noticed(tmp_path, monkeypatch, own_cache):
    monkeypatch.setattr(affected.Affected, "by_all_of", lambda self, effect: 0)
    monkeypatch.setattr(affected.Affected, "by_itself", lambda self, effect: 0)
    purse(tmp_path)
    assert tool.compared(patolli.load(str(tmp_path)), 2, range(30), 300, held=True).different


PACK = {
    "pack": "document: pack\nid: purse\nversion: 1.0.0\nlanguage: 2\ntitle: Purse\nplayers: {min: 2, max: 3}\n",
    "model": """\
document: model
kinds:
  card: {facts: {gift: effect}, fields: {owner: player or none}}
counters:
  coin: {per: player}
  debt: {per: player, min: -9}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
""",
    "cards": "document: pieces\nkind: card\npieces: {small: {copies: 8, gift: gain 1 coin}}\n",
}
TURNS = 'rules:\n  match: {do: "repeat 12 times:\\n  turn()\\n  pass to next(me)"}\n'
WAYS = {
    "an anytime action": "  turn: {do: 'CHOICE'}\nanytime: {grab: {label: grab, when: coin < 9, do: gain 1 coin}}\n",
    "the body of a rule whose trigger asks": (
        "  turn: {do: earn()}\n  earn: {do: gain 1 coin}\ntriggers: {also: {after: earn, do: 'CHOICE'}}\n"
    ),
    "a trigger": "  turn: {do: earn()}\n  earn: {do: 'CHOICE'}\ntriggers: {also: {after: earn, do: gain 1 coin}}\n",
    "a rule that one calls": (
        "  turn: {do: 'CHOICE'}\n  earn: {do: gain 1 coin}\ntriggers: {also: {before: turn, do: earn()}}\n"
    ),
    "the effect of a piece": "  turn: {do: 'CHOICE; for c in card where number(c) < 2: do c.gift'}\n",
    "a loop that asks": "  turn:\n    do: |\n      for i in 1..2:\n        CHOICE\n        gain 1 coin\n",
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_break_one(way, tmp_path):
    rules = WAYS[way].replace("CHOICE", 'choose n in 1..2 "Which?"')
    few = "invariants: {few: {always: 'all(coin(p) < 4 for p in players)'}}\n"
    for name, text in {**PACK, "rules": f"document: rules\n{TURNS}{rules}{few}"}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    assert checked(patolli.load(str(tmp_path)), 2, range(8)).broken > 3


@pytest.mark.parametrize("name", ["connect_four", "breakthrough"])
def test_a_shipped_pack_without_one_of_its_statements(name, tmp_path):
    broken = 0
    for folder in mutants(tmp_path, name, Random(5), 5):
        try:
            rules = patolli.load(str(folder))
        except patolli.ContentError:
            continue
        broken += checked(rules, rules.players[0], range(6)).broken
    assert broken > 3


@pytest.mark.deep
def test_random_packs():
    workshop, broken = Workshop(), 0
    try:
        for seed in range(12):
            rules = without_wrong_ones(make(seed, random_invariants), workshop)
            if rules is not None and rules.resolved_program.invariants:
                broken += checked(rules, rules.players[0], range(4), 60).broken
    finally:
        workshop.close()
    assert broken > 4
