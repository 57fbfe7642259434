"""Record what stands on the screen of a match, so that it can be played back: asciicast files, version 2.

In:     what is printed, and what is typed.
Out:    a file of lines: first how large the screen is, then an event each: seconds since the beginning, ``o`` for what
        was printed or ``i`` for what was typed, and the text.

See https://docs.asciinema.org/manual/asciicast/v2/ for the form.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO


class Recording:
    """A stream that hands on what is printed, and writes it down.

    Attributes:
        failed: Why the file could not be written to the end; nothing where it could be.
    """

    def __init__(
        self, path: Path, stream: TextIO, size: tuple[int, int], title: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin a file.

        Args:
            path: The file; one that is there is written over.
            stream: Where everything is printed.
            size: Columns and lines of the screen.
            title: What the recording is called.
            clock: Returns the time in seconds.

        Raises:
            OSError: The file cannot be written.
        """
        self.failed = ""
        self._stream, self._clock, self._start = stream, clock, clock()
        self._file = path.open("w", encoding="utf-8")
        head = {"version": 2, "width": size[0], "height": size[1], "title": title}
        self._file.write(f"{json.dumps(head, ensure_ascii=False)}\n")
        self._file.flush()

    # -- a stream

    def __getattr__(self, name: str) -> Any:
        """Let the stream answer everything else, such as how letters are written."""
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Print a text."""
        self._stream.write(text)
        self._note("o", text)
        return len(text)

    # -- what is typed

    def reader(self, read: Callable[[str], str]) -> Callable[[str], str]:
        """Return a reader of lines that writes down questions and input."""

        def line(prompt: str) -> str:
            self._note("o", prompt)
            typed = read(prompt)
            self._note("i", f"{typed}\n")
            self._note("o", f"{typed}\n")
            return typed

        return line

    def close(self) -> None:
        """End the file."""
        try:
            self._file.close()
        except OSError as error:
            self.failed = self.failed or str(error.strerror)

    def _note(self, kind: str, text: str) -> None:
        """Write an event; a match goes on when its recording cannot."""
        if self.failed:
            return
        event = [round(self._clock() - self._start, 3), kind, text.replace("\n", "\r\n")]
        try:
            self._file.write(f"{json.dumps(event, ensure_ascii=False)}\n")
            self._file.flush()
        except OSError as error:
            self.failed = str(error.strerror)
