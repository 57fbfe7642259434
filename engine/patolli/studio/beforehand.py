"""What may be taken back, found out while nobody waits: where a game has secrets, a dozen worlds are tried for it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patolli.studio.hall import Hall
    from patolli.studio.table import Table

PAUSE = 0.15
"""Seconds at rest after which it is looked: less than somebody needs who wants to take something back."""
FURTHEST = 8
"""Choices of bots, at most, past which it is looked."""


class Beforehand:
    """Looks at the last choices of the tables of a hall, one at a time, when there is nothing else to do."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def wake(self, table: Table) -> None:
        """Look at a table when it has been at rest for a moment."""
        self._stop(table.id)
        if undecided(table) is not None:
            after = asyncio.get_running_loop().call_later
            self._timers[table.id] = after(PAUSE, self._look, table, table.revision)

    def close(self) -> None:
        """End it."""
        for id_ in list(self._timers):
            self._stop(id_)

    def _stop(self, id_: str) -> None:
        timer = self._timers.pop(id_, None)
        if timer is not None:
            timer.cancel()

    def _look(self, table: Table, revision: int) -> None:
        self._timers.pop(table.id, None)
        self.hall.later(self._one, table, revision, asyncio.get_running_loop())

    def _one(self, table: Table, revision: int, loop: asyncio.AbstractEventLoop) -> None:
        """Look at one choice, and at the next one after whatever else waits meanwhile.

        Taking back was offered as long as nothing was known to stand in its way; who looks is told where something is.
        """
        number = undecided(table) if table.revision == revision else None
        if number is None:
            return
        own = table.course.line[number].seat in table.seats.people()
        if table.past.stands(table.match, number, own):
            table.stir()
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self.hall.show, table)
        self.hall.later(self._one, table, revision, loop)


def undecided(table: Table) -> int | None:
    """Return the last choice that somebody might take back and of which it is not known whether that may be."""
    line, people = table.course.line[: table.course.cursor], table.seats.people()
    for number in reversed(range(max(0, len(line) - FURTHEST), len(line))):
        own = line[number].seat in people
        known = table.past.known(number, own)
        if known is None:
            return number
        if known or (own and not line[number].behind):
            return None
    return None
