"""Worlds are drawn evenly from what a seat may believe: hands, decks, roles dealt as cards, answers given in secret."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path

import pytest
from tiers import few

import patolli
from patolli.run.compiler.layout import FRAMES

GALLERY = Path(__file__).parents[2] / "content" / "gallery"
DRAWS = 2400
FAR = 4.5
"""Standard deviations of the statistic from its mean, beyond which counts are not even: once in 100,000 tests or less."""


def far(counted: Counter, cells: int) -> float:
    """Return by how many standard deviations chi-squared exceeds what even counts have."""
    expected = sum(counted.values()) / cells
    found = sum((number - expected) ** 2 / expected for number in counted.values())
    found += (cells - len(counted)) * expected
    return (found - (cells - 1)) / sqrt(2 * (cells - 1))


def test_uneven_counts_are_far():
    even = Counter(dict.fromkeys(range(6), DRAWS // 6))
    assert far(even, 6) < 0
    assert far(even + Counter({0: DRAWS // 5}), 6) > FAR
    assert far(even, 7) > FAR  # one never came


def drawn(match, seat, what):
    """Count something over worlds of a seatthat each look to it as the match does."""
    view, found = match.view(seat), Counter()
    for seed in range(DRAWS):
        world = match.determinize(seat, seed)
        if seed % 100 == 0:
            assert world.view(seat) == view
        found[what(world)] += 1
    return found


def started(pack, players, seed=3):
    return patolli.load(str(GALLERY / pack)).start(players, seed)


@pytest.mark.parametrize("seat", [0, 1])
def test_hand_that_was_dealt_from_a_shuffled_deck(seat):
    match, other = started("leduc_poker", 2), 1 - seat
    mine = match.view(seat)["places"]["hand"][f"player_{seat + 1}"]
    found = drawn(match, seat, lambda world: world.view(other)["places"]["hand"][f"player_{other + 1}"][0])

    assert mine[0] not in found
    assert far(found, 5) < FAR


def test_order_of_a_deck():
    """What comes next is any of the cards that the seat does not hold."""
    match = started("leduc_poker", 2)
    match.choose("call")

    def common(world):
        world.choose("call")
        return world.view(0)["places"]["common"][0]

    found = drawn(match, match.decision.player, common)
    assert far(found, 5) < FAR


@pytest.mark.parametrize("seat", few([0, 2], 0))
def test_each_card_lies_in_each_hand_alike(seat):
    """Roles that are dealt as cards are such hands, too."""
    match = started("promises", 3)
    others = [other for other in range(3) if other != seat]
    hands = [match.view(other)["places"]["hand"][f"player_{other + 1}"] for other in others]
    card = hands[0][0]

    def where(world):
        for other in others:
            if card in world.view(other)["places"]["hand"][f"player_{other + 1}"]:
                return other
        return None

    found = drawn(match, seat, where)
    assert len(hands[0]) == len(hands[1])
    assert far(Counter({other: found[other] for other in others}), 2) < FAR
    assert sum(found[other] for other in others) < DRAWS  # the rest of the deck may hold it


def test_answer_that_another_has_given_in_secret():
    match = started("goofspiel", 2)
    match.pick(3)
    assert match.decision.simultaneous
    layout = match.program.layout
    base, _ = layout.places["laid"]

    def bid(world):
        return tuple(world.state[base]) if isinstance(world.state[base], list) else world.state[base]

    found = drawn(match, match.decision.player, bid)
    assert far(found, 13) < FAR


def test_number_that_others_have_answered_under_seal():
    """It may be any that they could answer, also where no counter that holds it has bounds."""
    match = started("curios", 3)
    while not match.secret:
        match.choose("pass")
    for bid in (7, 12):
        match.choose(str(bid))
    bids = slice(match.program.layout.counters["sealed"][0], None)
    found = drawn(match, 2, lambda world: tuple(world.state[bids][:2]))

    assert far(Counter(one for one, _ in found.elements()), 31) < FAR
    assert far(Counter(other for _, other in found.elements()), 31) < FAR
    assert match.state[bids][:2] == [7, 12]


PACK = """document: pack
id: seals
version: 1.0.0
language: 1
title: Seals
authors: [x]
text: x
players: {min: 3, max: 3}
"""
SEALS = """document: rules
counters:
  first: {per: player, visible: owner, max: 9, start: 5}
  second: {per: player, visible: owner}
