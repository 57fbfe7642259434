"""Millstream, written from its rules a second time."""

from __future__ import annotations

from itertools import combinations_with_replacement

from oracles import Question, Rules, Shuffle

GOODS = ("plank", "flour", "wool", "iron")
WORKS = {  # copies, price of each good and of any, water, what it brings
    "sawmill": (5, "f", 2, "p"), "gristmill": (4, "p", 2, "f"), "shearing_shed": (4, "p", 0, "w"),
    "hammer_mill": (3, "pw", 3, "i"), "wharf": (3, "??", 3, "pfw"), "market": (2, "i??", 1, "pfwi"),
    "bakery": (3, "pf", 1, ""), "smithy": (2, "ppi", 2, ""), "dyer": (2, "fw", 2, ""), "pond": (2, "pp", 0, ""),
    "guildhall": (2, "wi", 0, ""),
}  # fmt: skip
ORDERS = {  # copies, what is wanted, points
    "boards": (2, "pp", 2), "beams": (1, "pppp", 6), "sacks": (2, "ff", 2), "ship_bread": (1, "ffff", 6),
    "blankets": (2, "ww", 2), "sails": (2, "wwwp", 6), "ploughs": (2, "ii", 5), "carts": (2, "ppi", 5),
    "inn": (2, "ffww", 5), "fair": (2, "pfwi", 6),
}  # fmt: skip
WEATHER = {"dry": (1, 1), "low": (3, 2), "full": (3, 3), "high": (1, 4)}
MAKES = {"bakery": ("bake", "flour", 2), "smithy": ("forge", "iron", 3)}
POINTS = ("hammer_mill", "market", "smithy", "pond")


def copies(table) -> list[str]:
    return [f"{name}_{n + 1}" if row[0] > 1 else name for name, row in table.items() for n in range(row[0])]


def named(piece: str) -> str:
    return piece.rpartition("_")[0] if piece[-1].isdigit() else piece


def good(letter: str) -> str:
    return next(one for one in GOODS if one[0] == letter)


class Seat:
    def __init__(self, number: int) -> None:
        self.number, self.points = number, 0
        self.goods = dict(zip(GOODS, (1, 1, 1, 0), strict=True))
        self.works: list[str] = []

    def gain(self, name: str, number: int = 1) -> None:
        self.goods[name] = min(6, self.goods[name] + number)

    def ways(self, price: str) -> list[dict[str, int]]:
        """The ways to pay a price, of the letters of goods and of ? for any."""
        fixed = [good(letter) for letter in price if letter != "?"]
        every = [[*fixed, *mix] for mix in combinations_with_replacement(GOODS, price.count("?"))]
        counted = [{name: way.count(name) for name in GOODS} for way in every]
        return [way for way in counted if all(self.goods[name] >= n for name, n in way.items())]

    def score(self) -> int:
        names = [named(work) for work in self.works]
        return self.points + sum(name in POINTS for name in names) + names.count("guildhall") * len({*names})


def label(way: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in way.items() if n)


class Millstream:
    def __init__(self, seats: int, shuffle: Shuffle) -> None:
        self.shuffle = shuffle
        self.plans, self.bag, self.sky = shuffle(copies(WORKS)), shuffle(copies(ORDERS)), shuffle(copies(WEATHER))
        self.past: list[str] = []
        self.water = 0
        self.seats = [Seat(number) for number in range(seats)]
        self.offer: list[str | None] = [self.plans.pop() for _ in range(4)]
        self.board: list[str | None] = [self.bag.pop() for _ in range(3)]

    def ask(self, seat: Seat, labels: list[str]) -> Question:
        return seat.number, labels, [one.score() for one in self.seats]

    def change_weather(self) -> None:
        if not self.sky:
            self.sky, self.past = self.shuffle(self.past), []
        card = self.sky.pop()
        self.past.append(card)
        self.water = WEATHER[named(card)][1]

    def produce(self, seat: Seat):
        water = self.water + sum(named(work) == "pond" for work in seat.works)
        for name in map(named, seat.works):
            _, _, needs, brings = WORKS[name]
            if needs > water:
                continue
            if brings:
                seat.gain((yield self.ask(seat, [good(letter) for letter in brings])))
            if name in MAKES:
                word, of, points = MAKES[name]
                if seat.goods[of] and (yield self.ask(seat, [word, "no"])) == word:
                    seat.goods[of] -= 1
                    seat.points += points
            for _ in range(2 * (name == "dyer")):
                if not seat.goods["wool"] or (yield self.ask(seat, ["dye", "stop"])) == "stop":
                    break
                seat.goods["wool"] -= 1
                seat.points += 1

    def turn(self, seat: Seat):
        labels = [f"build {work}" for work in self.offer if work and seat.ways(WORKS[named(work)][1])]
        labels += [f"fill {order}" for order in self.board if order and seat.ways(ORDERS[named(order)][1])]
        answer = yield self.ask(seat, [*labels, "take in goods"])
        verb, _, piece = answer.partition(" ")
        if verb == "take":
            mixes = [
                label({name: mix.count(name) for name in GOODS}) for mix in combinations_with_replacement(GOODS, 2)
            ]
            for part in (yield self.ask(seat, mixes)).split(", "):
                seat.gain(part.split()[1], int(part.split()[0]))
            return
        price = WORKS[named(piece)][1] if verb == "build" else ORDERS[named(piece)][1]
        ways = {label(way): way for way in seat.ways(price)}
        way = ways[(yield self.ask(seat, [*ways]))]
        for name in GOODS:
            seat.goods[name] -= way[name]
        if verb == "build":
            seat.works.append(piece)
            self.offer[self.offer.index(piece)] = self.plans.pop() if self.plans else None
        else:
            seat.points += ORDERS[named(piece)][2]
            self.board[self.board.index(piece)] = self.bag.pop() if self.bag else None


def millstream(seats: int, shuffle: Shuffle, rounds: int) -> Rules:
    game = Millstream(seats, shuffle)
    for number in range(rounds):
        game.change_weather()
        order = [game.seats[(number + n) % seats] for n in range(seats)]
        for step in (game.produce, game.turn):
            for seat in order:
                yield from step(seat)
    scores = [seat.score() for seat in game.seats]
    ranks = [(seat.score(), sum(seat.goods.values())) for seat in game.seats]
    return scores, [number for number in range(seats) if ranks[number] == max(ranks)]
