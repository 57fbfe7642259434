"""The colours of packs on paper and in pictures.

A colour never stands alone: what has one has a sign or a word, too. Text on a colour is black or white, whichever can
be read better (contrast as WCAG 2.2 defines it).
"""

from __future__ import annotations

from patolli.serve.studio.drawing.marks import INK

PAPER = "#ffffff"
COLOURS = {
    "black": "#2b2b2b", "red": "#b3261e", "green": "#2f7d3b", "yellow": "#f0c23b", "blue": "#2460a7",
    "magenta": "#9c2f8f", "cyan": "#1a8a99", "white": "#ffffff", "orange": "#e0792a", "brown": "#7a4f2b",
    "grey": "#8c8c8c", "pink": "#e58fb1",
}  # fmt: skip
"""Colours by the words of packs."""
BANDS = ("#2f5d62", "#7b4b3a", "#4a4e8c", "#5b6b2e", "#8a4a6b", "#3d6a8f", "#86622a", "#54546a", "#2e6b4f", "#7a3f3f")
"""Colours of the heads of cards, by kind; white can be read on all of them."""


def find_color(word: str, other: str = "") -> str:
    """Return the colour of a word."""
    return COLOURS.get(word, other)


def on(fill: str) -> str:
    """Return the colour in which text stands on another."""
    return max((INK, PAPER), key=lambda text: contrast(text, fill))


def contrast(one: str, other: str) -> float:
    """Return how well one colour can be distinguished from another, from 1 to 21."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    """Return the relative luminance of a colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
