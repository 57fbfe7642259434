"""Play the games of a plan, in this process or in several.

The games are divided into batches. A game depends only on its index, not on the process that plays it, and the report
sorts all games by index. If a process is killed, its batch is played again. After the first Ctrl-C, every process
finishes its current game, and the report contains the finished games. The second Ctrl-C interrupts as usual.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable
from ctypes import c_bool
from typing import Any

from patolli.author.workspace.interrupts import handle_interrupts
from patolli.author.workspace.processes import Lost, Pool
from patolli.language.diagnostics.given import whole
from patolli.measure.simulation.games import Game, Plan, game_seed, play_games, prepare
from patolli.measure.simulation.natively import at_once, choose_engine, play_natively, warmed_up
from patolli.measure.simulation.report import Report, Tally
from patolli.play.players.bots import check_kinds
from patolli.run.runtime import Ruleset

ReportProgress = Callable[[int], None]
"""Called with the number of games played since the last call."""

BATCHES = 32
"""Batches per process, so that all processes stay busy to the end."""
LARGEST = 400
"""Maximum number of games in a batch, so that progress is visible."""


def simulate(
    rules: Ruleset, plan: Plan, jobs: int = 1, report_progress: ReportProgress | None = None,
    each: Callable[[Game], object] | None = None, engine: str = "auto", keep: bool = True,
) -> Report:  # fmt: skip
    """Play all games of a plan.

    Args:
        rules: The ruleset.
        plan: How many games, with how many players and which bots.
        jobs: The number of processes; the result is the same for any number.
        report_progress: Called now and then with the number of games played since the last call.
        each: Called with each game as soon as this game and all earlier ones are finished, so the order is the same for
            any *jobs*. After Ctrl-C, the other finished games follow at the end.
        engine: ``"python"``; ``"native"``, which runs the same rules as WebAssembly, for random bots only; or
            ``"auto"``, which changes to native if it is installed and saves time. The games are the same.
        keep: Whether the report contains every game. Without the games, it needs no memory for them, and its statistics
            are the same.

    Returns:
        The report; ``interrupted`` is true if Ctrl-C came before the last game.

    Raises:
        TypeError: *rules* or *plan* has the wrong type, or *jobs* is not a whole number.
        ValueError: The pack does not allow this number of players, *jobs* is below 1, or there is no such *engine*.
        CannotPlay: These games cannot be played natively; the message says why. It is a subclass of
            :class:`ValueError`.
    """
    if not isinstance(rules, Ruleset):
        raise TypeError(f"the first argument must be a Ruleset from load(), not {rules!r}")
    if not isinstance(plan, Plan):
        raise TypeError(f"the second argument must be a Plan, not {plan!r}")
    jobs = whole(jobs, "the number of processes")
    if jobs < 1:
        raise ValueError(f"the number of processes must be at least 1, not {jobs}")
    check_kinds(plan.kinds(), rules, plan.players)
    rules.allow(plan.players)
    native = choose_engine(rules, plan, engine)
    if native is False or (native is None and not at_once(rules, plan)):
        prepare(rules, plan)
    began = time.perf_counter()
    report_progress = report_progress or (lambda number: None)
    tally, games = Tally(plan.players, plan.players + rules.model.automated), list[Game]()

    def count(game: Game) -> None:
        tally.add(game)
        if keep:
            games.append(game)
        if each is not None:
            each(game)

    order = _GameOrder(count)
    try:
        with handle_interrupts() as stopped:
            played = 0
            if native is None:
                first, native = warmed_up(rules, plan, stopped)
                order.take(first)
                played = len(first)
                report_progress(played)
            left = range(played, plan.games)
            if jobs <= 1 or len(left) <= 1:
                played += _play_here(rules, plan, left, native, stopped, report_progress, order)
            else:
                played += _play_in_processes(
                    rules, plan, left, native, min(jobs, len(left)), stopped, report_progress, order
                )
            interrupted = stopped() and played < plan.games
    finally:
        order.close()
    return Report(rules, plan, games, tally, time.perf_counter() - began, jobs, interrupted)


class _GameOrder:
    """Passes games on in the order of their index, in whatever order they finish."""

    def __init__(self, each: Callable[[Game], object]) -> None:
        self._each = each
        self._next = 0
        self._waiting: dict[int, Game] = {}

    def take(self, games: Iterable[Game]) -> None:
        for game in games:
            if game.index == self._next:  # the common case
                self._each(game)
                self._next += 1
            else:
                self._waiting[game.index] = game
        while self._waiting and self._next in self._waiting:
            self._each(self._waiting.pop(self._next))
            self._next += 1

    def close(self) -> None:
        """Pass on the games that still wait for an earlier game that was not played."""
        for index in sorted(self._waiting):
            self._each(self._waiting.pop(index))


def _make_player(native: bool) -> Callable[..., Iterable[Game]]:
    """Return the function that plays some games of a plan."""
    return play_natively if native else play_games


def _play_here(
    rules: Ruleset,
    plan: Plan,
    left: range,
    native: bool,
    stopped: Callable[[], bool],
    report_progress: ReportProgress,
    order: _GameOrder,
) -> int:
    """Play games in this process; return the number of games played."""
    played, reported, due = 0, 0, time.perf_counter() + 0.1
    for game in _make_player(native)(rules, plan, left.start, left.stop, stopped):
        played += 1
        order.take((game,))
        if time.perf_counter() >= due:
            report_progress(played - reported)
            reported, due = played, time.perf_counter() + 0.1
    report_progress(played - reported)
    return played


def _play_in_processes(
    rules: Ruleset, plan: Plan, left: range, native: bool, jobs: int, stopped: Callable[[], bool],
    report_progress: ReportProgress, order: _GameOrder,
) -> int:  # fmt: skip
    """Play games in several processes; return the number of games played."""
    size = max(1, min(LARGEST, len(left) // (jobs * BATCHES)))
    batches = ((first, min(first + size, left.stop)) for first in range(left.start, left.stop, size))
    played = 0
    context = own_context()
    halt = context.RawValue(c_bool, False)  # no lock: a killed process could leave it locked

    def enough() -> bool:
        halt.value = halt.value or stopped()
        return bool(halt.value)

    with Pool(context, jobs, _batch, _start_process, (recipe(rules, context), plan, native, halt)) as pool:
        for batch, result in pool.run_pieces(batches, enough):
            found = result if isinstance(result, list) else _record_lost_batch(plan, batch, result)
            played += len(found)
            order.take(found)
            report_progress(len(found))
    return played


def _record_lost_batch(plan: Plan, batch: tuple[int, int], lost: Lost) -> list[Game]:
    """Return failed records for the games of a batch that killed its processes, so that other games are kept."""
    return [Game(index, game_seed(plan.seed, index), 0, fault=str(lost.strerror)) for index in range(*batch)]


# ---- code that runs in the other processes


def own_context() -> Any:
    """Return a context that forks where that is the default, because a fork shares the compiled ruleset."""
    return multiprocessing.get_context("fork" if multiprocessing.get_start_method() == "fork" else "spawn")


def recipe(rules: Ruleset, context: Any) -> Any:
    """Return the data from which another process of a context builds the ruleset."""
    if context.get_start_method() == "fork":
        return rules
    return (
        str(rules.packs[0].folder),
        [str(pack.folder) for pack in rules.packs[1:]],
        rules.chosen,
        rules.content_hash,
    )


def make_ruleset(given: Any) -> Ruleset:
    """Build a ruleset from the data that :func:`recipe` returned."""
    if isinstance(given, tuple):
        from patolli.author.workspace import load

        pack, modules, options, content = given
        given = load(pack, modules, options)
        if given.content_hash != content:
            raise RuntimeError("the content changed while other processes started")
    found: Ruleset = given
    return found


def unpack(given: Any, *rest: Any) -> tuple[Any, ...]:
    """Begin a process with a ruleset from what :func:`recipe` returned, and with the *rest* as it is."""
    return make_ruleset(given), *rest


def _start_process(given: Any, plan: Plan, native: bool, halt: Any) -> tuple[Any, ...]:
    return make_ruleset(given), plan, native, lambda: bool(halt.value)


def _batch(batch: tuple[int, int], rules: Ruleset, plan: Plan, native: bool, stopped: Callable[[], bool]) -> list[Game]:
    return list(_make_player(native)(rules, plan, *batch, stopped))
