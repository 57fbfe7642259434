"""What rules note as one: rows of slots, and changes of several slots. See ``noting``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CHANGES, FRUITLESS = 5_000, 100
"""Of how many changes of several slots it is found out what they mean; and after how many of which most have to be
noted that is given up."""


class Rows(dict[tuple[int, tuple[int, ...]], int]):
    """Numbers below 0 for rows of slots that are noted together: by the slot of 0, and the row that is added to it."""

    def __init__(self) -> None:
        self.slots: list[tuple[int, ...]] = []

    def __missing__(self, key: tuple[int, tuple[int, ...]]) -> int:
        first, row = key
        self.slots.append(tuple([first + one for one in row]))
        self[key] = -len(self.slots)
        return -len(self.slots)

    def of(self, noted: int) -> tuple[int, ...]:
        """Return the slots that a number stands for that was noted; a slot stands for itself."""
        return self.slots[-1 - noted] if noted < 0 else (noted,)


Change = tuple[Any, ...]
"""Of several slots that change together, for each: the slot, the value that it had, and the value that it has."""


class Harmless(set[Change]):
    """Changes after which all holds that held before, whatever else is in the state: they need not be noted."""

    def __init__(self, note: Callable[[int], None]) -> None:
        self._note = note
        self._known: set[Change] = set()
        self.judge: Callable[[Change], bool] | None = None
        """Tells whether that is so; somebody who holds a match has to know."""

    def missing(self, change: Change) -> None:
        """Note the slots of a change, and find out whether that will be needed the next time."""
        for slot in change[::3]:
            self._note(slot)
        if self.judge is None or change in self._known:
            return
        self._known.add(change)
        if self.judge(change):
            self.add(change)
        elif len(self._known) > max(FRUITLESS, 2 * len(self)) or len(self._known) > CHANGES:
            self.judge = None

    def doubt(self) -> None:
        """Take nothing for harmless any more: some test fails although all holds, and has to be asked ever again."""
        self.clear()
        self.judge = None
