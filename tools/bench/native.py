"""Measure the native back end beside Python, games written by hand, and OpenSpiel's C++.

One process, one core, one interleaved run: in every round each subject plays for a slice of time, by the clock of the
process. A ratio is the median of the ratios within the rounds. OpenSpiel's loop in C++ is that of its own rollouts
(one evaluation of a search): it plays from the first position to the end at random and draws on one generator, and
so do ``rollouts``; ``native`` seeds one for each match, as ``simulate`` does, and gives back the state at the end.

    python tools/bench/native.py [--rounds 7] [--slice 0.4] [--only PACK]...
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "engine")]

PACKS: tuple[tuple[str, int], ...] = (
    ("tic_tac_toe", 2),
    ("connect_four", 2),
    ("breakthrough", 2),
    ("go", 2),
    ("chess", 2),
    ("city_of_gods", 2),
    ("city_of_gods", 4),
    ("founders", 2),
    ("founders", 4),
)
SPIEL = {"tic_tac_toe": "tic_tac_toe", "connect_four": "connect_four", "breakthrough": "breakthrough"}
TOGETHER = 256
"""Matches that are played natively, or in C++, before a look at the clock."""
Play = Callable[[int], int]
"""Plays matches from a seed on and returns how many."""


def by_hand(pack: str) -> Play | None:
    """Return what plays a version that is written by hand, if there is one."""
    from playouts import BY_HAND
    from playouts import by_hand as playing

    if pack not in BY_HAND:
        return None
    play = playing(BY_HAND[pack], Random(1).random)
    return lambda seed: (play(seed), 1)[1]


def in_spiel(pack: str) -> Play | None:
    """Return what plays in C++, if OpenSpiel is there and knows the game."""
    try:
        import pyspiel
    except ImportError:
        return None
    if pack not in SPIEL:
        return None
    game = pyspiel.load_game(SPIEL[pack])
    state = game.new_initial_state()

    def play(seed: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(TOGETHER, seed)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, seed, False).mcts_search(state)
        return TOGETHER

    return play


def in_python(rules: Any, players: int) -> Play:
    """Return what plays with ``pick``."""
    draw = Random(1).random

    def play(seed: int) -> int:
        match = rules.start(players, seed)
        options, pick = match.options, match.pick
        while (legal := options()) is not None:
            pick(int(draw() * len(legal)))
        return 1

    return play


def rolling_out(rules: Any, players: int) -> Play:
    """Return what plays natively from one generator, and keeps the sums of the scores."""
    from patolli.run.native.machines import machine

    ready = machine(rules, players)
    number = TOGETHER if rules.id in SPIEL else 16

    def play(seed: int) -> int:
        ready.rollouts(seed, number, 100_000)
        return number

    return play


def natively(rules: Any, players: int) -> Play:
    """Return what plays natively."""
    from patolli.run.native.machines import machine

    ready = machine(rules, players)

    def play(seed: int) -> int:
        number = TOGETHER if players and rules.id in SPIEL else 16
        return sum(1 for _ in ready.play(range(seed, seed + number), 100_000))

    return play


def measured(ways: dict[str, Play], rounds: int, slice_: float) -> dict[str, list[float]]:
    """Return the matches per second of each way to play, round by round."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(-1, rounds):
        for name, play in ways.items():
            played, start, seed = 0, process_time(), number * 1_000_000 + 1_000_000
            while (spent := process_time() - start) < slice_:
                played += play(seed + played)
            if number >= 0:
                rates[name].append(played / spent)
    return rates


def main() -> None:
    """Measure, and print the table."""
    import patolli

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--slice", type=float, default=0.4, help="seconds for each in a round")
    parser.add_argument("--only", action="append", default=[], metavar="PACK")
    arguments = parser.parse_args()
    heads = "".join(f"{way:>13}{'to hand':>9}{'to C++':>9}{'to pick':>9}" for way in ("native", "rollouts"))
    print(f"{'':20}{heads}")
    for pack, players in PACKS:
        if arguments.only and pack not in arguments.only:
            continue
        rules = patolli.load(pack)
        ways = {"hand": by_hand(pack), "spiel": in_spiel(pack), "pick": in_python(rules, players)}
        ways |= {"native": natively(rules, players), "rollouts": rolling_out(rules, players)}
        rates = measured({name: play for name, play in ways.items() if play}, arguments.rounds, arguments.slice)
        line = f"{pack + ', ' + str(players):20}"
        for way in ("native", "rollouts"):
            line += f"{median(rates[way]):>13,.0f}"
            for name in ("hand", "spiel", "pick"):
                ratios = [a / b for a, b in zip(rates[way], rates[name], strict=True)] if name in rates else []
                line += f"{median(ratios):>9.2f}" if ratios else f"{'-':>9}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
