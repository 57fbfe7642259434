"""Clocks: how much time each seat of a table has left, and bots that take over when it is up.

A clock belongs to the table, not to the match: no digest or save depends on it. The acts say how much time a seat got.
How much it has spent is counted here by a clock that the time of day does not change, and stored every few seconds.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from patolli.serve.studio.acts import SEATS
from patolli.serve.studio.ahead import ahead_of, list_sealed
from patolli.serve.studio.bot_tasks import end_tasks
from patolli.serve.studio.refusals import Refused, Stale, Unavailable
from patolli.serve.studio.seats import HOST, Seats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patolli.serve.studio.table import Table
    from patolli.serve.studio.table_registry import TableRegistry

STAND_IN = "medium"
"""The kind of bot that takes over a seat whose time is up."""
LEAST = 10
"""Seconds that a player who takes over from a bot has at least."""
KEEP = 5.0
"""Seconds between two writes to the store while a clock runs; the end of a server gives or takes no more."""
AGAIN = 1.0
"""Seconds before the next try if a bot could not take over, because of the store or of another server."""
SHORTEST, LONGEST, MOST_ADDED = 10, 86_400, 3600
"""Limits for the seconds of a clock, and for the seconds that each choice adds."""
now = time.monotonic


@dataclass(slots=True)
class Clock:
    """What the seats of a table have spent, in seconds.

    Attributes:
        spent: The time that each seat has spent.
        running: The seats whose time runs.
        since: The moment up to which time is counted.
        together: The simultaneous decision for which ``public`` holds, by the revision before it; -1 for none.
        public: What each seat had spent when that decision began, and the moment.
        restored: What others saw of each seat when the clock was stored, until time is counted again.
    """

    spent: list[float]
    running: list[int] = field(default_factory=list)
    since: float = field(default_factory=lambda: now())
    together: int = -1
    public: tuple[list[float], float] = ([], 0.0)
    restored: list[float] = field(default_factory=list)

    def learn(self, stored: Sequence[float]) -> None:
        """Take what the store has: what each seat has spent, then what others see. Spent time never comes back."""
        seats = len(self.spent)
        self.spent = [max(pair) for pair in zip(self.spent, stored[:seats], strict=True)]
        self.restored = list(stored[seats:])


def parse_clock(data: Any) -> tuple[int, int] | None:
    """Return the seconds of each seat and of each choice in a request. Raises Refused: they are invalid."""
    if data is None:
        return None
    found = (data.get("seconds"), data.get("increment", 0)) if isinstance(data, dict) else (None, None)
    seconds, added = found
    if type(seconds) is int and type(added) is int and SHORTEST <= seconds <= LONGEST and 0 <= added <= MOST_ADDED:
        return seconds, added
    raise Refused(
        422, f"'clock' needs 'seconds' from {SHORTEST} to {LONGEST}, and may have 'increment' from 0 to {MOST_ADDED}"
    )


def tick(table: Table) -> None:
    """Count the time that has passed, and find the seats whose time runs now."""
    clock = table.clock
    if clock is None:
        return
    moment = now()
    for seat in clock.running:
        clock.spent[seat] += moment - clock.since
    clock.since = moment
    together = table.course.moved if not table.match.over and table.match.secret else -1
    if together != clock.together:
        clock.together, clock.public = together, (clock.restored or list(clock.spent), moment)
    clock.restored = []
    clock.running = [seat for seat in _find_asked(table) if table.course.earned.get(seat)]


def time_left(table: Table, seat: int, spent: Sequence[float]) -> float:
    """Return the seconds that a seat has left after it has spent some."""
    assert table.setup.clock is not None
    seconds, added = table.setup.clock
    return seconds + added * table.course.earned.get(seat, 0) + table.seats.places[seat].extra - spent[seat]


def _find_asked(table: Table) -> list[int]:
    """Return the seats of people that have to choose now."""
    if table.match.over:
        return []
    found = [table.decider]
    if table.match.secret:
        free = table.seats.free()
        found += [seat for seat in table.seats.people() if ahead_of(table, HOST if seat in free else seat) is not None]
    return [seat for seat in dict.fromkeys(found) if not table.seats.places[seat].bot]


def clock_data(table: Table, who: int) -> dict[str, Any] | None:
    """Return the clock as a client may see it; None for a table without one.

    During a simultaneous decision, the clocks of others depend neither on who is asked nor on who has chosen early.
    """
    clock = table.clock
    if clock is None or table.setup.clock is None:
        return None
    tick(table)
    shown, running = _find_public(table, clock)
    for seat in range(table.setup.players):
        if table.acts_for(who, seat):
            shown[seat] = clock.spent[seat]
            running = running - {seat} | ({seat} & set(clock.running))
    seconds, added = table.setup.clock
    return {
        "seconds": seconds, "increment": added, "running": sorted(running),
        "left": [max(0, round(time_left(table, seat, shown), 1)) for seat in range(table.setup.players)],
    }  # fmt: skip


def _find_public(table: Table, clock: Clock) -> tuple[list[float], set[int]]:
    """Return what other players see: the seconds that each seat has spent, and the seats whose time runs."""
    if clock.together < 0:
        return list(clock.spent), set(clock.running)
    before, begun = clock.public
    done = list_sealed(table)
    running = {
        seat
        for seat, place in enumerate(table.seats.places)
        if not place.bot and seat not in done and table.course.earned.get(seat)
    }
    return [spent + (clock.since - begun if seat in running else 0) for seat, spent in enumerate(before)], running


def stand_in(table: Table) -> float | None:
    """Let bots take over the seats whose time is up; return the seconds until the next one, None if no clock runs.

    Raises Stale, Unavailable, Gone: it cannot be written now.
    """
    clock = table.clock
    if clock is None:
        return None
    tick(table)
    late = [seat for seat in clock.running if time_left(table, seat, clock.spent) <= 0]
    if late:
        seats = Seats.of(table.seats.to_data())
        for seat in late:
            seats.places[seat].bot = STAND_IN
        table.write(SEATS, seats.to_data())
        tick(table)
    return min((time_left(table, seat, clock.spent) for seat in clock.running), default=None)


def hand_back(table: Table, seats: Seats, number: int) -> None:
    """Give a player who takes over from a bot the least time. Raises Refused: the bot has to choose first."""
    clock = table.clock
    if clock is None or table.setup.clock is None or not table.seats.places[number].bot:
        return
    lacks = max(LEAST, table.setup.clock[1]) - time_left(table, number, clock.spent)
    if lacks <= 0:
        return
    if not table.match.over and not table.fault and (table.match.secret or table.decider == number):
        raise Refused(409, "time is up, so the bot makes this choice; take over after it")
    seats.places[number].extra += lacks


class ClockTasks:
    """Runs the clocks of a server: one task for each table at which one runs."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self._tasks: dict[str, tuple[asyncio.Task[None], asyncio.Event]] = {}

    def wake(self, table: Table) -> None:
        """Look at the clock of a table again, because the table has changed."""
        if table.clock is None:
            return
        task, event = self._tasks.get(table.id, (None, asyncio.Event()))
        event.set()
        if task is None or task.done():
            task = asyncio.get_running_loop().create_task(self._run(table.id, event))
            self._tasks[table.id] = task, event

    async def _run(self, id_: str, event: asyncio.Event) -> None:
        wait: float | None = 0.0
        while wait is not None or event.is_set():
            event.clear()
            try:
                wait = await self.look(id_)
            except (Unavailable, Stale):
                wait = AGAIN
            except Refused:
                return  # the table was deleted, or cannot be read now; its next client starts the clock again
            with suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), min(wait, KEEP) if wait is not None else 0)

    async def look(self, id_: str) -> float | None:
        """Do what is due at the clock of a table, and store it; return the seconds until something is due again.

        Raises Refused: the table or the store cannot be used now.
        """
        table = await self.registry.find(id_)
        clock, revision = table.clock, table.revision
        assert clock is not None
        wait = await self.registry.work(stand_in, table)
        stored = [*clock.spent, *_find_public(table, clock)[0]]
        await self.registry.store.ask(lambda store: store.keep_clock(id_, stored))
        if table.revision != revision:
            self.registry.stir(table)
        return wait

    async def close(self) -> None:
        """End all tasks."""
        await end_tasks([task for task, _ in self._tasks.values()])
