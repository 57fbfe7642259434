"""Measure random matches per second, and what else the speed of a match hangs on.

One process, one core, one interleaved run: in every round each subject plays for a slice of time, so that a
slow moment of the machine meets all of them. The same loop picks the moves of packs and of their versions by
hand, with the same generator. The table gives medians over the rounds; a ratio is the median of the ratios
within the rounds.

    python tools/bench/playouts.py [--rounds 7] [--slice 0.5] [--only PACK]... [--no-validate] [--format json]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "engine")]

from handwritten import Game  # noqa: E402 - the path is set first
from handwritten.breakthrough import Breakthrough  # noqa: E402
from handwritten.connect_four import ConnectFour  # noqa: E402
from handwritten.tic_tac_toe import TicTacToe  # noqa: E402

BY_HAND: dict[str, Callable[[], Game]] = {
    "tic_tac_toe": TicTacToe,
    "connect_four": ConnectFour,
    "breakthrough": Breakthrough,
}
PACKS = (
    ("tic_tac_toe", 2),
    ("connect_four", 2),
    ("breakthrough", 2),
    ("patolli", 2),
    ("othello", 2),
    ("city_of_gods", 2),
    ("city_of_gods", 3),
    ("city_of_gods", 4),
)
STATES = 200  # states of a match that are cloned, and the times that each is


@cache
def load(pack: str) -> Any:
    """Load a pack, once."""
    import patolli

    return patolli.load(pack)


@dataclass(slots=True)
class Subject:
    """Something that plays a random match of a seed; ``rates`` holds matches per second, one per round."""

    name: str
    play: Callable[[int], object]
    beside: str = ""
    rates: list[float] = field(default_factory=list)

    def run(self, seconds: float, seed: int) -> int:
        """Play matches for a slice of time; return the next seed."""
        played, start = 0, perf_counter()
        while (spent := perf_counter() - start) < seconds:
            self.play(seed)
            seed += 1
            played += 1
        self.rates.append(played / spent)
        return seed


def by_hand(make: Callable[[], Game], draw: Callable[[], float]) -> Callable[[int], object]:
    """Return what plays a match of a version by hand."""

    def play(seed: int) -> Game:
        game = make()
        while not game.over:
            legal = game.legal()
            game.play(legal[int(draw() * len(legal))])
        return game

    return play


def by_rules(rules: Any, players: int, draw: Callable[[], float]) -> Callable[[int], object]:
    """Return what plays a match of a pack."""

    def play(seed: int) -> object:
        match = rules.start(players, seed)
        options, pick = match.options, match.pick
        while (legal := options()) is not None:
            pick(int(draw() * len(legal)))
        return match

    return play


def subjects(only: list[str], draw: Callable[[], float]) -> Iterator[Subject]:
    """Yield everything that is measured, a pack right after its version by hand."""
    for pack, players in PACKS:
        if only and pack not in only:
            continue
        name, beside = f"{pack}, {players} players", ""
        if pack in BY_HAND:
            name, beside = pack, f"{pack}, by hand"
            yield Subject(beside, by_hand(BY_HAND[pack], draw))
        yield Subject(name, by_rules(load(pack), players, draw), beside)


def measure(found: list[Subject], rounds: int, seconds: float) -> None:
    """Let all subjects play, round after round, after a short warm-up."""
    for subject in found:
        subject.run(min(seconds, 0.2), 1_000_000)
        subject.rates.clear()
    seed = 1
    for _ in range(rounds):
        seed = max([subject.run(seconds, seed) for subject in found])


def table(found: list[Subject]) -> list[dict[str, Any]]:
    """Return a row per subject: medians, and the ratio to the hand-written version."""
    by_name = {subject.name: subject for subject in found}
    rows = []
    for subject in found:
        row: dict[str, Any] = {"name": subject.name, "matches_per_second": median(subject.rates)}
        row["lowest"], row["highest"] = min(subject.rates), max(subject.rates)
        other = by_name.get(subject.beside)
        if other is not None:
            row["ratio"] = median(a / b for a, b in zip(subject.rates, other.rates, strict=True))
        rows.append(row)
    return rows


def decisions(pack: str, players: int, seconds: float) -> dict[str, float]:
    """Return decisions per second and per match, and microseconds per clone, of random matches of a pack."""
    rules = load(pack)
    taken = matches = 0
    states: list[Any] = []
    start = perf_counter()
    while perf_counter() - start < seconds:
        rng, match = Random(matches), rules.start(players=players, seed=matches)
        while (options := match.options()) is not None:
            match.pick(int(rng.random() * len(options)))
            taken += 1
        matches += 1
    spent = perf_counter() - start
    rng, match = Random(0), rules.start(players=players, seed=0)
    while (options := match.options()) is not None:
        match.pick(int(rng.random() * len(options)))
        states.append(match.clone())
    states = states[:: max(1, len(states) // STATES)]
    times = []
    for state in states:
        start = perf_counter()
        for _ in range(STATES):
            state.clone()
        times.append((perf_counter() - start) / STATES)
    return {
        "decisions_per_second": taken / spent,
        "decisions_per_match": taken / matches,
        "clone_microseconds": median(times) * 1e6,
    }


def validate(rounds: int) -> dict[str, float]:
    """Return the seconds that ``patolli validate`` of all shipped content takes without and with a cache."""
    cold, warm = [], []
    command = [sys.executable, "-m", "patolli", "validate"]
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "XDG_CACHE_HOME": cache, "PYTHONPATH": str(ROOT / "engine")}
            for times in (cold, warm):
                start = perf_counter()
                subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True)
                times.append(perf_counter() - start)
    return {"cold_seconds": median(cold), "warm_seconds": median(warm)}


def machine() -> dict[str, str]:
    """Return what the numbers were measured on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    for line in info.read_text("utf-8", "replace").splitlines() if info.is_file() else ():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return {"machine": f"{model}, {os.cpu_count()} cores", "system": platform.system(), "python": python}


