"""What is said to a player about that player."""

from __future__ import annotations

import pytest

from patolli.check.prose.words import address_player, bidden


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Player 1 gains 2 coins", "You gain 2 coins"),
        ("Player 1 loses 1 stone and gains 1 wood", "You lose 1 stone and gain 1 wood"),
        ("Player 1 now has 3 cards", "You now have 3 cards"),
        ("Player 1 has decided", "You have decided"),
        ("Player 1 passes", "You pass"),
        ("Player 1 carries the torch", "You carry the torch"),
        ("Player 1 dies", "You die"),
        ("Player 1: its corner at d4", "You: its corner at d4"),
        ("Player 1's turn", "Your turn"),
        ("Player 2 gives 1 bead to player 1", "Player 2 gives 1 bead to you"),
        ("The worker of power 3 goes to player 1's hand", "The worker of power 3 goes to your hand"),
        ("Player 1 and player 2 each gain 1 point", "You and player 2 each gain 1 point"),
        ("Player 2 draws 3 cards; player 1 draws 2 cards", "Player 2 draws 3 cards; you draw 2 cards"),
        ("Lot 3, sold by player 1", "Lot 3, sold by you"),
        ("player 1 wins.", "You win."),
        ("Player 10 gains 1 coin", "Player 10 gains 1 coin"),
        ("Round 1", "Round 1"),
    ],
)
def test_a_sentence_is_said_to_whom_it_is_about(said, read):
    assert address_player(said, "player 1") == read


@pytest.mark.parametrize(
    ("said", "read"), [("goes up", "go up"), ("passes on", "pass on"), ("lies down", "lie down"), ("this", "this")]
)
def test_what_a_player_does_is_said_as_to_do(said, read):
    assert bidden(said) == read
