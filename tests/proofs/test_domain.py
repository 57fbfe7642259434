"""What numbers and lengths the domain finds for expressions: all that may be, and no more than that."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load
from patolli.check.proofs.domain import Domain
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.intervals import Interval
from patolli.language.program import effects as e
from patolli.language.program.summaries import Summaries

PACK = """document: pack
id: ranges
version: 1.0.0
language: 1
proofs: full
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
  one(int n): {is: two(n) if n > 0 else 1, type: int}
  two(int n): {is: three(n), type: int}
  three(int n): {is: one(n - 1), type: int}
  nuts: nut
  able: nut > 2
"""
NUMBERS = {
    "3": (3, 3),
    "seats": (2, 4),
    "bonus": (1, 3),
    "rounds": (2, 4),
    "per_seat": (20, 40),
    "ladder[1]": (0, 6),
    "steps[0]": (1, 5),
    "lone.worth": (-4, 1),
    "plain_2.worth": (2, None),
    "rich_1.worth": (5, 5),
    "rich_1.gain": (3, 3),
    "plain_1.gain": (8, 8),
    "size(rich_1.gifts)": (1, 1),
    "min(lone.gifts)": (7, 9),
    "(plain_1 if seats > 2 else rich_1).worth": (-4, None),
    "(plain_1 if seats > 2 else rich_1).gain": (3, 8),
    "size((plain_1 if seats > 2 else rich_1).gifts)": (1, 3),
    "min((plain_1 if seats > 2 else rich_1).gifts)": (1, 9),
    "lone.gain": (8, 8),
    "lone.gifts[0]": (7, 9),
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
    "one(3)": (None, None),
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
    "size(lone.gifts)": (3, 3),
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
TOLD = [
    ("nut > 2", "nut", (3, 5)),
    ("nut >= 2", "nut", (2, 5)),
    ("nut < 2", "nut", (0, 1)),
    ("nut <= 2", "nut", (0, 2)),
    ("nut == 3", "nut", (3, 3)),
    ("nut != 0", "nut", (1, 5)),
    ("nut != 5", "nut", (0, 4)),
    ("nut != 3", "nut", (0, 5)),
    ("not nut > 2", "nut", (0, 2)),
    ("not nut == 0", "nut", (1, 5)),
    ("2 < nut", "nut", (3, 5)),
    ("2 >= nut", "nut", (0, 2)),
    ("nut > 1 and nut < 4", "nut", (2, 3)),
    ("not (nut <= 1 or nut >= 4)", "nut", (2, 3)),
    ("nut > 1 or coin > 2", "nut", (0, 5)),
    ("nut > 3 or coin > 5; coin <= 5", "nut", (4, 5)),
    ("coin <= 5; nut > 3 or coin > 5", "nut", (4, 5)),
    ("coin > 5 or nut > 3; not coin > 5", "nut", (4, 5)),
    ("not (nut > 3 and coin > 5); coin > 5", "nut", (0, 3)),
    ("nut > 3 if coin > 5 else nut < 2; coin > 5", "nut", (4, 5)),
    ("nut > 3 if coin > 5 else nut < 2; coin <= 5", "nut", (0, 1)),
    ("nut > 3 if coin > 5 else nut < 2", "nut", (0, 5)),
    ("nut > 3 if coin > 5 else false", "nut", (4, 5)),
    ("nut > 3 if coin > 5 else false", "coin", (6, None)),
    ("false if coin > 5 else nut > 3", "nut", (4, 5)),
    ("false if coin > 5 else nut > 3", "coin", (0, 5)),
    ("not (true if coin > 5 else nut > 3)", "nut", (0, 3)),
    ("nut + 2 > 5", "nut", (4, 5)),
    ("2 + nut > 5", "nut", (4, 5)),
    ("nut - 1 >= 2", "nut", (3, 5)),
    ("5 < nut + 2", "nut", (4, 5)),
    ("coin >= nut; nut >= 3", "coin", (3, None)),
    ("coin < debt", "coin", (0, 2)),
    ("coin < debt", "debt", (1, 3)),
    ("coin <= nut + 1", "coin", (0, 6)),
    ("coin > late; late > nut; nut > 1", "coin", (4, None)),
    ("coin < late; late < nut", "coin", (0, 3)),
    ("nut == debt", "debt", (0, 3)),
    ("nut == debt", "nut", (0, 3)),
    ("coin in 2..6", "coin", (2, 6)),
    ("coin in nut..6; nut > 1", "coin", (2, 6)),
    ("coin not in 2..6", "coin", (0, None)),
    ("size(hand(me)) > 2", "size(hand(me))", (3, 7)),
    ("hand(me)", "size(hand(me))", (1, 7)),
    ("not hand(me)", "size(hand(me))", (0, 7)),
    ("any(hand(me))", "size(hand(me))", (1, 7)),
    ("top(deck)", "size(deck)", (1, 7)),
    ("count(hand(me)) > 2", "size(hand(me))", (3, 7)),
    ("size(hand(me)) > 2", "count(hand(me))", (3, 7)),
    ("size(reverse(hand(me))) > 2", "size(hand(me))", (3, 7)),
    ("size(rotate(hand(me), 1)) > 2", "size(hand(me))", (3, 7)),
    ("size(others(me)) > 1", "seats", (3, 4)),
    ("size(others(me)) > 1", "size(players)", (3, 4)),
    ("size(turn_order(me)) < 3", "seats", (2, 2)),
    ("lone in hand(me)", "position(hand(me), lone)", (0, 6)),
    ("lone not in hand(me)", "position(hand(me), lone)", (-1, 6)),
    ("able()", "nut", (3, 5)),
    ("not able()", "nut", (0, 2)),
    ("nut > 2", "nut * 2", (6, 10)),
    ("nut > 2", "nut if nut > 1 else 99", (3, 99)),
    ("nut > 2", "nut if nut > 2 else 99", (3, 5)),
    ("nut <= 2", "99 if nut > 2 else nut", (0, 2)),
    ("coin > 2", "nut", (0, 5)),
    ("let m = min(nut, coin); m > 2", "coin", (3, None)),
    ("let m = min(nut, coin); m > 2", "nut", (3, 5)),
    ("let m = max(nut, coin); m < 3", "coin", (0, 2)),
    ("let m = max(nut, coin); m < 3", "nut", (0, 2)),
    ("let m = nut + 1; m > 3", "nut", (3, 5)),
    ("nut > 3; let m = nut + 1", "m", (5, 6)),
    ("let h = hand(me); h", "size(h)", (1, 7)),
    ("let f = lone; f in hand(me)", "position(hand(me), lone)", (0, 6)),
    ("nut(next(me)) > 2", "nut", (0, 5)),
    ("nut(next(me)) > 2", "nut(next(me))", (3, 5)),
]
"""What is known where some conditions hold, of a number."""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return the pack with all expressions: the numbers first, then what is reported in a block for each."""
    folder = tmp_path_factory.mktemp("ranges")
    body = "".join(f"    set coin to {text}\n" for text in NUMBERS)
    for conditions, text, _ in TOLD:
        indent = "    "
        for condition in ("true", *conditions.split("; ")):
            named = condition.startswith("let ")
            body += f"{indent}{condition}\n" if named else f"{indent}if {condition}:\n"
            indent += "" if named else "  "
        body += f"{indent}set coin to {text}\n"
    rules = f"document: rules\n{FUNCTIONS}rules:\n  match: tried()\n  tried: |\n{body}"
    texts = (("pack", PACK), ("model", MODEL), ("cards", CARDS), ("stones", STONES), ("hares", HARES), ("rules", rules))
    for name, text in texts:
        (folder / f"{name}.yaml").write_text(text)
    return load(str(folder)).model.program


@pytest.mark.parametrize("at", range(len(NUMBERS)), ids=NUMBERS)
def test_numbers(program, at):
    effect = program.rules["tried"].block[at]

    assert Domain(program).number(effect.value) == Interval(*list(NUMBERS.values())[at])


@pytest.mark.parametrize("at", range(len(TOLD)), ids=[f"{text}, where {conditions}" for conditions, text, _ in TOLD])
def test_numbers_where_something_holds(program, at):
    effect, domain = program.rules["tried"].block[len(NUMBERS) + at], Domain(program)
    facts = Facts(domain, Summaries(program))
    while isinstance(effect, e.If):
        facts.learn(effect.condition)
        *named, effect = effect.then
        for let in named:
            facts.name(let.variable, let.value)

    assert domain.number(effect.value, facts) == Interval(*TOLD[at][2])
