"""Packways, written from its rules a second time."""

from __future__ import annotations

from oracles import Question, Rules, Shuffle
from several import several

TRACKS = """alder birch 2 mule, birch crag 3 goat, crag dale 3 pony, dale eyrie 4 yak, ford gorge 3 any, gorge heath 4 mule,
heath inn 2 pony, knoll ledge 3 yak, ledge moor 4 goat, alder ford 1 any, ford knoll 4 pony, birch ford 2 yak, birch gorge 2 any,
gorge crag 2 yak, crag heath 1 any, heath dale 2 goat, eyrie inn 3 mule, inn dale 3 any, gorge knoll 2 mule, gorge ledge 3 pony,
ledge heath 2 any, heath moor 3 yak, moor inn 2 goat, alder gorge 5 any"""
LETTERS = """alder crag 5, alder dale 8, alder eyrie 12, alder moor 10, birch eyrie 10, birch inn 9, birch ledge 5, crag knoll 4,
crag moor 5, dale ford 7, dale ledge 5, eyrie knoll 11, eyrie gorge 9, ford heath 6, ford inn 8, ford moor 8, gorge moor 5,
heath knoll 5, inn knoll 8, ledge eyrie 8"""
BEASTS = {"mules": "mule", "ponies": "pony", "goats": "goat", "yaks": "yak", "guides": "guide"}
WORTH = (0, 1, 2, 4, 7, 10)


def beast_of(team: str) -> str:
    return BEASTS[team.partition("_")[0]]


class Packways:
    def __init__(self, seats: int, shuffle: Shuffle) -> None:
        self.seats, self.shuffle = seats, shuffle
        self.tracks = {f"{one[0]}_{one[1]}": (int(one[2]), one[3]) for one in map(str.split, TRACKS.split(","))}
        self.pay = {f"{one[0]}_{one[1]}": int(one[2]) for one in map(str.split, LETTERS.split(","))}
        teams = [f"{name}_{n + 1}" for name in BEASTS for n in range(8 if name == "guides" else 11)]
        self.herd, self.sack = shuffle(teams), shuffle([*self.pay])
        self.camp: list[str | None] = [None] * 4
        self.pasture: list[str] = []
        self.stable: list[list[str]] = [[] for _ in range(seats)]
        self.bag: list[list[str]] = [[] for _ in range(seats)]
        self.opener: dict[str, int] = {}
        self.seen: set[str] = set()
        self.points, self.bridles = [0] * seats, [20] * seats
        for seat in range(seats):
            for _ in range(4):
                self.stable[seat].append(self.herd.pop())
        self.fill()

    def joined(self, seat: int, start: str) -> set[str]:
        found, open_ = {start}, [start]
        while open_:
            here = open_.pop()
            for track in (one for one, who in self.opener.items() if who == seat and here in one.split("_")):
                (other,) = set(track.split("_")) - {here}
                if other not in found:
                    found.add(other)
                    open_.append(other)
        return found

    def largest(self, seat: int) -> int:
        return max(len(self.joined(seat, village)) for track in self.tracks for village in track.split("_"))

    def carried(self, seat: int) -> list[str]:
        return [one for one in self.bag[seat] if one.split("_")[1] in self.joined(seat, one.split("_")[0])]

    def scores(self) -> list[int]:
        sizes = [self.largest(seat) for seat in range(self.seats)]
        found = []
        for seat, size in enumerate(sizes):
            carried = self.carried(seat)
            letters = sum(self.pay[one] if one in carried else -self.pay[one] for one in self.bag[seat])
            found.append(self.points[seat] + letters + 8 * (size > 1 and size == max(sizes)))
        return found

    def ask(self, seat: int, labels: list[str]) -> Question:
        return seat, labels, self.scores()

    def bring_back(self) -> None:
        if not self.herd:
            self.herd, self.pasture = self.shuffle(self.pasture), []

    def fill(self) -> None:
        for at, team in enumerate(self.camp):
            if team is None and self.herd:
                self.camp[at] = self.herd.pop()

    def teams(self, seat: int, beast: str) -> list[str]:
        return [team for team in self.stable[seat] if beast_of(team) in (beast, "guide")]

    def open_labels(self, seat: int) -> list[str]:
        own = {beast_of(team) for team in self.stable[seat]}
        return [
            f"open {track} -> {beast}"
            for track, (days, wanted) in self.tracks.items()
            for beast in BEASTS.values()
            if track not in self.opener and (wanted == beast or (wanted == "any" and beast in own))
            if len(self.teams(seat, beast)) >= days and self.bridles[seat] >= days
        ]

    def turn(self, seat: int):
        labels = self.open_labels(seat)
        labels += ["hire teams"] * (any(self.camp) or bool(self.herd)) + ["take letters"] * bool(self.sack)
        if not labels:
            return
        answer = yield self.ask(seat, labels)
        if answer == "hire teams":
            yield from self.hire(seat)
        elif answer == "take letters":
            yield from self.take_letters(seat, 1)
        else:
            _, track, _, beast = answer.split()
            days = self.tracks[track][0]
            sent = yield from several(self.teams(seat, beast), days, days, seat, self.scores())
            self.bridles[seat] -= days
            self.stable[seat] = [team for team in self.stable[seat] if team not in sent]
            self.pasture += sent
            self.opener[track] = seat
            self.points[seat] += WORTH[days] + len({*track.split("_")} - self.seen)
            self.seen |= {*track.split("_")}

    def hire(self, seat: int):
        left = 2
        while left and any(self.camp):
            answer = yield self.ask(seat, [*filter(None, self.camp), "from the herd"])
            if answer == "from the herd":
                self.bring_back()
                if self.herd:
                    self.stable[seat].append(self.herd.pop())
            else:
                left -= beast_of(answer) == "guide" and left == 2
                self.camp[self.camp.index(answer)] = None
                self.stable[seat].append(answer)
            left -= 1
            self.bring_back()
            self.fill()

    def take_letters(self, seat: int, least: int):
        drawn = [self.sack.pop() for _ in range(min(3, len(self.sack)))]
        self.bag[seat] += drawn
        if len(drawn) > least:
            back = yield from several(drawn, 0, len(drawn) - least, seat, self.scores())
            for letter in back:
                self.bag[seat].remove(letter)
                self.sack.insert(0, letter)

    def is_over(self) -> bool:
        return min(self.bridles) <= 2 or len(self.opener) == len(self.tracks)


def packways(seats: int, shuffle: Shuffle, weeks: int) -> Rules:
    game = Packways(seats, shuffle)
    for seat in range(seats):
        yield from game.take_letters(seat, 2)
    for _ in range(weeks):
        for seat in range(seats):
            yield from game.turn(seat)
        if game.is_over():
            break
    scores = game.scores()
    ranks = [(score, len(game.carried(seat))) for seat, score in enumerate(scores)]
    return scores, [seat for seat in range(seats) if ranks[seat] == max(ranks)]
