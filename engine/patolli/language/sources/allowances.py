"""Find the comments of a YAML file that allow a finding, and the lines that each of them means.

A comment behind something means its line. One on a line of its own means the node that begins on the next line with
anything else: a key with its value, an item of a list, or a line of an effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from patolli.language.diagnostics.suppression import SIGN, Allowance
from patolli.language.sources.nodes import Mapping, Node, Scalar, Sequence, Source

HINT = "patolli:"


@lru_cache(maxsize=1024)
def allowances(text: str, path: str) -> tuple[Allowance, ...]:
    """Return the comments of a file that allow something, in order; none when it is no YAML."""
    if HINT not in text.lower():
        return ()
    from patolli.language.sources.read import read_yaml

    tree, _ = read_yaml(text, path)
    if tree is None:
        return ()
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    source = Source(path, text)
    ends = dict(reversed(list(_nodes(tree))))  # the outermost of the nodes that begin on a line
    texts = [(node.start, node.end) for node in _scalars(tree) if node.style in ("'", '"')]
    lines = text.split("\n")
    found = []
    for sign in SIGN.finditer(text):
        if any(start <= sign.start() < end for start, end in texts):
            continue
        line, column = source.point(sign.start())
        alone = not lines[line - 1][: column - 1].strip()
        if not alone and not lines[line - 1][column - 2].isspace():
            continue  # in the middle of a word, so it is no comment
        first = _next(lines, line) if alone else line
        last = ends.get(first, first) if alone else line
        words = sign["reason"].rstrip()
        end = sign.start() + len(sign[0].rstrip())
        found.append(Allowance(sign["code"].upper(), words, source.span(sign.start(), end), first, last))
    return tuple(found)


def _next(lines: list[str], line: int) -> int:
    """Return the number of the next line that holds more than a comment."""
    after = (at for at in range(line, len(lines)) if re.match(r"\s*[^\s#]", lines[at]))
    return next(after, len(lines) - 1) + 1


def _nodes(node: Node) -> Iterator[tuple[int, int]]:
    """Go through entries and items, outer ones first: the first and the last line of each."""
    if isinstance(node, Mapping):
        for key, value in node.items.values():
            yield key.span.line, max(key.span.line, _last(value))
            yield from _nodes(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield item.span.line, _last(item)
            yield from _nodes(item)


def _last(node: Node) -> int:
    span = node.span
    return span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    for inner in node.items if isinstance(node, Sequence) else ():
        yield from _scalars(inner)
    for key, value in node.items.values() if isinstance(node, Mapping) else ():
        yield key
        yield from _scalars(value)
