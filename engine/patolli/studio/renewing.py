"""While somebody looks: tables go on with content that was edited, and with what another server has written."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from patolli.diagnostics import ContentError
from patolli.runtime.errors import MatchError
from patolli.studio.opening import told
from patolli.studio.refusals import Stale
from patolli.studio.shelf import Name, findings, name_of

if TYPE_CHECKING:
    from patolli.runtime import Ruleset
    from patolli.studio.hall import Hall
    from patolli.studio.table import Table

EVERY = 0.2
"""Seconds between two looks at the files of content, and at what other servers have written."""


class Renewal:
    """Looks at the files and the store for the tables of a hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Begin to look, if nobody does."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())

    def close(self) -> None:
        """End it."""
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        """Look again and again whether files have changed, or another server has written, while somebody looks."""
        while self.hall.looked_at():
            await asyncio.sleep(EVERY)
            if self.hall.look_around():
                for table in self.hall.looked_at():
                    revision = table.revision
                    await self.hall.work(self.hall.follow, table.id)
                    if table.revision != revision:
                        self.hall.stir(table)
            together: defaultdict[Name, list[Table]] = defaultdict(list)
            for table in self.hall.looked_at():
                together[name_of(table.setup)].append(table)
            for name, tables in together.items():
                await self._renew(name, tables)

    async def _renew(self, name: Name, tables: list[Table]) -> None:
        """Let tables go on with their content as its files are now, if they have changed."""
        try:
            found = await self.hall.read(self.hall.shelf.now, name)
        except ContentError:
            return  # it was sound when the tables were opened, and another thread forgot it
        if found.error is not None:
            for table in tables:
                self._tell(table, told(found.error.problems))
            return
        behind = [table for table in tables if table.newest is not found.rules]
        for table in behind:
            await self._adopt(table, found.rules)
        broken = [table for table in tables if any(one["severity"] == "error" for one in table.problems)]
        if behind or broken:
            problems = told(await self.hall.read(findings, name))
            for table in {one.id: one for one in (*behind, *broken)}.values():
                self._tell(table, problems)

    def _tell(self, table: Table, problems: list[dict[str, Any]]) -> None:
        if problems != table.problems:
            table.problems = problems
            table.stir()
            self.hall.stir(table)

    async def _adopt(self, table: Table, rules: Ruleset) -> None:
        """Let a table go on with other rules; where that fails it stays with those it has, and says why."""
        table.newest = rules
        try:
            await self.hall.read(self.hall.shelf.get, table.setup)
            await self.hall.work(table.adopt, rules)
        except Stale:
            pass  # another server was faster
        except ContentError:
            return  # the files have changed again
        except (MatchError, ValueError) as error:
            table.fault = error.text() if isinstance(error, MatchError) else str(error)
            table.stir()
        self.hall.stir(table)
