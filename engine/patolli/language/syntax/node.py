"""What all nodes of the syntax tree have: a place in a text that knows its place in a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from patolli.language.diagnostics import Span


class Text(Protocol):
    """A piece of content that knows its place in a file (a YAML scalar)."""

    value: str

    @property
    def language(self) -> int:
        """The version of the language that it is written in."""
        ...

    def place(self, offset: int, length: int) -> Span:
        """Map *length* characters from *offset* of the value to the file."""
        ...


class FixedText:
    """A text that stands at one fixed place: for what no author wrote, or where nothing is reported."""

    __slots__ = ("_span", "language", "value")

    def __init__(self, span: Span, value: str = "", language: int = 1) -> None:
        self.value, self._span, self.language = value, span, language

    def place(self, offset: int, length: int) -> Span:
        """Return the place."""
        return self._span


@dataclass(slots=True)
class At:
    """A stretch of a text: ``start`` and ``end`` are offsets into its value."""

    text: Text
    start: int
    end: int
    _span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def span(self) -> Span:
        """The place in the file; computed once, as several nodes of the program may stem from here."""
        if self._span is None:
            self._span = self.text.place(self.start, max(1, self.end - self.start))
        return self._span


@dataclass(slots=True, kw_only=True)
class Node:
    """What every node has."""

    at: At = field(compare=False, repr=False)

    @property
    def span(self) -> Span:
        """The place in the file."""
        return self.at.span

    @property
    def head(self) -> Span:
        """The place in the file, as far as the first line goes."""
        text, start, end = self.at.text, self.at.start, self.at.end
        stop = text.value.find("\n", start, end)
        return self.span if stop < 0 else text.place(start, stop - start)
