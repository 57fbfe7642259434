"""High water, written from its rules a second time."""

from __future__ import annotations

from collections import deque

from oracles import Rules, Shuffle
from several import several

SHORES = {
    "north": ["aln", "brook", "carr", "dell"],
    "middle": ["eyot", "fen", "garth", "holm"],
    "south": ["isle", "jetty", "knoll", "lea"],
}
VILLAGES = [name for names in SHORES.values() for name in names]
WAYS = """
    aln-brook brook-carr carr-dell dell-aln dell-eyot eyot-fen fen-garth garth-holm holm-eyot
    holm-isle isle-jetty jetty-knoll knoll-lea lea-isle carr-garth garth-knoll
""".split()
NEAR = {
    name: {other for way in WAYS for other in way.split("-") if name in way.split("-")} - {name} for name in VILLAGES
}
DEALT = {2: 4, 3: 3, 4: 2}


class Over(Exception):
    """The match has ended."""


def shore_of(name: str) -> str:
    return next(shore for shore, names in SHORES.items() if name in names)


class Marsh:
    def __init__(self, seats: int, shuffle: Shuffle, floods: int, storms: int) -> None:
        self.shuffle, self.limit = shuffle, floods
        self.water = dict.fromkeys(VILLAGES, 0)
        self.sluices: list[str] = []
        self.floods = self.storms = 0
        self.at = ["aln"] * seats
        roles = shuffle(["runner", "bailer", "builder", "herald"])
        deck = shuffle([f"{shore}_plan_{n}" for shore in SHORES for n in range(1, 9)])
        self.roles, self.hands = [], []
        for _ in range(seats):
            self.roles.append(roles.pop())
            self.hands.append([deck.pop() for _ in range(DEALT[seats])])
        self.deck = shuffle([*deck, *(f"storm_{n + 1}" for n in range(storms))])
        self.clouds = shuffle([f"rain_{name}" for name in VILLAGES])
        self.fallen: list[str] = []
        for height in (1, 1, 2, 2, 3, 3):
            self.fallen.append(self.clouds.pop())
            self.water[self.fallen[-1].removeprefix("rain_")] = height

    def within(self, start: str, steps: int, dry: bool = False) -> set[str]:
        """Return what can be reached in so many steps, going on only over villages that may be entered."""
        seen = {start}
        for _ in range(steps):
            seen |= {other for name in seen for other in NEAR[name] if not dry or self.water[other] == 0}
        return seen

    def rain_on(self, village: str) -> None:
        """Raise the water, and let what overflows run on; each village overflows once."""
        falling, full = deque([village]), set()
        while falling:
            name = falling.popleft()
            if name in self.sluices or name in full:
                continue
            if self.water[name] < 3:
                self.water[name] += 1
                continue
            full.add(name)
            self.floods += 1
            if self.floods >= self.limit:
                raise Over
            falling.extend(NEAR[name])

    def back_to_clouds(self) -> None:
        self.clouds += self.shuffle(self.fallen)
        self.fallen = []

    def rain(self) -> None:
        if not self.clouds:
            self.back_to_clouds()
        self.fallen.append(self.clouds.pop())
        self.rain_on(self.fallen[-1].removeprefix("rain_"))

    def draw(self, seat: int) -> None:
        if not self.deck:
            raise Over
        card = self.deck.pop()
        if not card.startswith("storm"):
            self.hands[seat].append(card)
            return
        self.storms += 1
        if self.clouds:
            self.fallen.append(self.clouds.pop(0))
            for _ in range(3):
                self.rain_on(self.fallen[-1].removeprefix("rain_"))
        self.back_to_clouds()

    def fitting(self, seat: int) -> list[str]:
        return [card for card in self.hands[seat] if card.startswith(shore_of(self.at[seat]))]

    def options(self, seat: int) -> list[str]:
        role, here, hand = self.roles[seat], self.at[seat], self.hands[seat]
        found = [f"walk to {name}" for name in self.within(here, 2 if role == "runner" else 1) - {here}]
        if self.water[here]:
            found.append("bail")
        free = not any(shore_of(name) == shore_of(here) for name in self.sluices)
        if free and len(self.fitting(seat)) >= (2 if role == "builder" else 3):
            found.append("build")
        friends = self.within(here, len(VILLAGES), dry=True) if role == "herald" else {here}
        for card in hand if role == "herald" else self.fitting(seat):
            found += [
                f"give {card} -> player_{other + 1}"
                for other, where in enumerate(self.at)
                if other != seat and where in friends
            ]
        return [*found, "rest"]

    def scores(self) -> list[int]:
        return [len(self.sluices)] * len(self.at)

    def turn(self, seat: int):
        hand = self.hands[seat]
        for _ in range(4):
            answer = yield seat, self.options(seat), self.scores()
            here = self.at[seat]
            if answer == "rest":
                break
            if answer == "bail":
                self.water[here] -= min(self.water[here], 3 if self.roles[seat] == "bailer" else 1)
            elif answer == "build":
                much = 2 if self.roles[seat] == "builder" else 3
                for card in (yield from several(self.fitting(seat), much, much, seat, self.scores())):
                    hand.remove(card)
                self.sluices.append(here)
                self.water[here] = 0
                if len(self.sluices) == 3:
                    raise Over
            elif answer.startswith("walk to "):
                self.at[seat] = answer.removeprefix("walk to ")
            else:
                card, who = answer.removeprefix("give ").split(" -> player_")
                hand.remove(card)
                self.hands[int(who) - 1].append(card)
        for _ in range(2):
            self.draw(seat)
        for _ in range(2 + self.storms // 2):
            self.rain()


def high_water(seats: int, shuffle: Shuffle, floods: int, storms: int = 3) -> Rules:
    marsh = Marsh(seats, shuffle, floods, storms)
    try:
        while True:
            for seat in range(seats):
                yield from marsh.turn(seat)
    except Over:
        saved = len(marsh.sluices) == 3
        return marsh.scores(), [seat for seat in range(seats) if saved]
