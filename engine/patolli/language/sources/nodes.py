"""The tree that a YAML file becomes: scalars, mappings and sequences that know where they stand.

A node keeps two indexes into the text of its file, and makes a ``Span`` from
them on demand: most nodes never need one. Nodes compare by what they
hold, not by where they stand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, Protocol, TypeAlias

from patolli.language.diagnostics.problem import Span
from patolli.language.sources.place import Offsets
from patolli.language.sources.words import word


class Source:
    """The text of one file, with line feeds as line ends, and the version of its texts' ``language``."""

    __slots__ = ("_starts", "language", "path", "text")

    def __init__(self, path: str, text: str, language: int = 1) -> None:
        """Take *text* as it is; the reader of a file evens out its line ends first."""
        self.path = path
        self.text = text
        self.language = language
        self._starts: list[int] | None = None

    def point(self, index: int) -> tuple[int, int]:
        """Give line and column, from 1, of the letter at *index* of the text."""
        starts = self._starts
        if starts is None:
            sizes = (len(line) + 1 for line in self.text.split("\n"))
            starts = self._starts = list(accumulate(sizes, initial=0))[:-1]
        line = bisect_right(starts, index)
        return line, index - starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """Give the stretch from the letter at *start* up to, without, the letter at *end*."""
        return Span(self.path, *self.point(start), *self.point(end))


def _find_nearest(levels: list[int], column: int) -> int:
    return min(levels, key=lambda level: abs(level - column))


_OPENING = (":", "|", "|-", ">", ">-")
"""How a line ends below which the next ones are indented."""


class Untabbed(Source):
    """A file with blanks in place of tabs, so that more than the tabs can be reported; places are those of the file.

    A tab at the beginning of a line leads to the next column that *width* divides, any other is one blank. If the tabs
    were meant *like_above*, the line begins at the nearest column where a line above it does, or deeper if that opens
    something.
    """

    __slots__ = ("_ahead",)

    def __init__(self, source: Source, width: int, like_above: bool = False) -> None:
        """Take the text of a source with tabs."""
        lines, self._ahead = [], dict[int, tuple[int, int]]()
        levels, opens = [0], False
        for number, line in enumerate(source.text.split("\n"), 1):
            rest = line.lstrip(" \t")
            ahead, blanks = len(line) - len(rest), line[: len(line) - len(rest)].expandtabs(width)
            if like_above and "\t" in line[:ahead] and rest:
                deeper = max(len(blanks), levels[-1] + 2)
                blanks = " " * (deeper if opens else _find_nearest(levels, len(blanks)))
            if rest:
                levels = [*(level for level in levels if level < len(blanks)), len(blanks)]
                opens = rest.rstrip().endswith(_OPENING)
            self._ahead[number] = len(blanks), ahead
            lines.append(blanks + rest.replace("\t", " "))
        super().__init__(source.path, "\n".join(lines), source.language)

    def point(self, index: int) -> tuple[int, int]:
        """Give line and column of the letter at *index*, as they are in the file."""
        line, column = super().point(index)
        blanks, ahead = self._ahead[line]
        return line, column - blanks + ahead if column > blanks else min(column, ahead + 1)


class Placed:
    """What all nodes share: a place in a file, computed when it is first asked for."""

    __slots__ = ("_span", "end", "source", "start")

    def __init__(self, span: Span | None, source: Source | None, start: int, end: int) -> None:
        """Place a node by a span, or by two indexes into the text of a source."""
        self._span = span
        self.source = source
        self.start = start
        self.end = end

    @property
    def span(self) -> Span:
        """The stretch of the file that holds this node, without blank space after it."""
        if self._span is None:
            if self.source is None:
                raise ValueError("a node needs a span or the source that it was read from")
            text = self.source.text
            end = self.end
            while end > self.start and text[end - 1] in " \t\n":
                end -= 1
            self._span = self.source.span(self.start, end)
        return self._span


class Scalar(Placed):
    """A single value as text; what it means is decided by ``plain`` or by the reader's schema.

    ``style`` is empty for a plain scalar, else the sign that opens it: a quote,
    ``|`` or ``>``.

    ``readings`` is for those who parse the value: what they made of it, by how they read it. A node never changes, so
    the consequences of its value, place and language alone hold as long as the node lives.
    """

    __slots__ = ("_offsets", "readings", "style", "value")
    __match_args__ = ("value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        value: str,
        span: Span | None = None,
        style: str = "",
        source: Source | None = None,
        start: int = 0,
        end: int = 0,
    ) -> None:
        """Make a node from what it holds and its place: a span, or a stretch of a source."""
        self._span = span
        self.source = source
        self.start = start
        self.end = end
        self.value = value
        self.style = style
        self._offsets: Offsets | None = None
        self.readings: dict[str, Any] | None = None

    @property
    def language(self) -> int:
        """The version of the language that the file is written in."""
        return self.source.language if self.source is not None else 1

    def place(self, offset: int, length: int = 1) -> Span:
        """Give the place in the file of ``value[offset:offset + length]``.

        Quotes, escapes, folded lines and the indentation of blocks are taken
        into account. An offset at the end of the value gives the point after its
        last letter. A scalar that was not read from a file gives its own span.
        """
        bounds = self.stretch(offset, offset + length)
        return self.source.span(*bounds) if bounds and self.source is not None else self.span

    def stretch(self, start: int, end: int) -> tuple[int, int] | None:
        """Give the indexes into the text of the file of ``value[start:end]``, None where they are not known."""
        if self.source is None:
            return None
        if self._offsets is None:
            from patolli.language.sources.place import offsets

            self._offsets = offsets(self.source.text, self.start, self.end, self.style, self.value)
        return self._offsets.bounds(start, end)

    def __eq__(self, other: object) -> bool:
        """Compare values, and whether they are quoted: ``1`` is a number, ``"1"`` is text."""
        if not isinstance(other, Scalar):
            return NotImplemented
        return self.value == other.value and bool(self.style) == bool(other.style)

    def __repr__(self) -> str:
        return f"Scalar({self.value!r}, style={self.style!r})"


