"""Drystone, written from its rules a second time."""

from __future__ import annotations

from oracles import Question, Rules, Shuffle

FELLS = """long_wall 4 W.W. 0, sheep_wall 1 W.W. 1, corner 4 WW.. 0, fold 2 WW.. 2, barn 3 WWW. 0, gate 2 W... 0, long_beck 3 B.B. 0,
watering 2 B.B. 2, bend 4 BB.. 0, spring 2 B... 1, tarn 2 BBB. 0, bridge 4 WBWB 0, ford 3 WWBB 0, moot 0 WBWB 0"""
KINDS = {name: (int(copies), edges, int(sheep)) for name, copies, edges, sheep in map(str.split, FELLS.split(","))}
WAYS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
Cell = tuple[int, int]
Side = tuple[Cell, int]


def kind_of(fell: str) -> str:
    return fell if fell in KINDS else fell.rpartition("_")[0]


def turned(fell: str, turn: int) -> str:
    edges = KINDS[kind_of(fell)][1]
    return edges[-turn:] + edges[:-turn] if turn else edges


def beyond(cell: Cell, way: int) -> Cell:
    across, down = [*WAYS.values()][way]
    return cell[0] + across, cell[1] + down


def is_inside(cell: Cell) -> bool:
    return 0 <= cell[0] < 7 and 0 <= cell[1] < 7


def named(cell: Cell) -> str:
    return f"{'abcdefg'[cell[0]]}{cell[1] + 1}"


class Drystone:
    def __init__(self, seats: int, shuffle: Shuffle, fells: int) -> None:
        every = [
            f"{name}_{n + 1}" if copies > 1 else name for name, (copies, _, _) in KINDS.items() for n in range(copies)
        ]
        self.stack = shuffle(every)[len(every) - fells :]
        self.offer: list[str | None] = [None] * 3
        self.hills: dict[Cell, tuple[str, str]] = {(3, 3): ("moot", "WBWB")}
        self.helpers: dict[Side, int] = {}
        self.points, self.home = [0] * seats, [4] * seats
        self.fill()

    def fill(self) -> None:
        for at, fell in enumerate(self.offer):
            if fell is None and self.stack:
                self.offer[at] = self.stack.pop()

    def fits(self, edges: str, cell: Cell) -> bool:
        beside = [(way, self.hills[there][1]) for way in range(4) if (there := beyond(cell, way)) in self.hills]
        return cell not in self.hills and bool(beside) and all(edges[way] == other[way - 2] for way, other in beside)

    def places(self, fell: str) -> dict[str, tuple[Cell, str]]:
        found = {}
        for turn in range(2 if KINDS[kind_of(fell)][1][:2] == KINDS[kind_of(fell)][1][2:] else 4):
            edges = turned(fell, turn)
            for cell in ((column, row) for row in range(7) for column in range(7)):
                if self.fits(edges, cell):
                    found[f"{named(cell)} -> {turn}"] = cell, edges
        return found

    def whole(self, side: Side) -> set[Side]:
        found, open_ = {side}, [side]
        while open_:
            cell, way = open_.pop()
            fell, edges = self.hills[cell]
            beside = (
                [] if kind_of(fell) == "barn" else [(cell, other) for other in range(4) if edges[other] == edges[way]]
            )
            there = beyond(cell, way)
            for other in beside + [(there, (way + 2) % 4)] * (there in self.hills):
                if other not in found:
                    found.add(other)
                    open_.append(other)
        return found

    def score(self, side: Side, end: bool) -> None:
        whole = self.whole(side)
        cells, there = {cell for cell, _ in whole}, [self.helpers[one] for one in whole if one in self.helpers]
        worth = len(cells)
        if not end and self.hills[side[0]][1][side[1]] == "W":
            worth *= 2
        elif not end:
            worth += sum(KINDS[kind_of(self.hills[cell][0])][2] for cell in cells)
        for seat in set(there):
            if there.count(seat) == max(map(there.count, there)):
                self.points[seat] += worth
        for one in whole & {*self.helpers}:
            self.home[self.helpers.pop(one)] += 1

    def ask(self, seat: int, labels: list[str]) -> Question:
        return seat, labels, [*self.points]

    def turn(self, seat: int):
        labels = [fell for fell in self.offer if fell and self.places(fell)]
        if not labels:
            self.offer = [None] * 3
            self.fill()
            return
        fell = yield self.ask(seat, labels)
        places = self.places(fell)
        cell, edges = places[(yield self.ask(seat, [*places]))]
        self.hills[cell] = fell, edges
        self.offer[self.offer.index(fell)] = None
        self.fill()
        sides = {f"{named(cell)}/{name}": (cell, way) for way, name in enumerate(WAYS) if edges[way] != "."}
        free = [name for name, side in sides.items() if not self.whole(side) & {*self.helpers}]
        if self.home[seat] and free:
            answer = yield self.ask(seat, [*free, "no helper"])
            if answer != "no helper":
                self.home[seat] -= 1
                self.helpers[sides[answer]] = seat
        for side in sides.values():
            if all(not is_inside(there) or there in self.hills for one in self.whole(side) if (there := beyond(*one))):
                self.score(side, end=False)


def drystone(seats: int, shuffle: Shuffle, fells: int) -> Rules:
    game = Drystone(seats, shuffle, fells)
    seat = 0
    while any(game.offer):
        yield from game.turn(seat % seats)
        seat += 1
    for side in [*game.helpers]:
        if side in game.helpers:
            game.score(side, end=True)
    ranks = [*zip(game.points, game.home, strict=True)]
    return game.points, [seat for seat in range(seats) if ranks[seat] == max(ranks)]
