"""A little pack whose telling is tested."""

from __future__ import annotations

from pathlib import Path

from patolli.author.workspace import load

PACK = (
    "document: pack\nid: small\nversion: 1.0.0\nlanguage: 1\ntitle: S\nauthors: [x]\ntext: x\n"
    "players: {min: 2, max: 3}\n"
)
MODEL = """document: model
kinds:
  charm:
    active: it in shelf(me)
    category: Lucky charms
    name: "the {number}. charm"
    noun: [charm, charms]
    facts: {number: int, effect: effect = nothing}
    fields: {rank: {type: int 0..9 = 0, told: "{piece} rises to rank {new}"}}
  spy:
    active: it in cloak(me)
    noun: [spy, spies]
    facts: {effect: effect = nothing}
counters:
  bead: {per: player, noun: [bead, beads], text: Beads}
  sand: {per: player, noun: [sand], text: Sand}
  sun: {told: "the sun moves from {old} to {new}", text: The sun}
  moon: {told: false, text: The moon}
  step: {per: [player, charm], told: "{player} takes {change} steps with {charm}", text: Steps}
  bid: {per: player, visible: owner, noun: [bid], text: A bid}
places:
  deck: {of: charm, type: pile, visible: none}
  shelf: {name: shelf, of: charm, per: player, type: area}
  lap: {of: charm, per: player, type: area, told: false}
  hand: {name: hand, of: charm, per: player, type: area, visible: owner}
  cloak: {of: spy, per: player, type: area, visible: owner}
"""
PIECES = """document: pieces
kind: charm
place: deck
pieces:
  one: {number: 1, effect: gain 1 sand, triggers: [{after: dig, do: gain 1 sand}]}
  two: {number: 2}
  three: {number: 3}
"""
SPIES = "document: pieces\nkind: spy\npieces:\n  agent: {triggers: [{after: dig, do: gain 1 sand}]}\n"
RULES = """document: rules
rules:
  setup: {setup}
  match:
    do: |
      repeat 5 times: day()
  {more}
result: {{score: {score}}}
"""


def started(tmp_path: Path, more: str, setup: str = "gain 1 bead", seats: int = 2, score: str = "bead", files=None):
    """Start a match of a pack with these rules; ``day`` is carried out again and again."""
    folder = tmp_path / "small"
    folder.mkdir()
    more = more if "dig()" in more else f"{more}\ndig(): nothing"
    rules = RULES.format(score=score, setup=setup, more=more.strip().replace("\n", "\n  "))
    files = {"pack": PACK, "model": MODEL, "charms": PIECES, "spies": SPIES, "rules": rules} | (files or {})
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return load(str(folder)).start(seats, 1, narrate=True)
