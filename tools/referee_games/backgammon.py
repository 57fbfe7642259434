"""Backgammon: two moves of men are one action there, and doubles two actions; a move is called by what goes where.

Points are counted from the home of the moving player, as there; the bar is 25. A man that goes home is called so
whatever the number: which of two dice takes which man home makes no difference, and is one action there.
"""

from collections.abc import Mapping
from typing import Any

from lockstep import Referee, ways

import patolli

BAR = 25
Moves = tuple[tuple[int, int], ...]


class Backgammon(Referee):
    pack = spiel = "backgammon"

    def ours(self, match: patolli.Match) -> dict[Moves, list[int]]:
        player, record = match.decision.player, self._record(match)
        begun = len(record)
        while record[begun - 1]:  # back to the throw
            begun -= 1
        begun = len(record) - (len(record) - begun) % 2  # the one before may have been the only one

        def goes_on(after: patolli.Match) -> bool:
            new = self._record(after)[begun:]
            return len(new) < 2 and 0 not in new

        found: dict[Moves, list[int]] = {}
        for path, after in ways(match, goes_on):
            moves = []
            for entry in self._record(after)[begun : begun + 2]:
                if not entry:
                    break
                moves.append(tuple(point if player == 0 else BAR - point for point in divmod(entry, 100)))
            found.setdefault(tuple(sorted(moves)), path)
        return found

    def theirs(self, state: Any, player: int) -> Mapping[Moves, tuple[int]]:
        found: dict[Moves, tuple[int]] = {}
        for action in state.legal_actions():
            moves = []
            for one in state.spiel_move_to_checker_moves(player, action):
                if one.num > 0 and one.pos >= 0:
                    on_the_bar = not 0 <= one.pos < 24
                    start = BAR if on_the_bar else 24 - one.pos if player == 0 else one.pos + 1
                    moves.append((start, max(0, start - one.num)))
            found.setdefault(tuple(sorted(moves)), (action,))
        return found

    @staticmethod
    def _record(match: patolli.Match) -> tuple[int, ...]:
        return tuple(match.state[match.program.layout.fields["table", "played_moves"]])

    def outcome(self, state: Any, match: patolli.Match, draws: list[tuple[int, int]]) -> int:
        (one, _), (other, among) = draws.pop(0), draws.pop(0)
        if among == 5:  # the second die of the first throw is another number
            other += other >= one
        words = ("X starts" if one > other else "O starts") if among == 5 else ""
        thrown = {f"(roll: {one + 1}{other + 1})", f"(roll: {other + 1}{one + 1})"}
        for outcome in state.legal_actions():
            said = state.action_to_string(-1, outcome)
            if words in said and any(roll in said for roll in thrown):
                return int(outcome)
        return -1

    def returns(self, match: patolli.Match) -> list[float]:
        one, two = match.scores
        return [float(one - two), float(two - one)]


class Gammons(Backgammon):
    variant = "gammons"
    spiel = "backgammon(scoring_type=enable_gammons)"
    options = {"stakes": "gammons"}


class Full(Backgammon):
    variant = "full"
    spiel = "backgammon(scoring_type=full_scoring)"
    options = {"stakes": "full"}


REFEREES = (Backgammon(), Gammons(), Full())
