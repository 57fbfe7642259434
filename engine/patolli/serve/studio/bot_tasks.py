"""Runs bots at tables: one task for each table at which a bot has to decide."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING

from patolli.play.players import BotError
from patolli.run.compiler.layout import SEED
from patolli.run.runtime.errors import LIMIT, MatchError
from patolli.serve.studio.bots import Bots, Question
from patolli.serve.studio.refusals import Refused, Unavailable

if TYPE_CHECKING:
    from patolli.serve.studio.table import Table
    from patolli.serve.studio.table_registry import TableRegistry

AGAIN = 1.0
"""Seconds before a bot tries again after a failure of the store."""


class Drivers:
    """Runs the bots at all tables."""

    def __init__(self, registry: TableRegistry, bots: Bots) -> None:
        self.registry, self.bots = registry, bots
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def wake(self, table: Table) -> None:
        """Start the bots of a table, if a bot has to decide and none is running."""
        task = self._tasks.get(table.id)
        if (task is None or task.done()) and _bot(table):
            self._tasks[table.id] = asyncio.get_running_loop().create_task(self._drive(table))

    async def _drive(self, table: Table) -> None:
        """Run bots until a person has to decide."""
        alone = 0
        while _bot(table) and self.registry.tables.get(table.id) is table and alone < LIMIT:
            question = await self.registry.work(_question, table)
            if question is None:
                return
            table.thinking, revision = question.seat, table.revision
            try:
                index = await self.bots.decide(question)
                await self.registry.work(table.choose_for_bot, revision, question.seat, index)
            except Unavailable:
                await asyncio.sleep(AGAIN)
            except (BotError, BrokenExecutor, MatchError, Refused) as error:
                table.fault = error.words if isinstance(error, Refused) else str(error)
                return
            finally:
                table.thinking = -1
                table.stir()
                self.registry.stir(table)
            alone = alone + 1 if not table.seats.people() else 0

    async def close(self) -> None:
        """Cancel all tasks, and stop the processes of the bots."""
        await end_tasks(self._tasks.values())
        self.bots.close()


async def end_tasks(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks, and wait until they have ended."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)


def _bot(table: Table) -> bool:
    """Return whether a bot has to decide at a table and the rules have not failed."""
    return not table.match.over and not table.fault and bool(table.seats.places[table.decider].bot)


def _question(table: Table) -> Question | None:
    if not _bot(table):
        return None
    match, seat = table.match, table.decider
    return Question(
        table.id,
        table.rules,
        match.players,
        match.state[SEED],
        tuple(match.choices),
        table.seats.places[seat].bot,
        seat,
        match.edits,
    )
