"""What keeping the facts of matches costs: the same matches played as by `simulate` in Python, and as a run of the lab.

    python tools/bench/recording.py city_of_gods founders --games 2000

Both play some matches in turn, and the time of the process is taken. All that a run does is in it: what is looked at
while a match is played, score sheets, lines, hashes, and Parquet files. What is done once in a run, such as importing a
library, is done before.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time

from patolli import load
from patolli.language.diagnostics.memory import seldom_collected
from patolli.measure.lab.run_loop import SHEETS, Players
from patolli.measure.lab.store import BLOCK, Store
from patolli.measure.lab.tables import libraries
from patolli.measure.simulation.games import Plan, play_game, prepare

TOGETHER = 250
"""Matches that one of both plays before it is the turn of the other: as many as a run counts together."""


def timed(work: Callable[[], object]) -> float:
    """Return how many seconds something takes."""
    began = process_time()
    work()
    return process_time() - began


def measure(name: str, games: int, seats: int) -> str:
    """Play matches of a pack both ways, and tell what was seen."""
    rules, plan = load(name), Plan(seats, games, 1)
    prepare(rules, plan)
    prepare(rules, plan, watched=True)
    here = Players({"base": rules}, plan)
    with tempfile.TemporaryDirectory() as home, seldom_collected():  # as a run does
        store, before = Store(Path(home) / "run", {"pack": name}), Store(Path(home) / "before", {"pack": name})
        sheets = -(-games // SHEETS) * SHEETS
        bare = kept = 0.0

        def simulate(numbers: range) -> None:
            for number in numbers:
                play_game(rules, plan, number)

        def record(to: Store, numbers: range) -> None:
            for row in here.play("base", numbers):
                to.add("base", row)

        record(before, range(sheets, sheets + BLOCK))  # a sheet and a whole block, so that all is there that is needed
        for first in range(0, games, TOGETHER):
            numbers = range(first, min(first + TOGETHER, games))
            bare += timed(partial(simulate, numbers))
            kept += timed(partial(record, store, numbers))
        size = sum(path.stat().st_size for path in store.there("base")[0]) / games
    return (
        f"{name}, {seats} seats, {games:,} matches: {games / bare:,.0f} a second bare, {games / kept:,.0f} recorded; "
        f"{1 - bare / kept:.1%} of the speed, {kept / bare - 1:.1%} more time, {size:,.0f} bytes a match"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Measure packs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--players", type=int, default=2)
    given = parser.parse_args(words)
    libraries()
    for name in given.packs:
        print(measure(name, given.games, given.players), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
