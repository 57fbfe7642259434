#!/usr/bin/env python
"""Measure how many worlds a seat draws in a second, and how they were made, in games in which something is hidden.

Random matches are played; at every few choices the player who decides draws some worlds. Everything that a world needs
is counted: following the match, dealing, playing and changing worlds.

    tools/bench/worlds.py [GAME ..] [--matches N] [--worlds N] [--every N]
"""

from __future__ import annotations

import argparse
import platform
import sys
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from time import process_time

sys.path[:0] = [str(Path(__file__).parents[2] / "tests")]

from secretgames import load_secret_game  # noqa: E402 behind the path

GAMES = {
    "city_of_gods": 2, "phantom": 2, "dark_hex": 2, "tricks": 4, "rummy": 2, "dice": 2, "draft": 3, "leduc_poker": 2,
    "goofspiel": 2, "curios": 3, "beacons": 2, "battleship": 2, "promises": 3, "skerry": 2,
}  # fmt: skip
"""By name how many players: hearts are tricks, gin rummy is rummy, liar's dice are dice, Hanabi is beacons."""


def measure_worlds(name: str, players: int, matches: int, number: int, every: int) -> str:
    """Return a line about one game."""
    rules, made, spent, worst, broken = load_secret_game(name), Counter[str](), 0.0, 0.0, 0
    for seed in range(matches):
        match, draw = rules.start(players, seed), Random(seed)
        match.determinize(0, 0)
        while match.pending is not None:
            if len(match.choices) % every == 0:
                seat, began = match.frame[1], process_time()
                worlds = [match.determinize(seat, at) for at in range(number)]
                took = process_time() - began
                spent, worst = spent + took, max(worst, took)
                made.update(world.basis for world in worlds)
                broken += sum(bool(world.broken()) for world in worlds[:3])
            match.pick(draw.randrange(len(match.pending)))
    total = sum(made.values())
    shares = ", ".join(f"{made[one] / total:.0%} {one}" for one in ("drawn", "played", "weak") if made[one])
    return f"{name:<14} {total / spent:>8.0f} worlds/s, slowest moment {worst:.2f} s, {shares}, {broken} impossible"


def main() -> None:
    """Measure the games that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--every", type=int, default=2)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"Python {platform.python_version()}, {platform.machine()}; {args.worlds} worlds a moment")
    for name in args.games:
        print(measure_worlds(name, GAMES.get(name, 2), args.matches, args.worlds, args.every), flush=True)


if __name__ == "__main__":
    main()
