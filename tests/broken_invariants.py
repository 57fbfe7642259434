"""Packs with invariants that do not hold: made by hand, at random, and out of shipped ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

from randompacks.engine import Workshop
from randompacks.packs import Maker, Pack
from randompacks.scope import Scope

import patolli

ROOT = Path(__file__).parents[1]

EVERY = """\
  even: {always: "coin(players[0]) mod 2 == 0"}
  all_of: {always: "all(coin(p) < 3 for p in players)"}
  apart: {always: "all(coin(p) != coin(q) or coin(p) < 2 for p in players, q in players where p != q)"}
  unless: {always: "debt < -2 or all(size(hand(p)) < 2 and coin(p) < 4 for p in players)"}
  guarded: {always: "all(number(c) != 2 for c in card where c.marked)"}
  tallied: {always: "all(count(c in card where c.mine == p) <= coin(p) + 1 for p in players)"}
  somebody: {always: "any(c in card where c.mine == players[0]) or debt > -1 or true and coin(players[1]) < 3"}
  listed: {always: "size([c in deck where c.marked]) < 1"}
  top: {always: "not (top(deck) in hand(players[0])) and all(c in deck or c in desks() or number(c) < 3 for c in card)"}
  nested: {always: "all(sum(coin(q) for q in players where q != p) - coin(p) < 4 for p in players)"}
  fails: {always: "size([i in 1..(200000 * (coin(players[0]) - 2))]) == 0"}
"""
MODEL = """\
document: model
kinds:
  card: {fields: {marked: bool, mine: player or none}}
counters:
  coin: {per: player}
  debt: {min: -9}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  desk: {of: card, type: spot}
  shelf: {of: card, type: row, size: 2}
"""
RULES_OF_ALL = """\
document: rules
functions:
  desks(): "[c in card where c == desk or c in shelf]"
rules:
  setup: {do: "for c in card: move c to deck"}
  match:
    do: |
      repeat 30 times:
        choose one:
          "gain": gain 1 coin
          "give": if coin > 0: gain 1 coin for next(me); lose 1 coin
          "owe": if debt > -5: lose 1 debt
          "draw": if deck and not desk: move top(deck) to desk
          "keep": draw 2 from deck to hand(me)
          "return": for c in hand(me): move c to deck bottom
          "mark": if desk: set desk.marked to not desk.marked
          "mine": for c in card where c in hand(me): set c.mine to me
          "fill": refill shelf from deck
          "slide": slide shelf
          "swap": if desk and hand(me): swap desk with top(hand(me))
          "shuffle": shuffle deck
          "clear": if desk: move desk to deck
        pass to next(me)
result: {score: coin}
"""


def purse(folder: Path) -> None:
    """Write a pack with invariants of every form, which break again and again."""
    (folder / "pack.yaml").write_text(
        "document: pack\nid: purse\nversion: 1.0.0\nlanguage: 1\ntitle: Purse\nplayers: {min: 2, max: 3}\n"
    )
    (folder / "model.yaml").write_text(MODEL)
    (folder / "cards.yaml").write_text("document: pieces\nkind: card\npieces: {small: {copies: 5}, large: {}}\n")
    (folder / "rules.yaml").write_text(RULES_OF_ALL + "invariants:\n" + EVERY)


def random_invariants(maker: Maker) -> None:
    """Write invariants at random, about which nothing is right."""
    for number in range(24):
        scope = Scope((("p", "player"),) if number % 3 else ())
        text = maker.writer.write("bool", scope)
        text = f"all({text} for p in players)" if number % 3 else text
        maker.add("invariants", f"chance_{number}", f"chance_{number}: '{text}'")


def without_wrong_ones(pack: Pack, workshop: Workshop) -> patolli.Ruleset | None:
    """Return a pack without those invariants that are wrong by themselves: most name an acting player."""
    before = workshop.checked(pack.files, pack.options)
    lines = pack.files["base/rules.yaml"].splitlines()
    wrong = {problem.span.line - 1 for problem in before.errors}
    kept = [line for n, line in enumerate(lines) if n not in wrong or not line.lstrip().startswith("chance_")]
    files = {**pack.files, "base/rules.yaml": "\n".join(kept) + "\n"}
    return workshop.checked(files, pack.options).rules


STATEMENT = re.compile(r"(?m)^ +(set|gain|lose|move|draw|refill) .*\n")


def mutants(folder: Path, name: str, random: Random, number: int) -> Iterator[Path]:
    """Copy a shipped pack, each time without one of its statements."""
    for one in range(number):
        to = folder / f"{name}_{one}"
        shutil.copytree(ROOT / "content" / name, to / name, ignore=shutil.ignore_patterns("scenarios"))
        places = [
            (file, found)
            for file in sorted((to / name).rglob("*.yaml"))
            for found in STATEMENT.finditer(file.read_text())
        ]
        file, found = random.choice(places)
        text = file.read_text()
        file.write_text(text[: found.start()] + text[found.end() :])
        yield to / name
