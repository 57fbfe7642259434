"""Show problems to people: the place, the words, the line of the file, and a caret.

Everything that comes from a file is made harmless first: control characters and
signs that reorder text are replaced, so that content cannot write to the
terminal of the user who checks it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias
from unicodedata import combining, east_asian_width
from zipfile import BadZipFile, ZipFile, is_zipfile

from patolli.language.diagnostics.order import Folded, fold, summary
from patolli.language.diagnostics.problem import Problem, Span

Read: TypeAlias = Callable[[str], str | None]

WIDTH = 120
"""Cells of a source line that are shown; a longer one is cut around its caret."""
TAB = 4
MOST = 2_000_000
"""Bytes of a file that are read."""
SHOWN = 3
"""Lines of one span that are shown."""
UNREAD = "P0010"
"""The code of a file that is not read: nothing of it is shown, as it may belong to another user."""
LISTED = 6
"""Further places of a repeated problem that are listed."""

_STYLES = {"error": "1;31", "warning": "1;33", "open": "1;36", "place": "1", "margin": "34", "help": "36", "off": "0"}
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff\ufeff]")


def from_disk(path: str) -> str | None:
    """Get the text of a file as it is now, or ``None`` when it cannot be had."""
    try:
        if Path(path).exists() and not Path(path).is_file():
            return None  # a pipe or a device may never end
        with Path(path).open("rb") as file:
            data = file.read(MOST)
        return None if b"\0" in data[:1_000] else data.decode("utf-8", "replace")
    except NotADirectoryError:
        return _read_archive_text(Path(path))
    except (OSError, ValueError):
        return None


def _read_archive_text(path: Path) -> str | None:
    """Get the text of a file in an archive that was read before, which showed that it can be trusted."""
    archive = next((parent for parent in path.parents if is_zipfile(parent)), None)
    if archive is None:
        return None
    try:
        with ZipFile(archive) as opened, opened.open(path.relative_to(archive).as_posix()) as file:
            return file.read(MOST).decode("utf-8", "replace")
    except (OSError, KeyError, ValueError, RuntimeError, BadZipFile, EOFError, zlib.error):
        return None


def render_text(problems: Iterable[Problem], read: Read = from_disk, colour: bool = False) -> str:
    """Write problems for people, in the order of the files.

    Args:
        problems: What was found; what is said again of the same words is shown once.
        read: Gives the text of a file by the path in a span, or ``None``.
        colour: Whether to use the colours of a terminal.

    Returns:
        Lines, each ended; the last one sums up. Empty when there is nothing.
    """
    problems = list(problems)
    if not problems:
        return ""
    page = _Page(read, colour)
    for folded in fold(problems, page.quote_span):
        page.problem(folded)
    page.line(summary(problems))
    return "\n".join(page.lines) + "\n"


class _Page:
    """Collects lines; keeps each file it was given, split into lines."""

    def __init__(self, read: Read, colour: bool) -> None:
        self.read = read
        self.colour = colour
        self.lines: list[str] = []
        self.files: dict[str, list[str]] = {}

    def line(self, text: str) -> None:
        self.lines.append(text.rstrip(" "))

    def paint(self, text: str, style: str) -> str:
        if not self.colour or not text:
            return text
        return f"\x1b[{_STYLES[style]}m{text}\x1b[{_STYLES['off']}m"

    def problem(self, folded: Folded) -> None:
        problem = folded.problem
        kind = self.paint(f"{problem.severity}[{problem.code}]", problem.severity)
        read = problem.code != UNREAD
        self.line(f"{self.paint(self.place(problem.span, read), 'place')}: {kind}: {harmless(problem.message)}")
        if read:
            self.snippet(problem.span, problem.severity)
        for span, words in problem.also:
            self.line(f"{self.paint(self.place(span), 'place')}: {harmless(words)}")
            self.snippet(span, "margin")
        if problem.help:
            self.line(f"{self.paint('help:', 'help')} {harmless(problem.help)}")
        if folded.more:
            listed = ", ".join(_list_places(problem.span, folded.more[:LISTED]))
            more = ", ..." if len(folded.more) > LISTED else ""
            self.line(f"and {len(folded.more)} more like this: {listed}{more}")
        self.line("")

    def place(self, span: Span, read: bool = True) -> str:
        """Write a place; what stands for a whole file that cannot be shown, or may not be *read*, has no line."""
        whole = (span.line, span.column, span.end_line, span.end_column) == (1, 1, 1, 1)
        return harmless(span.path if whole and not (read and self.source(span.path)) else str(span))

    def quote_span(self, span: Span) -> str:
        """Give the letters of a file that a span marks, as far as they stand on one line."""
        lines = self.source(span.path)
        if not 0 < span.line <= len(lines):
            return ""
        end = span.end_column - 1 if span.end_line == span.line else None
        return lines[span.line - 1][span.column - 1 : end]

    def source(self, path: str) -> list[str]:
        if path not in self.files:
            text = self.read(path)
            text = "" if text is None else text.removeprefix("\ufeff").replace("\r\n", "\n")
            self.files[path] = text.split("\n") if text else []
        return self.files[path]

    def snippet(self, span: Span, style: str) -> None:
        """Show the lines of *span* with carets, or nothing when the file is not at hand."""
        lines = self.source(span.path)
        numbers = [number for number in range(span.line, span.end_line + 1) if number <= len(lines)]
        if len(numbers) > 1 and span.end_column == 1:
            numbers.pop()
        width = max([5, *(len(str(number)) for number in numbers)])
        skipped = len(numbers) > SHOWN
        if skipped:
            numbers = [*numbers[: SHOWN - 1], numbers[-1]]
        for number in numbers:
            if skipped and number == numbers[-1]:
                self.line(self.paint(f"{'...':>{width}} |", "margin"))
            line = lines[number - 1]
            start = span.column - 1 if number == span.line else len(line) - len(line.lstrip())
            end = span.end_column - 1 if number == span.end_line else len(line)
            shown, carets = _underline_span(line, start, end)
            self.line(f"{self.paint(f'{number:{width}} |', 'margin')} {shown}")
            self.line(f"{self.paint(' ' * width + ' |', 'margin')} {self.paint_carets(carets, style)}")

    def paint_carets(self, carets: str, style: str) -> str:
        blank = len(carets) - len(carets.lstrip(" "))
        return carets[:blank] + self.paint(carets[blank:], style)


def _list_places(first: Span, more: Iterable[Span]) -> Iterator[str]:
    """Write further places, with the file where it is another one than before."""
    path = first.path
    for span in more:
        yield f"{span.line}:{span.column}" if span.path == path else harmless(str(span))
        path = span.path


def harmless(text: str) -> str:
    """Return a text on one line, without what could make a terminal do more than show letters."""
    return _UNSAFE.sub("\ufffd", text).replace("\t", " ").replace("\n", " ")


def _underline_span(line: str, start: int, end: int) -> tuple[str, str]:
    """Give *line* as it is shown and the carets below it, both from the same cell on."""
    start = min(start, len(line))
    first = max(0, start - 2 * WIDTH)  # a line may be very long, and have many problems
    near = line[first : start + 2 * WIDTH]
    shown, edges = _cells(near)
    left = edges[start - first]
    right = max(edges[min(max(end, start) - first, len(near))], left + 1)
    if len(near) == len(line) and edges[-1] <= WIDTH:
        return shown, " " * left + "^" * (right - left)
    # A cut between letters; ``begin`` and ``stop`` count letters, ``edges`` cells.
    begin = next(at for at, edge in enumerate(edges) if edge >= max(0, left - WIDTH // 2))
    stop = next((at for at, edge in enumerate(edges) if edge > edges[begin] + WIDTH), len(near) + 1) - 1
    text, _ = _cells(near[begin:stop])
    head, tail = "... " if first + begin else "", " ..." if first + stop < len(line) else ""
    right = min(right, edges[stop] + 1)
    return head + text + tail, " " * (left - edges[begin] + len(head)) + "^" * max(1, right - left)


def _cells(line: str) -> tuple[str, list[int]]:
    """Give *line* without tabs and harmful signs, and the cell at which each letter begins."""
    shown: list[str] = []
    edges = [0]
    for letter in line:
        if letter == "\t":
            letter = " " * (TAB - edges[-1] % TAB)
            cells = len(letter)
        else:
            letter = harmless(letter)
            cells = width(letter)
        shown.append(letter)
        edges.append(edges[-1] + cells)
    return "".join(shown), edges


def width(letter: str) -> int:
    """Return how many cells of a terminal a letter takes."""
    if letter < "\u0300":
        return 1
    if combining(letter) or letter in "\u200b\u200c\u200d\ufe0e\ufe0f":
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1
