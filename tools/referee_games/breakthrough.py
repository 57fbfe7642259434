"""Breakthrough: the first player begins at the top there, so the rows are counted from the other side."""

import re

from lockstep import Referee


class Breakthrough(Referee):
    pack = spiel = "breakthrough"

    def key(self, action: str) -> str:
        cells = [f"{column}{9 - int(row)}" for column, row in re.findall(r"([a-h])([1-8])", action)]
        return " -> ".join(cells)


REFEREES = (Breakthrough(),)
