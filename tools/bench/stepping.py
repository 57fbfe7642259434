"""Measure how many steps a second the environments make, beside the raw match and the environments of others.

Everything plays at random under its mask, in one process. The programs take turns, and the median of several rounds
counts, in CPU time. A step is one answer: who decides observes, gets the mask, and takes an action.

Of a vector environment, the time of its steps counts: of its raw form, and with the door of gymnasium. "By all"
includes drawing the actions. "Numbers" and "features" are the encodings of observations.

    python tools/bench/stepping.py [--rounds 5] [--seconds 1] [--only PACK]... [--vector]

What is not installed is left out: ``pettingzoo`` with ``pygame`` for its connect four, ``open_spiel`` for its Python
tic-tac-toe.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "engine"))

import numpy as np  # noqa: E402 - the path is set first

import patolli  # noqa: E402
from patolli import environments  # noqa: E402

Run = Callable[[float], float]
"""Goes on for so many seconds of CPU time, and returns steps a second."""
PACKS = ("tic_tac_toe", "connect_four", "breakthrough", "city_of_gods")
SIZES = (1, 64, 1024)
"""Environments of a batch."""


def rate(match: Callable[[], int], seconds: float) -> float:
    """Return how many steps a second matches make; each says how many it had."""
    begun, steps = process_time(), 0
    while (took := process_time() - begun) < seconds:
        steps += match()
    return steps / took


def raw(name: str) -> Run:
    """Return what plays the match itself, which observes nothing."""
    rules, draw = patolli.load(name), Random(1)

    def match() -> int:
        made = rules.start(None, draw.randrange(1 << 30))
        while made.pending is not None:
            made.pick(int(draw.random() * len(made.pending)))
        return len(made.choices)

    return lambda seconds: rate(match, seconds)


def zoo(env: Any) -> Run:
    """Return what plays a PettingZoo environment, masks in the info or in the observation."""
    draw = Random(1)

    def match() -> int:
        env.reset(seed=draw.randrange(1 << 30))
        steps = 0
        for _ in env.agent_iter(100_000):
            seen, _, over, cut, info = env.last()
            if over or cut:
                env.step(None)
                continue
            mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
            env.step(draw.choice(np.flatnonzero(mask)))
            steps += 1
        return steps

    return lambda seconds: rate(match, seconds)


def gym(name: str) -> Run:
    """Return what plays a Gymnasium environment; the steps of the bot are not counted."""
    env, draw = environments.gym(name), Random(1)

    def match() -> int:
        _, info = env.reset(seed=draw.randrange(1 << 30))
        steps, over = 0, False
        while not over:
            _, _, over, _, info = env.step(draw.choice(np.flatnonzero(info["action_mask"])))
            steps += 1
        return steps

    return lambda seconds: rate(match, seconds)


def spiel(game: Any) -> Run:
    """Return what plays an OpenSpiel game; draws of chance are no steps."""
    draw = Random(1)

    def match() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(0)
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(draw.choice(state.legal_actions()))
            steps += 1
        return steps

    return lambda seconds: rate(match, seconds)


def batch(envs: Any, what: str) -> Run:
    """Return what plays a vector environment: the steps of its ``batch``, of the environment itself, or all of it."""
    draw, raw = np.random.default_rng(1), envs.batch
    envs.reset(seed=1)

    def run(seconds: float) -> float:
        begun, spent, steps = process_time(), 0.0, 0
        while process_time() - begun < seconds:
            raw.sample(draw)
            actions = raw.actions.copy()
            before = process_time()
            if what == "gymnasium":
                envs.step(actions)
            else:
                raw.step()
            spent += process_time() - before
            steps += raw.num_envs
        return steps / (process_time() - begun if what == "all" else spent)

    return run


def vectors(pack: str) -> dict[str, Run]:
    """Return the vector environments of a pack, and the game of OpenSpiel in C++ in a loop of Python."""
    found, rules = {}, patolli.load(pack)
    for size in SIZES:
        for encoding in ("numbers", "features"):
            envs = environments.vector(rules, size, encoding=encoding, autoreset_mode="same_step")
            found[f"vector {size:>5} {encoding}"] = batch(envs, "steps")
        found[f"vector {size:>5} features, by all"] = batch(envs, "all")
        found[f"vector {size:>5} features, gymnasium"] = batch(envs, "gymnasium")
    with suppress(ImportError):
        import pyspiel

        if pack in pyspiel.registered_names():
            found["OpenSpiel's own in C++"] = spiel(pyspiel.load_game(pack))
    return found | {"PettingZoo": zoo(environments.aec(rules))}


def programs(pack: str) -> dict[str, Run]:
    """Return everything that plays a pack, and what others have of the same game."""
    found = {"match": raw(pack), "PettingZoo": zoo(environments.aec(pack)), "Gymnasium": gym(pack)}
    with suppress(environments.Missing):
        found["OpenSpiel"] = spiel(environments.open_spiel(pack))
    if pack == "connect_four":
        with suppress(ImportError):
            from pettingzoo.classic import connect_four_v3

            found["PettingZoo's own"] = zoo(connect_four_v3.env())
    if pack == "tic_tac_toe":
        with suppress(ImportError):
            import pyspiel
            from open_spiel.python.games import tic_tac_toe  # noqa: F401 - it registers the game

            found["OpenSpiel's own in Python"] = spiel(pyspiel.load_game("python_tic_tac_toe"))
    return found


def measured(runs: dict[str, Run], rounds: int, seconds: float) -> dict[str, float]:
    """Return the median of steps a second of each program."""
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, run in runs.items():
            found.setdefault(name, []).append(run(seconds))
    return {name: median(rates) for name, rates in found.items()}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--seconds", type=float, default=1, help="of CPU time each time")
    parser.add_argument("--only", action="append", default=[], help="a pack")
    parser.add_argument("--vector", action="store_true", help="measure vector environments")
    given = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}; steps a second")
    for pack in given.only or PACKS:
        for name, steps in measured((vectors if given.vector else programs)(pack), given.rounds, given.seconds).items():
            print(f"{pack:<16} {name:<36} {steps:>10,.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
