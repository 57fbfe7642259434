"""Updates open tables with edited content, and with acts of other servers."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextvars import Context
from functools import partial
from typing import TYPE_CHECKING, Any

from patolli.language.diagnostics import ContentError
from patolli.run.runtime.errors import MatchError
from patolli.serve.studio.refusals import Stale, Unavailable
from patolli.serve.studio.shelf import Name, findings, name_of
from patolli.serve.studio.table_requests import problems_data

if TYPE_CHECKING:
    from patolli.run.runtime import Ruleset
    from patolli.serve.studio.table import Table
    from patolli.serve.studio.table_registry import TableRegistry

EVERY = 0.2
"""Seconds between two checks of content files and of the store."""


class Renewal:
    """Watches files and the store for all open tables."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self._task: asyncio.Task[None] | None = None
        self._tasks: dict[Name, asyncio.Task[None]] = {}

    def wake(self) -> None:
        """Start to watch, if not running."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch(), context=Context())  # for all tables

    def close(self) -> None:
        """Cancel all tasks."""
        for task in (self._task, *self._tasks.values()):
            if task is not None:
                task.cancel()

    async def _watch(self) -> None:
        """Check files and the store repeatedly, while tables are open."""
        while self.registry.looked_at():
            await asyncio.sleep(EVERY)
            await self.registry.look_around()
            for table in self.registry.looked_at():
                if table.id in self.registry.behind:
                    revision, messages = table.revision, table.chat.total
                    await self.registry.work(self.registry.follow, table.id)
                    if table.revision != revision or table.id not in self.registry.tables:
                        self.registry.stir(table)
                    elif table.chat.total != messages:
                        self.registry.show(table)
            together: defaultdict[Name, list[Table]] = defaultdict(list)
            for table in self.registry.looked_at():
                together[name_of(table.setup)].append(table)
            for name, tables in together.items():
                if name not in self._tasks:  # slow content delays only its own tables
                    task = self._tasks[name] = asyncio.get_running_loop().create_task(self._renew(name, tables))
                    task.add_done_callback(partial(self._end_task, name))

    def _end_task(self, name: Name, task: asyncio.Task[None]) -> None:
        del self._tasks[name]
        if not task.cancelled():
            task.result()  # raises the exception of the task

    async def _renew(self, name: Name, tables: list[Table]) -> None:
        """Update tables with their current content, if its files have changed."""
        try:
            found = await self.registry.prepare(name, self.registry.shelf.now, name)
        except ContentError:
            return  # it was valid when the tables were opened, and another thread dropped it
        if found.error is not None:
            for table in tables:
                self._report(table, problems_data(found.error.problems))
            return
        behind = [table for table in tables if table.newest is not found.rules]
        for table in behind:
            await self._adopt(table, found.rules)
        broken = [table for table in tables if any(one["severity"] == "error" for one in table.problems)]
        if behind or broken:
            problems = problems_data(await self.registry.prepare(name, findings, name))
            for table in {one.id: one for one in (*behind, *broken)}.values():
                self._report(table, problems)

    def _report(self, table: Table, problems: list[dict[str, Any]]) -> None:
        if problems != table.problems:
            table.problems = problems
            table.stir()
            self.registry.stir(table)

    async def _adopt(self, table: Table, rules: Ruleset) -> None:
        """Switch a table to new rules; if that fails, keep the old ones and report the reason."""
        before, table.newest = table.newest, rules
        try:
            await self.registry.prepare(name_of(table.setup), self.registry.shelf.get, table.setup)
            replayed = await self.registry.begin(table.replay, rules)
            await self.registry.work(table.adopt, rules, True, replayed)
        except Stale:
            pass  # another server was faster
        except Unavailable:
            table.newest = before  # nothing has changed; the next check tries again
            return
        except ContentError:
            return  # the files have changed again
        except (MatchError, ValueError) as error:
            table.fault = error.text() if isinstance(error, MatchError) else str(error)
            table.stir()
        self.registry.stir(table)
