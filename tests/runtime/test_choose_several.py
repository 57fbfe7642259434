"""Several things chosen at once: one question for people, small steps for programs, and a set in one way only."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.author.workspace import inspect, load
from patolli.run.runtime import Match

MANIFEST = """\
document: pack
id: cards
version: 1.0.0
language: 2
proofs: full
title: Cards
players: {min: 2, max: 2}
components: {card: 9}
"""
MODEL = """\
document: model
kinds:
  card: {name: "card of {rank}", noun: [card, cards], facts: {rank: int, price: int}}
counters:
  coin: {per: player, start: 5, noun: [coin, coins]}
  point: {per: player, noun: [point, points]}
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: owner}
  market: {of: card, type: area}
  gone: {of: card, type: area}
"""
PIECES = """\
document: pieces
kind: card
place: market
pieces:
  one: {copies: 3, rank: 1, price: 1}
  two: {copies: 3, rank: 2, price: 2}
  six: {copies: 3, rank: 6, price: 4}
"""


def rules(*lines: str) -> str:
    body = "".join(f"      {line}\n" for line in lines)
    return f"document: rules\nrules:\n  match:\n    do: |\n{body}result: {{score: point}}\n"


BUY = rules(
    'choose any number of c in market as bought "Buy which?" as "the {c}"',
    "pay sum(c.price for c in bought) coin",
    "for c in bought: move c to hand(me)",
    "gain size(bought) point",
)


@pytest.fixture
def start(tmp_path: Path):
    def made(text: str) -> Match:
        return load(str(put(tmp_path, text))).start(2, 1, narrate=True)

    return made


def put(folder: Path, text: str) -> Path:
    pack = folder / "cards"
    pack.mkdir(exist_ok=True)
    for name, content in (("pack", MANIFEST), ("model", MODEL), ("pieces", PIECES), ("rules", text)):
        (pack / f"{name}.yaml").write_text(content)
    return pack


def labels(match: Match) -> list[str]:
    assert match.decision is not None
    return list(match.decision.labels)


def test_what_cannot_be_paid_is_not_offered(start):
    match = start(BUY)
    assert labels(match) == [f"{name}_{n}" for name in ("one", "two", "six") for n in (1, 2, 3)] + ["done"]
    match.choose("two_1")
    assert labels(match) == ["two_2", "two_3", "done"]  # five coins: no six; what stands before was passed over
    match.choose("two_2")
    assert match.over
    assert match.view(1)["counters"]["coin"] == {"player_1": 1, "player_2": 5}


def test_words_and_telling(start):
    match = start(BUY)
    assert match.decision is not None
    assert match.decision.options[0].words == "the card of 1 (1)"
    match.choose("one_1")
    match.choose("one_3")
    match.choose("done")
    assert match.log[:1] == ["Player 1: 2 cards of 1"]


def test_nothing_is_a_set_too(start):
    match = start(BUY)
    match.choose("done")
    assert match.over
    assert match.scores == [0, 0]


def test_so_many_and_no_less(start):
    match = start(
        rules(
            "choose 2 of c in market where c.rank == 6 as taken",
            "otherwise: stop",
            "gain sum(c.rank for c in taken) point",
        )
    )
    assert labels(match) == ["six_1", "six_2"]  # behind the third no other could follow
    match.choose("six_2")
    assert match.over  # the third is the only one left
    assert match.scores == [12, 0]


def test_too_few(start):
    lines = ["choose 4 of c in market where c.rank == 6 as taken", "otherwise: gain 1 point", "gain size(taken) point"]
    match = start(rules(*lines))
    assert match.over
    assert match.scores == [1, 0]


def test_saved_in_the_middle_and_cloned(start):
    match = start(BUY)
    match.choose("one_1")
    twin = match.clone()
    again = match.ruleset.restore(match.to_json())
    for one in (match, twin, again):
        one.choose("one_2")
        one.choose("done")
    assert match.digest() == twin.digest() == again.digest()


def test_undone(start):
    match = start(BUY)
    before = match.digest()
    match.choose("one_1")
    match.undo()
    assert match.digest() == before


def test_who_may_not_see_it_is_reported_that_it_was_decided(start):
    lines = [
        "for c in market: move c to hand(me)",
        'choose 2 of c in hand(me) where c.rank > 1 as cards "Keep which?"',
        "otherwise: stop",
        "for c in cards: move c to deck",
    ]
    match = start(rules(*lines))
    match.choose("two_1")
    match.choose("six_1")
    assert not any("card of" in line for line in match.told(1) if "decided" in line)
    assert any("has decided" in line for line in match.told(1))


def codes(folder: Path) -> set[str]:
    return {problem.code for problem in inspect(str(folder)).problems}


WRONG = {
    "without a name for the list": ("choose 2 of c in market where c.rank > 1", "P0101"),
    "perhaps too few": ("choose 4 of c in market where c.rank > 1 as cards\ngain size(cards) point", "P0402"),
    "the one is not there any more": ("choose 0 to 2 of c in market as cards\ngain c.rank point", "P0201"),
    "a list is no card": ("choose 0 to 2 of c in market as cards\nmove cards to gone", "P0307"),
    "how many is a number": ("choose c of c in market as cards", "P0201"),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes(name: str, tmp_path: Path):
    text, code = WRONG[name]
    found = codes(put(tmp_path, rules(*text.split("\n"))))
    assert code in found, found


def test_enough_by_a_test_before(tmp_path: Path):
    lines = [
        "if count(c in market where c.rank > 1) >= 4:",
        "  choose 4 of c in market where c.rank > 1 as cards",
        "  gain size(cards) point",
    ]
    assert "P0402" not in codes(put(tmp_path, rules(*lines)))


def test_why_one_of_several_is_not_offered(start):
    match = start(BUY)

    assert match.why("two_1").offered
    assert set(match.refused()) == set()
    match.choose("two_1")
    assert "one_1" in match.refused()
    reasons = match.why("one_1").reasons
    assert not match.why("one_1").offered
    assert [reason.holds for reason in reasons] == [True, False]
