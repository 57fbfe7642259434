"""A file with the games of a tournament, one line of JSON for each, written as soon as it is finished.

The first line says what is played. Whoever begins the same tournament with the file goes on with the games that are not
in it. Of a program that is ended in the middle of a line that line is lost, and no more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from patolli.sources.lines import Lines, whole_lines
from patolli.tournaments.contests import Contest, Key

FORM = "patolli tournament"
VERSION = 1
LATER = ("kinds", "learned")
"""What files that were written by the first programs do not say: they are taken if all else fits."""


class LedgerError(ValueError):
    """A file is not one with the games of this tournament; the message says why."""


class Ledger:
    """The file. What cannot be written any more is remembered in ``failed``, and games go on without it.

    ``contests`` are those that were there already.
    """

    def __init__(self, path: Path, head: Mapping[str, Any], could_be: Callable[[Contest], bool]) -> None:
        """Open a file, or begin it; *could_be* tells whether numbers can be those of a game of this tournament.

        Raises:
            LedgerError: It holds something else, or another tournament.
            OSError: It cannot be read or written.
        """
        self.path = path
        self.failed: OSError | None = None
        self.contests: dict[Key, Contest] = {}
        self._could_be = could_be
        wanted = {FORM: VERSION, **head}
        there = path.exists()
        good = self._read(wanted) if there else 0
        self._lines = Lines(path, good)
        try:
            if not good:
                self._append(wanted)
        except OSError:
            self._lines.close()
            if not there:
                path.unlink(missing_ok=True)
            raise

    def add(self, contest: Contest) -> None:
        """Write one more game."""
        if self.failed is None:
            try:
                self._append(contest.data())
            except OSError as error:
                self.failed = error

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def _append(self, data: Mapping[str, Any]) -> None:
        self._lines.add(json.dumps(data, ensure_ascii=False).encode() + b"\n")

    def _holds_something(self) -> bool:
        with self.path.open("rb") as file:  # a device has something to read and no size
            return bool(file.read(1))

    def _read(self, wanted: Mapping[str, Any]) -> int:
        """Read what is there; return how many bytes of it are whole lines."""
        good = 0
        for number, line in enumerate(whole_lines(self.path), 1):
            if number == 1:
                self._fits(_parsed(line), wanted)
            else:
                self._take(line, number)
            good += len(line)
        if not good and self._holds_something():
            raise LedgerError(f"{self.path} is no file with the games of a tournament; name another one")
        return good

    def _fits(self, head: Any, wanted: Mapping[str, Any]) -> None:
        if not isinstance(head, dict) or FORM not in head:
            raise LedgerError(f"{self.path} is no file with the games of a tournament; name another one")
        for name, value in wanted.items():
            if head.get(name) != value and (name in head or name not in LATER):
                there = _other(name, head.get(name), value)
                raise LedgerError(f"{self.path} holds another tournament: with {there}; name another file")

    def _take(self, line: bytes, number: int) -> None:
        try:
            contest = Contest.of(_parsed(line))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise LedgerError(f"{self.path}:{number}: this line is no game of a tournament; delete it") from None
        if not self._could_be(contest):
            raise LedgerError(f"{self.path}:{number}: the numbers of this game cannot be; delete the line")
        self.contests[contest.key] = contest


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _other(name: str, there: object, wanted: object) -> str:
    """Say what is not as it was."""
    if name == "content":
        return "other content"
    if name == "learned" and isinstance(there, dict) and isinstance(wanted, dict):
        changed = [repr(bot) for bot in wanted if there.get(bot) != wanted[bot]]
        return f"what {', '.join(changed)} had learned then"
    return f"{'bots' if name == 'kinds' else name} {_said(there)}, not {_said(wanted)}"


def _said(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={one}" for name, one in value.items()) or "none"
    return (", ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)
