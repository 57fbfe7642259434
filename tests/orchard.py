"""A base game in four releases and five modules by other people, as their authors would write them from the guides.

The first release is written out. The others are edits of it: 1.0.1 changes words, 1.1.0 adds things, 2.0.0 renames,
removes and changes types. ``RENAMED`` is 1.1.0 with the renames alone.
"""

from __future__ import annotations

from pathlib import Path

Files = dict[str, str]
"""The documents of a pack by the name of their file."""

PACK = """\
document: pack
id: orchard
version: 1.0.0
language: 3
title: Orchard
text: Plant trees, water them, sell what they bear.
authors: [First]
license: CC0-1.0
players: {min: 2, max: 3}
options:
  goal: {range: [6, 20], default: 12, text: Coins that end the match.}
  start: {choices: [poor, rich], default: poor, text: How players begin.}
components: {tree: 9}
"""
MODEL = """\
document: model
enums:
  fruit: [apple, pear, plum]
  weather: [sun, rain]
kinds:
  tree:
    text: A tree.
    facts: {cost: int, sort: fruit, bears: int}
    fields: {watered: bool}
counters:
  coin: {per: player, text: Coins, noun: [coin, coins]}
  basket: {per: [player, fruit], text: Baskets}
  water: {per: player, text: Water}
  day: {text: Days}
places:
  forest: {of: tree, type: pile, visible: none, text: The forest}
  nursery: {of: tree, type: row, size: 3, text: The nursery}
  garden: {of: tree, per: player, type: area, text: A garden}
constants:
  bonus: {type: int, value: 1}
table:
  sky: weather = sun
"""
PIECES = """\
document: pieces
kind: tree
place: forest
pieces:
  oak: {cost: 3, sort: apple, bears: 2, text: An oak.}
  elm: {cost: 1, sort: plum, bears: 1, text: An elm.}
  quince: {copies: 3, cost: 2, sort: pear, bears: 1, text: A quince.}
  crab: {copies: 4, cost: 2, sort: apple, bears: 1, text: A crab apple.}
"""
RULES = """\
document: rules
functions:
  price(tree): tree.cost
  ripe(tree): tree.watered and sky == sun
  load(player p): sum(basket(p, f) for f in fruit)
rules:
  setup:
    text: Shuffle, fill the nursery, give coins.
    do: |
      shuffle forest
      refill nursery from forest
      for p in players: gain 3 coin for p
      if start == rich:
        for p in players: gain 2 coin for p
  match:
    text: Days pass until someone has enough.
    do: |
      loop:
        morning()
        for p in players: as p: turn()
        if any(p.coin >= goal for p in players) or day >= 12: end match
  morning:
    text: The weather of the day.
    do: |
      gain 1 day
      random w in weather
      set sky to w
  turn:
    text: Work, harvest and sell.
    steps:
      work: |
        choose one "What do you do?":
          "fetch water": gain 1 water
          for t in nursery "plant": plant(t)
          for t in garden(me) where not t.watered "water": tend(t)
      harvest: |
        for t in garden(me) where ripe(t): pick(t)
      sell: |
        for f in fruit where basket(f) > 0: trade(f)
  plant(tree):
    text: Buy a tree.
    do: |
      pay price(tree) coin as planting
      move tree to garden(me)
      refill nursery from forest
  tend(tree):
    text: Water a tree.
    do: |
      pay 1 water as tending
      set tree.watered to true
  pick(tree):
    text: Take what a tree bears.
    do: |
      gain tree.bears basket(tree.sort)
      set tree.watered to false
  trade(fruit f):
    text: Sell all of a fruit.
    do: |
      gain basket(f) + bonus coin
      set basket(f) to 0
result:
  score: coin
  ties: [size(garden(me))]
"""
PANELS = """\
document: panels
panels:
  purse: {shows: goods, of: [coin, water], title: Purse}
"""
SCEN = """\
document: scenarios
scenarios:
  plant_oak:
    given: gain 3 coin; move oak to nursery(0)
    call: plant(oak)
    then: {coin: 0, garden(me): [oak]}
"""
FIRST: Files = {"pack": PACK, "model": MODEL, "pieces": PIECES, "rules": RULES, "scenarios": SCEN}


def edit(files: Files, *edits: tuple[str, str, str]) -> Files:
    """Return documents in which texts are replaced; each edit is a document, an old text and a new one."""
    new = dict(files)
    for name, old, to in edits:
        assert old in new[name], (name, old)
        new[name] = new[name].replace(old, to)
    return new


