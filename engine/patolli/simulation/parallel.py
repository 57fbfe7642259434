"""Play the games of a plan, in this process or in several.

The games are cut into batches; whoever plays one, a game depends on its index alone, and the report puts all
games in the order of their index. A process that is ended from outside costs its batch, which is played again. The
first Ctrl-C lets every process finish its game, and the report then holds what is finished; the second one interrupts
as usual.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable
from ctypes import c_bool
from typing import Any

from patolli.diagnostics.given import whole
from patolli.players.bots import check_kinds
from patolli.runtime import Ruleset
from patolli.simulation.games import Game, Plan, game_seed, play_games, prepare
from patolli.simulation.natively import at_once, chosen, play_natively, warmed_up
from patolli.simulation.report import Report, Tally
from patolli.workspace.patience import patience
from patolli.workspace.processes import Lost, Pool

Tell = Callable[[int], None]
"""Is told how many more games were played."""

BATCHES = 32
"""Batches per process, so that all are busy to the end."""
LARGEST = 400
"""Games in a batch at most, so that progress shows."""


def simulate(
    rules: Ruleset, plan: Plan, jobs: int = 1, tell: Tell | None = None, each: Callable[[Game], object] | None = None,
    engine: str = "auto", keep: bool = True,
) -> Report:  # fmt: skip
    """Play all games of a plan.

    Args:
        rules: What is played.
        plan: How many games, of how many players, with which bots.
        jobs: Processes to use; the result is the same for any number.
        tell: Called now and then with the number of games played since the last call.
        each: Called with each game, as soon as it and all before it are finished: in the same order for any *jobs*.
            Where Ctrl-C comes before the last game, those that are finished follow at the end.
        engine: What plays: ``"python"``; ``"native"``, the same rules as WebAssembly, for games in which all choose at
            random; or ``"auto"``, which changes over to that where it is installed and saves time. Games are the same.
        keep: Whether the report holds every game; what it says of them all is the same, and takes no memory without.

    Returns:
        The report; ``interrupted`` when Ctrl-C came before the last game.

    Raises:
        TypeError: These are no rules or no plan, or *jobs* is no whole number.
        ValueError: The pack cannot be played with so many players, *jobs* is below 1, or there is no such *engine*.
        CannotPlay: Such games cannot be played natively; the message says why. It is a :class:`ValueError`, too.
    """
    if not isinstance(rules, Ruleset):
        raise TypeError(f"what is played is a Ruleset that load() gave, not {rules!r}")
    if not isinstance(plan, Plan):
        raise TypeError(f"a plan is a Plan, not {plan!r}")
    jobs = whole(jobs, "the number of processes")
    if jobs < 1:
        raise ValueError(f"the number of processes is at least 1, not {jobs}")
    check_kinds(plan.kinds(), rules, plan.players)
    rules.allow(plan.players)
    native = chosen(rules, plan, engine)
    if native is False or (native is None and not at_once(rules, plan)):
        prepare(rules, plan)
    began = time.perf_counter()
    tell = tell or (lambda number: None)
    tally, games = Tally(plan.players, plan.players + rules.model.automated), list[Game]()

    def count(game: Game) -> None:
        tally.add(game)
        if keep:
            games.append(game)
        if each is not None:
            each(game)

    order = _Order(count)
    try:
        with patience() as stopped:
            played = 0
            if native is None:
                first, native = warmed_up(rules, plan, stopped)
                order.take(first)
                played = len(first)
                tell(played)
            left = range(played, plan.games)
            if jobs <= 1 or len(left) <= 1:
                played += _alone(rules, plan, left, native, stopped, tell, order)
            else:
                played += _together(rules, plan, left, native, min(jobs, len(left)), stopped, tell, order)
            interrupted = stopped() and played < plan.games
    finally:
        order.close()
    return Report(rules, plan, games, tally, time.perf_counter() - began, jobs, interrupted)


class _Order:
    """Hands games on in the order of their index, whatever the order in which they are finished."""

    def __init__(self, each: Callable[[Game], object]) -> None:
        self._each = each
        self._next = 0
        self._waiting: dict[int, Game] = {}

    def take(self, games: Iterable[Game]) -> None:
        for game in games:
            if game.index == self._next:  # nearly always
                self._each(game)
                self._next += 1
            else:
                self._waiting[game.index] = game
        while self._waiting and self._next in self._waiting:
            self._each(self._waiting.pop(self._next))
            self._next += 1

    def close(self) -> None:
        """Hand on what still waits for an earlier game that will not come."""
        for index in sorted(self._waiting):
            self._each(self._waiting.pop(index))


def _playing(native: bool) -> Callable[..., Iterable[Game]]:
    """Return what plays some games of a plan."""
    return play_natively if native else play_games


def _alone(
    rules: Ruleset, plan: Plan, left: range, native: bool, stopped: Callable[[], bool], tell: Tell, order: _Order
) -> int:
    """Play games in this process; return how many were played."""
    played, told, due = 0, 0, time.perf_counter() + 0.1
    for game in _playing(native)(rules, plan, left.start, left.stop, stopped):
        played += 1
        order.take((game,))
        if time.perf_counter() >= due:
            tell(played - told)
            told, due = played, time.perf_counter() + 0.1
    tell(played - told)
    return played


def _together(
    rules: Ruleset, plan: Plan, left: range, native: bool, jobs: int, stopped: Callable[[], bool], tell: Tell,
    order: _Order,
) -> int:  # fmt: skip
    """Play games in several processes; return how many were played."""
    size = max(1, min(LARGEST, len(left) // (jobs * BATCHES)))
    batches = ((first, min(first + size, left.stop)) for first in range(left.start, left.stop, size))
    played = 0
    context = own_context()
    halt = context.RawValue(c_bool, False)  # no lock, which a process that is ended could leave closed

    def enough() -> bool:
        halt.value = halt.value or stopped()
        return bool(halt.value)

    with Pool(context, jobs, _batch, _enter, (recipe(rules, context), plan, native, halt)) as pool:
        for batch, result in pool.done(batches, enough):
            found = result if isinstance(result, list) else _given_up(plan, batch, result)
            played += len(found)
            order.take(found)
            tell(len(found))
    return played


def _given_up(plan: Plan, batch: tuple[int, int], lost: Lost) -> list[Game]:
    """Return the games of a batch that no process has survived; the others are not lost with it."""
    return [Game(index, game_seed(plan.seed, index), 0, fault=str(lost.strerror)) for index in range(*batch)]


# ---- what runs in the other processes


def own_context() -> Any:
    """Fork where that is usual, which hands the compiled ruleset over for nothing."""
    return multiprocessing.get_context("fork" if multiprocessing.get_start_method() == "fork" else "spawn")


def recipe(rules: Ruleset, context: Any) -> Any:
    """Return what another process of a context makes a ruleset from."""
    if context.get_start_method() == "fork":
        return rules
    return (
        str(rules.packs[0].folder),
        [str(pack.folder) for pack in rules.packs[1:]],
        rules.chosen,
        rules.content_hash,
    )


def made(given: Any) -> Ruleset:
    """Make a ruleset from what :func:`recipe` returned."""
    if isinstance(given, tuple):
        from patolli.workspace import load

        pack, modules, options, content = given
        given = load(pack, modules, options)
        if given.content_hash != content:
            raise RuntimeError("the content was changed while other processes started")
    found: Ruleset = given
    return found


def unpack(given: Any, *rest: Any) -> tuple[Any, ...]:
    """Begin a process with a ruleset from what :func:`recipe` returned, and with the *rest* as it is."""
    return made(given), *rest


def _enter(given: Any, plan: Plan, native: bool, halt: Any) -> tuple[Any, ...]:
    return made(given), plan, native, lambda: bool(halt.value)


def _batch(batch: tuple[int, int], rules: Ruleset, plan: Plan, native: bool, stopped: Callable[[], bool]) -> list[Game]:
    return list(_playing(native)(rules, plan, *batch, stopped))
