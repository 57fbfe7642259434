"""Designs as values: what copies have in common is the type of a parameter, an index of places, an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from patolli.author.workspace import inspect, load
from patolli.run.runtime import Match

PACK = """\
document: pack
id: deck
version: 1.0.0
language: LANGUAGE
title: Deck
players: {min: 2, max: 2}
components: {card: COUNT}
"""
MODEL = """\
document: model
kinds:
  card:
    per_copy: x
counters:
  coin: {per: player, start: 5}
  point: {per: player}
  bought: {per: [player, card_design]}
places:
  supply: {of: card, per: card_design, type: pile}
  hand: {of: card, per: player, type: area, visible: owner}
""".replace(
    "    per_copy: x\n",
    "    facts: {rank: int, price: cost, number: int, does: effect, after: card_design or none = none}\n"
    "    fields: {like: card_design or none}\n",
)
PIECES = """\
document: pieces
kind: card
pieces:
  village: {copies: 3, rank: 1, price: 1 coin, number: copy, does: gain 1 point}
  smithy: {copies: 4, rank: 2, price: 2 coin, number: copy, does: gain 2 point, after: village}
  palace: {rank: 6, price: 4 coin, number: 1, does: gain 3 point, after: smithy}
"""
RULES = """\
document: rules
functions:
  cheap(card_design d): payable(d.price) and size(supply(d)) > 0 and d != palace
rules:
  setup: "for c in card: move c to supply(c.design)"
  match: |
    repeat 2 times:
      choose d in card_design where cheap(d) "Buy which?" as "a {d} of rank {d.rank}"
      otherwise: end match
      buy(d)
      choose shown in distinct(c.design for c in hand(me)) "Show which?"
      otherwise: nothing
      if shown == village: gain 1 point
  buy(card_design d): |
    let c = top(supply(d))
    stop unless c
    pay d.price
    gain 1 bought(d)
    set c.like to d.after
    move c to hand(me)
    do c.does
result: {score: point}
"""


def put(folder: Path, language: int = 2, **other: str) -> Path:
    pack = folder / "deck"
    pack.mkdir()
    texts = {
        "pack": PACK.replace("LANGUAGE", str(language)).replace("COUNT", "1" if language == 1 else "8"),
        "model": MODEL,
        "pieces": PIECES,
        "rules": RULES,
        **other,
    }
    for name, text in texts.items():
        (pack / f"{name}.yaml").write_text(text)
    return pack


def errors(folder: Path) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in inspect(str(folder)).problems if one.severity == "error"]


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return load(str(put(tmp_path))).start(2, 1, narrate=True)


def seen(match: Match) -> dict[str, Any]:
    return match.view(0)


def test_places_and_counters_for_each_design(match: Match):
    assert {name: len(pile) for name, pile in seen(match)["places"]["supply"].items()} == {
        "village": 3, "smithy": 4, "palace": 1,
    }  # fmt: skip
    assert match.decision is not None
    assert list(match.decision.labels) == ["village", "smithy"]
    assert [one.words for one in match.decision.options] == ["a village of rank 1", "a smithy of rank 2"]
    match.choose("smithy")
    assert seen(match)["counters"]["bought"]["player_1"] == {"village": 0, "smithy": 1, "palace": 0}
    assert len(seen(match)["places"]["supply"]["smithy"]) == 3
    assert seen(match)["pieces"]["card"]["smithy_4"]["like"] == "village"


def test_equal_copies_are_one_answer(match: Match):
    for label in ("village", "village"):
        match.choose(label)
    assert match.over
    assert match.scores == [4, 0]  # one kind of card in the hand is no question


def test_facts_that_tell_copies_apart_are_not_of_the_design(tmp_path: Path):
    rules = RULES.replace("a {d} of rank {d.rank}", "a {d}").replace(
        "stop unless c\n", "stop unless c or d.number > 1\n"
    )
    ((code, message),) = errors(put(tmp_path, rules=rules))
    assert code == "P0201"
    assert "number" in message


def test_a_fact_of_a_design_whose_type_the_pack_lacks(tmp_path: Path):
    folder = put(
        tmp_path,
        model="document: model\nkinds: {card: {facts: {rank: int}}}\ncounters: {point: {per: player}}\n",
        pieces="document: pieces\nkind: card\npieces:\n  village: {copies: 8, rank: 1}\n",
        rules="document: rules\nrules: {setup: nothing, match: 'for c in card: gain c.design.rank point'}\nresult: {score: point}\n",
    )
    (found,) = [one for one in inspect(str(folder)).problems if one.severity == "error"]
    assert found.help == "read it from the piece; designs have facts if a parameter is of type 'card_design'"


def test_a_card_is_no_design(tmp_path: Path):
    found = errors(put(tmp_path, rules=RULES.replace("gain 1 bought(d)", "gain 1 bought(c)")))
    assert found == [("P0301", "expected a card_design, found a card")]


def test_the_name_is_free_for_a_pack_that_has_it(tmp_path: Path):
    kinds = "document: model\nkinds:\n  card: {facts: {rank: int}}\n  card_design: {facts: {of: int}}\n"
    model = kinds + "places:\n  shown: {of: card_design, type: area}\n  hand: {of: card, type: area}\n"
    pieces = "document: pieces\nkind: card\nplace: hand\npieces:\n  one: {rank: 1}\n"
    more = "document: pieces\nkind: card_design\nplace: shown\npieces:\n  sketch: {of: 2}\n"
    rules = (
        'document: rules\nrules:\n  match: gain_all()\n  gain_all(): "for d in shown: if d.of == 2: move d to box"\n'
    )
    assert errors(put(tmp_path, 1, model=model, pieces=pieces, more=more, rules=rules)) == []


def test_saved_and_restored(match: Match):
    match.choose("village")
    again = match.ruleset.restore(match.to_json())
    assert again.digest() == match.digest()
    assert seen(again) == seen(match)
