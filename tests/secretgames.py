"""Small packs of known games in which something is hidden, for tests of worlds and bots."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from patolli.author.workspace import load
from patolli.run.runtime import Ruleset

GALLERY = Path(__file__).parents[1] / "content" / "gallery"
PACK = "document: pack\nid: {0}\nversion: 1.0.0\nlanguage: 2\ntitle: {0}\nplayers: {{min: 2, max: 4}}\n"

PHANTOM = (
    """grids:
  cell:
    per: player
    rows: SIZE
    columns: SIZE
    FORMfields:
      mine: {type: bool = false, visible: owner}
      theirs: {type: bool = false, visible: owner}
counters: {point: {per: player, max: 1}}
""",
    """functions:
  twin(cell c): "first(d in owned(next(c.owner), cell) where d.row == c.row and d.column == c.column)"
  taken(cell c):
    is: |
      let d = twin(c)
      d and d.mine
  friends(cell c): "[d in adjacent(c) where d.mine and d.owner == c.owner]"
  near(cell c): "c.row == 0 if c.owner == players[0] else c.column == 0"
  far(cell c): "c.row == SIZE - 1 if c.owner == players[0] else c.column == SIZE - 1"
  line(cell c): "WON"
rules:
  match: |
    loop:
      turn()
      if count(c in cell where c.mine) == SIZE * SIZE: end match
      pass to next(me)
  turn(): |
    loop:
      choose c in owned(me, cell) where not c.mine and not c.theirs "Try which cell?"
      otherwise: end match
      if taken(c): set c.theirs to true
      else:
        set c.mine to true
        if line(c):
          gain 1 point
          end match
        stop
result: {score: point}
invariants:
  one_stone: {always: "all(not (c.mine and taken(c)) for c in cell)"}
  known: {always: "all(taken(c) for c in cell where c.theirs)"}
  turns: {always: "0 <= count(c in owned(player_1, cell) where c.mine) - count(c in owned(player_2, cell) where c.mine) <= 1"}
""",
)
LINE = "any(l in lines(c, 3) where all(d.mine for d in l))"
CHAIN = "any(d in reachable(c, friends) where near(d)) and any(d in reachable(c, friends) where far(d))"

TRICKS = (
    """enums: {suit: [clubs, diamonds, spades, hearts]}
kinds: {card: {facts: {suit: suit, rank: int}, fields: {}}}
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: owner}
  played: {of: card, per: player, type: spot}
  taken: {of: card, per: player, type: area}
counters: {point: {per: player}}
""",
    """functions:
  led(player p): "played(p).suit if played(p) else none"
  follows(card c, player p): "led(p) == none or c.suit == led(p) or all(d.suit != led(p) for d in hand(me))"
rules:
  setup: |
    shuffle deck
    for p in players: draw SIZE from deck to hand(p)
  match: |
    let leader = me
    repeat SIZE times:
      set leader to trick(leader)
    end match
  trick(player leader): |
    for p in turn_order(leader): as p: lay(leader)
    let best = highest(p in players where played(p) by (played(p).rank if played(p) and led(leader) and played(p).suit == led(leader) else 0)) or leader
    for p in players:
      let c = played(p)
      if c:
        if c.suit == hearts: gain 1 point for best
        move c to taken(best)
    return best
  lay(player leader): |
    choose c in hand(me) where follows(c, leader) "Play what?"
    otherwise: stop
    move c to played(me)
result: {score: point}
""",
)

DICE = (
    """grids:
  die:
    per: player
    rows: 1
    columns: SIZE
    fields: {face: {type: int 1..6 = 1, visible: owner}}
counters:
  bid: {max: 99}
  point: {per: player}
""",
    """rules:
  match: |
    repeat 3 times: round()
    end match
  round(): |
    for d in die:
      random n in 1..6
      set d.face to n
    set bid to 0
    play()
  play(): |
    loop:
      choose n in bid + 1..min(bid + 6, SIZE * 12) or "doubt" "How much?"
      if n: set bid to n
      else:
        if sum(d.face for d in die) >= bid: lose_point(next(me))
        else: lose_point(me)
        stop
      if bid == SIZE * 12: stop
      pass to next(me)
  lose_point(player p): gain 1 point for p
result: {score: point}
""",
)

RUMMY = (
    """kinds: {card: {facts: {rank: int, colour: int}}}
