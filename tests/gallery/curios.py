"""Curios, written from its rules a second time."""

from __future__ import annotations

from collections import Counter

from oracles import Rules, Shuffle

FAMILIES = ("clock", "mask", "shell", "globe")
WORTH = {0: 0, 1: 1, 2: 3, 3: 6, 4: 10, 5: 15, 6: 21}


def worth(shelf: list[str], coins: int) -> int:
    """Return the points for families, for sets of all four, and for what was not spent."""
    families = Counter(card.split("_")[0] for card in shelf)
    whole = min(families[name] for name in FAMILIES)
    return sum(WORTH[families[name]] for name in FAMILIES) + whole * 5 + coins // 5


class Sale:
    def __init__(self, seats: int, store: list[str]) -> None:
        self.store = store
        self.coins = [30] * seats
        self.shelves: list[list[str]] = [[] for _ in range(seats)]

    def scores(self) -> list[int]:
        return [worth(shelf, coins) for shelf, coins in zip(self.shelves, self.coins, strict=True)]

    def in_turn(self, seller: int):
        """Go round until all but the highest bidder have passed; return who buys, and for how much."""
        still, buyer, highest, seat = set(range(len(self.coins))), None, 0, seller
        while still - {buyer}:
            if seat in still:
                most = min(highest + 5, self.coins[seat])
                bids = [f"bid {coins}" for coins in range(highest + 1, most + 1)]
                answer = yield seat, [*bids, "pass"], self.scores()
                if answer == "pass":
                    still.remove(seat)
                else:
                    buyer, highest = seat, int(answer.split()[1])
            seat = (seat + 1) % len(self.coins)
        return buyer, highest

    def sealed(self, seller: int):
        """Take one bid of everybody; the first behind the seller has it among equals, and nothing buys nothing."""
        bids = []
        for seat, coins in enumerate(self.coins):
            bids.append(int((yield seat, [str(number) for number in range(coins + 1)], self.scores())))
        if not any(bids):
            return None, 0
        behind = [(seller + step) % len(bids) for step in range(1, len(bids) + 1)]
        buyer = next(seat for seat in behind if bids[seat] == max(bids))
        return buyer, bids[buyer]


def curios(seats: int, shuffle: Shuffle, lots: int) -> Rules:
    sale = Sale(seats, shuffle([f"{family}_{number}" for family in FAMILIES for number in range(1, 7)]))
    for number in range(lots):
        lot = [sale.store.pop(), sale.store.pop()]
        way = sale.sealed if number % 3 == 2 else sale.in_turn
        buyer, price = yield from way(number % seats)
        if buyer is not None:
            sale.coins[buyer] -= price
            sale.shelves[buyer] += lot
    values = [sum(int(card.split("_")[1]) for card in shelf) for shelf in sale.shelves]
    ranks = [*zip(sale.scores(), values, strict=True)]
    return sale.scores(), [seat for seat in range(seats) if ranks[seat] == max(ranks)]
