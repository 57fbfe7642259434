"""Othello: both call the cells the same; passing is the only action there where it is possible."""

from lockstep import Referee


class Othello(Referee):
    pack = spiel = "othello"


REFEREES = (Othello(),)
