"""What invariants look at is noted, and no more: place by place, and not what holds whatever rules do."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import patolli
from patolli.compiler.certain import split
from patolli.compiler.sightings import sightings
from patolli.kernel.library import BETWEEN, LIBRARY, WRITES
from patolli.runtime.invariants import BrokenInvariant
from patolli.simulation.playout import playout

PACK = "document: pack\nid: purse\nversion: 1.0.0\nlanguage: 1\ntitle: Purse\nplayers: {min: 2, max: 3}\n"
MODEL = """\
document: model
kinds:
  card: {fields: {rank: int 1..6 = 1}}
  coin: {}
counters:
  debt: {per: player, min: -9}
  stone: {per: player}
  wood: {per: player, max: 4}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  shelf: {of: card, type: row, size: 2}
  bank: {of: coin, type: pile}
"""
CARDS = "document: pieces\nkind: card\npieces: {small: {copies: 5}, large: {}}\n"
COINS = "document: pieces\nkind: coin\npieces: {penny: {copies: 3}}\n"
RULES = """\
document: rules
functions:
  held(player p): size(hand(p))
rules:
  setup: {do: "for c in card: move c to deck\\nfor k in coin: move k to bank"}
  match:
    do: |
      repeat 20 times:
        choose one:
          "stone": gain 1 stone
          "wood": gain 1 wood
          "owe": lose 1 debt
          "draw": draw 1 from deck to hand(me)
          "fill": refill shelf from deck
          "close": slide shelf
          "mark": for c in card: set c.rank to 6
        pass to next(me)
result: {score: stone}
"""


def purse(folder: Path, invariants: str) -> patolli.Ruleset:
    folder.mkdir()
    for name, text in {"pack": PACK, "model": MODEL, "cards": CARDS, "coins": COINS}.items():
        (folder / f"{name}.yaml").write_text(text)
    (folder / "rules.yaml").write_text(RULES + "invariants:\n" + invariants)
    return patolli.load(str(folder))


def seen(rules: patolli.Ruleset) -> set[tuple[str, ...]]:
    conditions = [condition for condition, _ in rules.resolved.invariants.values()]
    found = sightings(rules.resolved, rules.prover.summaries, conditions)
    return {location for location in found if location[0] != "variable"}


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("size(deck) < 9", {("place", "deck")}),
        ("all(held(p) < 9 for p in players)", {("place", "hand")}),
        ("all(c in deck or c in shelf for c in card)", {("at", "card"), ("place", "shelf")}),
        ("all(place_of(c, hand) != players[0] for c in card)", {("at", "card")}),
        ("not shelf or shelf[0] in deck", {("place", "shelf"), ("at", "card")}),
        ("all(c.rank > 1 for c in hand(players[0]))", {("place", "hand"), ("field", "card", "rank")}),
        ("stone(players[0]) < size(bank)", {("counter", "stone"), ("place", "bank")}),
    ],
)
def test_places_are_told_apart(condition, wanted, tmp_path):
    assert seen(purse(tmp_path / "purse", f"  one: {{always: '{condition}'}}\n")) == wanted


CERTAIN = {
    "all(stone(p) >= 0 for p in players)": True,
    "all(wood(p) < 5 and stone(p) > -1 for p in players)": True,
    "all(1 <= c.rank <= 6 for c in card)": True,
    "size(shelf) <= 2": True,
    "all(debt(p) >= 0 for p in players)": False,
    "all(wood(p) < 4 for p in players)": False,
    "all(stone(p) < 3 for p in players)": False,
    "all(c.rank < 6 for c in card)": False,
    "size(deck) < 6": False,
}


@pytest.mark.parametrize(("condition", "wanted"), CERTAIN.items())
def test_what_is_certain(condition, wanted, tmp_path):
    rules = purse(tmp_path / "purse", f"  one: {{always: '{condition}'}}\n")
    (always,) = [one for one, _ in rules.resolved.invariants.values()]
    assert (split(always, rules.prover.certain)[0] == []) is wanted


@pytest.mark.parametrize("condition", [condition for condition, certain in CERTAIN.items() if not certain][:-1])
def test_what_is_not_certain_is_found_when_a_rule_breaks_it(condition, tmp_path):
    """Beside what is certain, in one condition: only that is left out."""
    rules = purse(tmp_path / "purse", f"  one: {{always: '{condition} and all(stone(p) >= 0 for p in players)'}}\n")

    def broken(seed: int) -> bool:
        try:
            playout(rules, None, seed, invariants=True)
        except BrokenInvariant:
            return True
        return False

    assert any(broken(seed) for seed in range(20))


def test_nothing_is_noted_where_all_is_certain(tmp_path):
    rules = purse(
        tmp_path / "purse", "".join(f"  i{n}: {{always: '{one}'}}\n" for n, one in enumerate(CERTAIN) if n < 4)
    )
    match, random = rules.start(None, 1, noting=True), Random(1)
    while match.pending is not None:
        match.pick(random.randrange(len(match.pending)))
    assert match.program.written == []


@pytest.mark.parametrize(
    ("name", "state", "arguments", "wanted"),
    [
        ("refill", [[], 7, -1, 8], (1, 3, 0), set()),  # the pile is empty
        ("refill", [[9], 7, 6, 8], (1, 3, 0), set()),  # no spot is free
        ("refill", [[9, 5], -1, 7, -1], (1, 3, 0), {0, 1, 3}),
        ("refill", [[9], -1, 7, -1], (1, 3, 0), {0, 1}),
        ("slide", [0, 7, 8, -1], (1, 3), set()),
        ("slide", [0, 7, 8, 9], (1, 3), set()),
        ("slide", [0, 7, -1, 9], (1, 3), {2, 3}),
        ("draw", [[], [3]], (1, 0, 1), set()),
        ("draw", [[4], [3]], (0, 0, 1), set()),
        ("draw", [[4], [3]], (1, 0, 1), {0, 1}),
    ],
)
def test_places_that_do_not_change_are_not_noted(name, state, arguments, wanted):
    """Slots from 10 on say where the pieces are."""
    before = [*map(lambda one: one[:] if isinstance(one, list) else one, state), *[0] * (20 - len(state))]
    told = {
        number: set(writes[name](before, 10, *arguments))
        for number, writes in enumerate((WRITES, BETWEEN))
        if name in writes
    }
    after = [one[:] if isinstance(one, list) else one for one in before]
    LIBRARY[name](after, 10, *arguments)
    changed = {slot for slot in range(20) if after[slot] != before[slot]}
    assert {slot for slot in changed if slot < 10} == wanted
    for slots in told.values():
        assert {slot for slot in slots if slot < 10} == wanted
    assert changed <= told[0]
