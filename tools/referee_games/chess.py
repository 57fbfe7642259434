"""Chess: player 1 has the black men there, and a promotion is one action; moves are called by squares and new ranks."""

from collections.abc import Mapping
from typing import Any

from lockstep import Referee, openspiel

import patolli

LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}


class Chess(Referee):
    pack = spiel = "chess"

    def seat(self, player: int) -> int:
        return 1 - player

    def ours(self, match: patolli.Match) -> dict[str, tuple[int, ...]]:
        labels = match.decision.labels
        if labels[0] in LETTERS:  # the move of the pawn was the only one, and was made by itself
            return {LETTERS[label]: (index,) for index, label in enumerate(labels)}
        found: dict[str, tuple[int, ...]] = {}
        for index, label in enumerate(labels):
            move = label.replace(" -> ", "")
            ranks = self._promotions(match, index) if move[3] in "18" else {}
            found |= {move + letter: (index, rank) for letter, rank in ranks.items()} or {move: (index,)}
        return found

    @staticmethod
    def _promotions(match: patolli.Match, index: int) -> dict[str, int]:
        """Return what may be chosen behind a move, when it is a promotion."""
        after = match.clone()
        after.pick(index)
        labels = after.decision.labels if after.decision is not None else ()
        return (
            {LETTERS[label]: rank for rank, label in enumerate(labels) if label in LETTERS}
            if (after.decision is not None and after.decision.player == match.decision.player)
            else {}
        )

    def theirs(self, state: Any, player: int) -> Mapping[str, tuple[int]]:
        chess, board = openspiel().chess, state.board()
        found = {chess.action_to_move(action, board).to_lan(): (action,) for action in state.legal_actions(player)}
        one_pawn = len({move[:4] for move in found}) == 1 and len(found) > 1
        return {move[4:]: actions for move, actions in found.items()} if one_pawn else found


REFEREES = (Chess(),)