WORDS = edit(
    FIRST,
    ("pack", "version: 1.0.0", "version: 1.0.1"),
    ("rules", "Buy a tree.", "Buy a tree from the nursery."),
    ("rules", '"fetch water"', '"draw water"'),
    ("pieces", "An oak.", "An old oak."),
    ("scenarios", "  plant_oak:\n", "  plant_oak:\n    text: Oaks cost 3.\n"),
    ("model", "text: Coins", "text: Gold"),
    ("pack", "[First]", "[First, Second]"),
)
ADDITIONS = edit(
    WORDS,
    ("pack", "version: 1.0.1", "version: 1.1.0"),
    ("pack", "[poor, rich]", "[poor, rich, even]"),
    ("model", "[sun, rain]", "[sun, rain, fog]"),
    ("model", "  day: {text: Days}", "  day: {text: Days}\n  sold: {per: player, text: Sold}"),
    ("rules", "      sell: |\n", "      rest: gain 0 water\n      sell: |\n"),
    ("rules", "result:", "  compost: gain 1 water\nresult:"),
)
HISTORY = """\
renamed:
  kinds/tree/facts/cost: {to: kinds/tree/facts/worth, since: 2.0.0}
  kinds/tree/fields/watered: {to: kinds/tree/fields/wet, since: 2.0.0}
  counters/basket: {to: counters/crate, since: 2.0.0}
  rules/pick: {to: rules/gather, since: 2.0.0}
  rules/turn/steps/harvest: {to: rules/turn/steps/gathering, since: 2.0.0}
  rules/tend/parameters/tree: {to: rules/tend/parameters/sapling, since: 2.0.0}
  pieces/oak: {to: pieces/old_oak, since: 2.0.0}
  options/goal: {to: options/target, since: 2.0.0}
  places/nursery: {to: places/shelf, since: 2.0.0}
  functions/load: {to: functions/cargo, since: 2.0.0}
  enums/weather/rain: {to: enums/weather/shower, since: 2.0.0}
  table/sky: {to: table/outlook, since: 2.0.0}
removed:
  pieces/elm: {since: 2.0.0, text: Use a quince.}
  constants/bonus: {since: 2.0.0}
"""
RENAMES = [
    ("model", "cost: int", "worth: int"),
    ("pieces", "cost:", "worth:"),
    ("rules", "tree.cost", "tree.worth"),
    ("model", "watered", "wet"),
    ("rules", "watered", "wet"),
    ("model", "basket", "crate"),
    ("rules", "basket", "crate"),
    ("rules", "pick(", "gather("),
    ("rules", "harvest:", "gathering:"),
    ("rules", "  tend(tree):", "  tend(tree sapling):"),
    ("rules", "set tree.wet to true", "set sapling.wet to true"),
    ("pieces", "  oak:", "  old_oak:"),
    ("scenarios", "oak", "old_oak"),
    ("scenarios", "plant_old_oak", "plant_oak"),
    ("scenarios", "plant(old_oak)", "plant(old_oak)"),
    ("pack", "  goal:", "  target:"),
    ("rules", ">= goal", ">= target"),
    ("model", "  nursery", "  shelf"),
    ("rules", "nursery", "shelf"),
    ("scenarios", "nursery", "shelf"),
    ("rules", "  load(", "  cargo("),
    ("model", "rain", "shower"),
    ("model", "  sky:", "  outlook:"),
    ("rules", "sky", "outlook"),
]
RENAMED = edit(ADDITIONS, *RENAMES, ("pack", "version: 1.1.0", "version: 2.0.0"))
RENAMED["pack"] += HISTORY.partition("removed:")[0]
SECOND = edit(
    RENAMED,
    ("pieces", "  elm: {worth: 1, sort: plum, bears: 1, text: An elm.}\n", ""),
    ("pack", "{tree: 9}", "{tree: 8}"),
    ("model", "constants:\n  bonus: {type: int, value: 1}\n", ""),
    ("rules", "+ bonus coin", "+ 1 coin"),
    (
        "rules",
        "  ripe(tree): tree.wet and outlook == sun",
        "  ripe(tree): (tree.bears if tree.wet and outlook == sun else 0)",
    ),
    ("rules", "where ripe(t)", "where ripe(t) > 0"),
    ("model", "  day: {text", "  day: {per: player, text"),
    ("rules", "gain 1 day\n", "for p in players: gain 1 day for p\n"),
    ("rules", "or day >= 12", "or any(p.day >= 12 for p in players)"),
)
SECOND["pack"] = SECOND["pack"].partition("renamed:")[0] + HISTORY

