"""Facts and constants may be computed by functions and by going over lists, once for each match program."""

from __future__ import annotations

from pathlib import Path

from patolli.author.workspace import load

PACK = "document: pack\nid: facty\nversion: 1.0.0\nlanguage: 2\ntitle: Facts\nplayers: {min: 2, max: 3}\ncomponents: {card: 2}\n"
MODEL = """\
document: model
kinds:
  card: {facts: {price: int, steps: list of int}}
counters:
  point: {per: player}
places:
  row: {of: card, type: area}
constants:
  dear: {type: int, value: "count(n in 1..seats where n > 1)"}
  twice_dear: {type: int, value: twice(dear)}
"""
PIECES = """\
document: pieces
kind: card
place: row
pieces:
  one: {price: twice(2), steps: ["twice(1)", "sum(n for n in 1..3 where n > 1)"]}
  two: {price: twice(twice(3)) + 1, steps: [0]}
"""
RULES = """\
document: rules
functions:
  twice(int n): both(n, n)
  both(int a, int b): sum(x for x in {a, b})
rules:
  match: |
    for c in row: gain c.price + sum(c.steps) point
    gain twice_dear point
    choose n in 1..2 "Which?"
result: {score: point}
"""


def test_what_functions_compute(tmp_path: Path):
    folder = tmp_path / "facty"
    folder.mkdir()
    for name, text in (("pack", PACK), ("model", MODEL), ("pieces", PIECES), ("rules", RULES)):
        (folder / f"{name}.yaml").write_text(text)
    rules = load(str(folder))
    for seats in (2, 3):
        match = rules.start(seats, 1)
        match.choose("1")
        assert match.scores[0] == 4 + 2 + 5 + 13 + 2 * (seats - 1)
