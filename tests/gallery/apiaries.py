"""Apiaries, written from its rules a second time."""

from __future__ import annotations

from oracles import Question, Rules, Shuffle
from several import several

CARDS = {  # copies, price, nectar, combs
    "clover": (32, 0, 1, 0), "heather": (16, 3, 2, 0), "linden": (10, 6, 3, 0), "comb": (18, 2, 0, 1),
    "frame": (10, 5, 0, 3), "hive": (8, 8, 0, 6), "forager": (8, 3, 0, 0), "scout": (8, 2, 0, 0),
    "keeper": (8, 4, 0, 0), "market": (6, 5, 0, 0), "smoker": (6, 4, 0, 0), "screen": (8, 2, 0, 0),
    "pruner": (6, 3, 0, 0), "swarm": (6, 5, 0, 0), "queen": (4, 6, 0, 0),
}  # fmt: skip
MORE = {  # cards, bees, barrows, nectar
    "forager": (2, 0, 0, 0), "scout": (1, 1, 0, 0), "keeper": (0, 1, 1, 1), "market": (1, 1, 1, 1),
    "smoker": (0, 0, 0, 2), "screen": (1, 0, 0, 1),
}  # fmt: skip
WORKS = [*CARDS][6:]


def named(card: str) -> str:
    return card.rpartition("_")[0]


class Seat:
    def __init__(self, number: int) -> None:
        self.number = number
        self.deck: list[str] = []
        self.hand: list[str] = []
        self.played: list[str] = []
        self.discard: list[str] = []
        self.bees = self.barrows = self.nectar = 0

    def combs(self) -> int:
        return sum(CARDS[named(card)][3] for card in self.deck + self.hand + self.played + self.discard)


class Apiaries:
    def __init__(self, seats: int, shuffle: Shuffle) -> None:
        self.shuffle = shuffle
        self.meadow = {name: [f"{name}_{n + 1}" for n in range(CARDS[name][0])] for name in CARDS}
        self.seats = [Seat(number) for number in range(seats)]
        for seat in self.seats:
            seat.deck = [self.meadow[name].pop() for name in ["clover"] * 7 + ["comb"] * 3]
            seat.deck = shuffle(seat.deck)
            self.draw(seat, 5)

    def scores(self) -> list[int]:
        return [seat.combs() for seat in self.seats]

    def ask(self, seat: Seat, labels: list[str]) -> Question:
        return seat.number, labels, self.scores()

    def turn_over(self, seat: Seat) -> None:
        if not seat.deck:
            seat.deck, seat.discard = self.shuffle(seat.discard), []

    def draw(self, seat: Seat, number: int) -> None:
        for _ in range(number):
            self.turn_over(seat)
            if seat.deck:
                seat.hand.append(seat.deck.pop())

    def work(self, seat: Seat, name: str):
        cards, bees, barrows, nectar = MORE.get(name, (0, 0, 0, 0))
        self.draw(seat, cards)
        seat.bees, seat.barrows, seat.nectar = seat.bees + bees, seat.barrows + barrows, seat.nectar + nectar
        match name:
            case "scout":
                self.turn_over(seat)
                if seat.deck and (yield self.ask(seat, ["put it back", "discard it"])) == "discard it":
                    seat.discard.append(seat.deck.pop())
            case "smoker":
                for victim in self.seats[seat.number + 1 :] + self.seats[: seat.number]:
                    if len(victim.hand) > 3 and "screen" not in map(named, victim.hand):
                        card = yield self.ask(victim, [*victim.hand])
                        victim.hand.remove(card)
                        victim.discard.append(card)
            case "pruner":
                for card in (yield from several(seat.hand, 0, 2, seat.number, self.scores())):
                    seat.hand.remove(card)
            case "swarm" if seat.hand:
                card = yield self.ask(seat, [*seat.hand])
                seat.hand.remove(card)
                most = CARDS[named(card)][1] + 2
                if labels := self.left(most):
                    seat.discard.append(self.meadow[(yield self.ask(seat, labels))].pop())
            case "queen" if labels := [card for card in seat.hand if named(card) in WORKS]:
                card = yield self.ask(seat, labels)
                seat.hand.remove(card)
                seat.played.append(card)
                for _ in range(2):
                    yield from self.work(seat, named(card))

    def left(self, most: int) -> list[str]:
        return [name for name, pile in self.meadow.items() if pile and CARDS[name][1] <= most]

    def turn(self, seat: Seat):
        seat.bees, seat.barrows, seat.nectar = 1, 1, 0
        while True:
            can = [c for c in seat.hand if CARDS[named(c)][2] or (named(c) in WORKS and seat.bees)]
            card = (yield self.ask(seat, [*can, "enough"])) if can else "enough"
            if card == "enough":
                break
            seat.bees -= named(card) in WORKS
            seat.hand.remove(card)
            seat.played.append(card)
            seat.nectar += CARDS[named(card)][2]
            yield from self.work(seat, named(card))
        while seat.barrows and (labels := self.left(seat.nectar)):
            name = yield self.ask(seat, [*labels, "nothing"])
            if name == "nothing":
                break
            seat.nectar -= CARDS[name][1]
            seat.barrows -= 1
            seat.discard.append(self.meadow[name].pop())
        seat.discard += seat.played + seat.hand
        seat.hand, seat.played = [], []
        self.draw(seat, 5)

    def is_over(self) -> bool:
        return not self.meadow["hive"] or sum(not pile for pile in self.meadow.values()) >= 3


def apiaries(seats: int, shuffle: Shuffle, seasons: int) -> Rules:
    game = Apiaries(seats, shuffle)
    for seat in game.seats * seasons:
        yield from game.turn(seat)
        if game.is_over():
            break
    scores = game.scores()
    return scores, [number for number in range(seats) if scores[number] == max(scores)]
