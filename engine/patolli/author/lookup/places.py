"""Small facts about what is written: where it stands, its text, how many pieces there are."""

from __future__ import annotations

from pathlib import Path

from patolli.language.diagnostics import Span
from patolli.language.packs.composition import Entry
from patolli.language.sources.home import current_folder
from patolli.language.sources.nodes import text_at
from patolli.run.compiler.layout import Layout


def where(span: Span) -> str:
    """Return ``path:line``, relative to the current folder where it lies below."""
    return f"{near(span.path)}:{span.line}"


def near(file: str) -> str:
    """Return a path, relative to the current folder where it lies below."""
    path, here = Path(file), current_folder()
    if here is not None and path.is_absolute() and path.is_relative_to(here):
        path = path.relative_to(here)
    return path.as_posix()


def components(layout: Layout) -> dict[str, int]:
    """Return how many pieces there are of each kind, those of all players included."""
    kinds = layout.model.kinds.values()
    return {
        kind.name: layout.size(kind.name) for kind in kinds if kind.name != "player" and (kind.designs or kind.grid)
    }


def text_of(entry: Entry) -> str:
    """Return the text of an entry on one line."""
    return " ".join(text_at(entry, "text").split())
