"""Allotments, written from its rules a second time."""

from __future__ import annotations

from oracles import Question, Rules, Shuffle

COPIES = {
    "carrot": 7, "bean": 7, "onion": 5, "melon": 4, "daisy": 5, "rose": 6, "sunflower": 4, "hive": 4, "apple": 4,
    "hedge": 3, "rabbit": 5,
}  # fmt: skip
VEGETABLES = {"carrot", "bean", "onion", "melon"}
FLOWERS = {"daisy", "rose", "sunflower"}


def named(plant: str) -> str:
    return plant.rpartition("_")[0]


class Allotments:
    def __init__(self, seats: int, shuffle: Shuffle) -> None:
        self.seats = seats
        self.shed = shuffle([f"{name}_{n + 1}" for name, copies in COPIES.items() for n in range(copies)])
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.gardens: list[list[str]] = [[] for _ in range(seats)]

    def beside(self, seat: int) -> list[int]:
        left, right = (seat + 1) % self.seats, (seat - 1) % self.seats
        return [left] if left == right else [left, right]

    def flowers(self, seat: int) -> int:
        return sum(name in FLOWERS for name in self.gardens[seat])

    def worth(self, seat: int, name: str) -> int:
        mine = self.gardens[seat].count(name)
        match name:
            case "carrot":
                return mine
            case "bean":
                return 1 if mine % 2 else 3
            case "onion":
                return 2
            case "melon":
                return sum(name in VEGETABLES for name in self.gardens[seat - 1])
            case "rose":
                return 4 if all(self.gardens[other].count(name) < mine for other in self.beside(seat)) else 1
            case "sunflower":
                return 2 if name in self.gardens[(seat + 1) % self.seats] else 4
            case "hive":
                return sum(map(self.flowers, [seat, *self.beside(seat)])) // 2
            case "apple":
                return len({*self.gardens[seat]}) // 2
            case "rabbit":
                return -3
        return 1

    def scores(self) -> list[int]:
        return [sum(self.worth(seat, name) for name in garden) for seat, garden in enumerate(self.gardens)]

    def ask(self, seat: int, labels: list[str]) -> Question:
        return seat, labels, self.scores()

    def season(self, to: int):
        for hand in self.hands:
            for _ in range(6):
                hand.append(self.shed.pop())
        for _ in range(5):
            picked = []
            for seat, hand in enumerate(self.hands):
                picked.append((yield self.ask(seat, [*hand])))
            for seat, plant in enumerate(picked):
                self.hands[seat].remove(plant)
                if named(plant) != "rabbit":
                    self.gardens[seat].append(named(plant))
            for seat, plant in enumerate(picked):
                open_ = [other for other in self.beside(seat) if "hedge" not in self.gardens[other]]
                if named(plant) == "rabbit" and open_:
                    answer = yield self.ask(seat, [f"player_{other + 1}" for other in open_])
                    self.gardens[int(answer[-1]) - 1].append("rabbit")
            self.hands = [self.hands[(seat - to) % self.seats] for seat in range(self.seats)]
        self.hands = [[] for _ in range(self.seats)]


def allotments(seats: int, shuffle: Shuffle, seasons: int) -> Rules:
    game = Allotments(seats, shuffle)
    for to in (1, -1)[:seasons]:
        yield from game.season(to)
    scores = game.scores()
    ranks = [(score, garden.count("carrot")) for score, garden in zip(scores, game.gardens, strict=True)]
    return scores, [seat for seat in range(seats) if ranks[seat] == max(ranks)]
