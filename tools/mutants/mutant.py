"""What a mutant is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Spot:
    """The lines of a file whose code is run where a mutant may show."""

    file: str
    first: int
    last: int


@dataclass(frozen=True)
class Mutant:
    """One small change of the engine.

    Attributes:
        family: ``declarations`` or ``sources``.
        place: The file and line that is changed, or where the kind is declared.
        owner: The kind of node, built-in or function that is changed.
        change: What is changed, in a few words.
        apply: Makes the change in this process; there is no way back.
        spot: Where it may show; None if that is unknown.
    """

    family: str
    place: str
    owner: str
    change: str
    apply: Callable[[], None] = field(compare=False, repr=False)
    spot: Spot | None = None

    @property
    def key(self) -> str:
        """What it is remembered by; lines move, so they do not count."""
        return f"{self.place.partition(':')[0]} {self.owner}: {self.change}"

    def __str__(self) -> str:
        return f"{self.place} {self.owner}: {self.change}"
