"""Promises, written from its rules a second time."""

from __future__ import annotations

from oracles import Rules, Shuffle
from several import several

SUITS = {"fire": 10, "tide": 10, "moss": 10, "gale": 10}
TRICKS = 8


def suit(card: str) -> str:
    return card.split("_")[0]


def rank(card: str) -> int:
    return int(card.split("_")[1])


def trick_winner(table: list[tuple[int, str]], trump: str) -> int:
    """Return who has played the highest trump, or else the highest card of the first suit."""
    trumps = [(rank(card), seat) for seat, card in table if suit(card) == trump]
    first = suit(table[0][1])
    return max(trumps or [(rank(card), seat) for seat, card in table if suit(card) == first])[1]


def promises(seats: int, shuffle: Shuffle, rounds: int) -> Rules:
    points = [0] * seats
    for beginner in (number % seats for number in range(rounds)):
        deck = shuffle([f"{name}_{n}" for name, most in SUITS.items() for n in range(1, most + 1)])
        hands = [[deck.pop() for _ in range(TRICKS)] for _ in range(seats)]
        trump = suit(deck[-1])
        turns = [(beginner + step) % seats for step in range(seats)]
        passed = {}
        for seat in turns:
            passed[seat] = yield from several(hands[seat], 2, 2, seat, points)
            hands[seat] = [card for card in hands[seat] if card not in passed[seat]]
        for seat in range(seats):
            hands[(seat + 1) % seats] += passed[seat]
        promised: dict[int, int] = {}
        for seat in turns:
            barred = TRICKS - sum(promised.values()) if len(promised) == seats - 1 else -1
            promised[seat] = int((yield seat, [str(n) for n in range(TRICKS + 1) if n != barred], [*points]))
        taken = [0] * seats
        leader = beginner
        while any(hands):
            table: list[tuple[int, str]] = []
            for seat in [(leader + step) % seats for step in range(seats)]:
                fitting = [card for card in hands[seat] if not table or suit(card) == suit(table[0][1])]
                card = yield seat, fitting or [*hands[seat]], [*points]
                hands[seat].remove(card)
                table.append((seat, card))
            leader = trick_winner(table, trump)
            taken[leader] += 1
        for seat in range(seats):
            kept = taken[seat] == promised[seat]
            points[seat] += 5 + 2 * promised[seat] if kept else -abs(taken[seat] - promised[seat])
    return points, [seat for seat in range(seats) if points[seat] == max(points)]
