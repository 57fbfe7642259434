"""Nine men's morris: they count the points row by row from the top, and taking a man is an action of its own."""

from lockstep import Referee

ROWS = ("adg", "bdf", "cde", "abc", "efg", "cde", "bdf", "adg")
HEIGHTS = (7, 6, 5, 4, 4, 3, 2, 1)
POINTS = [f"{column}{row}" for columns, row in zip(ROWS, HEIGHTS, strict=True) for column in columns]


class Morris(Referee):
    pack, spiel = "morris", "nine_mens_morris"

    def key(self, action: str) -> str:
        return " -> ".join(POINTS[int(word)] for word in action.split() if word.isdigit())


REFEREES = (Morris(),)
