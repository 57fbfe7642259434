"""Access to the store: a thread of its own, a limit for each wait, and one exception for all failures.

The rules thread and the event loop call the store only through this module. A call that exceeds the limit continues in
the thread of the store, and may still succeed. Until it ends, all other calls are refused at once, so that no client
waits for it. The primary key of the acts decides what was written, and the writer reads the table again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NoReturn, TypeVar

from patolli.serve.studio.priority_queue import ANSWER, WorkQueue
from patolli.serve.studio.refusals import Unavailable
from patolli.serve.studio.store import Store

Result = TypeVar("Result")
WAIT_SECONDS = 0.4
"""Seconds that a call waits for the store. Other work of the rules thread waits as well."""
LOG = logging.getLogger("patolli.studio")


class StoreAccess:
    """Calls a store with time limits.

    Args:
        store: The store.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue = WorkQueue("store")
        self._late: Future[Any] | None = None  # the call that exceeded the limit

    def call(self, work: Callable[[Store], Result]) -> Result:
        """Call the store, and block until it returns. Do not use this in the event loop.

        Raises:
            Unavailable: The store failed, or did not respond in time.
        """
        future = self._begin(work)
        try:
            return future.result(WAIT_SECONDS)
        except TimeoutError:
            self._give_up(future)
        except self._store.faults as error:
            self._fail(error)

    async def ask(self, work: Callable[[Store], Result]) -> Result:
        """Call the store without blocking the event loop. Raises Unavailable: it failed, or did not respond in time."""
        future = self._begin(work)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), WAIT_SECONDS)
        except TimeoutError:
            self._give_up(future)
        except self._store.faults as error:
            self._fail(error)

    def close(self) -> None:
        """Close the store. A call that hangs ends with the program."""
        self._queue.submit(ANSWER, self._store.close)
        self._queue.close(WAIT_SECONDS)

    def _begin(self, work: Callable[[Store], Result]) -> Future[Result]:
        if self._late is not None and not self._late.done():
            raise Unavailable
        return self._queue.submit(ANSWER, work, self._store)

    def _give_up(self, future: Future[Result]) -> NoReturn:
        """Refuse a call. If it has started, it continues, and blocks other calls until it ends."""
        if not future.cancel() and not future.done():
            self._late = future
            LOG.warning("the store does not respond; requests that need it are refused until it does")
        raise Unavailable from None

    def _fail(self, error: Exception) -> NoReturn:
        LOG.warning("the store failed: %s", str(error).strip())
        raise Unavailable from None