class Mapping(Placed):
    """Keys with their values, in the order of the file; each key keeps its own place."""

    __slots__ = ("flow", "items")
    __match_args__ = ("items",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        items: dict[str, tuple[Scalar, Node]],
        span: Span | None = None,
        source: Source | None = None,
        start: int = 0,
        end: int = 0,
    ) -> None:
        """Make a node from what it holds and its place: a span, or a stretch of a source."""
        super().__init__(span, source, start, end)
        self.items = items
        self.flow = False

    def get(self, key: str) -> Node | None:
        """Give the value at *key*, or ``None`` when there is no such key."""
        item = self.items.get(key)
        return item[1] if item else None

    def key(self, key: str) -> Scalar:
        """Give the key itself as it is written in the file. Raises KeyError: there is no such key."""
        return self.items[key][0]

    def __contains__(self, key: object) -> bool:
        return key in self.items

    def __eq__(self, other: object) -> bool:
        """Compare keys and values, in any order."""
        if not isinstance(other, Mapping):
            return NotImplemented
        return self.items == other.items

    def __repr__(self) -> str:
        return f"Mapping({ {key: value for key, (_, value) in self.items.items()}!r})"


class Sequence(Placed):
    """Values in the order of the file."""

    __slots__ = ("flow", "items")
    __match_args__ = ("items",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, items: list[Node], span: Span | None = None, source: Source | None = None, start: int = 0, end: int = 0
    ) -> None:
        """Make a node from what it holds and its place: a span, or a stretch of a source."""
        super().__init__(span, source, start, end)
        self.items = items
        self.flow = False

    def __eq__(self, other: object) -> bool:
        """Compare values in their order."""
        if not isinstance(other, Sequence):
            return NotImplemented
        return self.items == other.items

    def __repr__(self) -> str:
        return f"Sequence({self.items!r})"


Node: TypeAlias = Scalar | Mapping | Sequence
Plain: TypeAlias = "int | bool | str | list[Plain] | dict[str, Plain] | None"


def node_at(root: Node, path: Iterable[str | int]) -> Node:
    """Return the node to which keys and numbers of items lead from *root*."""
    node = root
    for step in path:
        if isinstance(node, Mapping):
            node = node.items[str(step)][1]
        elif isinstance(node, Sequence):
            node = node.items[int(step)]
    return node


def plain(node: Node) -> Plain:
    """Turn a tree into Python data: ``dict``, ``list``, ``str``, ``int``, ``bool`` and ``None``.

    A plain scalar becomes what the words of YAML 1.2 make of it, as far as
    Patolli allows them: ``true``, ``false``, ``null``, nothing at all, and whole
    numbers. All keys stay text.
    """
    if isinstance(node, Scalar):
        return node.value if node.style else word(node.value)
    if isinstance(node, Mapping):
        return {key: plain(value) for key, (_, value) in node.items.items()}
    return [plain(value) for value in node.items]


def texts(*trees: Node) -> list[str]:
    """Return every text of some YAML trees, keys included, in order."""
    found: list[str] = []
    for tree in trees:
        _collect(tree, found)
    return found


def _collect(node: Node, found: list[str]) -> None:
    if node.__class__ is Scalar:
        found.append(node.value)
    elif isinstance(node, Mapping):
        for key, value in node.items.values():
            found.append(key.value)
            if value.__class__ is Scalar:  # most are
                found.append(value.value)
            else:
                _collect(value, found)
    elif isinstance(node, Sequence):
        for item in node.items:
            _collect(item, found)


class Keyed(Protocol):
    """A mapping, or an entry, which holds one."""

    def get(self, key: str) -> Node | None:
        """Return the value of a key."""


def value_at(node: Node | Keyed | None, key: str) -> Node | None:
    """Return the value of a key; None where there is no mapping, or no such key."""
    return None if node is None or isinstance(node, Scalar | Sequence) else node.get(key)


def scalar_at(node: Node | Keyed | None, key: str) -> Scalar | None:
    """Return the scalar at a key, or None."""
    value = value_at(node, key)
    return value if isinstance(value, Scalar) else None


def text_at(node: Node | Keyed | None, key: str) -> str:
    """Return the text at a key, or nothing."""
    value = value_at(node, key)
    return value.value if isinstance(value, Scalar) else ""


def list_entries(node: Node | None) -> list[tuple[Scalar, Node]]:
    """Return the keys and values of a mapping; of anything else, none."""
    return list(node.items.values()) if isinstance(node, Mapping) else []


def list_scalars(node: Node | None) -> list[Scalar]:
    """Return the scalars of a list; of anything else, none."""
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def list_texts(node: Node | None) -> list[str]:
    """Return the texts of the scalars of a list; of anything else, none."""
    return [item.value for item in list_scalars(node)]


def forget(*nodes: Node | None) -> None:
    """Drop what was made of nodes and of what they hold; it is made again on demand."""
    for node in nodes:
        if isinstance(node, Scalar):
            node._offsets = node.readings = None
        elif isinstance(node, Sequence):
            forget(*node.items)
        elif node is not None:
            for key, value in node.items.values():
                forget(key, value)
