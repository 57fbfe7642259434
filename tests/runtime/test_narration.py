"""Narration: what is reported of changes, in which words, and what is kept secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.author.workspace import load

PACK = "document: pack\nid: small\nversion: 1.0.0\nlanguage: 1\ntitle: S\nauthors: [x]\ntext: x\nplayers: {min: 2, max: 2}\n"
MODEL = """document: model
enums:
  shade: [pale, dark]
kinds:
  card: {facts: {number: int}, fields: {power: {type: int 0..9 = 1, text: Power; more is better., told: true}, shade: {type: shade = pale, text: Not told}, lit: {type: bool = false, told: true}}}
counters:
  bead: {per: player, max: 5, noun: [bead, beads], text: Beads}
  sand: {per: player, noun: [sand], text: Sand}
  step: {per: player, max: 9, text: "Steps on the long road to the lake in the hills; it ends there"}
  rung: {per: [player, shade], noun: [rung, rungs], text: Rungs}
  level: {text: "Level, from 0"}
  bare: {per: player}
  bid: {per: player, visible: owner, noun: [bid], text: A bid}
groups:
  goods: [bead, sand]
places:
  deck: {of: card, type: pile}
  shelf: {of: card, per: player, type: area}
  hand: {of: card, per: player, type: area, visible: owner}
  well: {of: card, type: pile, visible: none}
  heap: {of: card, type: pile, visible: top}
  offer: {of: card, type: row, size: 3}
  rack: {of: card, per: player, type: row, size: 2}
  screen: {of: card, per: player, type: row, size: 2, visible: owner}
