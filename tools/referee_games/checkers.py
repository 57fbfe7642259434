"""Checkers: both call a move by its two cells; each jump is an action there as it is a question here."""

from lockstep import Referee


class Checkers(Referee):
    pack = spiel = "checkers"

    def key(self, action: str) -> str:
        return f"{action[:2]} -> {action[2:]}"


REFEREES = (Checkers(),)
