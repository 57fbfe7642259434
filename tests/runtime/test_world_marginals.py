"""Worlds are drawn evenly from what a seat may believe: hands, decks, roles dealt as cards, answers given in secret."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

import patolli

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
    """Count something over worlds of a seat, each of which looks to it as the match does."""
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


@pytest.mark.parametrize("seat", [0, 2])
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
