"""A small pack for scenarios, written again for every test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from patolli.author.scenarios import Plan, Result, run_scenarios

PACK = """\
document: pack
id: market
version: 1.0.0
language: 1
proofs: full
title: Market
authors: [The Patolli authors]
text: Coins and cards.
players: {min: 2, max: 3}
options:
  prize: {range: [1, 9], default: 2, text: Coins for a card that is sold.}
"""

MODEL = """\
document: model
kinds:
  card: {facts: {price: int}}
counters:
  coin: {per: player, noun: [coin, coins], text: Coins}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
"""

CARDS = """\
document: pieces
kind: card
place: deck
pieces:
  red: {price: 1}
  blue: {price: 3}
"""

RULES = """\
document: rules
functions:
  dear(card): card.price > 2
rules:
  match: |
    loop:
      for p in players: as p: buy()
      if size(deck) == 0: end match
  buy:
    do: |
      choose one "What now?":
        for card in deck "buy": take_card(card)
        "work": gain 1 coin
  take_card(card):
    do: |
      pay card.price coin
      move card to hand(me)
      if dear(card): gain 1 coin
  pick:
    do: |
      choose card in deck or none "Which card?"
      stop unless card
      move card to hand(me)
  break_down: |
    let many = [n in 1..9000000]
    gain size(many) coin
  sell(card): |
    require card in hand(me)
    gain prize coin
result:
  score: coin
"""


@pytest.fixture
def market(tmp_path: Path) -> Callable[[str], Path]:
    """Write the pack with a file of scenarios; the path of that file is returned."""

    def write(scenarios: str) -> Path:
        folder = tmp_path / "market"
        folder.mkdir(exist_ok=True)
        for name, text in (("pack", PACK), ("model", MODEL), ("cards", CARDS), ("rules", RULES)):
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        file = folder / "scenarios.yaml"
        file.write_text(f"document: scenarios\n{scenarios}", encoding="utf-8")
        return file

    return write


@pytest.fixture
def run(market: Callable[[str], Path]) -> Callable[..., Result]:
    """Run the scenarios of a text; *rules* are put before the result of the pack."""

    def go(scenarios: str, rules: str = "", **plan: object) -> Result:
        file = market(scenarios)
        if rules:
            (file.parent / "rules.yaml").write_text(RULES.replace("result:", rules), encoding="utf-8")
        return run_scenarios(Plan((str(file.parent),), **plan))  # type: ignore[arg-type]

    return go
