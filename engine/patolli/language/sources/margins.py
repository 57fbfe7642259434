"""Find out that a line has the wrong margin: it was meant to belong to the text above, or to stand further left.

In:     a text, and the place of a line that fits nowhere or is an odd key.
Out:    a problem that names the margin, or None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from patolli.language.diagnostics.fix_edits import instead
from patolli.language.diagnostics.problem import Edit, Fix, Problem, Span
from patolli.language.sources.nodes import Mapping, Node, Source

_HEADER = re.compile(r"(?:^|.*?:|- *) *[|>][-+0-9]* *(?:#.*)?$")
_KEY = re.compile(r" *[a-z_]\w*(?:\([^()]*\))? *:?(?: *#.*)?$")
Path = tuple[str | int, ...]


def too_shallow(source: Source, at: int) -> Problem | None:
    """Report a line that stands too far left to belong to the block of text that ends above it."""
    text = source.text
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else None].rstrip()
    own, inside = margin(line), 0
    if _KEY.match(line):
        return None
    for above in reversed(text[:start].splitlines()):
        if not above.strip():
            continue
        here = margin(above)
        if own <= here < inside and _HEADER.match(above):
            span = source.span(start + own, start + len(line))
            help_ = f"indent it by {inside - own} blanks more, or by as many as its block needs"
            fixes = instead(source.span(start + own, start + own), " " * (inside - own))
            words = "this line is too far left to belong to the text above it"
            return Problem("P0034", words, span, help_, fixes=fixes)
        if here <= own:
            return None
        inside = min(inside or here, here)
    return None


def margin(line: str) -> int:
    """Return the number of blanks before a line."""
    return len(line) - len(line.lstrip(" "))


def too_deep(found: Iterable[Path], root: Node, parts: Iterable[str]) -> dict[Path, Problem]:
    """Return a problem for each part of a document that stands inside another one, by the path to it.

    Args:
        found: The path to each place at which something is wrong.
        root: The document.
        parts: The keys that stand in the document itself.
    """
    known = set(parts)
    reported: dict[Path, Problem] = {}
    for path in found:
        outer, name = path[:2] if len(path) > 1 else (None, None)
        above = root.get(str(outer)) if isinstance(root, Mapping) else None
        if outer not in known or name not in known or name == outer or not isinstance(above, Mapping):
            continue
        key = above.key(str(name))
        blanks = key.span.column - 1
        message = f"{name!r} is inside {outer!r}, but belongs beside it"
        help_ = f"remove {blanks} blanks before it and before the lines below it" if blanks else ""
        last = above.items[str(name)][1].span.end_line
        edits = tuple(Edit(Span(key.span.path, line, 1, line, blanks + 1), "")
                      for line in range(key.span.line, last + 1)
                      if margin_of(key.source, line) >= blanks)  # fmt: skip
        reported.setdefault(path[:2], Problem("P0034", message, key.span, help_, fixes=(Fix(edits),) if blanks else ()))
    return reported


def margin_of(source: Source | None, line: int) -> int:
    """Return the blanks before a line; of an empty one, and where there is no text, none."""
    return margin(source.text.split("\n")[line - 1]) if source is not None else 0
