"""Rewrite a content file in canonical style without changing what it means.

In:     the text of a YAML file.
Out:    the same document: indented by two, blanks where they belong in ``{a: 1}`` and ``[a, b]``, one blank line at
        most, no blanks at line ends, one line end at the end; effects as ``printer`` writes them.

Comments, the order of keys, and quotes stay as they are. The work is done in passes. Each takes a text and gives
one; what it gives is read again and compared with what was there before, and a pass that would change the meaning is
left out for that file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise

from patolli.language.diagnostics import Span
from patolli.language.diagnostics.fix_edits import line_end
from patolli.language.sources import Mapping, Node, Scalar, Sequence, read_yaml
from patolli.language.sources.margins import margin
from patolli.language.syntax import tree as t
from patolli.language.syntax.parser import parse_effect, parse_expression
from patolli.language.syntax.printer import STEP, comments, print_effect, print_naming
from patolli.language.syntax.words import NEWEST

_NOWHERE = Span("", 1, 1, 1, 1)
WORDS = frozenset({"text", "phrase", "heading", "cause", "category", "source", "title", "label", "as", "authors"})
"""Keys whose values are for people, or at least no effects."""
EFFECTS = frozenset({"do", "effect", "given"})
"""Keys whose values are effects even on one line."""
_BLOCKS = ("|", ">")
_DASHES = re.compile(r"^(- +)+(?=[^ ])")
_UNSAFE = re.compile(r": | #|:$")


class NotYaml(ValueError):
    """A text that cannot be read, so that nothing is done to it."""


def format_text(text: str, path: str = "", language: int = NEWEST) -> str:
    """Return a file in canonical style; its effects are written in a version of the *language*.

    All lines get the end that most of them have.

    Raises:
        NotYaml: The text is not YAML as packs are written.
    """
    end = line_end(text)
    marked, text = text.startswith("\ufeff"), text.removeprefix("\ufeff").replace("\r\n", "\n")
    node, problems = read_yaml(text, path, language=language)
    if node is None or any(problem.severity == "error" for problem in problems):
        raise NotYaml(path)
    for change in PASSES:
        new = change(text, node)
        if new != text:
            again, _ = read_yaml(new, path, language=language)
            if again is not None and _comments(new, again) == _comments(text, node) and same(node, again):
                text, node = new, again
    return ("\ufeff" if marked else "") + text.replace("\n", end)


def same(one: Node, two: Node, key: str = "") -> bool:
    """Return whether two trees mean the same: equal but for the layout of effects, keys in the same order."""
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        return list(one.items) == list(two.items) and all(
            same(a, two.items[name][1], name) for name, (_, a) in one.items.items()
        )
    if isinstance(one, Sequence) and isinstance(two, Sequence):
        return len(one.items) == len(two.items) and all(
            same(a, b, key) for a, b in zip(one.items, two.items, strict=True)
        )
    if not isinstance(one, Scalar) or not isinstance(two, Scalar) or one.style != two.style:
        return False
    return one.value == two.value or (_may_be_effect(one, key) and _same_effect(one.value, two.value, one.language))


def _same_effect(one: str, two: str, language: int) -> bool:
    first, second = _parse_text(one, language), _parse_text(two, language)
    return first is not None and first == second and comments(one) == comments(two)


def _effect(text: str, language: int) -> t.Block | None:
    try:
        block, problems = parse_effect(t.FixedText(_NOWHERE, text, language))
    except RecursionError:
        return None
    return None if problems else block


def _naming(text: str, language: int) -> t.Naming | None:
    try:
        found, problems = parse_expression(t.FixedText(_NOWHERE, text, language))
    except RecursionError:
        return None
    return found if isinstance(found, t.Naming) and not problems else None


def _parse_text(text: str, language: int) -> t.Block | t.Naming | None:
    """Return an effect, or an expression with lines before it; None for other texts."""
    block = _effect(text, language)
    return block if block is not None else _naming(text, language)


def _may_be_effect(node: Scalar, key: str) -> bool:
    return key not in WORDS if node.style == "|" else key in EFFECTS


# ---- the tree as stretches of the text


def _nodes(node: Node, key: str = "", below: int = -1) -> Iterator[tuple[Node, str, int]]:
    """Walk over all values: each with the key that it belongs to, and where that key, or the dash, begins."""
    yield node, key, below
    if isinstance(node, Mapping):
        for name, (written, value) in node.items.items():
            yield from _nodes(value, name, written.start)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _nodes(item, key, below if node.flow else _dash(node, item))


def _dash(node: Sequence, item: Node) -> int:
    assert node.source is not None
    return max(node.source.text.rfind("-", 0, item.start), 0)


def _scalars(node: Node) -> Iterator[Scalar]:
    """Walk over all scalars, keys too, in the order of the file."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.items.values():
            yield key
            yield from _scalars(value)
    else:
        for item in node.items:
            yield from _scalars(item)


