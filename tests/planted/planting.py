"""Plant a mistake in a copy of a shipped pack, and say where it must be found.

An edit is an old text, which stands once in its file, and a new text with ``^`` before the very letter at which the
mistake must be reported. Where it shows elsewhere, ``seen`` is that file with some text of it, marked in the same way. A name that is wrong at
``times`` places is reported at each of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from patolli.author.workspace import inspect
from patolli.language.diagnostics import Problem

CONTENT = Path(__file__).parents[2] / "content"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake of an author: what it is, the edit that makes it, and what must be said about it."""

    what: str
    file: str
    old: str
    new: str
    code: str
    help: str = ""
    seen: tuple[str, str] | None = None
    times: int = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A letter of a file, counted from 1."""

    file: str
    line: int
    column: int


def place_of(file: str, text: str, marked: str) -> Place:
    """Return the place of the mark in *marked*, which stands once in *text* without its mark."""
    start = _only(text, marked.replace("^", "", 1)) + marked.index("^")
    return Place(file, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))


def _only(text: str, part: str) -> int:
    if text.count(part) != 1:
        raise ValueError(f"{part!r} stands {text.count(part)} times in the file")
    return text.index(part)


@contextmanager
def planted(pack: Path, mistake: Mistake) -> Iterator[Place]:
    """Make a mistake in a pack for a while; give the place where it must be reported."""
    path = pack / mistake.file
    before = path.read_bytes()
    text = before.decode()
    start = _only(text, mistake.old)
    new = mistake.new if mistake.seen else mistake.new.replace("^", "", 1)
    after = text[:start] + new + text[start + len(mistake.old) :]
    path.write_text(after, "utf-8", newline="")
    try:
        if mistake.seen:
            file, marked = mistake.seen
            yield place_of(file, (pack / file).read_text("utf-8"), marked)
        else:
            offset = start + mistake.new.index("^")
            yield Place(mistake.file, after.count("\n", 0, offset) + 1, offset - after.rfind("\n", 0, offset))
    finally:
        path.write_bytes(before)


def copied(name: str, folder: Path) -> Path:
    """Copy a shipped pack."""
    return Path(shutil.copytree(CONTENT / name, folder / name))


def found(pack: Path) -> list[Problem]:
    """Check a pack from the start."""
    return inspect(str(pack)).problems
