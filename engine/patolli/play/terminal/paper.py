"""Output between two typed lines: never more than a screenful at a time.

Everything that a session prints passes through here as lines. At a terminal, the output stops when the screen is full,
until the person continues. A pipe or a file gets all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from patolli.play.terminal.flow import fold_text

LOWEST = 6
"""Lines of the lowest screen that is filled; on a lower one some scrolls away."""


class Paper:
    """A screen that is filled from the top after each line that is typed.

    Attributes:
        in_front: Whether the terminal is interactive.
    """

    def __init__(self, console: Console, read: Callable[[str], str]) -> None:
        self.console, self._read = console, read
        self.in_front = False
        self.ending = False  # whether nothing is asked behind what is printed
        self._used = 0  # lines since the last one that was typed
        self._ahead = ""  # what was typed where a long text stopped

    @property
    def whole(self) -> int | None:
        """Lines of an empty screen above the one that is typed; None if it is not interactive."""
        return max(LOWEST, self.console.height) - 1 if self.in_front else None

    @property
    def room(self) -> int | None:
        """Lines that are left above the one that is typed; None if it is not interactive."""
        return None if self.whole is None else max(0, self.whole - self._used)

    def print_lines(self, lines: Sequence[Text]) -> None:
        """Print lines; on a full screen, wait until the reader asks for the rest or types the next thing."""
        for at, line in enumerate(lines):
            left = len(lines) - at
            if self.room == 0 and not self.turn(f"{left} more line{'s' * (left > 1)}: Enter continues, 'q' stops> "):
                return
            self.console.print(line, soft_wrap=False, no_wrap=True, overflow="crop")
            self._used += 1

    def flow(self, lines: Sequence[Text | str]) -> None:
        """Print lines that may be longer than the screen is wide."""
        self.print_lines([part for line in lines for part in _fold_line(line, self.console.width)])

    def turn(self, prompt: str) -> bool:
        """Wait before the next screen; return whether it is wanted. Raises EOFError: the input ended too early."""
        try:
            typed = self._read(prompt).strip()
        except EOFError:
            self.in_front = False  # the reader is gone, so the rest need not wait
            if self.ending:
                return True
            raise
        self._used = 0
        self._ahead = "" if typed.lower() == "q" else typed
        return not typed

    def read_line(self, prompt: str) -> str:
        """Return the line that was typed where a long text stopped, or else ask for one."""
        typed, self._ahead = self._ahead, ""
        if not typed:
            typed = self._read(prompt)
            self._used = 0
        return typed

    @property
    def asked_ahead(self) -> bool:
        """Whether something was typed already that will be the next line."""
        return bool(self._ahead)

    def clear(self) -> None:
        """Begin an empty screen."""
        self.console.clear()
        self._used = 0


def _fold_line(line: Text | str, width: int) -> list[Text]:
    """Return a line in as many as it takes; what goes on is set in below its beginning."""
    text = line if isinstance(line, Text) else Text(line)
    indent = len(text.plain) - len(text.plain.lstrip())
    return fold_text(text[:indent], text[indent:], width, 2) if text.plain.strip() else [Text("")]
