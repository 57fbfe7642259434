"""Pig: faces of the die are counted from 0 there; the match is not cut off here."""

from typing import Any

from lockstep import Referee

import patolli


class Pig(Referee):
    pack = "pig"
    spiel = "pig(horizon=100000)"

    def outcome(self, state: Any, match: patolli.Match, draws: list[tuple[int, int]]) -> int:
        return draws.pop(0)[0]


class ThreePigs(Pig):
    variant = "3 players"
    spiel = "pig(horizon=100000,players=3,winscore=30)"
    players = 3
    options = {"goal": 30}


REFEREES = (Pig(), ThreePigs())
