"""What each kind of node declares is what happens: what it looks at, changes, asks, draws, and what it leaves.

A rule ``tried`` is played in a state that notes which of its slots are looked at; which are changed is seen afterwards.
Every way is taken, at random. What was noted is compared with the summary of the rule, which comes from nothing but the
declarations of the nodes in it.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any, SupportsIndex

import pytest

from patolli.author.workspace import load
from patolli.language.program.node import Location
from patolli.language.program.summaries import Summaries
from patolli.run.compiler.layout import DRAWS, FIRST, SEED, Layout
from patolli.run.runtime import Match, Ruleset

PACK = "document: pack\nid: kinds\nversion: 1.0.0\nlanguage: 3\nproofs: full\ntitle: Kinds\nplayers: {min: 2, max: 2}\n"
MODEL = """document: model
kinds:
  card: {facts: {price: cost, effect: effect = nothing, worth: int = 1}, fields: {used: bool = false, rank: int 0..9 = 1}}
  stone: {}
counters:
  coin: {per: player}
  nut: {per: player}
  seed: {per: player}
  bid: {per: player, visible: owner}
  gem: {per: player, start: 2}
  tally: {per: player}
  mark: {}
  fund: {start: 2}
  vault: {start: 2}
  chip: {per: player, startTAKE}
groups: {good: [nut, seed], pot: [chip]}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  shelf: {of: card, type: row, size: 3}
  throne: {of: card, type: spot}
  quarry: {of: stone, type: pile, visible: none}
"""
CARDS = """document: pieces
kind: card
place: deck
pieces:
  plain: {copies: 8, price: 1 seed, effect: gain 1 gem}
  dear: {copies: 3, price: 2 coin and 1 any good, worth: 3}
"""
STONES = "document: pieces\nkind: stone\nplace: quarry\npieces: {grey: {copies: 3}}\n"
RULES = """document: rules
functions:
  rich(): coin > 2
  deep(): rich() and size(deck) > 1
rules:
  setup: |
    shuffle deck
    for p in players:
      random cards in 0..3
      draw cards from deck to hand(p)
      for g in good:
        random goods in 0..4
        gain goods g for p
      random coins in 0..4
      gain coins coin for p
    refill shelf from deck
    let c = first(d in shelf)
    if c: move c to deck
  match: |
    choose one "Begin?":
      "yes": tried()
      "no": nothing
    gain 1 mark
  sell: |
    pay 1 nut
    gain 1 coin
  worth_of(card c): |
    return c.worth + c.rank
  hire: |
    choose c in hand(me)
    set c.used to true
"""
TRIED = {
    "gain": "gain 1 coin and 1 nut",
    "lose": "lose 1 coin",
    "gain any": "gain 1 any good",
    "gain what is chosen": "choose g in good\ngain 1 g",
    "pay": "pay 1 coin and 1 nut",
    "pay from the table": "pay 1 fund and 1 vault",
    "pay any": "pay 1 any good",
    "pay a cost": "for c in hand(me): if payable(c.price): pay c.price",
    "pay what is chosen": "choose g in good\npay 1 g",
    "counter is set": "set coin to 7",
    "counter of another is set": "set gem(next(me)) to 7",
    "field is set": "for c in hand(me): set c.used to true",
    "variable is set": "let n = 1\nset n to 2\ngain n coin",
    "random": "random n in 1..9\ngain n coin",
    "move": "if hand(me): move hand(me)[0] to deck",
    "move of a certain piece": "move plain_1 to deck",
    "swap of certain pieces": "swap plain_1 with plain_2",
    "move to a spot": "stop if throne\nif hand(me): move hand(me)[0] to throne",
    "swap": "if hand(me) and deck: swap hand(me)[0] with deck[0]",
    "shuffle": "shuffle deck",
    "reveal": "let t = top(quarry)\nif t: reveal t to next(me)",
    "draw": "draw 1 from deck to hand(me)",
    "refill": "refill shelf from deck",
    "slide": "slide shelf",
    "call": "if nut > 0: sell()",
    "value of a call": "let v = worth_of(plain_1)\ngain v coin",
    "effect of a card": "do plain_1.effect",
    "effect of some card": "for c in hand(me): do c.effect",
    "return": "stop",
    "return in a branch": "if nut > 1: stop\ngain 1 coin",
    "break": "loop:\n  gain 1 coin\n  if coin > 5: break",
    "end": "end match",
    "end in a branch": "if nut > 1: end match",
    "pass": "pass to next(me)\ngain 1 coin",
    "as": "as next(me): gain 1 coin",
    "as by": "as next(me) by me:\n  choose c in hand(me) or none\n  if c: gain 1 coin",
    "require": "require coin > 0\ngain 1 nut",
    "say": 'say "so many" coin',
    "nothing": "nothing",
    "if": "if seed > 1: gain 1 coin\nelse: gain 1 nut",
    "for": "for p in players: gain 1 coin for p",
    "for in any order": 'for c in hand(me) in any order "Which?": set c.used to true',
    "repeat": "repeat nut times: gain 1 coin",
    "choose": "choose c in hand(me)\nmove c to deck",
    "choose or not": 'choose c in hand(me) or "none"\notherwise: gain 1 coin\nif c: move c to deck',
    "menu": 'choose one:\n  "a" when coin > 0: gain 1 nut\n  for c in hand(me) "b": set c.rank to 3',
    "may": 'may "it": gain 1 coin',
    "up to": 'up to 2 times "more": gain 1 coin',
    "simultaneously": 'simultaneously for p in players:\n  choose one "Which?":\n    "a": gain 1 bid\n    "b": gain 2 bid',
    "counter": "if coin > 2: gain 1 tally",
    "counter of others": "if any(coin(p) > 2 for p in players): gain 1 tally",
    "any counter": "if any(have(g) > 1 for g in good): gain 1 tally",
    "field": "if plain_1.rank > 0: gain 1 tally",
    "fact": "if plain_1.worth > 0: gain 1 tally",
    "place": "if size(hand(me)) > 1: gain 1 tally",
    "row": "if shelf(0) == plain_1 or shelf(1) or shelf(2): gain 1 tally",
    "can": "if can(sell()): gain 1 tally",
    "after": "if nut > 0 and after(sell(), coin > 2): gain 1 tally",
    "can choose": "if can(hire()): gain 1 tally",
    "payable": "if any(payable(c.price) for c in hand(me)): gain 1 tally",
    "function": "if rich(): gain 1 tally",
    "function of a function": "if deep(): gain 1 tally",
    "place of": "if place_of(plain_1, hand) == me: gain 1 tally",
    "top": "if top(deck) == plain_1: gain 1 tally",
}

CHIPS = """rules:
  take(pot): |
    lose 1 pot
    choose one:
      "a": gain 1 gem
      "b": gain 2 gem
