"""What numbers and lengths the domain finds for expressions: all that may be, and no more than that."""

from __future__ import annotations

import pytest

from patolli.program import effects as e
from patolli.program.node import walk
from patolli.proofs.domain import Domain
from patolli.proofs.intervals import Interval
from patolli.workspace import load

PACK = """document: pack
id: ranges
version: 1.0.0
language: 1
title: Ranges
players: {min: 2, max: 4}
options:
  start: {choices: [normal, short], default: normal}
  bonus: {range: [1, 3], default: 1}
"""
MODEL = """document: model
enums: {mood: [calm, wild, odd]}
kinds:
  card:
    facts: {worth: int, gifts: list of int, gain: int = 8}
    fields: {rank: int 2..6 = 2, level: int 3..99 = 5, odd: int 4..7 = 4, keeper: player or none}
  stone: {}
  meeple: {per: player, copies: 2}
  hare: {per: player}
counters:
  coin: {per: player}
  nut: {per: player, max: 5}
  debt: {per: player, min: -2, max: 3}
  fame: {per: player, min: 2, max: 6}
  crown: {per: player, start: 7, max: 9}
  late: {per: player, start: bonus}
  bell: {max: seats + bonus}
groups: {good: [nut, debt]}
grids:
  cell: {rows: 2, columns: 3}
  lot: {per: player, rows: 1, columns: 4, prefix: lot_}
constants:
  ladder: {type: list of int, value: [0, 1, 3, 6]}
  rounds: {type: int, value: {by: start, normal: 4, short: 2}}
  per_seat: {type: int, value: {by: seats, 2: 20, 3: 30, else: 40}}
  steps: {type: list of int, value: {by: start, normal: [1, 2, 3], short: [5]}}
  none_at_all: {type: list of int, value: []}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  shelf: {of: card, type: row, size: bonus}
  wide: {of: card, type: row, size: 99}
  throne: {of: card, type: spot}
  quarry: {of: stone, type: pile}
"""
CARDS = """document: pieces
kind: card
place: deck
pieces:
  plain: {copies: 3, worth: 2 * copy, gifts: [1, 2]}
  rich: {copies: bonus, worth: 5, gifts: [4], gain: 3}
  lone: {worth: 1 if seats > 2 else 0 - 4, gifts: [7, 9, 8]}
"""
STONES = "document: pieces\nkind: stone\nplace: quarry\npieces: {grey: {copies: seats}}\n"
HARES = "document: pieces\nkind: hare\npieces: {hare: {}, fast: {copies: 2}}\n"
FUNCTIONS = """functions:
  double(int n): n * 2
  twice(int n): double(double(n))
  factorial(int n): {is: 1 if n < 2 else n * factorial(n - 1), type: int}
  ping(int n): {is: pong(n - 1) if n > 0 else 1, type: int}
  pong(int n): {is: ping(n), type: int}
  nuts: nut
"""
NUMBERS = {
    "3": (3, 3),
    "seats": (2, 4),
    "bonus": (1, 3),
    "rounds": (2, 4),
    "per_seat": (20, 40),
    "ladder[1]": (0, 6),
    "steps[0]": (1, 5),
    "lone.worth": (-4, None),
    "lone.gain": (3, 8),
    "lone.gifts[0]": (1, 9),
    "lone.rank": (2, 6),
    "lone.level": (3, 99),
    "lone.odd": (4, 7),
    "coin": (0, None),
    "nut": (0, 5),
    "debt": (-2, 3),
    "fame": (2, 6),
    "crown": (0, 9),
    "late": (0, None),
    "bell": (0, 7),
    "max(have(g) for g in good)": (-2, 5),
    "-debt": (-3, 2),
    "nut + 2": (2, 7),
    "nut - debt": (-3, 7),
    "nut * debt": (-10, 15),
    "nut div 2": (0, 2),
    "nut mod 3": (0, 2),
    "nut if coin > 2 else 9": (0, 9),
    "9 if coin > 2 else nut": (0, 9),
    "double(nut)": (0, 10),
    "twice(nut)": (0, 20),
    "nuts()": (0, 5),
    "factorial(3)": (None, None),
    "ping(3)": (None, None),
    "size(players)": (2, 4),
    "size(card)": (5, 7),
    "size(stone)": (2, 4),
    "size(meeple)": (4, 8),
    "size(hare)": (6, 12),
    "size(cell)": (6, 6),
    "size(lot)": (8, 16),
    "size(mood)": (3, 3),
    "size(good)": (2, 2),
    "size(ladder)": (4, 4),
    "size(steps)": (1, 3),
    "size(none_at_all)": (0, 0),
    "size(lone.gifts)": (1, 3),
    "size(hand(me))": (0, 7),
    "size(deck)": (0, 7),
    "size(quarry)": (0, 4),
    "size(shelf)": (0, 3),
    "size(wide)": (0, 7),
    "size({4, 5, 6})": (3, 3),
    "size([x in nut..9])": (5, 10),
    "size([x in 4..nut])": (0, 2),
    "sum(x for x in 2..nut)": (0, 20),
    "min(x for x in nut..7)": (0, 7),
    "count(c in hand(me) where c.rank > 2)": (0, 7),
    "count(p in players)": (2, 4),
    "size([c for p in players, c in cell])": (12, 24),
    "count(ladder)": (4, 4),
    "sum(nut(p) for p in players)": (0, 20),
    "sum(debt(p) for p in players)": (-8, 12),
    "sum(x for x in {1, 2})": (2, 4),
    "sum({3, 4})": (6, 8),
    "sum(none_at_all)": (0, 0),
    "max(none_at_all)": (0, 0),
    "max(c.rank for c in hand(me))": (0, 6),
    "min(c.rank for c in deck)": (0, 6),
    "max(c.rank for c in card)": (2, 6),
    "min(x for x in {3, 4})": (3, 4),
    "min({3, 9})": (3, 9),
    "max([c.rank for c in card])": (2, 6),
    "size(distinct({1, 1, 2}))": (1, 3),
    "size(distinct([c.rank for c in hand(me)]))": (0, 7),
    "size(sorted({2, 1}))": (2, 2),
    "sorted({2, 1})[0]": (1, 2),
    "[double(x) for x in {1, 2}][0]": (2, 4),
    "[y for x in {1, 2}, y in x..6][0]": (1, 6),
    "abs(debt)": (0, 3),
    "abs(debt - 9)": (6, 11),
    "min(nut, 3)": (0, 3),
    "max(nut, 3)": (3, 5),
    "min(nut, debt, 2)": (-2, 2),
    "max(nut, debt, 2)": (2, 5),
    "number(me)": (1, 4),
    "number(lone)": (1, 7),
    "position({7, 8}, 8)": (-1, 1),
    "position(hand(me), lone)": (-1, 6),
    "size(rotate({1, 2}, 1))": (2, 2),
    "rotate({1, 2}, 1)[0]": (1, 2),
    "reverse({3, 4})[0]": (3, 4),
    "size(take(hand(me), 2))": (0, 2),
    "size(take({1, 2, 3}, nut))": (0, 3),
    "size(take({1, 2, 3}, debt))": (0, 3),
    "take({4, 6}, 1)[0]": (4, 6),
    "size(others(me))": (1, 3),
    "size(turn_order(me))": (2, 4),
    "size(adjacent(a1))": (2, 3),
    "size(around(a1))": (3, 5),
    "size(ray(a1, 1, 0))": (0, 3),
    "size(connected({a1, b1}, a1))": (0, 2),
    "size(owned(meeple))": (2, 2),
    "size(owned(hare))": (3, 3),
    "size(owned(lot))": (4, 4),
    "size(lines(a1, 2))": (0, None),
}
"""Numbers that expressions may give."""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Return what the domain finds for each expression, and the domain."""
    folder = tmp_path_factory.mktemp("ranges")
    body = "".join(f"    set coin to {text}\n" for text in NUMBERS)
    rules = f"document: rules\n{FUNCTIONS}rules:\n  match: tried()\n  tried: |\n{body}"
    texts = (("pack", PACK), ("model", MODEL), ("cards", CARDS), ("stones", STONES), ("hares", HARES), ("rules", rules))
    for name, text in texts:
        (folder / f"{name}.yaml").write_text(text)
    program = load(str(folder)).model.program
    values = [node.value for node in walk(program.rules["tried"].block) if isinstance(node, e.Set)]
    domain = Domain(program)
    return {text: domain.number(value) for text, value in zip(NUMBERS, values, strict=True)}


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers(found, text):
    assert found[text] == Interval(*NUMBERS[text])
