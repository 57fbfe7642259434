"""Find out that a text cannot be read because of a bracket that is never closed, or a line with the wrong margin.

In:     a text of several lines, the place where its parser stopped, and a way to try another text.
Out:    a problem that says so, or None.

What is reported was tried: with the bracket closed, or the line moved, the text can be read beyond that line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from patolli.language.diagnostics import Problem, Span, behind, instead
from patolli.language.sources.margins import margin
from patolli.language.syntax.node import Text

FailsAt = Callable[[str], int | None]
"""Finds where the parser stops in another text; None where it can be read."""
LONGEST = 4_000
"""Letters up to which other texts are tried."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SIGN = re.compile(r'"[^"\n]*"|#[^\n]*|[()\[\]{}]')


def reason(text: Text, offset: int, fails_at: FailsAt) -> Problem | None:
    """Say why a text stops at *offset*, where that is a bracket or margin further up."""
    if len(text.value) > LONGEST or "\n" not in text.value.strip():
        return None
    return _open_bracket(text, offset, fails_at) or _margin(text, offset, fails_at)


def joined_lines(text: Text, offset: int) -> Problem | None:
    """Say that lines have become one, where the parser stopped at the beginning of one: by ``>``, or without ``|``."""
    source, style = getattr(text, "source", None), getattr(text, "style", "|")
    if style in ("|", '"', "'") or source is None or not text.value[:offset].strip():
        return None
    span = text.place(offset, 1)
    if source.text.split("\n")[span.line - 1][: span.column - 1].strip():
        return None
    if style == ">":
        joins, help_ = "'>' joins the lines of a text", "begin the text with '|', which keeps its lines"
    else:
        joins, help_ = "without '|' the lines of a text are joined", "write '|' after the colon of its key"
    return Problem("P0101", f"{joins}, so this is part of the line above", span, help_)


def _open_bracket(text: Text, offset: int, fails_at: FailsAt) -> Problem | None:
    value = text.value
    opened: list[int] = []
    for found in _SIGN.finditer(value, 0, offset):
        if found[0] in _CLOSING:
            opened.append(found.start())
        elif found[0] in ")]}" and opened:
            opened.pop()
    if not opened or "\n" not in value[opened[-1] : offset]:
        return None
    at = opened[-1]
    end = value.index("\n", at)
    closing = _CLOSING[value[at]]
    header = value[at:end].rstrip().endswith(":")
    end -= len(value[at:end]) - len(value[at:end].rstrip(": ")) if header else 0
    stops = fails_at(value[:end] + closing + value[end:])
    if stops is not None and stops <= offset + 1:
        return None
    help_ = f"expected {closing!r} in this line"
    fixes = behind(text.place(end - 1, 1), closing)
    return Problem("P0101", f"this {value[at]!r} is never closed", text.place(at, 1), help_, fixes=fixes)


def _margin(text: Text, offset: int, fails_at: FailsAt) -> Problem | None:
    """Try whether the line at which the parser stopped belongs further to the right."""
    lines = text.value.split("\n")
    at = text.value.count("\n", 0, offset)
    own = margin(lines[at])
    if re.match(r"\s*(?:elif|else|otherwise)\b", lines[at]) or not lines[at].strip():
        return None
    for depth in _depths(lines[:at], own):
        moved = [*lines[:at], " " * depth + lines[at].lstrip(), *lines[at + 1 :]]
        stops = fails_at("\n".join(moved))
        if stops is None or "\n".join(moved).count("\n", 0, stops) > at:
            blanks = depth - own
            start = sum(len(line) + 1 for line in lines[:at]) + own
            message = f"this line is {blanks} blank{'s' if blanks > 1 else ''} too far to the left"
            help_ = "all lines of a block have the same indentation"
            if lines[at].lstrip().startswith('"'):
                help_ = "write the lines of a menu below 'choose one:', and indent them"
            place = text.place(start, len(lines[at].strip()))
            before = Span(place.path, place.line, place.column, place.line, place.column)
            fixes = instead(before, " " * blanks, sure=True)
            return Problem("P0101", message, place, help_, fixes=fixes)
    return None


def _depths(above: list[str], own: int) -> Iterator[int]:
    """Yield the margins of the blocks above a line that begin further to the right, the nearest first."""
    found: list[int] = []
    for line in above:
        if line.strip() and not line.lstrip().startswith("#"):
            depth = margin(line)
            found = [one for one in found if one < depth] + [depth]
    yield from (one for one in found if one > own)
