"""The form of a phrase: words for a thing of a pack, with what it takes in braces, ``{card}`` or ``{card's}``."""

from __future__ import annotations

import re

HOLE = re.compile(r"\{(\w+)('s)?\}")


def holes(text: str) -> list[str]:
    """Return what stands in braces in a phrase, in order."""
    return [found[1] for found in HOLE.finditer(text)]
