"""Tic-tac-toe by hand."""

from __future__ import annotations

_ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
_PAIRS = [[tuple(x for x in row if x != cell) for row in _ROWS if cell in row] for cell in range(9)]


class TicTacToe:
    """A match; a move is the number of a cell, row by row."""

    __slots__ = ("board", "left", "over", "turn", "winner")

    def __init__(self) -> None:
        self.board = [-1] * 9
        self.left = 9
        self.turn = 0
        self.over = False
        self.winner = -1

    def legal(self) -> list[int]:
        """Return the empty cells."""
        return [cell for cell, mark in enumerate(self.board) if mark < 0]

    def play(self, move: int) -> None:
        """Mark a cell."""
        board, turn = self.board, self.turn
        board[move] = turn
        self.left -= 1
        for a, b in _PAIRS[move]:
            if board[a] == turn and board[b] == turn:
                self.over = True
                self.winner = turn
                return
        if not self.left:
            self.over = True
        self.turn = 1 - turn