"""
PIECES = "document: pieces\nkind: card\nplace: deck\npieces:\n  card_1: {number: 1}\n  card_2: {number: 2}\n  card_3: {number: 3}\n"


def log(tmp_path: Path, effect: str) -> list[str]:
    folder = tmp_path / "small"
    folder.mkdir()
    body = "".join(f"      {line}\n" for line in effect.split("; "))
    rules = f"document: rules\nrules:\n  match:\n    do: |\n{body}      choose n in 1..2\n      gain n bead\n"
    for name, text in (("pack", PACK), ("model", MODEL), ("cards", PIECES), ("rules", rules)):
        (folder / f"{name}.yaml").write_text(text)
    return load(str(folder)).start(2, narrate=True).log


@pytest.mark.parametrize(
    ("effect", "lines"),
    [
        pytest.param("gain 1 bead", ["Player 1 gains 1 bead"], id="one"),
        pytest.param("gain 2 bead", ["Player 1 gains 2 beads"], id="several"),
        pytest.param("gain 1 sand", ["Player 1 gains 1 sand"], id="one word for both"),
        pytest.param("gain 9 bead", ["Player 1 gains 5 beads"], id="no more than the bound"),
        pytest.param("gain 5 bead; gain 2 bead", ["Player 1 gains 5 beads"], id="nothing at the bound"),
        pytest.param(
            "gain 3 bead; lose bead bead",
            ["Player 1 gains 3 beads", "Player 1 loses 3 beads"],
            id="amount that reads differently afterwards",
        ),
        pytest.param(
            "gain 2 bead; lose 9 bead", ["Player 1 gains 2 beads", "Player 1 loses 2 beads"], id="no less than 0"
        ),
        pytest.param("gain 1 bead; gain 1 bead", ["Player 1 gains 2 beads"], id="one after the other"),
        pytest.param(
            "gain 1 bead; set card_2.shade to dark; gain 1 bead",
            ["Player 1 gains 2 beads"],
            id="something silent between",
        ),
        pytest.param(
            "gain 1 bead; gain 1 bead for player_2; gain 1 bead",
            ["Player 1 and player 2 each gain 1 bead", "Player 1 gains 1 bead"],
            id="one after the other of two",
        ),
        pytest.param(
            "gain 3 bead and 1 sand; if bead >= 2 and sand >= 1: pay 2 bead and 1 sand",
            ["Player 1 gains 3 beads and 1 sand", "Player 1 pays 2 beads and 1 sand"],
            id="payment",
        ),
        pytest.param("for g in goods: gain 1 g", ["Player 1 gains 1 bead and 1 sand"], id="member of a group"),
        pytest.param("gain 2 rung(dark)", ["Player 1 gains 2 rungs (dark)"], id="index"),
        pytest.param(
            "gain 2 step", ["Player 1's steps on the long road to the lake in the hills rise to 2"], id="no noun"
        ),
        pytest.param("gain 2 bare", ["Player 1 gains 2 bares"], id="no text"),
        pytest.param("gain 2 level", ["Level rises to 2"], id="of the table"),
        pytest.param("gain 1 bead; set bead to 4", ["Player 1 gains 1 bead", "Player 1 now has 4 beads"], id="set"),
        pytest.param("set bead to 0", [], id="set to what it was"),
        pytest.param(
            "gain 3 bead; set bead to bead - 2",
            ["Player 1 gains 3 beads", "Player 1 now has 1 bead"],
            id="set by itself",
        ),
        pytest.param("gain 2 bid; set bid to 5; lose 1 bid", [], id="hidden counter"),
        pytest.param("set card_2.power to 7", ["Card 2's power rises to 7"], id="field that is reported"),
        pytest.param("set card_2.lit to true", ["Card 2 is now lit"], id="truth value"),
        pytest.param("set card_2.shade to dark", [], id="field that is not told"),
        pytest.param(
            "move card_2 to hand; set card_2.power to 7",
            ["Player 1 takes card 2"],
            id="field of a hidden piece",
        ),
        pytest.param("move card_2 to shelf bottom", ["Player 1 takes card 2"], id="to the bottom"),
    ],
)
def test_change_is_reported(tmp_path, effect, lines):
    assert log(tmp_path, effect) == lines


@pytest.mark.parametrize(
    ("effect", "lines"),
    [
        pytest.param("draw 2 from deck to shelf(me)", ["Player 1 draws card 3 and card 2"], id="draw"),
        pytest.param("draw 1 from deck to shelf(me)", ["Player 1 draws card 3"], id="draw one"),
        pytest.param(
            "draw 9 from deck to shelf(me); draw 1 from deck to shelf(me)",
            ["Player 1 draws card 3, card 2 and card 1"],
            id="draw what is there",
        ),
        pytest.param("draw 2 from deck to hand(me)", ["Player 1 draws 2 cards from the deck"], id="draw in secret"),
        pytest.param("draw 1 from deck to heap", ["1 card from the deck goes to the heap"], id="draw face down"),
        pytest.param(
            "draw size(deck) - 1 from deck to shelf(me)", ["Player 1 draws card 3 and card 2"], id="amount before"
        ),
        pytest.param("refill offer from deck", ["Card 3, card 2 and card 1 go to the offer"], id="refill"),
        pytest.param(
            "if not offer(1): move card_1 to offer(1); draw 1 from deck to shelf(me); refill offer from deck; refill offer from deck",
            ["Card 1 goes to the offer, spot 2", "Player 1 draws card 3", "Card 2 goes to the offer"],
            id="refill a gap",
        ),
        pytest.param("refill rack from deck", ["Card 3 and card 2 go to player 1's rack"], id="refill one of several"),
        pytest.param(
            "refill screen from deck", ["2 cards from the deck go to player 1's screen"], id="refill in secret"
        ),
        pytest.param(
            "if not offer(2): move card_1 to offer(2); slide offer; slide offer",
            ["Card 1 goes to the offer, spot 3", "The gaps of the offer are closed"],
            id="slide",
        ),
        pytest.param(
            "if not screen(1): move card_1 to screen(1); slide screen",
            ["Card 1 goes to player 1's screen, spot 2"],
            id="slide in secret",
        ),
        pytest.param(
            "move card_1 to shelf(me); if not offer(1): move card_2 to offer(1); swap card_1 with card_2; swap card_1 with card_1",
            ["Player 1 takes card 1", "Card 2 goes to the offer, spot 2", "Card 1 and card 2 change places"],
            id="swap",
        ),
        pytest.param(
            "move card_1 to shelf(me); move card_2 to well; swap card_1 with card_2",
            [
                "Player 1 takes card 1",
                "Card 2 goes to the well",
                "Card 2 goes to player 1's shelf",
            ],
            id="swap with a hidden one",
        ),
        pytest.param(
            "move card_1 to shelf(me); move card_2 to well; swap card_2 with card_1",
            [
                "Player 1 takes card 1",
                "Card 2 goes to the well",
                "Card 2 goes to player 1's shelf",
            ],
            id="swap a hidden one",
        ),
        pytest.param(
            "move card_1 to well; move card_2 to hand(me); swap card_1 with card_2",
            ["Card 1 goes to the well", "Player 1 takes card 2"],
            id="swap in secret",
        ),
    ],
)
def test_several_pieces_are_reported(tmp_path, effect, lines):
    assert log(tmp_path, effect) == lines


@pytest.mark.parametrize("place", ["hand(me)", "heap", "well"])
def test_what_is_hidden_is_reported_alike(tmp_path, place):
    """Two matches that differ only in cards that no player can see are reported in the same words."""
    effect = f"shuffle deck; draw 2 from deck to {place}; refill screen from deck; slide screen"
    log(tmp_path, effect)
    ruleset = load(str(tmp_path / "small"))

    matches = [ruleset.start(2, seed, narrate=True) for seed in range(6)]

    assert len({str(match.state) for match in matches}) > 1
    assert len({tuple(match.log) for match in matches}) == 1


def test_piece_is_named_as_it_was_moved(tmp_path):
    """The last card of a pile is reported by its name, although the pile is empty afterwards."""
    effect = "if top(deck): move top(deck) to shelf; " * 3

    assert log(tmp_path, effect.removesuffix("; ")) == ["Player 1 takes card 3, card 2 and card 1"]


@pytest.mark.parametrize(
    ("effect", "lines"),
    [
        pytest.param('choose c in deck where c.number == 2; otherwise: stop; move c to shelf', ["Player 1 takes card 2"], id="told"),
        pytest.param('choose c in deck where c.number == 7 or "none"; set level to 1', ["Level rises to 1"], id="nothing to choose"),
    ],
)  # fmt: skip
def test_only_answer(tmp_path, effect, lines):
    assert log(tmp_path, effect) == lines


PAID = """document: rules
discounts:
  masons: {on: building, less: 1 of bead or sand, when: sand > 0, do: gain 1 rung(pale)}
