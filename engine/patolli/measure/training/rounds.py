"""The games of the round that is being played, each kept in a file as soon as it is over.

The file stands beside that of what was learned (``NAME.round``), and goes when the round is learned from.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from patolli.language.sources.lines import Lines, whole_lines
from patolli.measure.training.selfplay import Played


def beside(path: Path) -> Path:
    """Return where the games of a round are kept."""
    return path.with_name(f"{path.name}.round")


class RoundFile:
    """The file. Its first line says which round it is; one of another round is begun again."""

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        """Take the ``games`` by index, of the round that *head* names. Raises OSError: reading or writing fails."""
        self.games: dict[int, Played] = {}
        good = self._read_games(path, head) if path.exists() else 0
        self._lines = Lines(path, good)
        if not good:
            self._lines.add(_line(dict(head)))

    def add(self, index: int, game: Played) -> None:
        """Keep one more game. Raises OSError: it cannot be written."""
        self.games[index] = game
        self._lines.add(_line([index, game.seed, game.over, game.choices]))

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def _read_games(self, path: Path, head: Mapping[str, Any]) -> int:
        """Take in the games, and return how many bytes of whole lines there are."""
        good = 0
        for line in whole_lines(path):
            try:
                said = json.loads(line)
                if not good and said != head:
                    return 0
                if good:
                    index, seed, over, choices = said
                    self.games[int(index)] = Played(int(seed), tuple(map(int, choices)), bool(over))
            except (ValueError, TypeError, RecursionError):
                break  # the rest is played again
            good += len(line)
        return good


def _line(data: object) -> bytes:
    return json.dumps(data, sort_keys=True).encode() + b"\n"
