"""Skerry, written from its rules a second time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from oracles import Question, Rules, Shuffle
from several import several

PRICES = {
    "pebble": 0, "pearl": 3, "lantern": 6, "hut": 2, "beacon": 7, "silt": 0, "fisher": 3, "market": 4, "tide": 4,
    "kiln": 3, "echo": 5, "smuggler": 5, "mudslinger": 5, "breakwater": 2,
}  # fmt: skip
COPIES = {"pebble": 40, "pearl": 24, "lantern": 16, "hut": 20, "silt": 20}
COINS = {"pebble": 1, "pearl": 2, "lantern": 3}
WORTH = {"hut": 1, "beacon": 5, "silt": -1}
ACTIONS = {"fisher", "market", "tide", "kiln", "echo", "smuggler", "mudslinger", "breakwater"}


def named(card: str) -> str:
    return card.rpartition("_")[0]


class Seat:
    def __init__(self, number: int) -> None:
        self.number = number
        self.deck: list[str] = []
        self.hand: list[str] = []
        self.out: list[str] = []
        self.discard: list[str] = []
        self.actions = self.buys = self.coins = 0

    def cards(self) -> list[str]:
        return self.deck + self.hand + self.out + self.discard

    def worth(self) -> int:
        return sum(WORTH.get(named(card), 0) for card in self.cards())


class Skerry:
    def __init__(self, seats: int, shuffle: Shuffle) -> None:
        self.shuffle = shuffle
        self.supply = {name: [f"{name}_{n + 1}" for n in range(COPIES.get(name, 8))] for name in PRICES}
        self.seats = [Seat(number) for number in range(seats)]
        for seat in self.seats:
            for name in ["pebble"] * 7 + ["hut"] * 3:
                self.get(seat, name)
            self.draw(seat, 5)

    def scores(self) -> list[int]:
        return [seat.worth() for seat in self.seats]

    def get(self, seat: Seat, name: str) -> None:
        if self.supply[name]:
            seat.discard.append(self.supply[name].pop())

    def draw(self, seat: Seat, number: int) -> None:
        for _ in range(number):
            if not seat.deck:
                seat.deck, seat.discard = self.shuffle(seat.discard), []
            if seat.deck:
                seat.hand.append(seat.deck.pop())

    def ask(self, seat: Seat, labels: list[str]) -> Question:
        return seat.number, labels, self.scores()

    def others(self, seat: Seat) -> Iterator[Seat]:
        order = self.seats[seat.number + 1 :] + self.seats[: seat.number]
        yield from order

    def from_hand(self, seat: Seat, name: str) -> None:
        card = next(card for card in seat.hand if named(card) == name)
        seat.hand.remove(card)
        seat.out.append(card)

    def kept_off(self, seat: Seat):
        if not any(named(card) == "breakwater" for card in seat.hand):
            return False
        return (yield self.ask(seat, ["show it", "keep it"])) == "show it"

    def choice(self, seat: Seat, refusal: str):
        held = {named(card) for card in seat.hand}
        return (yield self.ask(seat, [*sorted(held & ACTIONS), refusal]))

    def effect(self, seat: Seat, name: str):
        if name == "fisher":
            self.draw(seat, 1)
            seat.actions += 1
            seat.coins += 1
        elif name == "market":
            seat.buys += 1
            seat.coins += 2
        elif name in ("tide", "breakwater", "mudslinger"):
            self.draw(seat, 3 if name == "tide" else 2)
        elif name == "smuggler":
            seat.coins += 2
        elif name == "kiln":
            for card in (yield from several(seat.hand, 0, 2, seat.number, self.scores())):
                seat.hand.remove(card)
        elif name == "echo":
            twice = yield from self.choice(seat, "nothing")
            if twice != "nothing":
                self.from_hand(seat, twice)
                for _ in range(2):
                    yield from self.effect(seat, twice)
        if name in ("smuggler", "mudslinger"):
            for victim in self.others(seat):
                if (yield from self.kept_off(victim)):
                    continue
                if name == "mudslinger":
                    self.get(victim, "silt")
                elif len(victim.hand) > 3:
                    much = len(victim.hand) - 3
                    for card in (yield from several(victim.hand, much, much, victim.number, self.scores())):
                        victim.hand.remove(card)
                        victim.discard.append(card)

    def turn(self, seat: Seat):
        seat.actions, seat.buys, seat.coins = 1, 1, 0
        while seat.actions:
            name = yield from self.choice(seat, "no action")
            if name == "no action":
                break
            seat.actions -= 1
            self.from_hand(seat, name)
            yield from self.effect(seat, name)
        seat.coins += sum(COINS.get(named(card), 0) for card in seat.hand)
        while seat.buys:
            payable = [name for name, price in PRICES.items() if price <= seat.coins and self.supply[name]]
            bought = yield self.ask(seat, [*(f"buy {name}" for name in payable), "nothing"])
            if bought == "nothing":
                break
            name = bought.removeprefix("buy ")
            seat.coins -= PRICES[name]
            seat.buys -= 1
            self.get(seat, name)
        seat.discard += seat.hand + seat.out
        seat.hand, seat.out = [], []
        self.draw(seat, 5)

    def over(self) -> bool:
        left = Counter(bool(pile) for pile in self.supply.values())
        return not self.supply["beacon"] or left[False] >= 3


def skerry(seats: int, shuffle: Shuffle, years: int) -> Rules:
    game = Skerry(seats, shuffle)
    turns = [seat for _ in range(years) for seat in game.seats]
    for seat in turns:
        yield from game.turn(seat)
        if game.over():
            break
    ranks = [(seat.worth(), -len(seat.cards())) for seat in game.seats]
    return game.scores(), [number for number in range(seats) if ranks[number] == max(ranks)]
