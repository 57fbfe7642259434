"""Measure what it costs to look at a match: ``match.view(seat)``, at positions of random matches.

One process, all seats. Each position is looked at several times and the best time counts, so that a slow moment of the
machine does not; the median, the 95th percentile and the slowest position are in microseconds, with the question that
is open. The last column has the median of the table alone: counters, places and pieces. What is compiled once for a
ruleset is not counted. With ``--most`` it fails where the 95th percentile is above so many microseconds.

    python tools/bench/views.py [--positions 60] [--most 200] [--only PACK]...
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "engine"))

import patolli  # noqa: E402 - the path is set first

RULESETS = (
    ("tic_tac_toe", ()),
    ("breakthrough", ()),
    ("patolli", ()),
    ("founders", ()),
    ("city_of_gods", ()),
    ("city_of_gods", ("mansion", "altars", "obsidian", "empire")),
)
TIMES = 5  # that each position is looked at


def positions(rules: patolli.Ruleset, players: int, wanted: int) -> Iterator[patolli.Match]:
    """Yield copies of random matches, from everywhere between their beginning and their end."""
    found, seed = 0, 0
    while found < wanted:
        match, draw = rules.start(players, seed), Random(seed)
        while match.pending is not None and found < wanted:
            match.pick(int(draw.random() * len(match.pending)))
            if draw.random() < 0.2:
                found += 1
                yield match.clone()
        seed += 1


def best(look: Callable[[], object]) -> float:
    """Return the microseconds that something takes when nothing else is going on."""
    times = []
    for _ in range(TIMES):
        start = perf_counter()
        look()
        times.append(perf_counter() - start)
    return min(times) * 1e6


def measured(pack: str, modules: tuple[str, ...], wanted: int) -> tuple[str, float]:
    """Return a line of the table, and the 95th percentile."""
    rules = patolli.load(pack, list(modules))
    players = rules.players[1]
    whole, table = [], []
    for match in positions(rules, players, wanted):
        for seat in range(match.players):
            look = rules.get_seat_view(match.program, seat)
            whole.append(best(partial(match.view, seat)))
            table.append(best(partial(look, match.state)))
    whole.sort()
    high = whole[len(whole) * 95 // 100]
    name = "+".join([pack, *modules])
    return f"{name:<44}{players:>8}{median(whole):>9.1f}{high:>9.1f}{whole[-1]:>9.1f}{median(table):>9.1f}", high


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--most", type=float, help="microseconds")
    parser.add_argument("--only", action="append", default=[], metavar="PACK")
    given = parser.parse_args()
    print(f"Python {platform.python_version()} on {platform.machine()}; microseconds per view")
    print(f"{'ruleset':<44}{'players':>8}{'median':>9}{'95 %':>9}{'slowest':>9}{'table':>9}")
    slow = []
    for pack, modules in RULESETS:
        if not given.only or pack in given.only:
            line, high = measured(pack, modules, given.positions)
            print(line, flush=True)
            slow += [pack] if given.most is not None and high > given.most else []
    if slow:
        sys.exit(f"slower than {given.most} microseconds: {', '.join(slow)}")


if __name__ == "__main__":
    main()
