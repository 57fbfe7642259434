"""Nine men's morris: the points are counted there, row by row from the top."""

import re

from lockstep import Referee

POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()


class NineMensMorris(Referee):
    pack = spiel = "nine_mens_morris"

    def key(self, action: str) -> str:
        return " -> ".join(POINTS[int(point)] for point in re.findall(r"\d+", action))


REFEREES = (NineMensMorris(),)
