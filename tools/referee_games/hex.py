"""Hex: both call the cells the same."""

from lockstep import Referee


class Hex(Referee):
    pack = spiel = "hex"


REFEREES = (Hex(),)
