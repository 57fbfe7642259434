"""Measure the engine of this tree beside that of another one, and beside games written by hand, in one interleaved run.

Each tree plays in a process of its own, which waits while the others play: in every round each subject plays for a
slice of time, by the clock of its process, so that what else the machine does meets all alike. A ratio is the median
of the ratios within the rounds.

    python tools/bench/trees.py [--beside ROOT] [--rounds 9] [--slice 0.3] [--only PACK]... [--ways pick,choose,..]

The ways to play: ``hand`` is Python written for the one game, ``pick`` the loop of fast players, ``choose`` the loop
of the README, ``games`` what ``simulate`` does, with scores and digests.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKS: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("tic_tac_toe", (), 2),
    ("connect_four", (), 2),
    ("breakthrough", (), 2),
    ("city_of_gods", (), 2),
    ("city_of_gods", (), 4),
    ("founders", (), 2),
    ("founders", (), 4),
    ("go", (), 2),
    ("chess", (), 2),
)
WAYS = ("pick", "choose", "games")
Play = Callable[[int], object]


def picking(rules: Any, players: int, draw: Callable[[], float]) -> Play:
    """Return what plays a match by raw options."""

    def play(seed: int) -> None:
        match = rules.start(players, seed)
        options, pick = match.options, match.pick
        while (legal := options()) is not None:
            pick(int(draw() * len(legal)))

    return play


def choosing(rules: Any, players: int, draw: Callable[[], float]) -> Play:
    """Return what plays a match as the README does."""

    def play(seed: int) -> None:
        match = rules.start(players, seed)
        while (decision := match.decision) is not None:
            options = decision.options
            match.choose(options[int(draw() * len(options))])

    return play


def simulating(rules: Any, players: int, draw: Callable[[], float]) -> Play:
    """Return what plays a match as ``simulate`` does, invariants apart."""
    from patolli.measure.simulation.games import Plan, play_games

    def play(seed: int) -> None:
        plan = Plan(players, 10, seed, invariants=False)
        for _ in play_games(rules, plan, 0, 10, lambda: False):
            pass

    return play


def by_hand(pack: str, draw: Callable[[], float]) -> Play:
    """Return what plays a match of a version by hand."""
    from playouts import BY_HAND
    from playouts import by_hand as playing

    return playing(BY_HAND[pack], draw)


def work(root: str) -> None:
    """Play requests, a line of JSON each: a pack, its modules, players, a way, seconds and a seed."""
    sys.path[:0] = [f"{root}/engine", str(Path(__file__).parent)]
    import patolli

    draw, loaded, known = Random(1).random, dict[Any, Any](), dict[Any, Play]()
    ways = {"pick": picking, "choose": choosing, "games": simulating}
    for line in sys.stdin:
        pack, modules, players, way, seconds, seed = json.loads(line)
        if (pack, *modules) not in loaded and way != "hand":
            loaded[pack, *modules] = patolli.load(pack, modules=modules)
        key = (pack, *modules, players, way)
        if key not in known:
            rules = loaded.get((pack, *modules))
            known[key] = by_hand(pack, draw) if way == "hand" else ways[way](rules, players, draw)
        play, played, start = known[key], 0, process_time()
        while (spent := process_time() - start) < seconds:
            play(seed + played)
            played += 1
        print(json.dumps((10 if way == "games" else 1) * played / spent), flush=True)


class Tree:
    """The process in which the engine of one tree plays."""

    def __init__(self, root: str) -> None:
        """Start it."""
        command = [sys.executable, __file__, "--work", root]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def rate(self, *asked: Any) -> float:
        """Return how many matches a second are played."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def end(self) -> None:
        """Let it go."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compared(rates: list[float], others: list[float] | None) -> str:
    """Return the median of the ratios to others, round by round."""
    return f"{median(a / b for a, b in zip(rates, others, strict=True)):>8.2f}" if others else " " * 8


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--work", metavar="ROOT", help=argparse.SUPPRESS)
    parser.add_argument("--beside", metavar="ROOT", help="another checkout, to be compared with")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--slice", type=float, default=0.3, help="seconds for each in a round")
    parser.add_argument("--only", action="append", default=[], metavar="PACK")
    parser.add_argument("--ways", default=",".join(WAYS), help="which ways to play, with commas")
    arguments = parser.parse_args()
    if arguments.work:
        work(arguments.work)
        return
    sys.path[:0] = [str(ROOT / "engine")]
    trees = {"this": Tree(str(ROOT)), **({"other": Tree(arguments.beside)} if arguments.beside else {})}
    print(f"{'':34}{'a second':>11}{'to hand':>8}{'to pick':>8}{'to other':>9}")
    for pack, modules, players in PACKS:
        if arguments.only and pack not in arguments.only:
            continue
        ways = arguments.ways.split(",")
        hand = [("this", "hand")] if pack in ("tic_tac_toe", "connect_four", "breakthrough") else []
        subjects = [*hand, *((tree, way) for way in ways for tree in trees)]
        rates: dict[tuple[str, str], list[float]] = {one: [] for one in subjects}
        for number in range(-1, arguments.rounds):
            for tree, way in subjects:
                seconds = arguments.slice if number >= 0 else 0.05
                rate = trees[tree].rate(pack, modules, players, way, seconds, 1000 * (number + 1))
                if number >= 0:
                    rates[tree, way].append(rate)
        for (tree, way), found in rates.items():
            name = f"{pack}, {players} players, {way}{'' if tree == 'this' else ', other'}"
            to_hand = compared(found, rates.get(("this", "hand")) if way != "hand" else None)
            to_pick = compared(found, rates.get((tree, "pick")) if way in ("choose", "games") else None)
            to_other = compared(found, rates.get(("other", way)) if tree == "this" else None)
            print(f"{name:34}{median(found):>11,.1f}{to_hand}{to_pick} {to_other}", flush=True)
    for tree in trees.values():
        tree.end()


if __name__ == "__main__":
    main()
