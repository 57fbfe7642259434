"""Native games: matches of random bots that run in the native engine, several per call.

If a match fails, breaks an invariant, or reaches the limit of choices, it is played again in Python from its seed. That
run reports what happened and where.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from patolli.measure.simulation.games import Game, Plan, game_seed, play_game
from patolli.run.native.heap import NoRoom, Unsupported
from patolli.run.native.host import MOST, Played
from patolli.run.native.machines import known_before, machine, playing, there
from patolli.run.runtime import Ruleset
from patolli.run.runtime.results import ahead, rank_seats

ENGINES = ("auto", "python", "native")
INSTALL = "the native engine needs the package wasmtime: pip install 'patolli[native]'"
SOON, LATE = 0.1, 0.4
"""Target seconds for a group of games: a faster group grows, a slower one shrinks."""
WARM = 0.4
"""Seconds of playing in Python before deciding whether translation saves time."""
WORTH = 4.0
"""Estimated seconds in Python from which on translation saves time."""


class CannotPlay(ValueError):
    """The games cannot be played natively; the message says why."""


def choose_engine(rules: Ruleset, plan: Plan, engine: str) -> bool | None:
    """Return whether the games are played natively; None if this depends on how long they take in Python.

    Raises:
        ValueError: There is no such engine.
        CannotPlay: The native engine is requested, but it cannot play these games.
    """
    if engine not in ENGINES:
        raise ValueError(f"an engine is {', '.join(ENGINES[:-1])} or {ENGINES[-1]}, not {engine!r}")
    if engine == "python":
        return False
    seats = plan.players + rules.model.automated
    if engine == "auto":
        return None if plan.at_random and there() else False
    if not plan.at_random:
        raise CannotPlay("only games of random bots can be played natively")
    if not there():
        raise CannotPlay(INSTALL)
    try:
        machine(rules, seats, plan.invariants)
    except NoRoom as error:
        raise CannotPlay(f"{error}; --engine python does not need it") from None
    except Unsupported as error:
        raise CannotPlay(f"{rules.title} cannot be translated: {error}") from None
    return True


def at_once(rules: Ruleset, plan: Plan) -> bool:
    """Return whether games can be played natively without first measuring whether that saves time."""
    return known_before(rules, plan.players + rules.model.automated, playing(rules, plan.invariants))


def warmed_up(rules: Ruleset, plan: Plan, stopped: Callable[[], bool]) -> tuple[list[Game], bool]:
    """Play games until it is known whether to change to the native engine; return the games and the decision."""
    games = list[Game]()
    if not at_once(rules, plan):
        began = time.process_time()
        while len(games) < plan.games and time.process_time() - began < WARM and not stopped():
            games.append(play_game(rules, plan, len(games)))
        each = (time.process_time() - began) / max(1, len(games))
        if each * (plan.games - len(games)) < WORTH and not at_once(rules, plan):
            return games, False
    try:
        machine(rules, plan.players + rules.model.automated, plan.invariants)
    except Unsupported:
        return games, False
    return games, True


def play_natively(rules: Ruleset, plan: Plan, first: int, last: int, stopped: Callable[[], bool]) -> Iterator[Game]:
    """Play the games from *first* up to, but not including, *last*; call *stopped* before each group of games."""
    seats = plan.players + rules.model.automated
    player = machine(rules, seats, plan.invariants)
    some = 4
    while first < last:
        if stopped():
            return
        indices = range(first, min(first + some, last))
        seeds = [game_seed(plan.seed, index) for index in indices]
        began = time.perf_counter()
        played = list(player.play(seeds, plan.limit))
        spent = time.perf_counter() - began
        for index, seed, one in zip(indices, seeds, played, strict=True):
            if one.status != 1 and stopped():
                return
            yield _record_game(rules, seats, index, seed, one) if one.status == 1 else play_game(rules, plan, index)
        some = min(some * 2, MOST) if spent < SOON else max(1, some // 2) if spent > LATE else some
        first = indices.stop


def _record_game(rules: Ruleset, seats: int, index: int, seed: int, played: Played) -> Game:
    """Return the record of a game that ended."""
    program = rules.resolved_program
    rows = [played.measures[at : at + seats] for at in range(0, len(played.measures), seats)]
    scores: Sequence[int] = rows.pop(0) if program.score is not None else [0] * seats
    ties = [rows.pop(0) for _ in program.ties]
    can = list(map(bool, rows.pop(0))) if program.among is not None else [True] * seats
    if program.wins is not None:
        winners, ranks = [seat for seat, wins in enumerate(rows.pop(0)) if wins], list[int]()
    else:
        winners, ranks = ahead(can, scores, ties), rank_seats(can, scores, ties)
    digest = sha256(played.state).hexdigest()
    return Game(index, seed, played.choices, tuple(scores), tuple(winners), tuple(ranks), digest)