"""
BESIDE = {
    "something stands for a nut": ("pay 1 nut", "substitutions: {s: {give: 1 gem, for: 1 nut, when: seed > 1}}\n"),
    "something stands for a good": ("pay 1 any good", "substitutions: {s: {give: 1 gem, for: 1 nut}}\n"),
    "a discount": (
        "pay 2 coin as fee",
        "discounts: {d: {on: fee, less: 1 of coin, when: seed > 1, do: gain 1 tally}}\n",
    ),
    "a waiver": (
        "pay 1 coin and 1 nut as fee",
        "waivers: {w: {each: c in hand(me), when: not c.used, on: fee, of: nut, do: set c.used to true}}\n",
    ),
    "a payment is left to a rule": ("pay 1 chip", CHIPS),
    "a payment of some is left to a rule": ("pay 1 any pot", CHIPS),
    "a rule follows": ("if nut > 0: sell()", "triggers: {t: {after: sell, when: seed > 1, do: gain 1 gem}}\n"),
    "a rule is replaced": ("if nut > 0: sell()", "triggers: {t: {instead: sell, when: seed > 1, do: gain 1 gem}}\n"),
    "a rule is changed": (
        "if nut > 0: sell()",
        "triggers: {t: {instead: sell, when: seed > 1, do: 'gain 1 gem; if can(sell()) and nut > 3: original()'}}\n",
    ),
    "a rule comes before": ("if nut > 0: sell()", "triggers: {t: {before: sell, do: gain 1 gem}}\n"),
    "an action at a pause": ('pause "Now?"', "anytime: {a: {label: act, when: gem < 4, do: gain 1 gem}}\n"),
    "an action at a question": (TRIED["menu"], "anytime: {a: {label: act, when: gem < 4, do: gain 1 gem}}\n"),
    "payable with what stands for a nut": (
        "if any(payable(c.price) for c in hand(me)): gain 1 tally",
        "substitutions: {s: {give: 1 gem, for: 1 seed, when: shelf}}\n",
    ),
}
"""Rules with what stands beside them: what may be paid instead, triggers, and so on."""
MORE = {"as by", "pay a cost", "effect of some card"}
"""What may change more by its declarations than it does here: a cost may name any counter."""
ASKING = {"as by", 
    "gain any", "gain what is chosen", "pay any", "pay a cost", "pay what is chosen", "for in any order", "choose",
    "choose or not", "menu", "may", "up to", "simultaneously", "something stands for a nut",
    "something stands for a good", "a discount", "a waiver", "a payment is left to a rule",
    "a payment of some is left to a rule", "an action at a pause", "an action at a question",
}  # fmt: skip
"""What asks: the compiler asks the declarations, too, so that no player is asked would not tell."""
SEEDS = 24


class Watched(list[Any]):
    """A state that notes which of its slots are looked at."""

    def __init__(self, slots: list[Any]) -> None:
        super().__init__(slots)
        self.seen: set[int] = set()

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        if not isinstance(at, slice):
            self.seen.add(int(at))
        elif at.start:  # a copy of everything looks at nothing
            self.seen.update(range(*at.indices(len(self))))
        return super().__getitem__(at)


@dataclass
class Happened:
    """What happened in all ways through a rule."""

    looked: set[Location] = field(default_factory=set)
    changed: set[Location] = field(default_factory=set)
    asked: bool = False
    drew: bool = False
    ended: bool = False


def locations(layout: Layout) -> dict[int, Location]:
    """Say what stands in each slot of a state."""
    found: dict[int, Location] = {SEED: ("chance",), DRAWS: ("chance",)}
    for name, (base, sizes) in layout.counters.items():
        found |= dict.fromkeys(layout.slots(base, sizes), ("counter", name))
    for (kind, name), base in layout.fields.items():
        found |= dict.fromkeys(range(base, base + layout.size(kind)), ("field", kind, name))
    for kind, base in layout.at.items():
        found |= dict.fromkeys(range(base, base + layout.size(kind)), ("pieces", kind))
    for name, (base, sizes) in layout.places.items():
        found |= dict.fromkeys(layout.slots(base, sizes), ("pieces", layout.model.places[name].of))
    return found


def written(folder, tried: str, beside: str = "") -> str:
    """Write the pack with a rule, and with what stands beside it."""
    model = MODEL.replace("TAKE", ": 2, spend: take" if "take(" in beside else ": 2")
    body = "  tried: |\n" + "".join(f"    {line}\n" for line in tried.splitlines())
    parts = (("pack", PACK), ("model", model), ("cards", CARDS), ("stones", STONES), ("rules", RULES + body))
    for name, text in (*parts, ("beside", f"document: rules\n{beside}" if beside else "")):
        if text:
            (folder / f"{name}.yaml").write_text(text)
    return str(folder)


def play(ruleset: Ruleset, seed: int, happened: Happened) -> None:
    """Play at random, and note what happens from the rule on."""
    match = ruleset.start(2, seed)
    match.program = ruleset.plain(match.program)  # in which a block does nothing that stands behind another question
    where = locations(match.program.layout)
    assert set(range(FIRST, len(match.state))) <= where.keys()
    if len(match.pending or ()) < 2:
        return  # the rule is not possible there
    before, draw = deepcopy(match.state), Random(seed)
    match.state = watched = Watched(match.state)
    match.pick(0)
    while match.pending is not None:
        happened.asked = True
        match.pick(draw.randrange(len(match.pending)))
    happened.looked |= {where[slot] for slot in watched.seen if slot in where}
    happened.changed |= {
        where[slot] for slot, value in enumerate(match.state) if slot in where and value != before[slot]
    }
    happened.drew |= match.state[DRAWS] != before[DRAWS]
    happened.ended |= not over_by_itself(match)


def over_by_itself(match: Match) -> bool:
    """Return whether the effects after the rule were reached."""
    base, _ = match.program.layout.counters["mark"]
    return bool(match.state[base])


@pytest.mark.parametrize("name", [*TRIED, *BESIDE])
def test_summary_is_what_happens(tmp_path, monkeypatch, name):
    monkeypatch.setattr("patolli.run.compiler.ahead.GAP", 0)  # to keep what lies between is to look at nothing
    copied = Layout.copy_state
    monkeypatch.setattr(Layout, "copy_state", lambda layout, state: copied(layout, list(state)))  # and so is to copy it
    ruleset = load(written(tmp_path, *BESIDE.get(name, (TRIED.get(name, ""), ""))))
    summaries, happened = Summaries(ruleset.model.program), Happened()
    summary = summaries.rules["tried"]
    for seed in range(SEEDS):
        play(ruleset, seed, happened)
    known = {one for one in summary.writes if one[0] != "over"}
    happened.looked -= {("counter", "mark")}
    happened.changed -= {("counter", "mark")}
    counted = {one for one in known if one[0] in ("counter", "chance", "field")}  # to change them is to look at them
    if name.startswith("pay"):  # whether it is there is a question of its own
        counted = set()

    assert happened.changed <= known if name in MORE else happened.changed == known
    assert happened.looked - counted <= summary.reads
    assert (happened.asked, happened.drew, happened.ended) == (summary.asks, summary.draws, summary.ends)
    assert (name in ASKING, ("over",) in summary.writes) == (summary.asks, summary.ends)
    assert summaries.of(ruleset.model.program.rules["tried"].block).outside() == summary
