"""Bots at tables run in separate processes, so that no other table waits for them.

A process gets the rules, the seed and the choices, and replays the match. It caches the last few matches and continues
with them. Each question creates a new bot, seeded by the match and the number of choices. So the result does not depend
on the process, and a process can be restarted.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from patolli.author.workspace.processes import end_with_parent
from patolli.play.players import BOTS, Advice, BotError, Budget, adviser, kind_of, make_bot, seat_seed
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.edits import Edit
from patolli.serve.studio.refusals import Refused

Result = TypeVar("Result")
LEVELS = ("easy", "medium", "hard", "greedy", "random")
"""The names of bots in the menu."""
SLOWEST = 30.0
"""Limit for seconds of a search per move."""
LONGEST = 100_000
"""Limit for simulations of a search per move."""
KEPT = 8
"""Matches that a process caches."""
TRIES = 3


@dataclass(frozen=True, slots=True)
class Question:
    """A request to a bot: decide in the match after these choices."""

    table: str
    rules: Ruleset
    players: int
    seed: int
    choices: tuple[int, ...]
    kind: str
    seat: int
    edits: tuple[Edit, ...] = ()


def kind_for(text: Any) -> str:
    """Return the kind of bot that a request names: a built-in or an installed one.

    A request cannot import a module or open a file.

    Raises:
        Refused: The name is unknown, or the search would take too long.
    """
    if not isinstance(text, str) or len(text) > 60 or "=" in text:
        raise Refused(422, f"unknown bot; use one of {', '.join(LEVELS)}, or a search such as mcts:1s")
    name, sign, more = text.partition(":")
    if sign and name != "mcts":
        raise Refused(422, f"unknown bot {text!r}; use one of {', '.join(LEVELS)}, or a search such as mcts:1s")
    try:
        kind_of(text)
    except (TypeError, ValueError) as error:
        raise Refused(422, str(error)) from None
    budget = Budget.of(more) if sign else None
    if budget is not None and (budget.seconds > SLOWEST or budget.simulations > LONGEST or budget.processes > 1):
        words = f"{SLOWEST:g} seconds or {LONGEST:,} simulations, in one process"
        raise Refused(422, f"a bot at a table may search for at most {words}")
    return text


class Bots:
    """The pool of processes for bots. It starts with the first question."""

    def __init__(self, processes: int | None = None) -> None:
        self._number = processes or max(1, min(4, (os.cpu_count() or 2) - 1))
        self._pool: ProcessPoolExecutor | None = None

    def pool(self) -> ProcessPoolExecutor:
        """Return the pool; start it if needed."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")  # a fork would break the threads of this process
            self._pool = ProcessPoolExecutor(self._number, context, initializer=_alone)
        return self._pool

    async def decide(self, question: Question) -> int:
        """Return the index of the option that a bot chooses; see :meth:`ask`."""
        return await self.ask(decide, question)

    async def ask(self, function: Callable[[Question], Result], question: Question) -> Result:
        """Run a function with a question in a process. Raises BotError: the bot failed; BrokenExecutor: killed."""
        import asyncio

        for left in reversed(range(TRIES)):
            pool = self.pool()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, function, question)
            except BrokenExecutor:
                if self._pool is pool:
                    self._pool = None
                if not left:
                    raise
        raise AssertionError

    def close(self) -> None:
        """Kill the processes, even if they are busy."""
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                process.kill()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


# ---- functions that run in the processes

_KNOWN: OrderedDict[tuple[str, str], Match] = OrderedDict()


def _alone() -> None:
    """Ignore Ctrl-C, and exit with the server, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def decide(question: Question) -> int:
    """Return the index of the option that a bot chooses."""
    match = _match(question)
    seed = seat_seed(question.seed, len(question.choices))
    return make_bot(question.kind, seed, question.seat).decide(match.clone())


def advise(question: Question) -> Advice:
    """Return how a search rates the options of the open decision; see :func:`rate_options`."""
    return rate_options(_match(question), question.kind)


def rate_options(match: Match, kind: str) -> Advice:
    """Return how a search rates the options, using only what the acting player knows.

    The search has a seed of its own, so that nothing in the result follows from the seed of the match.

    Raises:
        BotError: The search failed.
        ValueError: There is no such search.
    """
    return adviser(kind, len(match.choices)).advise(match.clone())


def _match(question: Question) -> Match:
    key = (question.table, question.rules.content_hash)
    match = _KNOWN.pop(key, None)
    known: Sequence[int] = match.choices if match is not None else ()
    if question.edits:  # a match with edits is not cached
        return question.rules.replay(question.players, question.seed, question.choices, edits=question.edits)
    if match is None or tuple(known) != question.choices[: len(known)] or match.players != question.players:
        match = question.rules.replay(question.players, question.seed, ())
        known = ()
    for choice in question.choices[len(known) :]:
        match.pick(choice)
    _KNOWN[key] = match
    while len(_KNOWN) > KEPT:
        _KNOWN.popitem(last=False)
    return match


__all__ = ["BOTS", "LEVELS", "BotError", "Bots", "Question", "advise", "decide", "kind_for", "rate_options"]
