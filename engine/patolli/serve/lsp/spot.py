"""Find out what stands at the cursor, in a text that is perhaps not YAML at this moment.

In:     the lines of a file and a position.
Out:    a :class:`Spot`: the keys that lead to it, and the text between the last key and the cursor.

The lines above are read by their indentation alone, so it works while the line of the cursor is being typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from patolli.language.program.types import AnyType

_KEY = re.compile(r" *(?P<dash>(?:- +)*)(?P<key>[a-z_][\w]*(?: *\([^()]*\))?|\"[^\"]*\") *:(?: +(?P<value>.*))?$")
_BLOCK = re.compile(r"[|>][-+0-9]*\s*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a document.

    ``path`` holds the keys from the outside in; the value of the last is written, unless ``key`` says that
    the next key is. ``before`` is the part of the text before the cursor, all lines of it in a block. ``of`` is the
    type of the value, where the context requires one.
    """

    path: tuple[str, ...]
    before: str
    key: bool
    indent: int = 0
    of: AnyType | None = None


def spot_at(lines: list[str], line: int, column: int) -> Spot:
    """Return what stands at a line and column, both from 1."""
    here = lines[line - 1][: column - 1] if line <= len(lines) else ""
    found = _KEY.match(here)
    indent = len(here) - len(here.lstrip(" "))
    above, block = _above(lines, line - 1, indent if here.strip() else column - 1)
    if block is not None:
        return Spot(above, "\n".join([*lines[block : line - 1], here]), key=False)
    if found:
        value = found["value"] or ""
        path = (*above, found["key"].strip('"'))
        return _flow(path, value) if value[:1] in ("{", "[") else Spot(path, value, key=False)
    rest = here.strip()
    if rest.startswith("- "):
        rest = rest[2:].lstrip()
        if rest[:1] in ("{", "["):
            return _flow(above, rest)
        return Spot(above, rest, key=re.fullmatch(r"([a-z_]\w*)?", rest) is not None)
    return Spot(above, rest, key=True, indent=indent)


def _above(lines: list[str], line: int, indent: int) -> tuple[tuple[str, ...], int | None]:
    """Return the keys above a line that are indented less, and where the text begins that it is part of."""
    path: list[str] = []
    block: int | None = None
    limit = indent
    for number in range(min(line, len(lines)) - 1, -1, -1):
        text = lines[number]
        depth = len(text) - len(text.lstrip(" "))
        if not text.strip() or text.lstrip().startswith("#") or depth >= limit:
            continue
        found = _KEY.match(text)
        if not found:
            limit = depth + 1 if text.lstrip().startswith("- ") else depth
            continue
        own = depth + len(found["dash"])
        if own < limit:  # else it stands beside what is looked for, in the same item of a list
            if _BLOCK.match((found["value"] or "").strip()):
                path, block = [], number + 1
            path.insert(0, found["key"].strip('"'))
        limit = depth + 1 if found["dash"] else depth
    return tuple(path), block


def _flow(path: tuple[str, ...], value: str) -> Spot:
    """Go on inside braces and brackets on the line of the cursor."""
    outer: list[tuple[str, str | None]] = []  # what is open, and the key that led to it
    key: str | None = None
    start, quote = 0, ""
    for at, letter in enumerate(value):
        if quote:
            quote = "" if letter == quote else quote
            continue
        if letter in "\"'" and not value[start:at].strip():
            quote = letter
        elif letter in "{[":
            outer.append((letter, key))
            key = None
        elif letter in "}]" and outer:
            key = outer.pop()[1]
        elif letter == ",":
            key = None
        elif letter == ":" and value[at + 1 : at + 2] in ("", " ") and key is None:
            key = value[start:at].strip()
        else:
            continue
        start = at if letter in "\"'" else at + 1
    rest = value[start:].lstrip(" \"'")
    keys = [name for _, name in outer if name] + ([key] if key else [])
    return Spot((*path, *keys), rest, key=key is None and bool(outer) and outer[-1][0] == "{")
