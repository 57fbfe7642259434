"""The tutorial as data: its page, the blocks on it, and the edits that it asks for."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "learn" / "first-game.md"
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)


def edit(path: Path, diff: str) -> None:
    """Put the new lines of a difference in the place of the old ones."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path.name}: found {text.count(old)} times:\n{old}"
    path.write_text(text.replace(old, new), "utf-8")


def fits(shown: str, found: str) -> bool:
    """Compare an answer with what a page shows; three dots stand for anything, and nothing shown fits nothing."""
    pattern = re.escape(shown.strip()).replace(r"\.\.\.", ".*").replace(".*\\\n", r".*\s*")
    return re.fullmatch(pattern, found.strip(), re.DOTALL) is not None