def _comments(text: str, root: Node) -> list[str]:
    """Return the comments between the values."""
    found, at = [], 0
    ends = [(scalar.start, scalar.end) for scalar in _scalars(root)]
    for start, end in [*sorted(ends), (len(text), len(text))]:
        found += [line.rstrip() for line in re.findall(r"(?:^|(?<=\s))#[^\n]*", text[at:start])]
        at = max(at, end)
    return found


Edit = tuple[int, int, str]


def _replace_spans(text: str, edits: list[Edit]) -> str:
    """Replace stretches of a text; they do not overlap."""
    parts, at = [], 0
    for start, end, new in sorted(edits):
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


# ---- passes


def space(text: str, root: Node) -> str:
    """Put one blank behind colons and commas, and none inside brackets."""
    edits: list[Edit] = []
    for node, _, _ in _nodes(root):
        if isinstance(node, Mapping):
            for key, value in node.items.values():
                edits += _gap(text, key.end, value.start, re.compile(r" *: *"), ":" if _empty(value) else ": ")
        if not isinstance(node, Scalar) and node.flow:
            edits += _flow_gaps(text, node)
    return _replace_spans(text, edits)


def _empty(node: Node) -> bool:
    return node.start == node.end


def _gap(text: str, start: int, end: int, form: re.Pattern[str], new: str) -> list[Edit]:
    """Replace what stands between two values, when it has the form of blanks and signs only."""
    gap = text[start:end]
    return [(start, end, new)] if gap != new and form.fullmatch(gap) else []


def _flow_gaps(text: str, node: Mapping | Sequence) -> list[Edit]:
    if isinstance(node, Mapping):
        inner = [(key.start, max(key.end, value.end)) for key, value in node.items.values()]
    else:
        inner = [(item.start, item.end) for item in node.items]
    if not inner:
        return _gap(text, node.start + 1, node.end - 1, re.compile(r" +"), "")
    edits = _gap(text, node.start + 1, inner[0][0], re.compile(r" +"), "")
    edits += _gap(text, inner[-1][1], node.end - 1, re.compile(r" +"), "")
    for (_, before), (after, _) in pairwise(inner):
        edits += _gap(text, before, after, re.compile(r" *, *"), ", ")
        if "\n" in text[before:after]:
            comma = before + text[before:after].find(",") + 1
            edits += _gap(text, before, comma, re.compile(r" +,"), ",")
    return edits


def indent(text: str, root: Node) -> str:
    """Indent each level by two, and move what belongs to a line with it."""
    lines = _Lines(text)
    _heads(lines, root, 0)
    for first, last, column, flow in lines.behind:
        _move_along(lines, first, last, column, flow)
    _place_comments(lines.lines, lines.columns)
    return "\n".join(
        " " * lines.columns[i] + lines.close(i) if i in lines.columns and line.strip() else line
        for i, line in enumerate(lines.lines)
    )