rules:
  match: |
    for round in 1..2:
      simultaneously for p in players:
        choose n in 1..4 "First?"
        set first to n
        choose m in 1..2 "Second?"
        set second to m + n
"""


def seals(folder, *answers, rules=SEALS):
    (folder / "pack.yaml").write_text(PACK, "utf-8")
    model, _, rest = rules.partition("rules:\n")
    (folder / "model.yaml").write_text(model.replace("document: rules", "document: model"), "utf-8")
    (folder / "rules.yaml").write_text("document: rules\nrules:\n" + rest, "utf-8")
    match = patolli.load(str(folder)).start(3, 1)
    for answer in answers:
        match.choose(str(answer))
    return match


@pytest.mark.parametrize("past", few([((),), ((4, 2, 4, 2, 4, 2),)], 0))
@pytest.mark.parametrize(("answers", "seat"), [((3, 2), 1), ((3, 2, 1), 1), ((3, 2, 1, 1), 2), ((3, 2, 1, 1, 4), 2)])
def test_several_numbers_under_seal(tmp_path, past, answers, seat):
    """The seat's own answers stay, those of others are drawn; and so are the variables of the rule that goes on."""
    match = seals(tmp_path, *past, *answers)
    layout = match.program.layout
    first, second = layout.counters["first"][0], layout.counters["second"][0]
    own = match.state[first + seat], match.state[second + seat]

    def answered(world):
        assert (world.state[first + seat], world.state[second + seat]) == own
        return world.state[first], world.state[second] - world.state[first]

    assert match.decision.player == seat
    found = drawn(match, seat, answered)
    assert far(found, 8) < FAR
    frames = {str(match.determinize(seat, seed).state[FRAMES][-1]) for seed in range(60)}
    if answers[-1] == 2:  # the first seat has just answered, and a variable still holds it
        assert len(frames) > 4


def test_hidden_number_is_as_it_starts_until_a_rule_writes_it(tmp_path):
    """Everybody can read in the pack how it starts, and sees that nothing has happened."""
    rules = SEALS.replace("simultaneously for p in players:", "for p in players: as p:")
    match = seals(tmp_path, rules=rules)
    base = match.program.layout.counters["first"][0]

    assert {tuple(match.determinize(0, seed).state[base : base + 3]) for seed in range(20)} == {(5, 5, 5)}


@pytest.mark.parametrize("made", ["random n in 0..9\n      set first(player_2) to n", "set first(player_2) to 3"])
def test_hidden_number_of_the_set_up_is_drawn_as_the_set_up_draws_it(tmp_path, made):
    rules = SEALS.replace("  match: |\n", f"  match: |\n    if true:\n      {made}\n")
    match = seals(tmp_path, rules=rules)
    base = match.program.layout.counters["first"][0]
    found = drawn(match, 0, lambda world: world.state[base + 1])

    assert far(found, 10) < FAR if "random" in made else set(found) == {3}


def test_hidden_number_that_no_rule_writes_stays_as_it_starts(tmp_path):
    """Rules are proven from that, and everybody can read it in the pack."""
    rules = SEALS.replace(
        "rules:\n", "  luck: {per: player, visible: owner, start: 2, max: 9, text: Luck}\nrules:\n", 1
    )
    match = seals(tmp_path, rules=rules)
    base = match.program.layout.counters["luck"][0]

    assert {tuple(match.determinize(0, seed).state[base : base + 3]) for seed in range(40)} == {(2, 2, 2)}
