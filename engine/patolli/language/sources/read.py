"""Read one YAML file into a tree whose nodes know their place.

In:     the path or the text of a file.
Out:    the tree, or ``None`` when there is none; all problems, in the order of
        the file.
Errors: P0001 to P0038, see ``patolli explain``.

YAML is read strictly: version 1.2, one document, no tabs, tags, anchors,
aliases, merge keys or directives, no key twice, and nothing that two programs
could read differently. Everything is bounded, so a hostile file is refused
before it costs much.

Not done here: whether the document has the right keys (``schema``), and what
the texts inside it mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from patolli.language.diagnostics.fix_edits import instead
from patolli.language.diagnostics.problem import Edit, Fix, Problem, start_of
from patolli.language.sources.archive import read_bytes
from patolli.language.sources.nodes import Node, Source, Untabbed
from patolli.language.sources.signs import BAD_SIGN, bad_sign


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file may hold: bytes, levels, values, characters of one value; and how many problems are reported."""

    bytes: int = 2_000_000
    depth: int = 40
    nodes: int = 200_000
    scalar: int = 64_000
    problems: int = 1_000


LIMITS = Limits()
WIDTHS = (8, 4, 2)
"""How far apart tabs may be meant to stand; of widths that fit equally well, the first."""
_HOLLOW = re.compile(r"(?m)^( *)[\w-].*:\n(?!\1 +\S|\1- )")
"""A key with nothing below it, which is rarely written."""
_DIRECTIVE = re.compile(r"(?:[ ]*(?:#[^\n]*)?\n)*(%)")


def read_file(path: Path, name: str | None = None, limits: Limits = LIMITS) -> tuple[str | None, list[Problem]]:
    """Get the text of a file, without trusting it.

    Args:
        path: The file, on the disk or in an archive.
        name: What places name instead of *path*.
        limits: At most ``limits.bytes`` and one byte are read.

    Returns:
        The text, or ``None`` with the problem P0010, P0011 or P0013. Line ends
        are left as they are.
    """
    name = str(path) if name is None else name
    try:
        data = read_bytes(path, limits.bytes + 1)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return None, [Problem("P0010", f"the file cannot be read: {reason}", start_of(name))]
    if len(data) > limits.bytes:
        return None, [_too_large(name, limits)]
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").replace("\r\n", "\n")
        place = Source(name, before).span(len(before), len(before))
        byte = f"byte {data[error.start]:#04x} is not part of UTF-8"
        return None, [Problem("P0011", byte, place, "save the file with the encoding UTF-8")]


def read_yaml(text: str, path: str, limits: Limits = LIMITS, language: int = 1) -> tuple[Node | None, list[Problem]]:
    r"""Read the text of one file.

    Args:
        text: The whole file; line ends may be ``\n`` or ``\r\n``.
        path: What the places of nodes and problems name.
        limits: Bounds; reading stops at the first one that is passed.
        language: The version of the language that the texts inside are written in.

    Returns:
        The tree and the problems. A tree can come with problems: it then holds
        all that could be read. After a syntax error there is no tree. A file with
        tabs is read with blanks in their place, of the width that fits best.
    """
    source = Source(path, text.removeprefix("\ufeff").replace("\r\n", "\n"), language)
    refused = _refuse(source, limits)
    if refused is None:
        return _build_tree(source, limits)
    ways = [(width, like_above) for like_above in (True, False) for width in WIDTHS]
    meant = [Untabbed(source, *way) for way in ways] if refused.code == "P0002" else []
    read = [(*_build_tree(one, limits), len(_HOLLOW.findall(one.text))) for one in meant if not _refuse(one, limits)]
    whole = [one for one in read if one[0] is not None]
    root, found, _ = min(whole, key=lambda one: len(one[1]) + one[2], default=(None, [], 0))
    return root, sorted([refused, *found], key=lambda problem: problem.span)


def _build_tree(source: Source, limits: Limits) -> tuple[Node | None, list[Problem]]:
    from patolli.language.sources.build import Builder

    builder = Builder(source, limits)
    root = builder.run()
    return root, sorted(builder.problems, key=lambda problem: problem.span)


def _refuse(source: Source, limits: Limits) -> Problem | None:
    """Find what makes a text unfit before a parser sees it."""
    text = source.text
    if len(text) * 4 > limits.bytes and len(text.encode("utf-8", "replace")) > limits.bytes:
        return _too_large(source.path, limits)
    bad = BAD_SIGN.search(text)
    if bad:
        span = source.span(bad.start(), bad.end())
        if bad[0] == "\t":
            advice = r"indent with spaces; in double quotes write \t"
            return Problem("P0002", "a file must not contain a tab", span, advice, fixes=_blanks(source))
        return bad_sign(bad[0], span)
    line = _DIRECTIVE.match(text)
    if line:
        place = source.span(line.start(1), line.end(1))
        fixes = instead(place, "")
        return Problem("P0008", "a line may not begin with %", place, "delete the line", fixes=fixes)
    return None


def _blanks(source: Source) -> tuple[Fix, ...]:
    """Give the fix for all tabs of a file: two blanks at the beginning of a line, one in it, none at its end."""
    edits = []
    for found in re.finditer(r"\t+", source.text):
        before = source.text[source.text.rfind("\n", 0, found.start()) + 1 : found.start()]
        at_end = source.text[found.end() : found.end() + 1] in ("", "\n")
        blanks = "" if at_end else " " if before.strip() else "  " * len(found[0])
        edits.append(Edit(source.span(found.start(), found.end()), blanks))
    return (Fix(tuple(edits)),)


def _too_large(name: str, limits: Limits) -> Problem:
    return Problem(
        "P0013", f"the file is larger than {limits.bytes:,} bytes", start_of(name), "split it into several files"
    )
