"""What all nodes of the syntax tree have: a place in a text that knows its place in a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from patolli.diagnostics import Span


class Text(Protocol):
    """A piece of content that knows its place in a file (a YAML scalar)."""

    value: str

    def place(self, offset: int, length: int) -> Span:
        """Map *length* characters from *offset* of the value to the file."""
        ...


class FixedText:
    """A text that stands at one fixed place: for what no author wrote, or where nothing is reported."""

    __slots__ = ("_span", "value")

    def __init__(self, span: Span, value: str = "") -> None:
        """Place it."""
        self.value, self._span = value, span

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
        """The place in the file; worked out once, as several nodes of the program may stem from here."""
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


def note_of(node: object) -> tuple[Any, ...]:
    """Return what the checker noted at a node: a word for the sort of thing, then its name; ``("",)`` for nothing."""
    note = getattr(node, "note", None)
    return note if isinstance(note, tuple) and note else ("",)
