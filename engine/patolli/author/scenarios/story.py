"""What happened in a scenario, line by line, under the headings of the rules in which it happened."""

from __future__ import annotations

from collections import Counter
from typing import Any

from patolli.language.program.model import NTH
from patolli.run.runtime.display_names import Names
from patolli.run.runtime.match_story import heading

INDENT = "  "


class Story:
    """Lines so far, and the headings that are open; a heading is written when there is something to report below it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._open: list[tuple[int, str]] = []  # the number of a rule that has begun, and its heading
        self._written = 0  # how many of these are
        self._times: Counter[str] = Counter()

    def begin(self, names: Names, event: tuple[Any, ...]) -> None:
        """Open the heading of a rule."""
        self._open.append((event[2], heading(names, event)))

    def end(self, event: tuple[Any, ...]) -> None:
        """Close a rule, and what is open inside it; what began before anybody listened is not there."""
        for position in range(len(self._open) - 1, -1, -1):
            if self._open[position][0] == event[2]:
                del self._open[position:]
                self._written = min(self._written, position)
                return

    def say(self, line: str) -> None:
        """Add a line, below the headings that are open."""
        depth = sum(bool(words) for _, words in self._open[: self._written])
        for _, words in self._open[self._written :]:
            if words:
                self._times[words] += 1
                self.lines.append(INDENT * depth + words.replace(NTH, str(self._times[words])))
                depth += 1
        self._written = len(self._open)
        self.lines.append(INDENT * depth + line)
