"""Where each letter of a scalar's value stands in the file.

A value is not the text that the author wrote: quotes and escapes are gone,
lines are folded, the indentation of a block is cut off. This module walks over
the written text again, by the same rules as the parser, and notes for every
letter of the value which stretch of the text it came from. It then compares
what it has walked with the value that the parser gave; if they differ, it knows
no places rather than wrong ones.
"""

from __future__ import annotations

import re


class Offsets:
    """The stretch of the file behind each letter of one value.

    When the value stands in the file letter by letter, ``first`` says where, and
    the lists are empty. Else letter ``i`` came from ``starts[i]`` up to, without,
    ``ends[i]``.
    """

    __slots__ = ("ends", "first", "known", "size", "starts")

    def __init__(self, size: int, first: int, starts: list[int], ends: list[int], *, known: bool = True) -> None:
        """Keep the places of a value of *size* letters."""
        self.size = size
        self.first = first
        self.starts = starts
        self.ends = ends
        self.known = known

    def bounds(self, start: int, end: int) -> tuple[int, int] | None:
        """Give the indexes in the file of the letters from *start* to *end*, within the value; None when not known."""
        if not self.known:
            return None
        start = min(max(start, 0), self.size)
        end = min(max(end, start), self.size)
        if not self.starts:
            return self.first + start, self.first + end
        left = self.starts[start] if start < self.size else self.ends[-1]
        return left, max(left, self.ends[end - 1]) if end > start else left


def offsets(text: str, start: int, end: int, style: str, value: str) -> Offsets:
    """Find the letters of *value*, which the parser read from ``text[start:end]``."""
    quote = 1 if style in ("'", '"') else 0
    if style not in ("|", ">") and text[start + quote : end - quote] == value and "\n" not in value:
        return Offsets(len(value), start + quote, [], [])
    if style in ("|", ">"):
        walk = _walk_block(text, start, end, style, value)
    else:
        walk = _Walk(text)
        walk.flow(start + quote, end - quote, style)
    if walk.value[: len(value)] != list(value):
        return Offsets(len(value), start, [], [], known=False)
    if not value:
        return Offsets(0, min(start + quote, end), [], [])
    return Offsets(len(value), start, walk.starts[: len(value)], walk.ends[: len(value)])


_PIECE = {
    "": re.compile(r"[ \t]*\n[ \t\n]*|."),
    "'": re.compile(r"[ \t]*\n[ \t\n]*|''|."),
    '"': re.compile(r"[ \t]*\n[ \t\n]*|\\(?:\n[ \t\n]*|x..|u.{4}|U.{8}|.)|."),
}
_ESCAPES = dict(zip('0abtnvfre "/\\N_LP\t', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029\t', strict=True))


class _Walk:
    """Collects the letters of a value with their stretches."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.value: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, letter: str, start: int, end: int) -> None:
        self.value.append(letter)
        self.starts.append(start)
        self.ends.append(end)

    def add_line(self, start: int, end: int) -> None:
        self.value.extend(self.text[start:end])
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))

    def flow(self, start: int, end: int, style: str) -> None:
        """Walk over a plain or quoted scalar, without its quotes."""
        for piece in _PIECE[style].finditer(self.text, start, end):
            letters, at = piece[0], piece.start()
            if "\n" not in letters:
                self.add(_letter(letters, style), at, piece.end())
            elif letters[0] == "\\":
                self.fold(letters[2:], at + 2, escaped=True)
            else:
                self.fold(letters, at, escaped=False)

    def fold(self, space: str, start: int, *, escaped: bool) -> None:
        """Add what a line end makes of itself: a blank, or one line end fewer than there are."""
        breaks = [start + at for at, letter in enumerate(space) if letter == "\n"]
        if not escaped and len(breaks) == 1:
            self.add(" ", start, breaks[0] + 1)
        for at in breaks if escaped else breaks[1:]:
            self.add("\n", at, at + 1)


def _letter(written: str, style: str) -> str:
    if len(written) == 1:
        return written
    if style == "'":
        return "'"
    if written[1] in "xuU":
        try:
            return chr(int(written[2:], 16))
        except (ValueError, OverflowError):
            return ""
    return _ESCAPES.get(written[1], "")


def _walk_block(text: str, start: int, end: int, style: str, value: str) -> _Walk:
    """Walk over a literal or folded block with the indentation that fits its value."""
    body = text.find("\n", start, end) + 1 or end
    lines = []
    while body < end:
        stop = text.find("\n", body, end)
        stop = end if stop < 0 else stop
        lines.append((body, stop))
        body = stop + 1
    walk = _Walk(text)
    for indent in _indents(text, lines, value):
        walk = _Walk(text)
        _Block(walk, indent, style == "|").run(lines)
        if walk.value[: len(value)] == list(value):
            break
    return walk


def _indents(text: str, lines: list[tuple[int, int]], value: str) -> list[int]:
    """Guess how far a block is indented, from the blanks that its first line with something in it has left."""
    for start, stop in lines:
        line = text[start:stop]
        if line.strip(" "):
            kept = next(line for line in value.split("\n") if line.strip(" ")) if value.strip(" \n") else ""
            return [_leading(line) - _leading(kept)]
    return list(range(max((stop - start for start, stop in lines), default=0), 0, -1))


def _leading(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


class _Block:
    """The parser's own rule for blocks, with places: which line ends stay, fold, or vanish."""

    def __init__(self, walk: _Walk, indent: int, literal: bool) -> None:
        self.walk = walk
        self.indent = indent
        self.literal = literal

    def run(self, lines: list[tuple[int, int]]) -> None:
        """Walk over all lines; line ends after the last one are kept, the value says how many count."""
        last: int | None = None
        blanks: list[int] = []
        spaced = False
        for start, stop in lines:
            if stop - start <= self.indent and not self.walk.text[start:stop].strip(" "):
                blanks.append(stop)
                continue
            begin = start + self.indent
            spaced_now = self.walk.text[begin : begin + 1] in (" ", "\t")
            self.join(last, blanks, fold=not (self.literal or spaced or spaced_now))
            self.walk.add_line(begin, stop)
            last, blanks, spaced = stop, [], spaced_now
        self.join(last, blanks, fold=False)

    def join(self, last: int | None, blanks: list[int], *, fold: bool) -> None:
        """Add the line ends between two lines: at *last* and at each of *blanks*."""
        if last is not None and fold and not blanks:
            self.walk.add(" ", last, last + 1)
        elif last is not None and not fold:
            self.walk.add("\n", last, last + 1)
        for at in blanks:
            self.walk.add("\n", at, at + 1)
