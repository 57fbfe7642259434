"""Goofspiel: cards and prizes have the same numbers."""

import re
from typing import Any

from lockstep import Referee

import patolli


class Goofspiel(Referee):
    pack = spiel = "goofspiel"

    def key(self, action: str) -> str:
        return f"card_{action.rpartition(' ')[2]}"

    def outcome(self, state: Any, match: patolli.Match, draws: list[tuple[int, int]]) -> int:
        prize = match.view(0)["places"]["offer"]
        return int(re.sub(r"\D", "", str(prize))) - 1


class ThreePlayers(Goofspiel):
    variant = "3 players"
    spiel = "goofspiel(players=3,num_cards=5)"
    players = 3
    options = {"ranks": 5}


REFEREES = (Goofspiel(), ThreePlayers())
