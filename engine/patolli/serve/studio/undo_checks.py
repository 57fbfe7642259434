"""Checks in idle time whether choices can be undone. In a game with secrets, this samples a dozen worlds."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patolli.serve.studio.table import Table
    from patolli.serve.studio.table_registry import TableRegistry

PAUSE = 0.15
"""Idle seconds before a check: less than a player needs to click Undo."""
FURTHEST = 8
"""Limit for choices of bots that a check skips."""


class UndoChecks:
    """Checks the last choices of tables, one at a time, when the rules thread is idle."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def wake(self, table: Table) -> None:
        """Check a table after it has been idle for a moment."""
        self._stop(table.id)
        if find_unchecked(table) is not None:
            after = asyncio.get_running_loop().call_later
            self._timers[table.id] = after(PAUSE, self._look, table, table.revision)

    def close(self) -> None:
        """Cancel all timers."""
        for id_ in list(self._timers):
            self._stop(id_)

    def _stop(self, id_: str) -> None:
        timer = self._timers.pop(id_, None)
        if timer is not None:
            timer.cancel()

    def _look(self, table: Table, revision: int) -> None:
        self._timers.pop(table.id, None)
        loop, later = asyncio.get_running_loop(), self.registry.later
        ready = self.registry.compile_for_worlds(table)
        ready.add_done_callback(lambda _: later(self._one, table, revision, loop))

    def _one(self, table: Table, revision: int, loop: asyncio.AbstractEventLoop) -> None:
        """Do a part of the check of a choice, notify clients if it is final, and submit the next part.

        Until then, clients offer Undo.
        """
        number = find_unchecked(table) if table.revision == revision else None
        if number is None:
            return
        own = table.course.line[number].seat in table.seats.people()
        table.past.check_further(table.match, number, own)
        if table.past.find_cached(number, own):
            table.stir()
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self.registry.show, table)
        self.registry.later(self._one, table, revision, loop)


def find_unchecked(table: Table) -> int | None:
    """Return the last choice that a person might undo and that was not checked yet."""
    line, people = table.course.line[: table.course.cursor], table.seats.people()
    for number in reversed(range(max(0, len(line) - FURTHEST), len(line))):
        own = line[number].seat in people
        known = table.past.find_cached(number, own)
        if known is None:
            return number
        if known or (own and not line[number].behind):
            return None
    return None
