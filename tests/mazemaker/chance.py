"""Where chance comes from, and what a rule knows at one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")


class Source(Protocol):
    """Where chance comes from: a generator of random numbers, or what hypothesis draws."""

    def pick(self, items: Sequence[T]) -> T:
        """Return one of some items; simple ones stand first."""
        ...


@dataclass
class Dice:
    """Chance from a seed."""

    random: Random

    def pick(self, items: Sequence[T]) -> T:
        """Return one of some items."""
        return self.random.choice(items)


@dataclass(frozen=True)
class Scope:
    """The variables by type, what kind of loop stands around, and how deep."""

    ints: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    goods: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    loop: bool = False
    depth: int = 0
    ends: bool = True

    def deeper(self, **changes: object) -> Scope:
        """Return the scope of an inner block."""
        return replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]
