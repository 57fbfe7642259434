"""Words of a pack with holes in them, in braces.

A phrase says what a thing is called in a sentence about rules, with what it takes: ``{card}`` or ``{card's}``. A name
says what one piece, place or answer is called, with what is known of it: ``{rank}`` or ``{card.rank}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

HOLE = re.compile(r"\{(\w+)('s)?\}")
_GAP = re.compile(r"\{\s*([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)('s)?\s*\}")
_BRACE = re.compile(r"[{}]")


def holes(text: str) -> list[str]:
    """Return what stands in braces in a phrase, in order."""
    return [found[1] for found in HOLE.finditer(text)]


@dataclass(frozen=True, slots=True)
class Gap:
    """What is put into a name: a word, and facts of what it stands for, with ``'s`` behind it where it is a ``whose``.

    ``at`` is the offset of the first word in the text, ``end`` that behind the closing brace.
    """

    path: tuple[str, ...]
    whose: bool
    at: int
    end: int


def gaps(text: str) -> Iterator[Gap]:
    """Return what stands in braces in a name, in order."""
    for found in _GAP.finditer(text):
        yield Gap(tuple(found[1].split(".")), found[2] is not None, found.start(1), found.end())


def stray(text: str) -> int:
    """Return the offset of the first brace of a name that does not belong to a gap; -1 where there is none."""
    found = _BRACE.search(_GAP.sub(lambda gap: "x" * len(gap[0]), text))
    return found.start() if found is not None else -1


def parts_of(text: str) -> list[str | Gap]:
    """Return a name as texts and gaps, in order."""
    found: list[str | Gap] = []
    end = 0
    for gap in gaps(text):
        found += [text[end : text.rindex("{", 0, gap.at)], gap]
        end = gap.end
    return [*found, text[end:]]
