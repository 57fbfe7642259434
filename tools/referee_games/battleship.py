"""Battleship: ships are placed by their first square there; no player shoots twice at a square."""

import re

from lockstep import Referee

import patolli


def here(label: str) -> str:
    """Return what the referee calls an option: a square, or where and how a ship lies."""
    square, turn = re.findall(r"_([a-j]\d+)_(\d)|\.([a-j]\d+)", label)[0][:2]
    return f"{square} {('flat', 'upright')[int(turn)]}" if turn else label.rpartition(".")[2]


class Battleship(Referee):
    pack = "battleship"
    spiel = "battleship(allow_repeated_shots=False)"

    def ours(self, match: patolli.Match) -> dict[str, tuple[int]]:
        return {here(label): (index,) for index, label in enumerate(match.decision.labels)}

    def key(self, action: str) -> str:
        (row, column), flat = re.findall(r"\d+", action)[-2:], "horizontally" in action
        square = f"{'abcdefghij'[int(column)]}{int(row) + 1}"
        return square if "shoot" in action else f"{square} {'flat' if flat else 'upright'}"

    def returns(self, match: patolli.Match) -> list[float]:
        one, two = match.scores
        return [float(one - two), float(two - one)]


REFEREES = (Battleship(),)
