"""Amazons: rows are counted from the top there; a move is three actions there as it is three questions here."""

import re

from lockstep import Referee


class Amazons(Referee):
    pack = spiel = "amazons"

    def key(self, action: str) -> str:
        row, column = re.findall(r"\d+", action)
        return f"{'abcdefghij'[int(column) - 1]}{11 - int(row)}"


REFEREES = (Amazons(),)