def show(report: dict[str, Any]) -> None:
    """Print a report for people."""
    print(" · ".join(report["on"].values()))
    print(f"{report['rounds']} rounds of {report['slice']} s for each, interleaved; medians\n")
    print(f"{'':28}{'matches/s':>12}{'lowest':>12}{'highest':>12}{'by hand':>10}")
    for row in report["playouts"]:
        numbers = "".join(f"{row[key]:>12,.1f}" for key in ("matches_per_second", "lowest", "highest"))
        ratio = f"{row['ratio']:.2f}" if "ratio" in row else ""
        print(f"{row['name']:28}{numbers}{ratio:>10}")
    print(f"\n{'':28}{'decisions/s':>12}{'in a match':>12}{'clone, µs':>12}")
    for name, row in report["decisions"].items():
        print(
            f"{name:28}{row['decisions_per_second']:>12,.0f}{row['decisions_per_match']:>12.1f}"
            f"{row['clone_microseconds']:>12.1f}"
        )
    if report["validate"]:
        times = report["validate"]
        print(f"\nvalidate, all content: {times['cold_seconds']:.2f} s cold, {times['warm_seconds']:.2f} s warm")


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="Measure random matches per second.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each subject plays (default 7)")
    parser.add_argument("--slice", type=float, default=0.5, help="seconds for each in a round (default 0.5)")
    parser.add_argument("--only", action="append", default=[], metavar="PACK", help="measure this pack alone")
    parser.add_argument("--no-validate", action="store_true", help="leave out the time of validate")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    arguments = parser.parse_args()
    found = list(subjects(arguments.only, Random(1).random))
    measure(found, arguments.rounds, arguments.slice)
    report = {
        "on": machine(),
        "rounds": arguments.rounds,
        "slice": arguments.slice,
        "playouts": table(found),
        "decisions": {
            f"{pack}, {players} players": decisions(pack, players, 2 * arguments.slice)
            for pack, players in PACKS
            if pack not in BY_HAND and (not arguments.only or pack in arguments.only)
        },
        "validate": {} if arguments.no_validate else validate(3),
    }
    if arguments.format == "json":
        print(json.dumps(report, indent=2))
    else:
        show(report)


if __name__ == "__main__":
    main()