RELEASES = {"1.0.0": FIRST, "1.0.1": WORDS, "1.1.0": ADDITIONS, "2.0.0": SECOND}


def _manifest(id: str, title: str) -> str:
    requires = 'requires: {orchard: ">=1.0"}'
    return f"document: pack\nid: {id}\nversion: 1.0.0\nlanguage: 3\ntitle: {title}\n{requires}\n"


MODULES: dict[str, Files] = {
    "bees": {
        "pack": _manifest("bees", "Bees"),
        "model": "document: model\ncounters:\n  honey: {per: player, text: Honey}\n",
        "rules": """\
document: rules
triggers:
  hum:
    after: pick
    when: tree.cost > 1
    do: gain 1 honey
  buzz:
    after: turn/harvest
    when: sky == rain
    do: gain 1 honey
rules:
  swarm:
    text: All that bloom.
    do: |
      for t in garden(me) where t.watered: gain 1 honey
""",
        "changes": """\
document: patch
change:
  - after: rules/turn/harvest
    do: "if load(me) > 1: swarm()"
  - replace: result/score
    with: coin + honey
""",
        "scenarios": """\
document: scenarios
options: {goal: 8}
scenarios:
  hums:
    given: move oak to garden(me); set oak.watered to true
    call: pick(oak)
    then: {honey: 1, basket(apple): 2}
""",
    },
    "market": {
        "pack": _manifest("market", "Market"),
        "changes": """\
document: patch
change:
  - adjust: functions/price
    by: 1
    when: tree.cost > 2
  - offer: rules/turn/work
    do: |
      choose one:
        "buy water" when coin > bonus: gain 1 water and 1 basket(apple)
  - replace: constants/bonus/value
    expects: 1
    with: 2
""",
        "rules": """\
document: rules
discounts:
  cheap: {on: planting, less: 1 coin, when: day > 3}
""",
    },
    "exotics": {
        "pack": _manifest("exotics", "Exotics") + "components: {tree: 3}\noptional: [bees]\n",
        "pieces": """\
document: pieces
kind: tree
place: forest
pieces:
  fig: {copies: 2, cost: 4, sort: plum, bears: 3, text: A fig.}
  birch: {like: elm, bears: 2, text: A birch.}
""",
        "changes": """\
document: patch
change:
  - replace: pieces/oak/cost
    expects: 3
    with: 4
  - replace: pieces/quince/cost
    expects: 2
    with: 3
""",
        "with_bees": """\
document: rules
when_active: [bees]
triggers:
  nectar:
    after: tend
    when: tree in nursery and tree.design == fig
    do: gain 1 honey
""",
    },
    "storms": {
        "pack": _manifest("storms", "Storms"),
        "changes": """\
document: patch
change:
  - instead: rules/tend
    do: |
      if sky == rain: stop
      original(tree)
  - after: rules/morning
    do: "if day == 3: set sky to rain"
  - before: rules/turn/sell
    do: |
      for t in garden(me) where ripe(t) and t != elm: pick(t)
  - adjust: functions/ripe
    value: false
    when: tree == oak
""",
    },
    "contest": {
        "pack": _manifest("contest", "Contest"),
        "rules": """\
document: rules
functions:
  close(player p): p.coin + 3 >= goal
measures:
  left: {per: player, is: sum(basket(f) for f in fruit)}
rules:
  prize:
    text: A prize.
    do: |
      if close(me) and any(t in nursery where t.sort == plum): turn/harvest()
""",
        "panels": """\
document: panels
panels:
  stalls: {shows: row, of: nursery}
""",
        "scenarios": """\
document: scenarios
options: {goal: 9, start: rich}
scenarios:
  prized:
    given: gain 7 coin; move oak to garden(me); set oak.watered to true; move elm to nursery(0)
    call: prize()
    then: {basket(apple): 2, sky: sun}
  started:
    start: set_up
    choose: [fetch water]
    then: {water: 1}
""",
    },
}


def write_files(folder: Path, files: Files) -> Path:
    """Write the documents of a pack into a folder; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder
