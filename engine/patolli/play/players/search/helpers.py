"""Several processes that search the same position, each with chance of its own; what they found is added up.

A process that is itself one of several, as where many games are played at once, starts no further ones: it searches
the same trees one after another. So each bot finds the same.

Source: Chaslot, Winands and van den Herik, Parallel Monte-Carlo Tree Search (root parallelisation), 2008.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from math import inf
from multiprocessing import current_process, get_context
from multiprocessing.connection import wait
from time import perf_counter
from typing import NamedTuple
from weakref import finalize

from patolli.author.workspace.processes import Child
from patolli.play.players.search.budgets import Budget
from patolli.play.players.search.engines import Engines, Lost
from patolli.play.players.search.matches import Matches, Value
from patolli.play.players.search.search import Search
from patolli.run.runtime import Match

LATE = 0.05
"""Seconds that a helper may be late where time is the budget; one that has just been started is not waited for."""
Found = list[tuple[int, float]]
"""By option how often it was tried, and the sum of what the seat got."""


class Task(NamedTuple):
    """What a helper searches: so many simulations, or so many seconds where these are not 0."""

    match: Match
    seed: int
    simulations: int
    seconds: float
    value: Value | None


class Helpers:
    """Processes beside this one; they are started when they are first asked, and end with this one."""

    def __init__(self, number: int) -> None:
        """Be so many, and start none."""
        self._number = number
        self._children: list[Child] = []
        self._late: set[int] = set()  # who still works on something that is no longer needed
        self._asked: dict[int, Task] = {}

    def ask(self, task: Task) -> None:
        """Let all search the same, with the seeds that follow the one of the *task*."""
        self._asked = {number: task._replace(seed=task.seed + number + 1) for number in range(self._number)}
        if _alone():
            return
        self._start()
        for number in [*self._late]:
            self._receive_found(number, 0.0)
        for number in self._late:
            del self._asked[number]
        for number, one in self._asked.items():
            self._send(number, one)

    def answers(self) -> Sequence[Found]:
        """Return what they found, in their order; where time is short, of those that are ready."""
        if _alone():
            return [search_task(task) for task in self._asked.values()]
        timed = any(task.seconds for task in self._asked.values())
        end = perf_counter() + LATE if timed else inf
        reported = [self._answer(number, task, end) for number, task in self._asked.items()]
        return [one for one in reported if one is not None]

    def _start(self) -> None:
        if not self._children:
            self._children = [Child.start(get_context(), search_task) for _ in range(self._number)]
            finalize(self, _end, os.getpid(), self._children)

    def _send(self, number: int, task: Task) -> None:
        try:
            self._children[number].pipe.send(task)
        except OSError:
            self._again(number)
            self._children[number].pipe.send(task)

    def _answer(self, number: int, task: Task, end: float) -> Found | None:
        """Return what one found; None where that takes too long."""
        reported = self._receive_found(number, None if end == inf else max(0.0, end - perf_counter()))
        if reported is None and not task.seconds:
            return search_task(task)  # the helper was ended; the task has to be done all the same
        return reported

    def _receive_found(self, number: int, seconds: float | None) -> Found | None:
        """Return what one sends within so many seconds; None where that is nothing."""
        pipe = self._children[number].pipe
        if not wait([pipe], seconds):
            self._late.add(number)
            return None
        self._late.discard(number)
        try:
            good, reported = self._children[number].receive()
        except (EOFError, OSError):
            self._again(number)
            return None
        if not good:
            raise reported
        answer: Found = reported
        return answer

    def _again(self, number: int) -> None:
        """Start another process for one that was ended."""
        self._children[number].bury()
        self._children[number] = Child.start(get_context(), search_task)


def _alone() -> bool:
    """Return whether this process may have no others below it."""
    return current_process().daemon


def _end(owner: int, children: Iterable[Child]) -> None:
    """End processes that are no longer needed; a fork of the process that started them leaves them alone."""
    if os.getpid() == owner:
        for child in children:
            child.bury()


def search_task(task: Task) -> Found:
    """Search a match, and return what was found of its options."""
    match, seed, simulations, seconds, value = task
    end = perf_counter() + seconds if seconds else inf
    engines = Engines("auto", Budget(simulations, seconds))
    try:
        search = engines.search(Matches(match, value=value), match, seed)
        search = engines.run(search, match, simulations, end)
    except Lost:
        search = Search(Matches(match, value=value), seed)
        search.run(simulations, end)
    ask = search.root_question(match)
    return [(node.visits, node.total) if node is not None else (0, 0.0) for node in ask.nodes]
