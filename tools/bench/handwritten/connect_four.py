"""Connect four by hand."""

from __future__ import annotations

_ROWS, _COLUMNS = 6, 7


def _rays(cell: int) -> list[tuple[list[int], list[int]]]:
    """Return, for each of the four directions, the up to three cells on either side."""

    def ray(down: int, right: int) -> list[int]:
        cells = []
        row, column = divmod(cell, _COLUMNS)
        for _ in range(3):
            row, column = row + down, column + right
            if not (0 <= row < _ROWS and 0 <= column < _COLUMNS):
                break
            cells.append(row * _COLUMNS + column)
        return cells

    return [(ray(down, right), ray(-down, -right)) for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))]


_RAYS = [_rays(cell) for cell in range(_ROWS * _COLUMNS)]


class ConnectFour:
    """A match; a move is the number of a column."""

    __slots__ = ("board", "height", "left", "over", "turn", "winner")

    def __init__(self) -> None:
        self.board = [-1] * (_ROWS * _COLUMNS)
        self.height = [0] * _COLUMNS
        self.left = _ROWS * _COLUMNS
        self.turn = 0
        self.over = False
        self.winner = -1

    def legal(self) -> list[int]:
        """Return the columns that are not full."""
        return [column for column, height in enumerate(self.height) if height < _ROWS]

    def play(self, move: int) -> None:
        """Drop a disc into a column."""
        board, turn = self.board, self.turn
        row = self.height[move]
        cell = row * _COLUMNS + move
        board[cell] = turn
        self.height[move] = row + 1
        self.left -= 1
        for there, back in _RAYS[cell]:
            run = 1
            for x in there:
                if board[x] != turn:
                    break
                run += 1
            for x in back:
                if board[x] != turn:
                    break
                run += 1
            if run >= 4:
                self.over = True
                self.winner = turn
                return
        if not self.left:
            self.over = True
        self.turn = 1 - turn
