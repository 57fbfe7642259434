"""What a text may use where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Scope:
    """Variables with their sorts, words about the place, and how deep inside others an expression and a block are.

    Words: ``loop`` (a ``break`` is possible), ``together`` (others have still to answer), ``quiet`` (no player may be
    asked), ``apart`` (no rule may be called), ``nobody`` (there is no ``me``).
    """

    variables: tuple[tuple[str, str], ...] = ()
    words: frozenset[str] = frozenset()
    depth: int = 0
    nested: int = 0

    def having(self, more: Iterable[tuple[str, str]]) -> Scope:
        """Return the scope with more variables; a name that is there already gets the new sort."""
        found = dict(self.variables)
        found.update(more)
        return replace(self, variables=tuple(found.items()))

    def deeper(self) -> Scope:
        """Return the scope of a part of an expression."""
        return replace(self, depth=self.depth + 1)

    def inside(self, *more: str, less: Iterable[str] = ()) -> Scope:
        """Return the scope of a block, with more words or without some."""
        return replace(self, words=(self.words | set(more)) - set(less), depth=0, nested=self.nested + 1)

    def named(self, sort: str) -> list[str]:
        """Return the variables of a sort."""
        return [name for name, of in self.variables if of == sort]