waivers:
  gift: {each: c in shelf(me), on: [building], of: sand, do: move c to heap}
rules:
  match: |
    gain 3 bead and 3 sand
    for c in deck: move c to shelf(me)
    choose n in 1..2
    pay 2 bead and 1 sand as building
    choose m in 1..2
    gain n + m bead
"""


def test_discounts_and_waivers_stand_beside_what_is_paid(tmp_path):
    for name, text in (
        ("pack", PACK.replace("language: 1", "language: 3")),
        ("model", MODEL),
        ("cards", PIECES),
        ("rules", PAID),
    ):
        (tmp_path / f"{name}.yaml").write_text(text)
    rules = load(str(tmp_path))
    start = rules.start(2, narrate=True)
    start.pick(0)
    told = set()
    for at in range(len(start.decision.options)):
        match = start.clone()
        match.pick(at)
        told |= {words for words in match.log if "pays" in words}

    assert "Player 1 pays 1 bead and 1 sand, with masons" in told
    assert any(words.startswith("Player 1 pays 1 bead, with masons, using ") for words in told), told
    assert not any("and with" in words or "and use" in words for words in told)


@pytest.mark.parametrize("effect", ['say "more"', "reveal card_1 to me", 'say "more" n'])
def test_match_that_narrates_stands_at_the_same_block(tmp_path, effect):
    """A block that only tells something, and then asks, is no way round for a match that does not narrate."""
    body = f"repeat 3 times:\n    choose n in 1..3\n    if n > 1:\n      {effect}\n      choose m in 1..3\n      gain m bead\n    gain n bead\n"
    rules = (
        "document: rules\nrules:\n  match: |\n    for c in deck: move c to well\n    "
        + body.replace("\n", "\n    ").rstrip()
        + "\n"
    )
    for name, text in (
        ("pack", PACK.replace("language: 1", "language: 3\nproofs: full")),
        ("model", MODEL),
        ("cards", PIECES),
        ("rules", rules),
    ):
        (tmp_path / f"{name}.yaml").write_text(text)
    matches = [load(str(tmp_path)).start(2, 1, narrate=narrate) for narrate in (False, True)]
    for choice in (2, 1, 0, 1):
        for match in matches:
            match.pick(choice)
        assert matches[0].state == matches[1].state
