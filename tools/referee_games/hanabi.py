"""Hanabi is our beacons: cards are beacons, colors coasts, information tokens hails, a place in a hand a perch."""

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from lockstep import Referee

import patolli

COLORS = dict(zip("RYGWB", ("amber", "jade", "rose", "slate", "white"), strict=True))
COASTS = list(COLORS.values())
COLUMNS = "abcde"


class Beacons(Referee):
    pack, variant, spiel = "beacons", "2 players", "hanabi(players=2)"

    def ours(self, match: patolli.Match) -> Mapping[Hashable, Sequence[int]]:
        me, found = match.decision.player, {}
        for index, label in enumerate(match.decision.labels):
            word, _, rest = label.partition(" ")
            if word == "hail":
                player, what = rest.split(" -> ")
                key: Hashable = (word, (int(player[-1]) - 1 - me) % match.players, what)
            else:
                key = word, COLUMNS.index(rest[0])
            found[key] = (index,)
        return found

    def key(self, action: str) -> Hashable:
        word, *numbers = re.findall(r"\w+", action)
        if word != "Reveal":
            return {"Discard": "douse", "Play": "light"}[word], int(numbers[0])
        _, ahead, _, what = numbers
        return "hail", int(ahead), COLORS.get(what, what)

    def outcome(self, state: Any, match: patolli.Match, draws: list[tuple[int, int]]) -> int:
        history = state.full_history()
        dealt, made = (sum(one.player == -1 for one in history), sum(one.player >= 0 for one in history))
        size, players = 5 if self.players < 4 else 4, self.players
        if dealt < size * players:
            player, place = divmod(dealt, size)
        else:  # the player who made the last move draws, to the right
            player, place = (made - 1) % players, size - 1
        held = match.view((player + 1) % players)["places"]["perched"][f"player_{player + 1}.{COLUMNS[place]}1"]
        coast, height = held.split("_")[:2]
        return 5 * COASTS.index(coast) + int(height) - 1

    def returns(self, match: patolli.Match) -> list[float]:
        return [float(score) for score in match.scores]


class ThreePlayers(Beacons):
    variant, spiel, players = "3 players", "hanabi(players=3)", 3


class FourPlayers(Beacons):
    """With so many mishaps that a random match goes on until no beacon is left."""

    variant, spiel, players = "4 players", "hanabi(players=4,max_life_tokens=30)", 4
    options = {"mishaps": 30}


class FivePlayers(FourPlayers):
    variant, spiel, players = "5 players", "hanabi(players=5,max_life_tokens=30)", 5


REFEREES = (Beacons(), ThreePlayers(), FourPlayers(), FivePlayers())
