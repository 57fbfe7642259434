"""Words of a pack with holes in them, in braces.

A phrase says what a thing is called in a sentence about rules, with what it takes: ``{card}`` or ``{card's}``. A name
says what one piece, place or answer is called, with what is known of it: ``{rank}`` or ``{card.rank}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

HOLE = re.compile(r"\{(\w+)('s)?\}")
_PATH = re.compile(r"\{([^{}]*)\}")


def holes(text: str) -> list[str]:
    """Return what stands in braces in a phrase, in order."""
    return [found[1] for found in HOLE.finditer(text)]


@dataclass(frozen=True, slots=True)
class Gap:
    """What is to be put into a name: a word, and facts of what it stands for; ``at`` is where it begins in the text."""

    path: tuple[str, ...]
    at: int


def gaps(text: str) -> Iterator[Gap]:
    """Return what stands in braces in a name, in order."""
    for found in _PATH.finditer(text):
        yield Gap(tuple(found[1].split(".")), found.start(1))


def pieces_of(text: str) -> list[str | Gap]:
    """Return a name as texts and gaps, in order."""
    found: list[str | Gap] = []
    end = 0
    for gap in gaps(text):
        found += [text[end : gap.at - 1], gap]
        end = text.index("}", gap.at) + 1
    return [*found, text[end:]]
