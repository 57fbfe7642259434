"""A priority queue of work with its threads: work that a client waits for runs first, and tables take turns."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar
from itertools import count
from queue import PriorityQueue
from typing import Any, TypeVar

Result = TypeVar("Result")
ANSWER, SHOW, LATER, END = 0, 1, 2, 3
"""Priorities, highest first: responses to requests, states to show, background work, and the end."""
DEEP = 256 * 1024 * 1024
"""Bytes of stack, for the deepest content and rules that the language allows."""
CLOSE_SECONDS = 2.0
"""Seconds that the end of the program waits for a busy thread."""


table_served: ContextVar[str] = ContextVar("table_served", default="")
"""The id of the table for which a request or a task works; empty for others."""


class WorkQueue:
    """A priority queue and its threads. With one thread, no two functions run at the same time.

    Among work of the same priority, tables take turns, so that many requests for one table delay no other.
    """

    def __init__(self, name: str, threads: int = 1) -> None:
        self._waiting: PriorityQueue[tuple[int, int, int, str, Future[Any] | None, Callable[..., Any], tuple[Any, ...]]]
        self._waiting, self._count = PriorityQueue(), count()
        self._turn, self._turns, self._lock = 0, dict[str, int](), threading.Lock()  # of all, and of each table
        self._ending = False
        before = threading.stack_size(DEEP)
        self._threads = [threading.Thread(target=self._run, name=name, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()
        threading.stack_size(before)

    def submit(self, urgency: int, function: Callable[..., Result], *given: Any) -> Future[Result]:
        """Queue a function; return its future."""
        future: Future[Result] = Future()
        table = table_served.get()
        with self._lock:
            turn = self._turns[table] = max(self._turn, self._turns.get(table, 0)) + 1
        self._waiting.put((urgency, turn, next(self._count), table, future, function, given))
        return future

    async def do(self, urgency: int, function: Callable[..., Result], *given: Any) -> Result:
        """Queue a function, and wait for its result."""
        return await asyncio.wrap_future(self.submit(urgency, function, *given))

    def close(self, wait: float = CLOSE_SECONDS) -> None:
        """Run the queued responses, drop other work, and end the threads.

        A thread that is busy for more than *wait* seconds ends with the program, so that a slowly loading pack
        does not delay the exit.
        """
        self._ending, end = True, time.monotonic() + wait
        for _ in self._threads:
            self._waiting.put((END, 0, next(self._count), "", None, lambda: None, ()))
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _run(self) -> None:
        while True:
            urgency, turn, _, table, future, function, given = self._waiting.get()
            if future is None:
                return
            with self._lock:
                self._turn = max(self._turn, turn)
                if self._turns.get(table) == turn:  # nothing else waits for this table
                    del self._turns[table]
            if self._ending and urgency != ANSWER:
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = function(*given)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