class _Lines:
    """The lines of a text, and what becomes of their indentation.

    ``columns`` gives the new one by number of the line. ``behind`` holds the further lines of long values: first and
    last line, the column that the least indented one may have, and whether the value is a list or mapping in brackets.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)][:-1]
        self.columns: dict[int, int] = {}
        self.behind: list[tuple[int, int, int, bool]] = []
        self.dashes: set[int] = set()

    def number(self, offset: int) -> int:
        """Return the line of an offset, from 0."""
        return bisect_right(self.starts, offset) - 1

    def head(self, offset: int, column: int) -> None:
        """Note that what begins at *offset* stands at *column*, if it opens its line."""
        line = self.number(offset)
        if not self.lines[line][: offset - self.starts[line]].strip():
            self.columns[line] = column

    def close(self, line: int) -> str:
        """Return a line without its indentation, with one blank behind each dash that opens it."""
        text = self.lines[line].lstrip(" ")
        return _DASHES.sub(lambda found: "- " * found[0].count("-"), text) if line in self.dashes else text


def _heads(lines: _Lines, node: Node, column: int) -> None:
    """Note where the lines begin that open an entry of *node*."""
    if isinstance(node, Scalar) or node.flow:
        first, last = lines.number(node.start), lines.number(max(node.start, node.end - 1))
        lines.head(node.start, column)
        if last > first:
            lines.behind.append((first + 1, last, column, not isinstance(node, Scalar)))
    elif isinstance(node, Mapping):
        for key, value in node.items.values():
            lines.head(key.start, column)
            _heads(lines, value, column + STEP)
    else:
        for item in node.items:
            lines.head(_dash(node, item), column)
            lines.dashes.add(lines.number(_dash(node, item)))
            _heads(lines, item, column + STEP)


def _move_along(lines: _Lines, first: int, last: int, column: int, flow: bool) -> None:
    """Move the further lines of a value: in brackets they go with the first, of others the least stands at *column*."""
    inner = [i for i in range(first, last + 1) if lines.lines[i].strip()]
    least = min((margin(lines.lines[i]) for i in inner), default=0)
    shift = column - least
    if flow:
        head = first - 1
        shift = max(shift, lines.columns.get(head, margin(lines.lines[head])) - margin(lines.lines[head]))
    for i in inner:
        lines.columns[i] = margin(lines.lines[i]) + shift


def _place_comments(lines: list[str], columns: dict[int, int]) -> None:
    """Let a comment on a line of its own go with the next line that stands as far in, or else with the last one."""
    placed = dict(columns)
    for i, line in enumerate(lines):
        if i in columns or not line.lstrip(" ").startswith("#"):
            continue
        near = [
            *(j for j in range(i + 1, len(lines)) if j in placed),
            *(j for j in range(i - 1, -1, -1) if j in placed),
        ]
        fits = [j for j in near if margin(lines[j]) == margin(line)]
        columns[i] = placed[fits[0]] if fits else placed[near[0]] if near else 0


def effects(text: str, root: Node) -> str:
    """Print effects: those in blocks, and those on one line where a key says that it is one."""
    edits = []
    for node, key, below in _nodes(root):
        if isinstance(node, Scalar) and _may_be_effect(node, key):
            found = _parse_text(node.value, node.language)
            if found is not None:
                edits += _format_text(text, node, found, below)
    return _replace_spans(text, edits)


def _format_text(text: str, node: Scalar, found: t.Block | t.Naming, below: int) -> list[Edit]:
    new = print_naming(found, node.value) if isinstance(found, t.Naming) else print_effect(found, node.value)
    if not _same_effect(node.value, new, node.language):
        return []
    if node.style == "|":
        return _block(text, node, new, below)
    quote = 1 if node.style else 0
    start, end = node.start + quote, node.end - quote
    plain = not node.style and _UNSAFE.search(new)
    if new == node.value or "\n" in new or plain or text[start:end] != node.value or node.style in _BLOCKS:
        return []
    return [(start, end, new)]


def _block(text: str, node: Scalar, new: str, below: int) -> list[Edit]:
    """Write a literal block below the key at *below*."""
    first = text.find("\n", node.start) + 1
    if not first or text[node.start : first].split("#")[0].strip() != "|":
        return []
    end = first + len(text[first : node.end].rstrip())
    begin = text.rfind("\n", 0, below) + 1
    blanks = " " * (below - begin + STEP) if below >= 0 else " " * STEP
    return [(first, end, "\n".join(blanks + line if line else "" for line in new.split("\n")))]


def trim(text: str, root: Node) -> str:
    """Take away blanks at line ends, blank lines after the first, and line ends after the last."""
    lines = _Lines(text)
    inside: set[int] = set()
    for scalar in _scalars(root):
        written = text[scalar.start : scalar.end].rstrip()
        first, last = lines.number(scalar.start), lines.number(scalar.start + max(0, len(written) - 1))
        inside.update(range(first, last) if scalar.style not in _BLOCKS else range(first + 1, last + 1))
    kept: list[str] = []
    for i, line in enumerate(lines.lines):
        if i in inside:
            kept.append(line)
        elif line.strip() or (kept and kept[-1].strip()):
            kept.append(line.rstrip())
    return "\n".join(kept).strip("\n") + "\n"


PASSES: tuple[Callable[[str, Node], str], ...] = (space, indent, effects, trim)
