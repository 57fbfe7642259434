"""Breakthrough by hand, on eight by eight cells."""

from __future__ import annotations


def _targets(row: int, column: int, forward: int) -> tuple[int, tuple[int, ...]]:
    """Return the cell straight ahead and the one or two diagonal ones; -1 and none from the last row."""
    ahead = row + forward
    if not 0 <= ahead < 8:
        return -1, ()
    return ahead * 8 + column, tuple(ahead * 8 + x for x in (column - 1, column + 1) if 0 <= x < 8)


_AHEAD = [[_targets(*divmod(cell, 8), forward) for cell in range(64)] for forward in (1, -1)]


class Breakthrough:
    """A match; a move is ``64 * from + to``, with cells counted row by row."""

    __slots__ = ("board", "over", "pawns", "turn", "winner")

    def __init__(self) -> None:
        self.board = [0] * 16 + [-1] * 32 + [1] * 16
        self.pawns = [list(range(16)), list(range(48, 64))]
        self.turn = 0
        self.over = False
        self.winner = -1

    def legal(self) -> list[int]:
        """Return all moves of the player whose turn it is."""
        board, turn = self.board, self.turn
        ahead = _AHEAD[turn]
        moves = []
        for cell in self.pawns[turn]:
            straight, diagonal = ahead[cell]
            base = 64 * cell
            if board[straight] < 0:
                moves.append(base + straight)
            for to in diagonal:
                if board[to] != turn:
                    moves.append(base + to)
        return moves

    def play(self, move: int) -> None:
        """Move a pawn, and capture what stands there."""
        board, turn = self.board, self.turn
        start, to = divmod(move, 64)
        pawns = self.pawns[turn]
        pawns[pawns.index(start)] = to
        board[start] = -1
        others = self.pawns[1 - turn]
        if board[to] >= 0:
            others.remove(to)
        board[to] = turn
        if not others or to >> 3 == 7 * (1 - turn):
            self.over = True
            self.winner = turn
            return
        self.turn = 1 - turn
