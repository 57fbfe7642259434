"""Files to which each line is added as soon as it is known: a process that is ended loses at most one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path

LONGEST = 64 * 1024 * 1024
"""Bytes that a line may have."""


class Lines:
    """The end of such a file. What is added is handed to the system at once."""

    def __init__(self, path: Path, good: int = 0) -> None:
        """Open or begin a file, and cut off an unfinished line behind its first *good* bytes. Raises OSError."""
        self.path = path
        self._file = FileIO(path, "a")
        try:
            self._file.truncate(good)
        except OSError as error:
            self._file.close()
            raise OSError(error.errno, error.strerror, str(path)) from None

    def add(self, line: bytes) -> None:
        """Add a line with its line break, whole or not at all. Raises OSError, with the path as ``filename``."""
        left = line
        try:
            while left:
                left = left[self._file.write(left) or 0 :]
        except OSError as error:
            with suppress(OSError):  # a pipe or a device has no end to cut off
                self._file.truncate(self._file.seek(0, 2) - len(line) + len(left))
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def whole_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file up to one that is unfinished or being written. Raises OSError: it is unreadable."""
    with path.open("rb") as file:
        for line in iter(lambda: file.readline(LONGEST), b""):
            if not line.endswith(b"\n"):
                return
            yield line
