"""What one part of an observation is: its name, its shape, and what its numbers mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from textwrap import wrap

NUMBER, CHOICE = "number", "choice"
MOST, LEAST = 2**31 - 1, -(2**31) + 1
"""What stands for no bound; numbers beyond are observed as these."""

SPREAD = 64
"""The most values of a choice that are separate features; a position on a large board is one number."""


@dataclass(frozen=True, slots=True)
class Field:
    """One part of an observation, which stands at ``start`` of the flat one, the last index counting fastest.

    Attributes:
        name: What it is called: ``counter.coin``, ``at.card``, ``question``; a flag ends with a question mark.
        shape: The lengths of its dimensions; nothing for a single number.
        kind: ``number``: as it is. ``choice``: 0 for none, or hidden, else the position in ``labels``, from 1.
        low: The least number that there can be, from what is declared; 0 for hidden ones is inside, too.
        high: The greatest one.
        labels: Of a choice what its values are called.
        about: What it means, for people.
        flag: The name of the field that says what of this one is seen (1) or hidden (0); nothing where all is seen.
        start: Where it begins in the flat observation.
        axes: What each dimension stands for.
    """

    name: str
    shape: tuple[int, ...]
    kind: str
    low: int
    high: int
    labels: tuple[str, ...] = ()
    about: str = ""
    flag: str = ""
    start: int = field(default=0)
    axes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def spread(self) -> bool:
        """Whether each of its values is a feature of its own."""
        return self.kind == CHOICE and self.high <= SPREAD

    @property
    def columns(self) -> int:
        """How many features each of its numbers becomes: one, or one for each value of a choice."""
        return self.high if self.spread else 1

    @property
    def scale(self) -> float:
        """By what a number of it is multiplied as a feature, where it is one column."""
        return 1 / self.high if self.kind == CHOICE else 1

    @property
    def is_flag(self) -> bool:
        """Whether it says of another field what of it is seen."""
        return self.name.endswith("?")

    def lines(self) -> list[str]:
        """Return it for people, in one or two lines of 80 characters at most, as far as names allow."""
        low, high = ("" if bound in (LEAST, MOST) else f"{bound:,}" for bound in (self.low, self.high))
        name = f"{self.name} ?" if self.flag else self.name
        shape = "x".join(map(str, self.shape)) or "1"
        line = f"{self.start:>6}  {name:<38} {shape:>7}  {f'{low}..{high}':<8}".rstrip()
        about = "; ".join(filter(None, (self.about, ", ".join(self.labels))))
        return [line, _first_line(about)] if about else [line]


def _first_line(text: str) -> str:
    lines = wrap(text, 76, initial_indent=" " * 8)
    return lines[0] + (" .." if len(lines) > 1 else "")
