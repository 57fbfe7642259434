"""Questions in which several things are chosen at once, one after another.

What may be chosen is a list in which the same value may stand more than once. Values are taken in the order in which
they come first, so that a set of them is chosen in one way only. What is demanded of the whole set is looked at before
a value is offered: with it, and perhaps more, the demand can be met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from patolli.kernel.budget import tick
from patolli.kernel.library import library
from patolli.kernel.values import at_rest

Test = Callable[[tuple[Any, ...]], bool]
_TRIED = 60
"""The steps of trying one set, beside what its test draws by itself."""


class _Choice:
    """What may still be taken of a list."""

    def __init__(self, items: Sequence[Any], least: int, most: int, test: Test | None) -> None:
        self.there = Counter(at_rest(items))
        self.order = list(self.there)
        self.least, self.most, self.test = least, most, test

    def after(self, chosen: tuple[Any, ...]) -> int:
        """Return where in the order the next value stands at the earliest."""
        return self.order.index(chosen[-1]) if chosen and chosen[-1] in self.there else 0

    def left(self, chosen: tuple[Any, ...], at: int) -> int:
        """Return how many more of a value may be taken."""
        return self.there[self.order[at]] - chosen.count(self.order[at])

    def enough(self, chosen: tuple[Any, ...]) -> bool:
        """Tell whether nothing more has to be taken."""
        if not self.least <= len(chosen) <= self.most:
            return False
        if self.test is None:
            return True
        tick(_TRIED)
        return bool(self.test(chosen))

    def leads(self, chosen: tuple[Any, ...]) -> bool:
        """Tell whether what was chosen is enough, or becomes so with more."""
        if self.enough(chosen):
            return True
        if len(chosen) >= self.most or self.least > self.most:
            return False
        start = self.after(chosen)
        more = range(start, len(self.order))
        if len(chosen) + sum(self.left(chosen, at) for at in more) < self.least:
            return False
        if self.test is None:
            return True
        tick(_TRIED)
        return any(self.left(chosen, at) > 0 and self.leads((*chosen, self.order[at])) for at in more)


@library()
def several(
    items: Sequence[Any], chosen: tuple[Any, ...], least: int, most: int, test: Test | None
) -> list[tuple[int, Any]]:
    """Return how to go on: ``(1, value)`` for what may be taken next, and ``(0, chosen)`` if that is enough."""
    choice = _Choice(items, least, most, test)
    tick(10 * len(choice.order))
    found: list[tuple[int, Any]] = []
    if len(chosen) < most:
        for at in range(choice.after(chosen), len(choice.order)):
            if choice.left(chosen, at) > 0 and choice.leads((*chosen, choice.order[at])):
                found.append((1, choice.order[at]))
    return [*found, (0, chosen)] if choice.enough(chosen) else found


@library()
def some_of(items: Sequence[Any], least: int, most: int, test: Test | None) -> bool:
    """Tell whether so many items can be chosen."""
    tick(10 * len(items))
    return _Choice(items, least, most, test).leads(())
