"""Parameters with bounds: every call is looked at, and the body may rely on them."""

from __future__ import annotations

import pytest
from littlepacks import lay, scores, see_same_natively, told

from patolli.author.lookup.descriptions import signature
from patolli.author.workspace import load

MODEL = """kinds: {tile: {facts: {edges: list of int}}}
counters: {point: {per: player}, coin: {per: player, start: 2}, nut: {per: player, start: 2, max: 3}}
"""
TILES = "document: pieces\nkind: tile\npieces: {a_tile: {edges: [1, 2, 3, 4]}, other: {edges: [5, 6, 7, 8]}}\n"
RULES = """functions:
  edge(tile t, int 0..3 way): t.edges[way]
  opposite(tile t, int 0..1 way): edge(t, way + 2)
  below(int -2..-1 n): 10 div n
  deep(int 0..3 n): edge(a_tile, n) if n == 0 else deep(n - 1)
result: {score: point}
rules:
  paid(int 1..4 amount): gain 12 div amount point
  stir(): gain 2 coin; lose 1 nut; lose 1 coin; paid(1)
  match: |
    if coin > 5: stir()
    if coin > 6: gain opposite(other, 0) - below(-1) + deep(0) point
"""


def pack(folder, body: str, rules: str = RULES) -> str:
    rules = rules.replace("deep(int 0..3 n): edge", "deep(int 0..3 n): {is: 'edge").replace(
        "deep(n - 1)", "deep(n - 1)', type: int}"
    )
    return lay(folder, MODEL, rules + "".join(f"    {line}\n" for line in body.splitlines()), tiles=TILES)


RIGHT = {
    "for w in 0..3: gain edge(a_tile, w) point": 10,
    "gain edge(other, 3) point": 8,
    "for t in tile: gain opposite(t, 1) point for player_1": 12,
    "gain 0 - below(-2) point": 5,
    "gain edge(a_tile, coin mod 4) point": 3,
    "gain edge(a_tile, nut) point": 3,
    "gain edge(a_tile, min(3, coin)) point": 3,
    "if coin in 1..4: paid(coin)": 6,
    "stop unless coin >= 1 and coin <= 4\npaid(coin)": 6,
    "choose n in 2..2\npaid(n)": 6,
    "gain deep(3) point": 1,
}
WRONG = {
    "gain edge(a_tile, 4) point": "'way' goes from 0 to 3, and this is 4",
    "gain edge(a_tile, coin) point": "'way' goes from 0 to 3, and this may be 0 or more",
    "for w in 0..4: gain edge(a_tile, w) point": "'way' goes from 0 to 3, and this may be 0 to 4",
    "if coin <= 4: paid(coin)": "'amount' goes from 1 to 4, and this may be 0 to 4",
    "if can(paid(coin)): stop": "'amount' goes from 1 to 4, and this may be 0 or more",
}


@pytest.mark.parametrize("body", RIGHT)
def test_body_relies_on_the_bounds(tmp_path, body):
    folder = pack(tmp_path, body)

    assert told(folder) == []
    assert scores(folder)[0] == RIGHT[body]


@pytest.mark.parametrize("body", WRONG)
def test_each_call_is_looked_at(tmp_path, body):
    found = told(pack(tmp_path, body))
    assert [one for one in found if one.startswith("P0417")] == [f"P0417: {WRONG[body]}"]


def test_signature_without_any_number_is_refused(tmp_path):
    found = told(pack(tmp_path, "gain edge(a_tile, 1) point", RULES.replace("int 0..3 way", "int 3..0 way")))
    assert found[0] == "P0102: no number is from 3 to 0"


def test_hover_shows_the_bounds(tmp_path):
    model = load(pack(tmp_path, "gain edge(a_tile, 1) point")).model
    assert signature(model, "function", "edge") == "function edge(tile t, int 0..3 way): int"


def test_both_engines_agree(tmp_path):
    text = "\n".join(body.replace("stop unless coin >= 1 and coin <= 4\n", "if coin in 1..4: ") for body in RIGHT)
    see_same_natively(pack(tmp_path, text))
