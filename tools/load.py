"""Measure how many tables one core serves: people at many tables choose and read the state, without a network.

    python tools/load.py                               200 tables of city_of_gods with 4 players, 5 choices at each
    python tools/load.py --pack chess --players 2 --tables 50 --moves 10

For each choice, the time of the server is what the application computes for the choice itself and for the states that
it sends to all clients of the table: CPU time of the process, so that other programs do not count. Exit status: 1 if
the slowest of 20 choices takes longer than the limit.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

from patolli.serve.studio import states
from patolli.serve.studio.acts import Setup
from patolli.serve.studio.seats import HOST, WATCH, Seats
from patolli.serve.studio.shelf import compile_world_programs
from patolli.serve.studio.table import Table, places
from patolli.serve.studio.wire import encode_json

LIMIT = 0.150
"""Seconds of server time that 19 of 20 choices may take."""


def sit_down(rules: Any, pack: str, players: int, seed: int) -> Table:
    """Return a table at which a player has opened the link of each seat."""
    seats = Seats.new(places([], players, rules.model.automated))
    for seat in seats.places[:players]:
        seat.taken = True
    return Table(f"table{seed}", Setup(pack, (), {}, players, seed), rules, seats, lambda id_, act: None)


def choose_once(table: Table, draw: random.Random) -> tuple[float, float, int]:
    """Make one choice; return the CPU time of the choice, that of all states after it, and their bytes."""
    seat = table.decider
    decision = table.match.decision
    assert decision is not None
    start = time.process_time()
    table.choose(seat, table.revision, draw.randrange(len(decision.options)), "")
    chosen = time.process_time()
    sent = [encode_json(states.state_of(table, who)) for who in (*range(table.setup.players), HOST, WATCH)]
    return chosen - start, time.process_time() - chosen, sum(map(len, sent))


def main() -> int:
    """Play, and print the figures."""
    import patolli

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pack", default="city_of_gods")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--moves", type=int, default=5)
    asked = parser.parse_args()
    rules, draw = patolli.load(asked.pack), random.Random(1)
    compile_world_programs(rules, asked.players)
    start = time.process_time()
    tables = [sit_down(rules, asked.pack, asked.players, seed) for seed in range(asked.tables)]
    opened = (time.process_time() - start) / len(tables)
    times, sizes = [], []
    for _ in range(asked.moves):
        for table in tables:
            if not table.match.over:
                choice, state, size = choose_once(table, draw)
                times.append(choice + state)
                sizes.append(size)
    times.sort()
    middle, late = times[len(times) // 2], times[int(0.95 * len(times))]
    mean = sum(times) / len(times)
    print(f"{len(tables)} tables of {asked.pack} with {asked.players} players; CPU time of one core")
    print(f"  open a table        {1000 * opened:7.1f} ms")
    print(f"  a choice, median    {1000 * middle:7.1f} ms, with the states for {asked.players + 2} clients")
    print(f"  19 of 20 below      {1000 * late:7.1f} ms (limit: {1000 * LIMIT:.0f} ms)")
    print(f"  slowest             {1000 * times[-1]:7.1f} ms of {len(times)}")
    print(f"  sent for a choice   {sum(sizes) / len(sizes) / 1000:7.1f} kB")
    print(
        f"  one core carries    {1 / mean:7.1f} choices a second: {60 / mean / asked.tables:.1f} a minute at each table"
    )
    return 1 if late > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
