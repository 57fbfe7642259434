"""Leduc poker: cards have numbers there, two of each rank."""

from typing import Any

from lockstep import Referee

import patolli

CARDS = ["jack_1", "jack_2", "queen_1", "queen_2", "king_1", "king_2"]


class LeducPoker(Referee):
    pack = spiel = "leduc_poker"

    def key(self, action: str) -> str:
        return action.lower()

    def outcome(self, state: Any, match: patolli.Match, draws: list[tuple[int, int]]) -> int:
        dealt = len(state.history())  # hands first, then bets, then the common card
        seen = (
            match.view(dealt)["places"]["hand"][f"player_{dealt + 1}"]
            if dealt < 2
            else match.view(0)["places"]["common"]
        )
        return CARDS.index(seen[0])

    def returns(self, match: patolli.Match) -> list[float]:
        return [score - 100.0 for score in match.scores]


REFEREES = (LeducPoker(),)
