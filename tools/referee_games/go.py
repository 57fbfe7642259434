"""Go: columns skip the letter i there, and a stone that brings a position back ends the match; here it is barred."""

from typing import Any

from lockstep import Referee

COLUMNS = "abcdefghjklmnopqrst"


class Go(Referee):
    pack = "go"

    def __init__(self, size: int, komi: float) -> None:
        self.variant = f"{size}x{size}"
        self.options = {"size": size, "komi": int(komi)}
        self.spiel = f"go(board_size={size},komi={komi},max_game_length=100000)"

    def legal(self, state: Any, player: int) -> list[int]:
        *stones, passing = state.legal_actions(player)
        return [*(stone for stone in stones if not state.child(stone).is_terminal()), passing]

    def key(self, action: str) -> str:
        where = action.split()[1].lower()
        return "pass" if where == "pass" else f"{'abcdefghijklmnopqrs'[COLUMNS.index(where[0])]}{where[1:]}"


REFEREES = (Go(9, 7.5), Go(5, 0.5))