places:
  stock: {of: card, type: pile, visible: none}
  waste: {of: card, type: pile}
  hand: {of: card, per: player, type: area, visible: owner}
counters: {point: {per: player}}
""",
    """functions:
  dead(player p): "sum(c.rank for c in hand(p) where count(d in hand(p) where d.rank == c.rank) < 3)"
rules:
  setup: |
    shuffle stock
    for p in players: draw 7 from stock to hand(p)
    draw 1 from stock to waste
  match: |
    loop:
      turn()
      if size(stock) < 2: end match
      pass to next(me)
  turn(): |
    choose one "Take what?":
      "stock": draw 1 from stock to hand(me)
      "waste": draw 1 from waste to hand(me)
    choose c in hand(me) "Put what away?"
    otherwise: stop
    move c to waste
    if dead(me) <= 12:
      choose one "Knock?":
        "knock":
          gain dead(next(me)) point
          end match
        "go on": nothing
result: {score: point}
""",
)

DRAFT = (
    """kinds: {card: {facts: {worth: int}}}
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: owner}
  passed: {of: card, per: player, type: area, visible: none}
  kept: {of: card, per: player, type: area, visible: owner}
  shown: {of: card, per: player, type: area}
counters: {point: {per: player}}
""",
    """rules:
  setup: |
    shuffle deck
    for p in players: draw 4 from deck to hand(p)
  match: |
    repeat 3 times: pick()
    for p in players, c in kept(p):
      move c to shown(p)
      gain c.worth point for p
    end match
  pick(): |
    simultaneously for p in players:
      choose c in hand(me) "Keep which?"
      otherwise: nothing
      if c: move c to kept(me)
    for p in players, c in hand(p): move c to passed(next(p))
    for p in players, c in passed(p): move c to hand(p)
result: {score: point}
""",
)


def _cards(place: str, facts: str, pieces: dict[str, str]) -> str:
    lines = "".join(f"  {name}: {{{values}}}\n" for name, values in pieces.items())
    return f"document: pieces\nkind: card\nplace: {place}\n{facts}pieces:\n{lines}"


def _suits(ranks: int) -> str:
    suits = ("clubs", "diamonds", "spades", "hearts")
    return _cards("deck", "", {f"{s}_{n}": f"suit: {s}, rank: {n}" for s in suits for n in range(1, ranks + 1)})


RANKS = _cards("stock", "", {f"r{n}_{k}": f"rank: {n}, colour: {k}" for n in range(1, 14) for k in range(1, 5)})
WORTHS = _cards("deck", "", {f"w{n}": f"worth: {n}" for n in range(1, 13)})

GAMES = {
    "phantom": (PHANTOM, {"SIZE": "3", "FORM": "", "WON": LINE}, ""),
    "dark_hex": (PHANTOM, {"SIZE": "3", "FORM": "form: hex\n    ", "WON": CHAIN}, ""),
    "tricks": (TRICKS, {"SIZE": "13"}, _suits(13)),
    "small_tricks": (TRICKS, {"SIZE": "4"}, _suits(3)),
    "dice": (DICE, {"SIZE": "5"}, ""),
    "tiny_tricks": (TRICKS, {"SIZE": "3"}, _suits(2)),
    "small_dice": (DICE, {"SIZE": "1"}, ""),
    "rummy": (RUMMY, {}, RANKS),
    "draft": (DRAFT, {}, WORTHS),
}
"""By name a model with rules, what is put into them, and the pieces."""


@cache
def load_secret_game(name: str) -> Ruleset:
    """Return the ruleset of a game of :data:`GAMES`, of the gallery, or of that name."""
    if name not in GAMES:
        return load(str(GALLERY / name) if (GALLERY / name).exists() else name)
    (model, rules), words, pieces = GAMES[name]
    for word, text in words.items():
        model, rules = model.replace(word, text), rules.replace(word, text)
    folder = Path(mkdtemp(prefix=f"{name}-"))
    texts = {"pack": PACK.format(name), "model": f"document: model\n{model}", "rules": f"document: rules\n{rules}"}
    if pieces:
        texts["cards"] = pieces
    for file, text in texts.items():
        (folder / f"{file}.yaml").write_text(text, "utf-8")
    return load(str(folder))
