"""A thread that does one thing after the other, what somebody waits for before what is only shown."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from queue import PriorityQueue
from typing import Any, TypeVar

Result = TypeVar("Result")
ANSWER, SHOW, LATER, END = 0, 1, 2, 3
"""What is done first, and then: answers to requests, states that are shown, what nobody waits for, and the end."""
DEEP = 256 * 1024 * 1024
"""Bytes of stack: content is read and rules run as deep as the language allows."""


class Lane:
    """One thread, and what waits for it."""

    def __init__(self, name: str) -> None:
        self._waiting: PriorityQueue[tuple[int, int, Future[Any] | None, Callable[..., Any], tuple[Any, ...]]]
        self._waiting, self._count = PriorityQueue(), count()
        before = threading.stack_size(DEEP)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        threading.stack_size(before)

    def submit(self, urgency: int, function: Callable[..., Result], *given: Any) -> Future[Result]:
        """Let something be done when it is its turn."""
        future: Future[Result] = Future()
        self._waiting.put((urgency, next(self._count), future, function, given))
        return future

    async def do(self, urgency: int, function: Callable[..., Result], *given: Any) -> Result:
        """Wait for something that is done when it is its turn."""
        return await asyncio.wrap_future(self.submit(urgency, function, *given))

    def close(self) -> None:
        """Do what somebody still waits for, and end."""
        self._waiting.put((END, next(self._count), None, lambda: None, ()))
        self._thread.join()

    def _run(self) -> None:
        while True:
            _, _, future, function, given = self._waiting.get()
            if future is None:
                return
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = function(*given)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
