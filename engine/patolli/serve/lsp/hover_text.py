"""Say what stands at a place of a file: a name of the pack, a word of the language, or a key of a document."""

from __future__ import annotations

import re

from patolli.author.lookup import descriptions
from patolli.author.lookup.index import Index
from patolli.author.lookup.references import Reference
from patolli.language.diagnostics import Span
from patolli.serve.lsp import keywords
from patolli.serve.lsp.completion import keyword_at, variable_type
from patolli.serve.lsp.shapes import kind_of, shape_at
from patolli.serve.lsp.spot import spot_at

_KEY = re.compile(r"[a-z_]\w*(?= *:(?: |$))")
_VALUE = re.compile(r"(?<=: )[a-z_]\w*")


def page_of(index: Index, found: Reference, lines: list[str]) -> str:
    """Write what is said of a name that the index knows."""
    type_ = variable_type(index.model, lines, found.span) if found.sort == "variable" else ""
    sort, id_ = ("counter", found.id.partition(".")[0]) if found.sort == "noun" else (found.sort, found.id)
    return descriptions.page(index.model, sort, id_, index.declarations((sort, id_)), type_)


def page_at(
    index: Index | None, found: Reference | None, path: str, lines: list[str], at: tuple[int, int]
) -> tuple[str, Span] | None:
    """Return what a hover shows at a line and column, both from 1, in Markdown, and the place that it is about.

    Args:
        index: what is known of the pack; None where it cannot be read.
        found: the name at this place, where the index knows one that is still there.
        path: the file.
        lines: its text.
        at: the line and the column.
    """
    if at[0] > len(lines):
        return None  # the text has become shorter since the editor asked
    if index is not None and found is not None and not (found.sort == "builtin" and found.id in keywords.WORDS):
        return page_of(index, found, lines), found.span
    return _word(path, lines, *at) or _key(path, lines, *at)


def _word(path: str, lines: list[str], line: int, column: int) -> tuple[str, Span] | None:
    """Say what a word of the language means, where an effect or expression stands."""
    found = keyword_at(lines, line, column)
    if found is None:
        return None
    word, start = found
    return keywords.page(word), Span(path, line, start, line, start + len(word))


def _key(path: str, lines: list[str], line: int, column: int) -> tuple[str, Span] | None:
    """Say what a key of a document means, or the key of a word that is one of a few."""
    text = lines[line - 1]
    here = next((f for f in _KEY.finditer(text) if f.start() < column <= f.end() + 1), None)
    of = here or next((f for f in _VALUE.finditer(text) if f.start() < column <= f.end() + 1), None)
    if of is None:
        return None
    spot = spot_at(lines, line, of.start() + 1)
    outer, key = (spot.path, of[0]) if here else (spot.path[:-1], spot.path[-1] if spot.path else "")
    kind = kind_of(lines)
    said = shape_at(kind, outer).keys.get(key, "")
    if not said or not (here or of[0] in shape_at(kind, spot.path).values):
        return None
    form = f"{key}: {of[0]}" if not here else f"{key}:"
    return f"```\n{form}\n```\n\n{said}", Span(path, line, of.start() + 1, line, of.end() + 1)
