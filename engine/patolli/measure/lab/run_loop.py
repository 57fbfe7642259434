"""Play what a run still lacks, in this process or in several, and keep the facts of each match.

No matter which process plays a match, and when: its facts depend on the plan and its number alone. Matches are handed
out in order, a batch takes about half a second, and what comes back is on the disk at once. A run *until* an interval
is narrow ends behind the first block with which all blocks together are enough, and that is the same for any number of
processes: matches that were played beyond it are kept and belong to a longer run.

Source: that to stop so leaves the interval its confidence when it is narrow enough: Y. S. Chow and H. Robbins, Ann.
Math. Stat. 36 (1965) 457.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from ctypes import c_bool
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from patolli.author.workspace.interrupts import handle_interrupts
from patolli.author.workspace.processes import Lost, Pool
from patolli.language.diagnostics.memory import seldom_collected, without_garbage_collection
from patolli.measure.lab.clusters import SECONDS as ELSEWHERE
from patolli.measure.lab.clusters import Cluster, Written
from patolli.measure.lab.facts import Row
from patolli.measure.lab.measures import Estimate, Measure
from patolli.measure.lab.observer import Observer
from patolli.measure.lab.store import Store
from patolli.measure.lab.tables import BLOCK
from patolli.measure.simulation.estimates import Interrupted
from patolli.measure.simulation.games import Game, Plan, game_seed, kept_game, prepare
from patolli.measure.simulation.parallel import make_ruleset, own_context, recipe
from patolli.measure.simulation.playout import playout
from patolli.play.players.chance import RandomBot
from patolli.run.runtime import Ruleset

SECONDS = 0.5
"""How long a batch is to take: what is lost when a run is ended."""
SHEETS, THOUGHT = 1000, 50
"""Of every so many matches one gets its score sheet, at random and of bots that think: its choices are made again by a
program that says where points come from, which takes as long as five matches at random."""
SCORED = 10
"""Of every so many matches at random one is scored if that takes long; of bots that think all are."""
MOST = 1_000_000
"""Matches of a run without a given number."""
PILOT = 3.0
"""Seconds of matches in one process that say how long one takes."""
WHOLE = 10.0
"""Seconds that a process of a cluster may take for a whole block, which it can write itself."""
Piece = tuple[str, int, int]
"""A variant, and the first and the last number, without it, of matches to play."""


@dataclass(frozen=True, slots=True)
class Goal:
    """When a run is over: after so many matches of each variant, or when the interval of a measure is so narrow."""

    matches: int
    measure: Measure | None = None
    half: float = 0.0


@dataclass(slots=True)
class Outcome:
    """What came of a run: how many matches of each variant it consists of, and how many were played now.

    ``beyond`` are matches that were played and are no part of it; ``open`` is half the widest interval of what was to
    be known more surely, where the matches did not suffice.
    """

    matches: int
    played: int
    seconds: float
    interrupted: bool = False
    beyond: int = 0
    open: float | None = None


ReportProgress = Callable[[int], object]
"""Gets how many matches are there after each batch."""


class Each(Protocol):
    """Receives the name of the variant and the facts of each match; it needs their ``columns``."""

    @property
    def columns(self) -> Sequence[str]:
        """The columns that it needs."""

    def add(self, variant: str, row: Row) -> object:
        """Take one more match."""


def run(
    store: Store,
    rules: Mapping[str, Ruleset],
    plan: Plan,
    goal: Goal,
    jobs: int = 1,
    shard: tuple[int, int] = (0, 1),
    report_progress: ReportProgress = lambda played: None,
    each: Each | None = None,
    cluster: Cluster | None = None,
) -> Outcome:
    """Play the matches that a run lacks.

    Args:
        store: Where facts are, and go.
        rules: What is played, by the name of the variant.
        plan: Players, seed, bots and limit; the number of games does not matter.
        goal: When it is over.
        jobs: Processes to use; the facts are the same for any number.
        shard: Which part of the blocks is played here, from 0, and of how many.
        report_progress: Called after each batch.
        each: Called after each match, with the name of its variant and its facts.
        cluster: What plays in place of this machine, if anything.

    Raises:
        OSError: Facts cannot be written; those that were are there.
        NoCluster: The cluster has gone; what it has played is there.
    """
    began, work = time.perf_counter(), _Work(store, rules, goal, shard, cluster is not None)
    with handle_interrupts() as stopped, seldom_collected():
        for variant, found in _play_batches(rules, plan, work, jobs, stopped, cluster):
            if isinstance(found, int):
                store.note_block(variant, found)
            else:
                store.add(variant, found)
            for _ in range(BLOCK if isinstance(found, int) else 1):
                work.played += 1
                report_progress(work.played)
            if each is not None:
                for row in store.block(variant, found, each.columns) if isinstance(found, int) else [found]:
                    each.add(variant, row)
        interrupted = stopped() and not work.over
    end = work.end()
    return Outcome(end, work.played, time.perf_counter() - began, interrupted, work.beyond(end), work.open())


def fit_matches(
    store: Store, rules: Mapping[str, Ruleset], plan: Plan, seconds: float, jobs: int, there: int = 0, most: int = MOST
) -> int:
    """Return how many more matches of each variant fit into a time; the first ones are played to measure that.

    Args:
        store: Where facts go.
        rules: What is played, by the name of the variant.
        plan: Players, seed, bots and limit.
        seconds: The time.
        jobs: Processes that will play the rest.
        there: Matches of each variant that are there already.
        most: The maximum number.

    Raises:
        Interrupted: The user stopped the run; finished matches are stored.
    """
    tried, played, spent = 0, 0, 0.0
    while not tried or (spent < min(PILOT, seconds / 4) and tried < most):
        tried = min(most, max(1, 2 * tried))
        done = run(store, rules, plan, Goal(there + tried), 1)
        played, spent = played + done.played, spent + done.seconds
        if done.interrupted:
            raise Interrupted
    each = max(1e-6, spent) * len(rules) / max(1, played)
    # half of the time, if processes do not slow each other down
    tried = min(most, tried + int(jobs * max(0.0, seconds / 2 - spent) / each))
    done = run(store, rules, plan, Goal(there + tried), jobs)
    if done.interrupted:
        raise Interrupted
    if done.played:
        spent, each = spent + done.seconds, done.seconds * len(rules) / done.played
    whole = tried + int(max(0.0, seconds - spent) / each)
    return min(most, whole // 50 * 50 if whole >= 100 else whole)


class _Work:
    """What is still to be played: batches in order, until the goal is reached."""

    def __init__(
        self, store: Store, rules: Mapping[str, Ruleset], goal: Goal, shard: tuple[int, int], elsewhere: bool
    ) -> None:
        self.store, self.variants, self.goal, self.shard = store, list(rules), goal, shard
        self.seconds, self.whole = (ELSEWHERE, WHOLE) if elsewhere else (SECONDS, 0.0)
        self.pace = dict.fromkeys(self.variants, self.seconds)  # seconds that a match takes; at first one is a batch
        self.played = 0
        self.over = False
        self._looked = 0
        self._sums = {name: Estimate() for name in self.variants}

    def pieces(self) -> Iterator[Piece]:
        """Yield what is to be played, as long as it is wanted."""
        for block in range(-(-self.goal.matches // BLOCK)):
            if self.is_reached():
                return
            if block % self.shard[1] != self.shard[0]:
                continue
            for variant in self.variants:
                self.store.finish_left(variant, block)
                known = self.store.list_played(variant, block)
                last = min((block + 1) * BLOCK, self.goal.matches)
                yield from self._batches(variant, [n for n in range(block * BLOCK, last) if n not in known])
        self.over = True

    def _batches(self, variant: str, lacking: Sequence[int]) -> Iterator[Piece]:
        at = 0
        while at < len(lacking):
            size, first = max(1, int(self.seconds / self.pace[variant])), lacking[at]
            if len(lacking) == BLOCK and self.pace[variant] * BLOCK <= self.whole:
                size = BLOCK
            end = at + 1
            while end < len(lacking) and end - at < size and lacking[end] == lacking[end - 1] + 1:
                end += 1
            yield variant, first, lacking[end - 1] + 1
            at = end

    def took(self, piece: Piece, seconds: float) -> None:
        """Learn how long a batch took."""
        self.pace[piece[0]] = max(1e-4, seconds / (piece[2] - piece[1]))

    def is_reached(self) -> bool:
        """Return whether the whole blocks from the beginning on say enough; none of them is looked at twice."""
        measure = self.goal.measure
        if measure is None:
            return False
        while (self._looked + 1) * BLOCK <= self.goal.matches and not self._narrow():
            numbers = range(self._looked * BLOCK, (self._looked + 1) * BLOCK)
            if any(len(self.store.list_played(name, self._looked)) < BLOCK for name in self.variants):
                return False
            for name in self.variants:
                for row in self.store.block(name, self._looked, measure.columns):
                    assert row["match"] in numbers
                    self._sums[name].add(measure.of(row))
            self._looked += 1
        self.over = self._narrow()
        return self.over

    def _narrow(self) -> bool:
        return self._looked > 0 and all(one.half <= self.goal.half for one in self._sums.values())

    def end(self) -> int:
        """Return of how many matches of each variant the run consists."""
        if self.goal.measure is not None and self.is_reached():
            return self._looked * BLOCK
        return self.goal.matches

    def beyond(self, end: int) -> int:
        """Return how many matches are there behind the end of the run."""
        found, block = 0, end // BLOCK
        while there := [n for one in self.variants for n in self.store.list_played(one, block)]:
            found += sum(n >= end for n in there)
            block += 1
        return found

    def open(self) -> float | None:
        """Return half of the widest interval of all matches, where that is wider than wanted; None where it is not."""
        measure, goal = self.goal.measure, self.goal
        if measure is None or (self.over and self.is_reached()):
            return None
        sums = [Estimate.over(measure, self.store.rows(one, goal.matches, measure.columns)) for one in self.variants]
        widest = max(one.half for one in sums)
        return widest if widest > goal.half else None


def _play_batches(
    rules: Mapping[str, Ruleset], plan: Plan, work: _Work, jobs: int, stopped: Callable[[], bool],
    cluster: Cluster | None,
) -> Iterator[tuple[str, Row | int]]:  # fmt: skip
    """Yield the facts of matches, as they are played, and the numbers of blocks that were written elsewhere."""
    if cluster is not None:
        with work.store.share() as shared:
            done = cluster.run_batches(rules, plan, Players, work.pieces(), stopped, shared)
            yield from _collect_rows(rules, plan, work, done)
        return
    for one in rules.values():
        prepare(one, plan, watched=True)  # compile before a fork
    if jobs <= 1:
        here = Players(rules, plan)
        for variant, first, last in work.pieces():
            began, lacking = time.perf_counter(), last - first
            for row in here.play(variant, range(first, last), stopped):
                yield variant, row
                lacking -= 1
            if lacking:
                return
            work.took((variant, first, last), time.perf_counter() - began)
        return
    context = own_context()
    halt = context.RawValue(c_bool, False)

    def enough() -> bool:
        halt.value = halt.value or stopped()
        return bool(halt.value)

    recipes = {name: recipe(one, context) for name, one in rules.items()}
    with Pool(context, jobs, _batch, _enter, (recipes, plan, halt)) as pool:
        yield from _collect_rows(rules, plan, work, pool.run_pieces(work.pieces(), enough))


def _collect_rows(
    rules: Mapping[str, Ruleset], plan: Plan, work: _Work, batches: Iterable[tuple[Piece, list[Row] | Written | Lost]]
) -> Iterator[tuple[str, Row | int]]:
    """Yield the facts of batches that were played elsewhere."""
    for piece, found in batches:
        variant, first, last = piece
        if isinstance(found, Written):
            work.took(piece, found.seconds)
            yield variant, first // BLOCK
            continue
        rows = found if isinstance(found, list) else _given_up(rules[variant], plan, piece, found)
        if len(rows) == last - first:
            work.took(piece, sum(row["seconds"] for row in rows))
        yield from ((variant, row) for row in rows)


class Players:
    """Plays matches of several variants, and returns their facts."""

    def __init__(self, rules: Mapping[str, Ruleset], plan: Plan) -> None:
        """Take what is played, by the name of the variant, and how."""
        self._rules, self._plan = rules, plan
        kinds = plan.kinds()
        sheets = SHEETS if plan.at_random else THOUGHT
        self._observers = {name: Observer(one, plan.players, sheets) for name, one in rules.items()}
        self._scored = SCORED if plan.at_random else 1
        self._bots = None if all(kind.make is RandomBot for kind in kinds) else kinds

    def play(self, variant: str, numbers: Iterable[int], stopped: Callable[[], bool] = bool) -> Iterator[Row]:
        """Play matches, and yield the facts of each; ask *stopped* before each, and begin none when it is so."""
        observer, left = self._observers[variant], iter(numbers)
        while True:
            # Without bots that search, nothing is garbage before the facts are there; of trees of bots much is.
            with without_garbage_collection() if self._bots is None else nullcontext():
                for number in left:
                    if stopped():
                        left = iter(())
                        break
                    self._one(variant, number)
                    if observer.full:
                        break
                found = observer.rows()
            if not found:
                return
            yield from found

    def _one(self, variant: str, number: int) -> None:
        plan, observer, rules = self._plan, self._observers[variant], self._rules[variant]
        seed = game_seed(plan.seed, number)
        began = time.perf_counter()
        look = observer.watch(number % self._scored == 0)
        again = partial(playout, rules, plan.players, seed, self._bots, plan.limit, plan.invariants, look, True)
        observer.keep(kept_game(number, seed, plan.limit, again), lambda: time.perf_counter() - began)


def _given_up(rules: Ruleset, plan: Plan, piece: Piece, lost: Lost) -> list[Row]:
    """Return the facts of matches that no process has survived."""
    observer = Observer(rules, plan.players)
    for number in range(*piece[1:]):
        observer.keep(Game(number, game_seed(plan.seed, number), 0, fault=str(lost.strerror)), lambda: 0.0)
    return observer.rows()


# ---- what runs in the other processes


def _enter(recipes: Mapping[str, Any], plan: Plan, halt: Any) -> tuple[Any, ...]:
    return Players({name: make_ruleset(one) for name, one in recipes.items()}, plan), lambda: bool(halt.value)


def _batch(piece: Piece, players: Players, stopped: Callable[[], bool]) -> list[Row]:
    variant, first, last = piece
    return [*players.play(variant, range(first, last), stopped)]
