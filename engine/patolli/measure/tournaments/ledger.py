"""A file with the games of a tournament: one line of JSON per game, written as soon as the game is finished.

The first line describes the tournament. If the same tournament is started again with the file, only the missing games
are played. If the program is killed while it writes a line, only that line is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from patolli.language.sources.lines import Lines, whole_lines
from patolli.measure.tournaments.contests import Contest, Key

FORM = "patolli tournament"
VERSION = 1
LATER = ("kinds", "learned")
"""Keys that are missing in old files: such a file is accepted if all other keys match."""


class LedgerError(ValueError):
    """The file does not contain the games of this tournament; the message says why."""


class Ledger:
    """The file with its ``contests``; after a write error, in ``failed``, the games continue without it."""

    def __init__(self, path: Path, head: Mapping[str, Any], could_be: Callable[[Contest], bool]) -> None:
        """Open or create a file; *could_be* returns whether numbers are possible for a game of this tournament.

        Raises:
            LedgerError: The file contains something else, or another tournament.
            OSError: The file cannot be read or written.
        """
        self.path = path
        self.failed: OSError | None = None
        self.contests: dict[Key, Contest] = {}
        self._could_be = could_be
        wanted = {FORM: VERSION, **head}
        there = path.exists()
        good = self._read_games(wanted) if there else 0
        self._lines = Lines(path, good)
        try:
            if not good:
                self._append_line(wanted)
        except OSError:
            self._lines.close()
            if not there:
                path.unlink(missing_ok=True)
            raise

    def add(self, contest: Contest) -> None:
        """Write another game."""
        if self.failed is None:
            try:
                self._append_line(contest.data())
            except OSError as error:
                self.failed = error

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def _append_line(self, data: Mapping[str, Any]) -> None:
        self._lines.add(json.dumps(data, ensure_ascii=False).encode() + b"\n")

    def _has_content(self) -> bool:
        with self.path.open("rb") as file:  # a device can be read although its size is 0
            return bool(file.read(1))

    def _read_games(self, wanted: Mapping[str, Any]) -> int:
        """Read the file; return how many of its bytes are complete lines."""
        good = 0
        for number, line in enumerate(whole_lines(self.path), 1):
            if number == 1:
                self._check_terms(_parse_line(line), wanted)
            else:
                self._add_line(line, number)
            good += len(line)
        if not good and self._has_content():
            raise LedgerError(f"{self.path} does not contain the games of a tournament; use another file")
        return good

    def _check_terms(self, head: Any, wanted: Mapping[str, Any]) -> None:
        if not isinstance(head, dict) or FORM not in head:
            raise LedgerError(f"{self.path} does not contain the games of a tournament; use another file")
        for name, value in wanted.items():
            if head.get(name) != value and (name in head or name not in LATER):
                there = _describe_difference(name, head.get(name), value)
                raise LedgerError(f"{self.path} contains another tournament: with {there}; use another file")

    def _add_line(self, line: bytes, number: int) -> None:
        try:
            contest = Contest.of(_parse_line(line))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise LedgerError(f"{self.path}:{number}: this line is not a game of a tournament; delete it") from None
        if not self._could_be(contest):
            raise LedgerError(f"{self.path}:{number}: the numbers of this game are impossible; delete the line")
        self.contests[contest.key] = contest


def _parse_line(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _describe_difference(name: str, there: object, wanted: object) -> str:
    """Describe how the tournament in the file differs."""
    if name == "content":
        return "different content"
    if name == "learned" and isinstance(there, dict) and isinstance(wanted, dict):
        changed = [repr(bot) for bot in wanted if there.get(bot) != wanted[bot]]
        return f"a different learned value of {', '.join(changed)}"
    return f"{'bots' if name == 'kinds' else name} {_format_value(there)}, not {_format_value(wanted)}"


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={one}" for name, one in value.items()) or "none"
    return (", ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)
