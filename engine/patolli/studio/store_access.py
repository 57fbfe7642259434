"""The one way to the store: a thread of its own, a limit to every wait, and one sentence where the store fails.

The thread of the rules and the event loop call the store only here. A call that does not end in time goes on in the
thread of the store, and nobody knows yet whether it will succeed. Until it ends, all other calls are refused at once,
so that nobody waits behind it. The primary key of the acts decides what was kept: whoever wrote reads the table again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from patolli.studio.lane import ANSWER, Lane
from patolli.studio.refusals import Unavailable

if TYPE_CHECKING:
    from patolli.studio.store import Store

Result = TypeVar("Result")
PATIENCE = 0.4
"""Seconds that somebody waits for the store: those behind them in the thread of the rules wait as well."""
LOG = logging.getLogger("patolli.studio")


class StoreAccess:
    """Calls a store.

    Args:
        store: Keeps the tables.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lane = Lane("store")
        self._late: Future[Any] | None = None  # the call that did not end in time

    def call(self, work: Callable[[Store], Result]) -> Result:
        """Do something with the store, and wait for it in the calling thread. Not for the event loop.

        Raises:
            Unavailable: The store failed, or did not answer in time.
        """
        future = self._begin(work)
        try:
            return future.result(PATIENCE)
        except TimeoutError:
            self._give_up(future)
        except self._store.faults as error:
            self._fail(error)

    async def ask(self, work: Callable[[Store], Result]) -> Result:
        """Do something with the store; the event loop goes on meanwhile.

        Raises:
            Unavailable: The store failed, or did not answer in time.
        """
        future = self._begin(work)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), PATIENCE)
        except TimeoutError:
            self._give_up(future)
        except self._store.faults as error:
            self._fail(error)

    def close(self) -> None:
        """Close the store; one that hangs is left to end with the program."""
        self._lane.submit(ANSWER, self._store.close)
        self._lane.close(PATIENCE)

    def _begin(self, work: Callable[[Store], Result]) -> Future[Result]:
        if self._late is not None and not self._late.done():
            raise Unavailable
        return self._lane.submit(ANSWER, work, self._store)

    def _give_up(self, future: Future[Result]) -> NoReturn:
        """Refuse a call; one that has begun goes on, and holds up the others until it ends."""
        if not future.cancel() and not future.done():
            self._late = future
            LOG.warning("the store does not respond; requests that need it are refused until it does")
        raise Unavailable from None

    def _fail(self, error: Exception) -> NoReturn:
        LOG.warning("the store failed: %s", str(error).strip())
        raise Unavailable from None
