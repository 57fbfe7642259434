"""Captions: words and signs that stand for things, in colors that packs declare.

A caption is data. How a color or a tone looks is up to the program that draws it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

STRONG, FAINT, COST, EFFECT = "strong", "faint", "cost", "effect"
"""Tones: what stands out, what stands back, what must be paid, and what an option changes."""
_WORD = re.compile(r"[^\W\d_]{3}")
"""Letters that are not a sign but a word."""


class Part(NamedTuple):
    """Text in one color of a symbol and one tone; both are empty for plain text."""

    text: str
    color: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Caption:
    """Text in parts."""

    parts: tuple[Part, ...] = ()

    @property
    def plain(self) -> str:
        """The text without colors."""
        return "".join(part.text for part in self.parts)

    @property
    def color(self) -> str:
        """The first color of a part; empty if no part has one."""
        return next((part.color for part in self.parts if part.color), "")

    def __bool__(self) -> bool:
        return bool(self.plain)

    def __add__(self, other: Caption) -> Caption:
        return Caption(self.parts + other.parts)

    def color_words(self, words: str) -> Caption:
        """Return other words in the first color and tone of this caption."""
        found = next((part for part in self.parts if part.color or part.tone), Part(""))
        return Caption((found._replace(text=words),))


def caption(text: str, color: str = "", tone: str = "") -> Caption:
    """Return text in one color and tone."""
    return Caption((Part(text, color, tone),))


def join_captions(captions: Iterable[Caption], between: str) -> Caption:
    """Return captions in a row, with plain text between them."""
    parts: list[Part] = []
    for number, one in enumerate(captions):
        parts += [Part(between), *one.parts] if number else one.parts
    return Caption(tuple(parts))


def separator_of(texts: Iterable[str]) -> str:
    """Return what stands between texts in a row: a blank between signs, a comma if any of them is a word."""
    return ", " if any(_WORD.search(text) for text in texts) else " "
