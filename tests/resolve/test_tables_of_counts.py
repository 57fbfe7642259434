"""How many there are of something may be a table by a constant, as facts may."""

from __future__ import annotations

import pytest
from packmaker import problems

from patolli import load

PACK = """document: pack
id: counts
version: 1.0.0
language: 1
proofs: full
title: Counts
players: {min: 2, max: 4}
options: {mode: {choices: [short, long], default: short}}
"""
MODEL = """document: model
kinds:
  card: {facts: {rank: int}}
  pawn: {per: player, copies: {by: seats, 2: 3, else: 2}}
places:
  deck: {of: card, type: pile}
  offer: {of: card, type: row, size: {by: mode, short: 2, long: 4}}
counters:
  hope: {per: player, max: {by: mode, short: 5, long: 9}, start: {by: seats, 2: 1, 3: 2, 4: 3}}
"""
PIECES = """document: pieces
kind: card
place: deck
pieces:
  ace: {copies: {by: seats, 2: 3, else: 4}, rank: copy}
  two: {copies: {by: mode, short: 1, long: 2}, rank: 2}
"""
RULES = """document: rules
rules:
  match:
    do: |
      refill offer from deck
      gain count(owned(pawn)) + count(c in card where c.rank > 1) hope for player_1
result: {score: hope}
"""


@pytest.mark.parametrize(
    ("seats", "mode", "cards", "pawns", "spots", "start"),
    [(2, "short", 4, 3, 2, 1), (2, "long", 5, 3, 4, 1), (3, "short", 5, 2, 2, 2), (4, "long", 6, 2, 4, 3)],
)
def test_counts_by_seats_and_options(tmp_path, seats, mode, cards, pawns, spots, start):
    for name, text in {"pack": PACK, "model": MODEL, "pieces": PIECES, "rules": RULES}.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")

    match = load(str(tmp_path), options={"mode": mode}).start(players=seats, seed=1)
    layout = match.program.layout

    assert len(layout.instances["card"]) == cards
    assert len(layout.instances["pawn"]) == pawns * seats
    assert len(match.view(0)["places"]["offer"]) == spots
    assert match.scores[1] == start
    assert match.scores[0] == min({"short": 5, "long": 9}[mode], start + pawns + cards - 1)


@pytest.mark.parametrize(
    ("table", "code"),
    [
        ("{by: seats, 2: 3}", "P0413"),  # seats 3 and 4 have no row
        ("{by: seats, 2: 3, els: 2}", "P0204"),
        ("{2: 3, else: 2}", "P0204"),
        ("{by: seats, 2: 3, else: 1 + gone}", "P0201"),
        ("{by: sets, else: 2}", "P0201"),
        ("[1, 2]", "P0052"),
    ],
)
def test_tables_that_are_wrong_are_reported_where_they_stand(tmp_path, table, code):
    text = f"document: model\nkinds:\n  pawn: {{per: player, copies: {table}}}\n"
    found = [p for p in problems(tmp_path, text) if p.severity == "error"]

    assert [p.code for p in found] == [code]
    assert found[0].span.line == 3
