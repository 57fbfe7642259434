"""Bots at tables decide in processes of their own, so that nobody at another table waits for them.

A process is told what is played, the seed and the choices, and makes the match again; it keeps those that it was asked
about last, and goes on with them. A bot is made anew for every question, from the seed of the match and the number of
choices: so it does not matter which process is asked, or that one was ended.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from patolli.players import BOTS, BotError, make_bot
from patolli.studio.refusals import Refused

if TYPE_CHECKING:
    from patolli.runtime import Match, Ruleset
    from patolli.runtime.edits import Edit

LEVELS = ("easy", "medium", "hard", "greedy", "random")
"""Bots that are offered, by name."""
SLOWEST = 30.0
"""Seconds that a search may be given for a move."""
LONGEST = 100_000
"""Simulations that it may be given."""
KEPT = 8
"""Matches that a process keeps."""
TRIES = 3


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot is asked: to decide in the match to which some choices lead."""

    table: str
    rules: Ruleset
    players: int
    seed: int
    choices: tuple[int, ...]
    kind: str
    seat: int
    edits: tuple[Edit, ...] = ()


def kind_for(text: Any) -> str:
    """Return the kind of bot that a request names: one of the program, or one that is installed.

    No module is imported because somebody names it in a request, and no file is opened.

    Raises:
        Refused: There is none of that name, or it would think for too long.
    """
    from patolli.players import kind_of
    from patolli.players.search import Budget

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
    """Processes in which bots think; they are started when the first one is asked."""

    def __init__(self, processes: int | None = None) -> None:
        self._number = processes or max(1, min(4, (os.cpu_count() or 2) - 1))
        self._pool: ProcessPoolExecutor | None = None

    def pool(self) -> ProcessPoolExecutor:
        """Return the processes."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")  # there are threads here, which a fork would cut off
            self._pool = ProcessPoolExecutor(self._number, context, initializer=_alone)
        return self._pool

    async def decide(self, question: Question) -> int:
        """Return the index that a bot chooses.

        Raises:
            BotError: It cannot.
            BrokenExecutor: The processes were ended from outside, again and again.
        """
        import asyncio

        for left in reversed(range(TRIES)):
            pool = self.pool()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, decide, question)
            except BrokenExecutor:
                if self._pool is pool:
                    self._pool = None
                if not left:
                    raise
        raise AssertionError

    def close(self) -> None:
        """End the processes, whatever they have in hand."""
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                process.kill()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


# ---- what runs in the other processes

_KNOWN: OrderedDict[tuple[str, str], Match] = OrderedDict()


def _alone() -> None:
    """Leave Ctrl-C to the server, and end with it, even when it was killed."""
    import threading
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    def watch() -> None:
        above = parent_process()
        if above is not None:
            wait([above.sentinel])
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch, daemon=True).start()


def decide(question: Question) -> int:
    """Return the index that a bot chooses."""
    match = _match(question)
    seed = hash_seed(question.seed, len(question.choices))
    return make_bot(question.kind, seed, question.seat).decide(match.clone())


def hash_seed(seed: int, choices: int) -> int:
    """Return the seed of the bots for one question of a match."""
    from patolli.players import seat_seed

    return seat_seed(seed, choices)


def _match(question: Question) -> Match:
    key = (question.table, question.rules.content_hash)
    match = _KNOWN.pop(key, None)
    known: Sequence[int] = match.choices if match is not None else ()
    if question.edits:  # tables at which things are tried out: none is kept
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


__all__ = ["BOTS", "LEVELS", "BotError", "Bots", "Question", "decide", "kind_for"]
